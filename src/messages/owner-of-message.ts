// Whose a message is, for the operator, who acts on the data of one tenant at a time.
import type { Realm } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import { tenantOfAct } from '../audit/record.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { ENDING_ACTS } from './lock-to-end.ts'

/**
 * Of a message that was ended and removed the record of its end still says the tenant, so that a command can be given
 * again whose answer was lost. @throws Problem not_found
 */
export async function ownerOfMessage(db: Db, id: Uuid): Promise<Realm> {
  const owner = await db.first(sql<Realm>`
    select tenant_id as "tenantId", environment_id as "environmentId" from messages where id = ${id}`)
  if (owner) return owner
  const tenantId = await tenantOfAct(db, ENDING_ACTS, id)
  if (!tenantId) throw absent('message')
  return { tenantId, environmentId: tenantId }
}
