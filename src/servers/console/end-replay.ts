// Stops a replay. What it has replayed goes its way.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { stopReplay } from '../../webhooks/replays/stop-replay.ts'
import { WebhookReplay } from '../../webhooks/schemas.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'POST', path: '/data/replays/:replayId/stop', params: IdParams('replayId'), answer: WebhookReplay },
  ({ database }: { database: Database }) =>
    ({ actor, params: { replayId } }) =>
      stopReplay(database, actor, replayId),
)
