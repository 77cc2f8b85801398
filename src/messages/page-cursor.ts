// The cursor of message pages: an instant that also says where among the messages of its microsecond the page ended, and
// where a page ends. specification.md#pages-of-messages
import { parseInstant } from '../lib/instant.ts'
import type { Timestamp } from '../lib/sql.ts'

/** A place in the order of messages, newest first. What lies behind it is older. */
export interface PagePlace {
  /** Microseconds since 1970. */
  micros: number
  seq: number
}

/** Before the newest message. */
export const NEWEST: PagePlace = { micros: Number.MAX_SAFE_INTEGER, seq: 0 }

interface Placed {
  created_at: Timestamp
  seq: number
}

/**
 * What a page shows of the rows that were read for it, `limit` and one more, and the cursor behind it; null when there is
 * no more. It ends between two milliseconds where it can, although it is shorter then: its cursor is the same place for a
 * client that reads instants to the millisecond. Where all the rows lie in one millisecond the cursor says which was last,
 * to whoever passes it back as it is.
 */
export function endPage<Row extends Placed>(
  rows: readonly Row[],
  limit: number,
): [shown: Row[], cursor: string | null] {
  if (rows.length <= limit) return [[...rows], null]
  let count = limit
  while (count > 0 && millisecondOf(rows[count - 1]) === millisecondOf(rows[count])) count -= 1
  const last = rows[(count || limit) - 1] as Row
  if (count === 0) return [rows.slice(0, limit), encodePageCursor(last.created_at, last.seq)]
  return [rows.slice(0, count), encodePageCursor(`${millisecondOf(last)}000Z`, 0)]
}

/**
 * The same for a walk that came to its bound before it found a page full of rows. What it found goes up to the millisecond of
 * the `last` row that it looked at, and the next page begins with that one. Where all that it looked at since `behind` lies
 * in one millisecond, the cursor says which was last.
 */
export function endWalk<Row extends Placed>(
  rows: readonly Row[],
  last: Placed,
  behind: PagePlace,
): [shown: Row[], cursor: string] {
  const millisecond = millisecondOf(last)
  const next = Date.parse(`${millisecond}Z`) + 1
  const isBehind = next * 1000 < behind.micros || (next * 1000 === behind.micros && behind.seq > 0)
  if (!isBehind) return [[...rows], encodePageCursor(last.created_at, last.seq)]
  const shown = rows.filter((row) => millisecondOf(row) !== millisecond)
  return [shown, encodePageCursor(`${new Date(next).toISOString().slice(0, -1)}000Z`, 0)]
}

/** `2026-01-01T00:00:00.123` */
function millisecondOf(row: Placed | undefined): string | undefined {
  return row?.created_at.slice(0, 23)
}

/** `2026-01-01T00:00:00.123456` and the digits of seq, then `Z`: an RFC 3339 instant. */
export function encodePageCursor(createdAt: Timestamp, seq: number): string {
  return `${createdAt.slice(0, -1)}${seq}Z`
}

/** Undefined when it is no instant. One without digits of seq means strictly older than the instant. */
export function decodePageCursor(cursor: string): PagePlace | undefined {
  const [, until, seq, zone] = /^(.*[.,]\d{6})(\d{1,16})(\D.*)$/.exec(cursor) ?? []
  const micros = parseInstant(until === undefined ? cursor : `${until}${zone}`)
  return micros === undefined ? undefined : { micros, seq: Number(seq ?? 0) }
}
