// Stops a replay.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { stopReplay } from '../../webhooks/replays/stop-replay.ts'
import { WebhookReplay } from '../../webhooks/schemas.ts'
import { webhookReplay } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'stopWebhookReplay',
    method: 'POST',
    path: '/v1/webhook-replays/:replayId/stop',
    auth: 'key',
    scope: 'webhooks:write',
    params: IdParams('replayId'),
    answers: { 200: WebhookReplay },
    words: {
      tag: 'Webhooks',
      summary: 'Stop a replay',
      description:
        'Replays no more of what remains. What has been replayed is delivered all the same. One that has ended stays as ' +
        'it is.',
      extension: true,
      examples: {
        answer: {
          ...webhookReplay,
          status: 'stopped',
          stoppedBecause: 'asked',
          remaining: null,
          endedAt: webhookReplay.createdAt,
        },
      },
    },
  },
  ({ database }: { database: Database }) =>
    async ({ actor, params: { replayId } }) =>
      stopReplay(database, actor, replayId),
)
