// Gives the tenant another name.
import { renameTenant } from '../../apps/rename-tenant.ts'
import type { Database } from '../../lib/sql.ts'
import { consoleData } from './console-data.ts'
import { RenameTenant } from './settings-schemas.ts'

export default consoleData(
  { method: 'PUT', path: '/data/settings/name', body: RenameTenant, answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, body: { name } }) =>
      renameTenant(database, actor, name),
)
