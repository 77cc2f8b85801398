// Delivers an event to an endpoint anew, once for each idempotency key.
import { IdParams } from '../../lib/schemas.ts'
import { type ReplayDeps, replayDeliveryOnce } from '../../webhooks/replay-delivery.ts'
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
  (deps: ReplayDeps) => async (request, reply) => {
    const { actor, idempotencyKey, params } = request
    const { body, replayed } = await replayDeliveryOnce(deps, actor, idempotencyKey, params.deliveryId)
    if (replayed) reply.header('idempotent-replayed', 'true')
    return reply.code(202).send(body)
  },
)
