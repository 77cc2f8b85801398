// The shapes of webhook endpoints and deliveries as the API takes and gives them.
import type { Static } from 'typebox'
import { EVENT_TYPES } from '../events/types.ts'
import { Type } from '../lib/schema-types.ts'
import { atLeastOneOf, Closed, DateTime, Explained, Nullable, OneOf, Uuid } from '../lib/schemas.ts'
import { ATTEMPT_ERRORS, DELIVERY_ERRORS, DELIVERY_STATUSES } from './delivery-state.ts'

// specification.md#endpoints
const MAX_EVENT_TYPES = 20
const MAX_DESCRIPTION_CHARACTERS = 255
/** What proxies and servers commonly take. */
const MAX_URL_CHARACTERS = 2_048

const Url = Type.String({
  format: 'uri',
  minLength: 1,
  maxLength: MAX_URL_CHARACTERS,
  description: 'Where events are posted: `https`, and a public address.',
})
const Description = Explained(
  Nullable(Type.String({ format: 'text', maxLength: MAX_DESCRIPTION_CHARACTERS })),
  'What it is for, in your words.',
)
const EventTypes = Type.Array(OneOf([...EVENT_TYPES, '*']), {
  minItems: 1,
  maxItems: MAX_EVENT_TYPES,
  description: 'The types of events that it receives, or `*` for all that there are and will be.',
})

export const WebhookEndpoint = Closed(
  {
    id: Explained(Uuid, 'Names the endpoint.'),
    appId: Explained(Uuid, 'The application that it belongs to.'),
    url: Type.String({ format: 'uri', description: 'Where events are posted.' }),
    description: Type.Optional(Explained(Nullable(Type.String()), 'What it is for, in your words.')),
    eventTypes: Type.Array(Type.String(), { description: 'The types of events that it receives; `*`: all.' }),
    enabled: Type.Boolean({ description: 'Whether events are posted to it. The tenth failure in a row disables it.' }),
    consecutiveFailures: Type.Integer({
      minimum: 0,
      description: 'How many attempts have failed since the last success. While it is above 0, deliveries wait.',
    }),
    disabledAt: Explained(Nullable(DateTime), 'When it was disabled; null while it is enabled.'),
    createdAt: Explained(DateTime, 'When it was created.'),
  },
  { description: 'A URL of yours to which events are posted.' },
)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const CreateWebhookEndpointInput = Closed({
  url: Url,
  description: Type.Optional(Description),
  eventTypes: EventTypes,
})
export type CreateWebhookEndpointInput = Static<typeof CreateWebhookEndpointInput>

export const UpdateWebhookEndpointInput = Closed(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    eventTypes: Type.Optional(EventTypes),
    enabled: Type.Optional(
      Type.Boolean({ description: 'Whether events are posted to it. True sets `consecutiveFailures` to 0.' }),
    ),
  },
  atLeastOneOf('url', 'description', 'eventTypes', 'enabled'),
)
export type UpdateWebhookEndpointInput = Static<typeof UpdateWebhookEndpointInput>

export const WebhookEndpointList = Closed({ items: Type.Array(WebhookEndpoint, { description: 'All of them.' }) })
export const WebhookEndpointAnswer = Closed({ endpoint: WebhookEndpoint })
export const NewWebhookEndpoint = Closed({
  endpoint: WebhookEndpoint,
  secret: Type.String({ description: 'Verifies deliveries: `whsec_…`. It is shown only this once.' }),
})

export const WebhookTestResult = Closed({
  eventId: Explained(Uuid, 'The id that the request carried.'),
  delivered: Type.Boolean({ description: 'Whether it was answered 2xx in time.' }),
  statusCode: Explained(Nullable(Type.Integer()), 'The status that was answered; null without an answer.'),
  error: Explained(Nullable(Type.String()), 'Why it failed, as `lastError` of a delivery; null when it did not.'),
  durationMs: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  answer: Explained(
    Nullable(Type.String()),
    'The first 1,000 octets of what the receiver answered instead of accepting, where that was text.',
  ),
})

export const WebhookDelivery = Type.Object(
  {
    id: Explained(Uuid, 'Names the delivery.'),
    object: Type.Literal('webhook_delivery', { description: 'What this is.' }),
    endpointId: Explained(Uuid, 'The endpoint it goes to.'),
    eventId: Explained(Uuid, 'The event it carries.'),
    eventType: Type.String({ description: 'The type of that event.' }),
    status: Explained(
      OneOf(DELIVERY_STATUSES),
      '`pending` until it is `delivered`, or `dead`: given up until somebody replays it.',
    ),
    cycle: Type.Integer({ description: '1, and one more for each replay.' }),
    attemptCount: Type.Integer({ description: 'How often it was attempted in this cycle; 5 times at most.' }),
    receptions: Type.Integer({ description: 'How often a worker has taken it up in this cycle; 5 times at most.' }),
    nextAttemptAt: Explained(
      Nullable(DateTime),
      'When it is attempted next, at the earliest; a time in the past means that it is due. Null once it has ended.',
    ),
    lastAttemptAt: Explained(Nullable(DateTime), 'When it was attempted last.'),
    lastStatusCode: Explained(Nullable(Type.Integer()), 'The status that the receiver answered last.'),
    lastError: Explained(Nullable(OneOf(DELIVERY_ERRORS)), 'Why the last attempt failed, or why it was given up.'),
    lastDurationMs: Explained(Nullable(Type.Integer()), 'How long the last attempt took, in milliseconds.'),
    deliveredAt: Explained(Nullable(DateTime), 'When it was answered 2xx.'),
    deadAt: Explained(Nullable(DateTime), 'When it was given up.'),
    createdAt: Explained(DateTime, 'When it was made, together with its event.'),
  },
  { description: 'An event on its way to an endpoint, and what came of it.' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryAnswer = Closed({ delivery: WebhookDelivery })
export const WebhookDeliveryPage = Closed({
  items: Type.Array(WebhookDelivery, { description: 'Newest first.' }),
  nextCursor: Explained(Nullable(Type.String()), 'Where the next page begins; null on the last one.'),
})
export type WebhookDeliveryPage = Static<typeof WebhookDeliveryPage>

/** As the events of a message show it. */
export const DeliveryOfEvent = Closed({
  id: Uuid,
  endpointId: Uuid,
  url: Type.String(),
  status: OneOf(DELIVERY_STATUSES),
  cycle: Type.Integer(),
  attemptCount: Type.Integer(),
  nextAttemptAt: Nullable(DateTime),
  lastAttemptAt: Nullable(DateTime),
  lastStatusCode: Nullable(Type.Integer()),
  lastError: Nullable(OneOf(DELIVERY_ERRORS)),
})
export type DeliveryOfEvent = Static<typeof DeliveryOfEvent>

export const MessageEvents = Closed({
  /** Oldest first. */
  items: Type.Array(
    Closed({ id: Uuid, type: Type.String(), occurredAt: DateTime, deliveries: Type.Array(DeliveryOfEvent) }),
  ),
  /** There are more than these; the newest are here. */
  isCut: Type.Boolean(),
})
export type MessageEvents = Static<typeof MessageEvents>

export const WebhookDeliveriesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many deliveries at most.' }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'Where to go on: the `nextCursor` of the page before, unchanged.',
    }),
  ),
  endpointId: Type.Optional(Explained(Uuid, 'Only deliveries to this endpoint.')),
  status: Type.Optional(Explained(OneOf(DELIVERY_STATUSES), 'Only deliveries that have this status now.')),
  eventId: Type.Optional(Explained(Uuid, 'Only deliveries of this event.')),
  type: Type.Optional(Explained(OneOf(EVENT_TYPES), 'Only deliveries of this type of event.')),
  since: Type.Optional(Explained(DateTime, 'Only deliveries whose `createdAt` is this ISO 8601 instant or later.')),
  until: Type.Optional(Explained(DateTime, 'Only deliveries whose `createdAt` is earlier than this ISO 8601 instant.')),
})
export type WebhookDeliveriesQuery = Static<typeof WebhookDeliveriesQuery>

export const ReplayedDelivery = Closed({
  id: Explained(Uuid, 'The delivery.'),
  object: Type.Literal('webhook_delivery', { description: 'What this is.' }),
  eventId: Explained(Uuid, 'The event it carries.'),
  endpointId: Explained(Uuid, 'The endpoint it goes to.'),
  status: Type.Literal('pending', { description: 'It is attempted again.' }),
  cycle: Type.Integer({ description: 'The cycle that begins now.' }),
})
export type ReplayedDelivery = Static<typeof ReplayedDelivery>

export const WebhookAttempt = Closed(
  {
    cycle: Type.Integer({ description: 'The cycle that it belongs to: 1, and one more for each replay.' }),
    number: Type.Integer({ description: 'Which one of its cycle it is, from 1.' }),
    at: Explained(DateTime, 'When it had ended.'),
    outcome: Explained(OneOf(['accepted', 'failed']), 'Whether it was answered 2xx in time.'),
    statusCode: Explained(Nullable(Type.Integer()), 'The status that the receiver answered; null without an answer.'),
    error: Explained(Nullable(OneOf(ATTEMPT_ERRORS)), 'Why it failed; null when it was accepted.'),
    durationMs: Type.Integer({ description: 'How long it took, in milliseconds.' }),
    answer: Explained(
      Nullable(Type.String()),
      'The first 1,000 octets of what the receiver answered instead of accepting, where that was text.',
    ),
  },
  { description: 'One request that was to deliver an event, and what came of it.' },
)
export type WebhookAttempt = Static<typeof WebhookAttempt>

export const WebhookAttemptList = Closed({
  items: Type.Array(WebhookAttempt, { description: 'The newest 100, oldest first.' }),
})

const REPLAY_STATUSES = ['running', 'done', 'stopped'] as const
/** Why a replay was stopped. */
const REPLAY_STOPS = ['asked', 'endpoint_disabled', 'endpoint_deleted', 'fault'] as const

export const WebhookReplay = Closed(
  {
    id: Explained(Uuid, 'Names the replay.'),
    object: Type.Literal('webhook_replay', { description: 'What this is.' }),
    appId: Explained(Uuid, 'The application whose deliveries are replayed.'),
    endpointId: Explained(Nullable(Uuid), 'The one endpoint whose deliveries are; null: of all of the application.'),
    since: Explained(DateTime, 'Only what died at this instant or later is replayed.'),
    until: Explained(DateTime, 'When the replay was asked for: what died later is not replayed.'),
    status: Explained(OneOf(REPLAY_STATUSES), '`running` until it is `done`, or `stopped` before.'),
    stoppedBecause: Explained(
      Nullable(OneOf(REPLAY_STOPS)),
      'Why it was stopped: somebody `asked` for it, the endpoint was disabled or deleted, or a fault of ours.',
    ),
    replayed: Type.Integer({ description: 'How many deliveries have been replayed, each counted once.' }),
    remaining: Explained(
      Nullable(Type.Integer()),
      'How many are left; 10,000 stands for as many or more. Null once it has ended.',
    ),
    askedBy: Explained(OneOf(['application', 'person', 'operator']), 'Who asked for it.'),
    createdAt: Explained(DateTime, 'When it was asked for.'),
    endedAt: Explained(Nullable(DateTime), 'When it was done or stopped.'),
  },
  { description: 'The replay of all that died since an instant, and how far it is.' },
)
export type WebhookReplay = Static<typeof WebhookReplay>

export const ReplaySinceInput = Closed({
  since: Explained(DateTime, 'Deliveries that died at this ISO 8601 instant or later; it lies in the past.'),
})
export type ReplaySinceInput = Static<typeof ReplaySinceInput>
