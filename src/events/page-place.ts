// Where a page of the log that is read from its newest end goes on. Whoever alters it reads from elsewhere in the same log,
// which is theirs to read anyway. Pure.
import type { Position } from './cursor.ts'

export type EventPlace = Pick<Position, 'epoch' | 'xid' | 'seq'>

/** Behind every event. */
export const LOG_END: EventPlace = { epoch: 2_147_483_647, xid: '0', seq: 0 }

const FORM = /^(\d{1,9})\.(\d{1,18})\.(\d{1,16})$/

export function encodePlace({ epoch, xid, seq }: EventPlace): string {
  return `${epoch}.${xid}.${seq}`
}

/** Undefined for what is no place. */
export function decodePlace(text: string): EventPlace | undefined {
  const [, epoch, xid, seq] = FORM.exec(text) ?? []
  if (epoch === undefined || xid === undefined || seq === undefined) return undefined
  return { epoch: Number(epoch), xid, seq: Number(seq) }
}
