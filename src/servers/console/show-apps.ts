// The applications of the tenant, in whichever environment the page is.
import { listApps } from '../../apps/list-apps.ts'
import type { Db } from '../../lib/sql.ts'
import { Apps } from './app-schemas.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'GET', path: '/data/apps', answer: Apps },
  ({ database }: { database: Db }) =>
    async ({ actor }) => ({ items: await listApps(database, actor) }),
)
