// Shows a person in which tenant and environments there is something to look at.
import { listSandboxes } from '../../apps/list-sandboxes.ts'
import { readTenant } from '../../apps/read-tenant.ts'
import type { Db } from '../../lib/sql.ts'
import { listOwnTenants } from '../../people/list-own-tenants.ts'
import { consoleData } from './console-data.ts'
import { Surroundings } from './schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/surroundings', answer: Surroundings },
  ({ database }: { database: Db }) =>
    async ({ actor, session }) => {
      const [{ id, name, peopleSeeContent }, tenants, sandboxes] = await Promise.all([
        readTenant(database, actor),
        listOwnTenants(database, session),
        listSandboxes(database, actor),
      ])
      const named = tenants.map((tenant) => ({ id: tenant.id, name: tenant.name }))
      return { tenant: { id, name }, peopleSeeContent, tenants: named, sandboxes }
    },
)
