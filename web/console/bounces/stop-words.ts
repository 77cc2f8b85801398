// How often an address bounced or complained, and who stopped it, in words.
import type { ListedAddress } from '../../../src/servers/console/suppression-schemas.ts'

type Stop = NonNullable<ListedAddress['stopped']>

/** `bounced twice, complained once`; undefined when it never did. */
export function timesInWords({
  bounces,
  complaints,
}: Pick<ListedAddress, 'bounces' | 'complaints'>): string | undefined {
  const parts = [
    ...(bounces > 0 ? [`bounced ${times(bounces)}`] : []),
    ...(complaints > 0 ? [`complained ${times(complaints)}`] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : undefined
}

const times = (count: number): string =>
  count === 1 ? 'once' : count === 2 ? 'twice' : `${count.toLocaleString('en')} times`

/** Who or what stopped it. */
export function stopInWords({ reason, by }: Pick<Stop, 'reason' | 'by'>): string {
  if (reason === 'bounce') return 'automatically, after a bounce'
  if (reason === 'complaint') return 'automatically, after a complaint'
  const who = by?.kind === 'operator' ? 'the operator' : (by?.name ?? 'somebody who has left')
  return reason === 'import' ? `in an import by ${who}` : `by ${who}`
}

/** What an import came to. */
export function importInWords({ added, known }: { added: number; known: number }): string {
  const stopped = added === 1 ? '1 address is stopped' : `${added.toLocaleString('en')} addresses are stopped`
  return known === 0
    ? `${stopped}.`
    : `${stopped}; ${known.toLocaleString('en')} already ${known === 1 ? 'was' : 'were'}.`
}
