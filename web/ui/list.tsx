// A list that goes on: what there is of it so far, and a button that fetches more. What to do when there is nothing is the
// page's to say.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Pages } from './query.ts'
import { EmptyState, FaultState } from './states.tsx'

/** So many pages are fetched by themselves while they have nothing: a page looks through so much at most, and may have found nothing. */
const PAGES_BY_ITSELF = 4

interface ListProps<T> {
  pages: Pages<T>
  children: (items: readonly T[]) => ComponentChildren
  /** Shown where there is nothing at all. */
  empty: ComponentChildren
  /** What its button says. */
  goesOn?: string
}

export function List<T>({ pages, children, empty, goesOn = 'Show older' }: ListProps<T>) {
  const { path, items, isFormer, fault, again, more, isFetchingMore } = pages
  const [byItself, setByItself] = useState({ path, pages: 0 })
  const fetched = byItself.path === path ? byItself.pages : 0
  const isLooking = items?.length === 0 && more !== undefined && fetched < PAGES_BY_ITSELF
  useEffect(() => {
    if (!isLooking || isFetchingMore || fault) return
    setByItself({ path, pages: fetched + 1 })
    more()
  }, [isLooking, isFetchingMore, fault, path])

  if (items === undefined) {
    return fault ? <FaultState fault={fault} again={again} /> : <div class="loading" aria-busy="true" />
  }
  return (
    <div class="stack list" aria-busy={isFormer ? 'true' : undefined}>
      {items.length > 0 ? children(items) : more ? <NothingYet isBusy={isFetchingMore || isLooking} /> : empty}
      {fault && <FaultState fault={fault} again={more ?? again} />}
      {more && !fault && (
        <div class="actions">
          <button
            type="button"
            aria-disabled={isFetchingMore ? 'true' : undefined}
            onClick={() => isFetchingMore || more()}
          >
            {items.length > 0 ? goesOn : 'Look further back'}
          </button>
        </div>
      )}
    </div>
  )
}

function NothingYet({ isBusy }: { isBusy: boolean }) {
  if (isBusy) return <div class="loading" aria-busy="true" />
  return <EmptyState title="Nothing found so far">What is older has not been looked through yet.</EmptyState>
}
