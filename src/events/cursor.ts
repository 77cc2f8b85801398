// Cursors of the event feed: a place in the log, sealed for one tenant and environment so that it can be neither
// read into nor made up. Knows nothing of the database.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../lib/secret-box.ts'
import { deriveKeys } from '../lib/secret-box.ts'
import type { Uuid } from '../lib/uuid.ts'

/** A place in the log: what a reader has read up to, itself included. */
export interface Position {
  epoch: number
  /** xid8 of the transaction, as decimal digits: it may pass 2^53. */
  xid: string
  seq: number
  /** Events before this instant are left out, by a reader that began at an instant. Microseconds since 1970. */
  sinceMicros: number
}

/** Before every event. */
export const BEGINNING: Position = { epoch: 0, xid: '0', seq: 0, sinceMicros: 0 }

/** Whether a place of the log lies before another. */
export function isBefore(one: Position, other: Position): boolean {
  if (one.epoch !== other.epoch) return one.epoch < other.epoch
  if (one.xid !== other.xid) return BigInt(one.xid) < BigInt(other.xid)
  return one.seq < other.seq
}

/** Whose log a cursor is for. */
export interface CursorOwner {
  tenantId: Uuid
  environmentId: Uuid
}

export interface CursorCodec {
  encode(owner: CursorOwner, position: Position): string
  /** Undefined for a cursor that is malformed, altered, or another's. */
  decode(owner: CursorOwner, cursor: string): Position | undefined
}

// Layout: format (1 octet), epoch (4), xid (8), seq (8), since (8), authentication code (16).
const FORMAT = 1
const PLACE_BYTES = 29
const CODE_BYTES = 16

/** A codec over the service's keys: the first seals, every one opens. */
export function createCursorCodec(keys: SecretKeys): CursorCodec {
  const cursorKeys = deriveKeys(keys, 'events-cursor')

  const code = (key: (typeof cursorKeys)[number], owner: CursorOwner, place: Buffer) =>
    createHmac('sha256', key.key)
      .update(`${owner.tenantId}/${owner.environmentId}/`)
      .update(place)
      .digest()
      .subarray(0, CODE_BYTES)

  return {
    encode(owner, position) {
      const place = Buffer.alloc(PLACE_BYTES)
      place.writeUInt8(FORMAT, 0)
      place.writeUInt32BE(position.epoch, 1)
      place.writeBigUInt64BE(BigInt(position.xid), 5)
      place.writeBigUInt64BE(BigInt(position.seq), 13)
      place.writeBigUInt64BE(BigInt(position.sinceMicros), 21)
      return Buffer.concat([place, code(cursorKeys[0], owner, place)]).toString('base64url')
    },

    decode(owner, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length !== PLACE_BYTES + CODE_BYTES || bytes.toString('base64url') !== cursor) return undefined
      const place = bytes.subarray(0, PLACE_BYTES)
      const given = bytes.subarray(PLACE_BYTES)
      if (!cursorKeys.some((key) => timingSafeEqual(code(key, owner, place), given))) return undefined
      if (place.readUInt8(0) !== FORMAT) return undefined
      return {
        epoch: place.readUInt32BE(1),
        xid: String(place.readBigUInt64BE(5)),
        seq: Number(place.readBigUInt64BE(13)),
        sinceMicros: Number(place.readBigUInt64BE(21)),
      }
    },
  }
}
