// Ids. Knows nothing of what they name.
import { v7 } from 'uuid'

/** A UUID in lower case with hyphens. Ours are version 7 (RFC 9562); those of others may be any. */
export type Uuid = string

/** A new UUIDv7: ids made later in this process sort later. */
export function newId(): Uuid {
  return v7()
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text)
}

/** The least UUIDv7 of a millisecond since 1970: what is of an earlier one has a lesser id. */
export function leastIdAt(ms: number): Uuid {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
