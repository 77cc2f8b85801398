// The newest replays of a webhook endpoint, and how far they are.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { listReplays } from '../../webhooks/replays/read-replay.ts'
import { consoleData } from './console-data.ts'
import { Replays } from './webhook-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/webhooks/:endpointId/replays', params: IdParams('endpointId'), answer: Replays },
  ({ database }: { database: Database }) =>
    ({ actor, params: { endpointId } }) =>
      listReplays(database, actor, { endpointId }),
)
