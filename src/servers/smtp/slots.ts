// Who sits on the listener's connections, and who has to get up when they are all taken. Pure; the clock is given.

export interface Seat {
  /** What counts as one client; null for one that is not counted, which keeps its seat. */
  client: string | null
  openedMs: number
  /** When it last brought a mail; when it was opened, before the first. */
  usefulMs: number
  /** It waits for our answer to a mail that it has brought. */
  isWaiting: boolean
}

export const MOST_CONNECTIONS = 500
/** A session that brings no mail for so long is over; a mail of 25 MiB comes in that time over 0.4 Mbit/s. */
export const MAIL_WITHIN_MS = 10 * 60_000
/** A session is over after so long, whatever it brings. */
export const SESSION_MS = 60 * 60_000
/** How long a client may be useless that has no more seats than whoever wants one. */
const PATIENCE_MS = 60_000

/**
 * Whose seat a newcomer gets when all are taken: of the client that has most, if it has more than the newcomer would, the
 * one that has been useless for longest; or else whichever has tried our patience. Undefined when nobody has to go.
 */
export function seatToFree<S extends Seat>(seats: readonly S[], newcomer: string | null, nowMs: number): S | undefined {
  const counts = new Map<string | null, number>()
  for (const { client } of seats) counts.set(client, (counts.get(client) ?? 0) + 1)
  const held = ({ client }: Seat) => counts.get(client) ?? 0
  const candidates = seats.filter(({ client, isWaiting }) => client !== null && !isWaiting)
  const most = Math.max(0, ...candidates.map(held))
  const mine = newcomer === null ? 0 : (counts.get(newcomer) ?? 0)
  const crowd = most > mine + 1 ? candidates.filter((seat) => held(seat) === most) : candidates
  const [longest] = crowd.toSorted((a, b) => a.usefulMs - b.usefulMs)
  return most > mine + 1 || (longest && nowMs - longest.usefulMs >= PATIENCE_MS) ? longest : undefined
}

/** True for a seat whose time is over. */
export function isOverdue({ openedMs, usefulMs, isWaiting }: Seat, nowMs: number): boolean {
  return !isWaiting && (nowMs - usefulMs >= MAIL_WITHIN_MS || nowMs - openedMs >= SESSION_MS)
}
