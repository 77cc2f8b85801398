// Delivers to an endpoint anew all that died since an instant, once for each idempotency key.
import { IdParams } from '../../lib/schemas.ts'
import type { ReplayDeps } from '../../webhooks/replay-delivery.ts'
import { startReplayOnce } from '../../webhooks/replays/start-replay.ts'
import { ReplaySinceInput, WebhookReplay } from '../../webhooks/schemas.ts'
import { webhookReplay } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'replayWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpointId/replay',
    auth: 'key',
    scope: 'webhooks:write',
    idempotent: true,
    params: IdParams('endpointId'),
    body: ReplaySinceInput,
    answers: { 202: WebhookReplay },
    words: {
      tag: 'Webhooks',
      summary: 'Replay all that died since an instant',
      description:
        'Replays every delivery to the endpoint that died at `since` or later and is still dead, each as a replay of its ' +
        'own would. It goes on by itself: ask how far it is by its id. An endpoint has one at a time.',
      extension: true,
      errors: ['endpoint_disabled', 'replay_running'],
      examples: { request: { since: webhookReplay.since }, answer: webhookReplay },
    },
  },
  (deps: ReplayDeps) => async (request, reply) => {
    const { actor, idempotencyKey, params, body: input } = request
    const { body, replayed } = await startReplayOnce(deps, actor, idempotencyKey, params.endpointId, input)
    if (replayed) reply.header('idempotent-replayed', 'true')
    return reply.code(202).send(body)
  },
)
