// What a page shows when there is nothing to show: not yet, nothing at all, or nothing because of a fault.
import type { ComponentChildren } from 'preact'
import { faultInWords } from './fault-in-words.ts'
import type { Query } from './query.ts'
import { Refusal } from './request.ts'

/** What was fetched, once it is there. */
export function Loaded<T>({ query, children }: { query: Query<T>; children: (data: T) => ComponentChildren }) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  return query.fault ? <FaultState fault={query.fault} again={query.again} /> : <div class="loading" aria-busy="true" />
}

/** An empty list, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
    </div>
  )
}

export function FaultState({ fault, again }: { fault: Error; again(): void }) {
  const faults =
    fault instanceof Refusal
      ? Object.entries(fault.faults).map(([name, words]) => faultInWords(`“${name}”`, words))
      : []
  const mayPass = !(fault instanceof Refusal) || fault.status === 0 || fault.status >= 500
  return (
    <div class="state" role="alert">
      <h2>{mayPass ? 'This did not load' : 'This cannot be shown'}</h2>
      <p>{faults.length > 0 ? faults.join(' ') : fault.message}</p>
      {mayPass && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}
