// Shows what has been delivered to the application's endpoints, and what has not.
import type { Db } from '../../lib/sql.ts'
import { listDeliveries } from '../../webhooks/list-deliveries.ts'
import { WebhookDeliveriesQuery, WebhookDeliveryPage } from '../../webhooks/schemas.ts'
import { delivery } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhook-deliveries',
    auth: 'key',
    scope: 'webhooks:read',
    query: WebhookDeliveriesQuery,
    answers: { 200: WebhookDeliveryPage },
    words: {
      tag: 'Webhooks',
      summary: 'List deliveries',
      description:
        'Deliveries to the endpoints of this application, or to one of them, newest first. Filters may be combined: a ' +
        'delivery must pass all of them. Pass `nextCursor` back with the same filters until it is null. A page of a ' +
        'filter that few deliveries pass may be short or empty: only null ends the list. A `pending` delivery with a ' +
        '`nextAttemptAt` in the future waits until then, for its retry or because attempts to its endpoint fail. One ' +
        'with a `nextAttemptAt` in the past is due.',
      errors: ['invalid_cursor', 'not_found'],
      examples: { answer: { items: [delivery], nextCursor: null } },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor, query }) =>
      listDeliveries(database, actor, query),
)
