// Whose a key is, for the operator, who acts on the data of one tenant at a time.
import { productionOf, type Realm } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** @throws Problem not_found */
export async function ownerOfKey(db: Db, id: Uuid): Promise<Realm> {
  const key = await db.first(sql<{ tenantId: Uuid }>`select tenant_id as "tenantId" from api_keys where id = ${id}`)
  if (!key) throw absent('key')
  return productionOf(key.tenantId)
}
