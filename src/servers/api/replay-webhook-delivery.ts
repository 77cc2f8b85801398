import { recordAct } from '../../audit/record.ts'
import { answerOnce } from '../../idempotency/answer-once.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { replayDelivery } from '../../webhooks/replay.ts'
import { ReplayedDelivery } from '../../webhooks/schemas.ts'
import { pendingDelivery } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'replayWebhookDelivery',
    method: 'POST',
    path: '/v1/webhook-deliveries/:deliveryId/replay',
    auth: 'key',
    scope: 'webhooks:write',
    idempotent: true,
    params: IdParams('deliveryId'),
    answers: { 202: ReplayedDelivery },
    words: {
      tag: 'Webhooks',
      summary: 'Replay a delivery',
      description:
        'Starts a new cycle with a new budget of attempts, under the same event id. The same key gives the first answer ' +
        'and keeps later progress; a new replay needs a new key.',
      errors: ['endpoint_disabled'],
      examples: { answer: pendingDelivery },
    },
  },
  ({ database, idempotencyTtlSeconds }: { database: Database; idempotencyTtlSeconds: number }) =>
    async (request, reply) => {
      const { actor, idempotencyKey: key } = request
      const target = request.params.deliveryId
      const keyed = { key, operation: 'replayWebhookDelivery', target, input: null }
      const { body, replayed } = await database.transaction((tx) =>
        answerOnce(tx, actor, keyed, idempotencyTtlSeconds, async () => {
          const delivery = await replayDelivery(tx, actor, target)
          const what = { operation: keyed.operation, resourceType: 'webhook_delivery', resourceId: target }
          await recordAct(tx, actor, what)
          return { status: 202, resourceId: target, body: delivery }
        }),
      )
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(202).send(body)
    },
)
