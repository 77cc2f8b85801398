// The shapes of webhook endpoints and deliveries as the API takes and gives them.
import Type, { type Static } from 'typebox'
import { EVENT_TYPES } from '../events/types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../lib/schemas.ts'
import { DELIVERY_ERRORS, DELIVERY_STATUSES } from './delivery-state.ts'

// specification.md#endpoints
const MAX_EVENT_TYPES = 20
const MAX_DESCRIPTION_CHARACTERS = 255
/** What proxies and servers commonly take. */
const MAX_URL_CHARACTERS = 2_048

const Url = Type.String({ format: 'uri', minLength: 1, maxLength: MAX_URL_CHARACTERS })
const Description = Nullable(Type.String({ format: 'text', maxLength: MAX_DESCRIPTION_CHARACTERS }))
/** Single types, or `*` for all there are and will be. */
const EventTypes = Type.Array(OneOf([...EVENT_TYPES, '*']), { minItems: 1, maxItems: MAX_EVENT_TYPES })

export const WebhookEndpoint = Closed({
  id: Uuid,
  appId: Uuid,
  url: Type.String({ format: 'uri' }),
  description: Type.Optional(Nullable(Type.String())),
  eventTypes: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  consecutiveFailures: Type.Integer({ minimum: 0 }),
  disabledAt: Nullable(DateTime),
  createdAt: DateTime,
})
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
    enabled: Type.Optional(Type.Boolean()),
  },
  { minProperties: 1 },
)
export type UpdateWebhookEndpointInput = Static<typeof UpdateWebhookEndpointInput>

export const WebhookEndpointList = Closed({ items: Type.Array(WebhookEndpoint) })
export const WebhookEndpointAnswer = Closed({ endpoint: WebhookEndpoint })
export const NewWebhookEndpoint = Closed({ endpoint: WebhookEndpoint, secret: Type.String() })

export const WebhookTestResult = Closed({
  eventId: Uuid,
  delivered: Type.Boolean(),
  statusCode: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  durationMs: Type.Integer(),
})

export const WebhookDelivery = Type.Object({
  id: Uuid,
  object: Type.Literal('webhook_delivery'),
  endpointId: Uuid,
  eventId: Uuid,
  eventType: Type.String(),
  status: OneOf(DELIVERY_STATUSES),
  cycle: Type.Integer(),
  attemptCount: Type.Integer(),
  receptions: Type.Integer(),
  nextAttemptAt: Nullable(DateTime),
  lastAttemptAt: Nullable(DateTime),
  lastStatusCode: Nullable(Type.Integer()),
  lastError: Nullable(OneOf(DELIVERY_ERRORS)),
  lastDurationMs: Nullable(Type.Integer()),
  deliveredAt: Nullable(DateTime),
  deadAt: Nullable(DateTime),
  createdAt: DateTime,
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryList = Closed({ items: Type.Array(WebhookDelivery) })

export const WebhookDeliveriesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  endpointId: Type.Optional(Uuid),
})
export type WebhookDeliveriesQuery = Static<typeof WebhookDeliveriesQuery>

export const ReplayedDelivery = Closed({
  id: Uuid,
  object: Type.Literal('webhook_delivery'),
  eventId: Uuid,
  endpointId: Uuid,
  status: Type.Literal('pending'),
  cycle: Type.Integer(),
})
export type ReplayedDelivery = Static<typeof ReplayedDelivery>
