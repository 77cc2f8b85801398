// The cursor of message pages: an instant that also says where among the messages of its microsecond the page ended.
// DECISIONS "Ids, order, cursors".
import { parseInstant } from '../http/instant.ts'
import type { Timestamp } from '../lib/sql.ts'

/** A place in the order of messages, newest first. What lies behind it is older. */
export interface PagePlace {
  /** Microseconds since 1970. */
  micros: number
  seq: number
}

/** Before the newest message. */
export const NEWEST: PagePlace = { micros: Number.MAX_SAFE_INTEGER, seq: 0 }

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
