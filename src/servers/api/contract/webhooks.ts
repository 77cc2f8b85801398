// What the document says of the requests that the service makes: one entry for each type.
import type { TProperties, TSchema } from 'typebox'
import { exampleData } from '../../../events/example-data.ts'
import { EVENT_TYPES, type EventType } from '../../../events/types.ts'
import { Type } from '../../../lib/schema-types.ts'
import { DateTime, Explained, Uuid } from '../../../lib/schemas.ts'
import { MAILBOX_EVENT_DATA } from '../../../mailboxes/event-data.ts'
import { MESSAGE_EVENT_DATA } from '../../../messages/event-data.ts'
import { API_VERSION, TEST_TYPE, VERIFICATION_TYPE } from '../../../webhooks/delivery-body.ts'
import { AT, ENDPOINT, EVENT, MAILBOX, MESSAGE } from './examples.ts'

type Json = Record<string, unknown>

interface Delivery {
  type: string
  description: string
  /** Of `data`, beside `object` and `id`. */
  members: TProperties
  /** What it is of. */
  object: string
  exampleId: string
  exampleData: Json
  answer: Json
}

/** The member `webhooks` of an OpenAPI 3.1 document. */
export function webhooks(): Json {
  const deliveries = [...EVENT_TYPES.map(eventDelivery), VERIFICATION, TEST]
  return Object.fromEntries(deliveries.map((delivery) => [delivery.type, { post: operationObject(delivery) }]))
}

const CHALLENGE = 'pX0bJ5cWm1q3l8Zt7K2vYw4R6nE9sHgUaDfBiTjQkLo'

const VERIFICATION: Delivery = {
  type: VERIFICATION_TYPE,
  description:
    'Sent once while an endpoint is made, and again when its URL changes. Answer 2xx within five seconds with JSON that ' +
    'holds the same `challenge`. Its signature proves nothing yet: the secret is shown afterwards.',
  members: { challenge: Type.String({ description: 'What to answer with.' }) },
  object: 'webhook_endpoint',
  exampleId: ENDPOINT,
  exampleData: { challenge: CHALLENGE },
  answer: {
    description: 'The endpoint wants what it will be sent.',
    content: {
      'application/json': {
        schema: Type.Object({ challenge: Type.String({ description: 'The one that came.' }) }),
        example: { challenge: CHALLENGE },
      },
    },
  },
}

const TEST: Delivery = {
  type: TEST_TYPE,
  description: 'Sent when a test is asked for. It is no event of the log, and comes once.',
  members: { test: Type.Literal(true, { description: 'Nothing has happened.' }) },
  object: 'webhook_endpoint',
  exampleId: ENDPOINT,
  exampleData: { test: true },
  answer: { description: 'Accepted.' },
}

const EVENT_DATA: Record<EventType, TProperties> = { ...MESSAGE_EVENT_DATA, ...MAILBOX_EVENT_DATA }

function eventDelivery(type: EventType): Delivery {
  const object = type.slice(0, type.indexOf('.'))
  return {
    type,
    description:
      'Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.',
    members: {
      ...EVENT_DATA[type],
      demo: Type.Optional(Type.Literal(true, { description: 'Of a sandbox: nothing of it has happened.' })),
    },
    object,
    exampleId: object === 'message' ? MESSAGE : MAILBOX,
    exampleData: exampleData(type, MAILBOX),
    answer: { description: 'Accepted.' },
  }
}

/** Every delivery is signed for two verifiers. specification.md#headers-of-a-delivery */
const HEADERS = {
  'Service-Webhook-Id': 'The id of the event.',
  'Service-Webhook-Timestamp': 'Unix seconds.',
  'Service-Webhook-Signature':
    '`v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots.',
  'webhook-id': 'The same id, for verifiers of Standard Webhooks.',
  'webhook-timestamp': 'Unix seconds.',
  'webhook-signature': '`v1,` and base64; several while a secret is being rotated, a blank between them.',
}

function operationObject({ type, description, members, object, exampleId, exampleData, answer }: Delivery): Json {
  const example = {
    id: EVENT,
    type,
    apiVersion: API_VERSION,
    occurredAt: AT,
    data: { object, id: exampleId, ...exampleData },
  }
  return {
    operationId: `on.${type}`,
    tags: ['Webhooks'],
    summary: type,
    description,
    security: [],
    parameters: Object.entries(HEADERS).map(([name, says]) => ({
      name,
      in: 'header',
      required: true,
      description: says,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: bodySchema(type, object, members), example } },
    },
    responses: { '2XX': answer, '4XX': { description: 'Tried again later.' } },
  }
}

/** Open, because a field may be added at any time. */
function bodySchema(type: string, object: string, members: TProperties): TSchema {
  return Type.Object({
    id: Explained(Uuid, 'Names the event. Every repeat of it has the same.'),
    type: Type.Literal(type, { description: 'What happened.' }),
    apiVersion: Type.Literal(API_VERSION, {
      description: 'The form of this body, fixed when the endpoint is created.',
    }),
    occurredAt: Explained(DateTime, 'When it happened.'),
    data: Type.Object(
      {
        object: Type.Literal(object, { description: 'What it happened to.' }),
        id: Explained(Uuid, `The id of the ${object.replace('_', ' ')}.`),
        ...members,
      },
      { description: 'What happened in detail. Text and files are not in it.' },
    ),
  })
}
