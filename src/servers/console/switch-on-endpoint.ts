// Delivers to a webhook endpoint again.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { enableEndpoint } from '../../webhooks/enable-endpoint.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'POST', path: '/data/webhooks/:endpointId/enable', params: IdParams('endpointId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params: { endpointId } }) =>
      enableEndpoint(database, actor, endpointId),
)
