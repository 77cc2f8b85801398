// A person goes on in another tenant, under a new pair, as the role may be another.
import { absent } from '../access/problem.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { requireWhole } from '../users/require-whole.ts'
import { type FoundSession, type NewSession, renewSession } from '../users/sessions.ts'
import { listOwnTenants } from './list-own-tenants.ts'

/** @throws Problem not_found where the person has no role, not_signed_in */
export async function enterTenant(database: Database, session: FoundSession, tenantId: Uuid): Promise<NewSession> {
  requireWhole(session)
  return database.transaction(async (tx) => {
    if (!(await listOwnTenants(tx, session)).some(({ id }) => id === tenantId)) throw absent('organization')
    const entered = await renewSession(tx, session, { whole: true, proven: false, inTenantId: tenantId })
    if (!entered) throw absent('organization')
    return entered
  })
}
