// Shows a person in which tenant and environments there is something to look at.
import { listSandboxes } from '../../apps/list-sandboxes.ts'
import type { Db } from '../../lib/sql.ts'
import { listOwnTenants, type OwnTenant } from '../../people/list-own-tenants.ts'
import { consoleData } from './console-data.ts'
import { Surroundings } from './schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/surroundings', answer: Surroundings },
  ({ database }: { database: Db }) =>
    async ({ actor, session }) => {
      const [tenants, sandboxes] = await Promise.all([
        listOwnTenants(database, session),
        listSandboxes(database, actor),
      ])
      const named = tenants.map(({ id, name }) => ({ id, name }))
      return { tenant: named.find(({ id }) => id === actor.tenantId) as OwnTenant, tenants: named, sandboxes }
    },
)
