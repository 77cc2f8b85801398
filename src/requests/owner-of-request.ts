// Whose a refused request is, for commands. Looks in each tenant.
import type { Realm } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** @throws Problem not_found */
export async function ownerOfRequest(db: Db, requestId: Uuid): Promise<Realm> {
  const row = await db.first(sql<Realm>`
    select r.tenant_id as "tenantId", r.environment_id as "environmentId"
    from tenants t
    join refused_requests r on r.tenant_id = t.id and r.request_id = ${requestId}`)
  if (!row) throw absent('refused request')
  return row
}
