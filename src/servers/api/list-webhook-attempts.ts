// Shows what came of each attempt of a delivery.
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { listAttempts } from '../../webhooks/list-attempts.ts'
import { WebhookAttemptList } from '../../webhooks/schemas.ts'
import { failedAttempt } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'listWebhookAttempts',
    method: 'GET',
    path: '/v1/webhook-deliveries/:deliveryId/attempts',
    auth: 'key',
    scope: 'webhooks:read',
    params: IdParams('deliveryId'),
    answers: { 200: WebhookAttemptList },
    words: {
      tag: 'Webhooks',
      summary: 'List the attempts of a delivery',
      description:
        'Each request that was to deliver the event, of all cycles, with what your receiver answered where it did not ' +
        'accept.',
      extension: true,
      examples: { answer: { items: [failedAttempt] } },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor, params: { deliveryId } }) =>
      listAttempts(database, actor, deliveryId),
)
