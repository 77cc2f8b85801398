// Where a page goes on of a list that is ordered by an instant and, among those of one microsecond, by id. Whoever alters it
// reads from elsewhere in the same list. Pure.
import { parseInstant } from '../lib/instant.ts'
import type { Timestamp } from '../lib/sql.ts'
import { isUuid, type Uuid } from '../lib/uuid.ts'

export interface PlaceInTime {
  /** Microseconds since 1970. */
  micros: number
  id: Uuid
}

/** Before the newest. */
export const END_OF_TIME: PlaceInTime = {
  micros: Number.MAX_SAFE_INTEGER,
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
}

/** Behind the oldest. */
export const START_OF_TIME: PlaceInTime = { micros: 0, id: '00000000-0000-0000-0000-000000000000' }

export function encodePlaceInTime(at: Timestamp, id: Uuid): string {
  return `${parseInstant(at)}.${id}`
}

/** Undefined for what is no place. */
export function decodePlaceInTime(text: string): PlaceInTime | undefined {
  const [, micros, id] = /^(\d{1,16})\.(.{36})$/.exec(text) ?? []
  if (micros === undefined || id === undefined || !isUuid(id) || Number(micros) > END_OF_TIME.micros) return undefined
  return { micros: Number(micros), id }
}
