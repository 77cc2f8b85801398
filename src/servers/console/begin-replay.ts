// Replays all deliveries of a webhook endpoint that died since an instant.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { startReplay } from '../../webhooks/replays/start-replay.ts'
import { ReplaySinceInput, WebhookReplay } from '../../webhooks/schemas.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  {
    method: 'POST',
    path: '/data/webhooks/:endpointId/replays',
    params: IdParams('endpointId'),
    body: ReplaySinceInput,
    answer: WebhookReplay,
    status: 202,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { endpointId }, body }) =>
      database.transaction((tx) => startReplay(tx, actor, { endpointId }, body)),
)
