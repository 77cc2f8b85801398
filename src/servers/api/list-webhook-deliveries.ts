// Shows what has been delivered to the application's endpoints, and what has not.
import type { Db } from '../../lib/sql.ts'
import { listDeliveries } from '../../webhooks/list-deliveries.ts'
import { WebhookDeliveriesQuery, WebhookDeliveryList } from '../../webhooks/schemas.ts'
import { AT, pendingDelivery } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhook-deliveries',
    auth: 'key',
    scope: 'webhooks:read',
    query: WebhookDeliveriesQuery,
    answers: { 200: WebhookDeliveryList },
    words: {
      tag: 'Webhooks',
      summary: 'List deliveries',
      description:
        'The newest deliveries to the endpoints of this application, or to one of them. A `pending` delivery with ' +
        'a `nextAttemptAt` in the future waits until then, for its retry or because attempts to its endpoint ' +
        'fail. One with a `nextAttemptAt` in the past is due.',
      errors: ['not_found'],
      examples: {
        answer: {
          items: [
            {
              ...pendingDelivery,
              eventType: 'message.delivered',
              status: 'delivered',
              cycle: 1,
              attemptCount: 1,
              receptions: 1,
              nextAttemptAt: null,
              lastAttemptAt: AT,
              lastStatusCode: 200,
              lastError: null,
              lastDurationMs: 31,
              deliveredAt: AT,
              deadAt: null,
              createdAt: AT,
            },
          ],
        },
      },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor, query }) => ({ items: await listDeliveries(database, actor, query) }),
)
