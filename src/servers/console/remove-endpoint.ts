// Removes a webhook endpoint, and its deliveries with it.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { deleteEndpoint } from '../../webhooks/delete-endpoint.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'DELETE', path: '/data/webhooks/:endpointId', params: IdParams('endpointId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params: { endpointId } }) =>
      deleteEndpoint(database, actor, endpointId),
)
