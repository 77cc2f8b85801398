// What is found by a few words or an id, wherever it is.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'

const FOUND_KINDS = ['message', 'event', 'delivery', 'request', 'endpoint', 'app', 'domain', 'mailbox'] as const

const FoundThing = Closed({
  kind: OneOf(FOUND_KINDS),
  id: Uuid,
  /** What it is known by. */
  words: Type.String(),
  /** More of it. */
  about: Nullable(Type.String()),
  /** Of an event: what it is of, and when it was. */
  resourceId: Nullable(Uuid),
  at: Nullable(DateTime),
})
export type FoundThing = Static<typeof FoundThing>

export const FoundList = Closed({ items: Type.Array(FoundThing) })
export type FoundList = Static<typeof FoundList>
