// The shapes of events.
import Type, { type Static } from 'typebox'
import { Closed, DateTime, Nullable, Uuid } from '../lib/schemas.ts'

export const Event = Closed({
  id: Uuid,
  type: Type.String(),
  resourceType: Type.String(),
  resourceId: Uuid,
  data: Type.Object({}, { additionalProperties: true }),
  occurredAt: DateTime,
})
export type Event = Static<typeof Event>

export const EventPage = Closed({
  items: Type.Array(Event),
  nextCursor: Nullable(Type.String()),
})

// specification.md#limits-of-a-request, #event-feed
export const EventsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
})
export type EventsQuery = Static<typeof EventsQuery>
