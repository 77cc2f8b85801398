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
