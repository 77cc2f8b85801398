// Shows how far a replay is.
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { readReplay } from '../../webhooks/replays/read-replay.ts'
import { WebhookReplay } from '../../webhooks/schemas.ts'
import { webhookReplay } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'getWebhookReplay',
    method: 'GET',
    path: '/v1/webhook-replays/:replayId',
    auth: 'key',
    scope: 'webhooks:read',
    params: IdParams('replayId'),
    answers: { 200: WebhookReplay },
    words: {
      tag: 'Webhooks',
      summary: 'Get a replay',
      description:
        'A replay of all that died since an instant, as it stands now. It ends as `stopped` when its endpoint is ' +
        'disabled or deleted meanwhile. It is kept for 30 days after its end.',
      extension: true,
      examples: { answer: webhookReplay },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor, params: { replayId } }) =>
      readReplay(database, actor, replayId),
)
