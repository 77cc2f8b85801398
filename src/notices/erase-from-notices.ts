// Has notices forget an address: one that waits to be mailed there is dropped.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Gives how many it was. */
export async function eraseFromNotices(db: Db, tenantId: Uuid | null, pattern: string): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    update notices n set facts = '{}', sealed_token = null,
      status = case when n.status = 'waiting' then 'dropped' else n.status end
    where n.tenant_id = coalesce(${tenantId}, n.tenant_id) and n.facts::text ~* ${pattern} returning n.id`)
  return rows.length
}
