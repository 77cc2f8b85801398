// Delivers nothing to a webhook endpoint until it is enabled again.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { disableEndpoint } from '../../webhooks/disable-endpoint.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'POST', path: '/data/webhooks/:endpointId/disable', params: IdParams('endpointId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params: { endpointId } }) =>
      disableEndpoint(database, actor, endpointId),
)
