// Suspends an application, or ends that.
import { setAppStatus } from '../../apps/set-app-status.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { ChangeAppStatus } from './app-schemas.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  {
    method: 'PUT',
    path: '/data/apps/:appId/status',
    params: IdParams('appId'),
    body: ChangeAppStatus,
    answer: null,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { appId }, body: { status } }) =>
      setAppStatus(database, actor, appId, status),
)
