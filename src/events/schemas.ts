// The shapes of events.
import type { Static } from 'typebox'
import { Type } from '../lib/schema-types.ts'
import { Closed, DateTime, Explained, Nullable, OneOf, Uuid } from '../lib/schemas.ts'
import { EVENT_TYPES } from './types.ts'

export const Event = Closed(
  {
    id: Explained(Uuid, 'Names the event, here and in webhooks.'),
    type: Type.String({ description: 'What happened, such as `message.delivered`.' }),
    resourceType: Type.String({ description: 'What it happened to: `message`, `mailbox` or `domain`.' }),
    resourceId: Explained(Uuid, 'The id of that message, mailbox or domain.'),
    data: Type.Object(
      {},
      { additionalProperties: true, description: 'What happened in detail, as each type of event has it.' },
    ),
    occurredAt: Explained(DateTime, 'When it happened.'),
  },
  { description: 'Something that happened.' },
)
export type Event = Static<typeof Event>

export const EventAnswer = Closed({ event: Event })

export const EventPage = Closed({
  items: Type.Array(Event, { description: 'Oldest first.' }),
  nextCursor: Explained(Nullable(Type.String()), 'Where the next page begins; null on the last one.'),
})

// specification.md#limits-of-a-request, #event-feed
export const EventsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many events at most.' }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'Where to go on: the `Mdk-Resume-Cursor` or `nextCursor` of an earlier page, unchanged; or an ISO 8601 timestamp.',
    }),
  ),
  type: Type.Optional(Explained(OneOf(EVENT_TYPES), 'Only events of this type.')),
  resourceId: Type.Optional(Explained(Uuid, 'Only events about this message, mailbox or domain.')),
})
export type EventsQuery = Static<typeof EventsQuery>
