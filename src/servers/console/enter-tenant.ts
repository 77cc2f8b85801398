// Has the console show another tenant of the person.
import { Closed, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { enterTenant } from '../../people/enter-tenant.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  {
    method: 'PUT',
    path: '/data/session/tenant',
    // From a tenant that requires a second factor one may go on to another.
    ownAccount: true,
    body: Closed({ tenantId: Uuid }),
    answer: null,
  },
  ({ database }: { database: Database }) =>
    async ({ session, body, keepSession }) =>
      keepSession(await enterTenant(database, session, body.tenantId.toLowerCase())),
)
