// Takes single sign-on away from a tenant.
import type { Database } from '../../lib/sql.ts'
import { removeSingleSignOn } from '../../people/single-sign-on/remove-single-sign-on.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'DELETE', path: '/data/single-sign-on', answer: null },
  ({ database }: { database: Database }) =>
    async ({ actor }) =>
      removeSingleSignOn(database, actor),
)
