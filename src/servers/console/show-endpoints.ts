// The webhook endpoints of the environment, and the applications that may have more.
import { listAppsHere } from '../../apps/list-apps-here.ts'
import type { Database } from '../../lib/sql.ts'
import { listEndpoints } from '../../webhooks/list-endpoints.ts'
import { consoleData } from './console-data.ts'
import { endpointView } from './endpoint-view.ts'
import { Webhooks } from './webhook-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/webhooks', answer: Webhooks },
  ({ database }: { database: Database }) =>
    async ({ actor }) => {
      const [endpoints, apps] = await Promise.all([listEndpoints(database, actor), listAppsHere(database, actor)])
      return { items: endpoints.map((endpoint) => endpointView(endpoint, apps)), apps }
    },
)
