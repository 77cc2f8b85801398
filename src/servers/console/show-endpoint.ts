// One webhook endpoint.
import { listAppsHere } from '../../apps/list-apps-here.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { readEndpoint } from '../../webhooks/read-endpoint.ts'
import { consoleData } from './console-data.ts'
import { endpointView } from './endpoint-view.ts'
import { ShownEndpoint } from './webhook-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/webhooks/:endpointId', params: IdParams('endpointId'), answer: ShownEndpoint },
  ({ database }: { database: Database }) =>
    async ({ actor, params: { endpointId } }) => {
      const [endpoint, apps] = await Promise.all([
        readEndpoint(database, actor, endpointId),
        listAppsHere(database, actor),
      ])
      return endpointView(endpoint, apps)
    },
)
