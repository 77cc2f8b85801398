// Whose an endpoint is, for the operator, who acts on the data of one tenant at a time.
import type { Realm } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** @throws Problem not_found */
export async function ownerOfEndpoint(db: Db, id: Uuid): Promise<Realm> {
  const owner = await db.first(sql<Realm>`
    select tenant_id as "tenantId", environment_id as "environmentId" from webhook_endpoints
    where id = ${id} and deleted_at is null`)
  if (!owner) throw absent('endpoint')
  return owner
}
