// What the console's pages of webhooks are given, and what they send.
import type { Static } from 'typebox'
import { EVENT_TYPES } from '../../events/types.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { DELIVERY_STATUSES } from '../../webhooks/delivery-state.ts'
import {
  CreateWebhookEndpointInput,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookReplay,
  WebhookTestResult,
} from '../../webhooks/schemas.ts'
import { Listed } from './schemas.ts'

const { id, appId, url, description, eventTypes, enabled, consecutiveFailures, disabledAt, createdAt } =
  WebhookEndpoint.properties

export const ShownEndpoint = Closed({
  ...{ id, appId, url, description, eventTypes, enabled, consecutiveFailures, disabledAt, createdAt },
  appName: Type.String(),
  disabledReason: Nullable(Type.String()),
  /** When the first of its failures in a row was counted. */
  failingSince: Nullable(DateTime),
  /** The same as it was enabled last, or when it had been disabled. */
  lastFailingSince: Nullable(DateTime),
  /** So many failures in a row disable it. */
  failureLimit: Type.Integer(),
})
export type ShownEndpoint = Static<typeof ShownEndpoint>

export const Webhooks = Closed({
  items: Type.Array(ShownEndpoint),
  /** That may have one. */
  apps: Type.Array(Closed({ id: Uuid, name: Type.String() })),
})
export type Webhooks = Static<typeof Webhooks>

export const AddEndpoint = Closed({ ...CreateWebhookEndpointInput.properties, appId: Uuid })

/** Shown this once. */
export const ShownSecret = Closed({ id: Uuid, secret: Type.String() })
export type ShownSecret = Static<typeof ShownSecret>

/** Until then what is sent is signed with the one before, too. */
export const ShownRotation = Closed({ secret: Type.String(), previousUntil: DateTime })
export type ShownRotation = Static<typeof ShownRotation>

export const TestedEndpoint = WebhookTestResult
export type TestedEndpoint = Static<typeof TestedEndpoint>

export const ShownFigures = Closed({
  /** Oldest first; those without deliveries are left out. */
  hours: Type.Array(
    Closed({
      hour: DateTime,
      delivered: Type.Integer(),
      dead: Type.Integer(),
      pending: Type.Integer(),
      p50Ms: Nullable(Type.Integer()),
      p95Ms: Nullable(Type.Integer()),
    }),
  ),
  /** What was made before is not counted. */
  cutAt: Nullable(DateTime),
})
export type ShownFigures = Static<typeof ShownFigures>

export const DeliveriesQuery = Closed({
  endpointId: Type.Optional(Uuid),
  eventId: Type.Optional(Uuid),
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
  type: Type.Optional(OneOf(EVENT_TYPES)),
  since: Type.Optional(Type.String()),
  until: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
})

export const DeliveryList = Listed(WebhookDelivery)
export type ListedDelivery = Static<typeof WebhookDelivery>

export const ShownDelivery = Closed({
  delivery: WebhookDelivery,
  endpoint: Closed({ id: Uuid, url: Type.String(), enabled: Type.Boolean() }),
  /** As it is posted; null when the log no longer has the event. */
  request: Nullable(
    Closed({
      url: Type.String(),
      headers: Type.Array(Closed({ name: Type.String(), value: Nullable(Type.String()) })),
      body: Type.String(),
      resourceType: Type.String(),
      resourceId: Uuid,
    }),
  ),
  /** Oldest first. */
  attempts: Type.Array(WebhookAttempt),
})
export type ShownDelivery = Static<typeof ShownDelivery>
export type ShownAttempt = Static<typeof WebhookAttempt>

/** As whoever asks has seen it: the cycle that is to be replayed. */
export const ReplayDelivery = Closed({ cycle: Type.Integer() })

export const Replays = Closed({ items: Type.Array(WebhookReplay) })
export type Replays = Static<typeof Replays>
export type ShownReplay = Static<typeof WebhookReplay>
