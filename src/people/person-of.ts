// Who is signed in to the console, as an actor in the tenant that is looked at.
import type { Person } from '../access/actor.ts'
import { absent, problem } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { FoundSession } from '../users/sessions.ts'

/**
 * `environment`: `production`, which it is unless given, or `sandbox:<appId>`.
 * @throws Problem not_found for a sandbox that the tenant does not have, second_factor_required
 */
export async function personOf(
  db: Db,
  session: FoundSession,
  origin: RequestOrigin,
  environment = 'production',
): Promise<Person> {
  const { userId, inTenantId: tenantId, role, fresh, mustAddFactor } = session
  if (tenantId === null || role === null) throw new Error('a session of a person without a role is no good')
  if (mustAddFactor) throw problem('second_factor_required')
  const environmentId = environment === 'production' ? tenantId : await findSandbox(db, tenantId, environment)
  return { kind: 'person', personId: userId, role, signedInRecently: fresh, tenantId, environmentId, origin }
}

async function findSandbox(db: Db, tenantId: Uuid, environment: string): Promise<Uuid> {
  const appId = environment.replace(/^sandbox:/, '')
  const app = await db.first(sql<{ id: Uuid }>`
    select id from apps where tenant_id = ${tenantId} and id = ${appId} and environment = 'sandbox'`)
  if (!app) throw absent('sandbox')
  return app.id
}
