// Has records of the audit forget an address: what was done stays, and by whose id.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** `pattern`: as `addressPattern` gives it; `tenantId`: null for all, those of no tenant too. Gives how many it was. */
export async function eraseFromAudit(db: Db, tenantId: Uuid | null, pattern: string): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    update audit_log a set
      actor_name = case when a.actor_name ~* ${pattern} then null else a.actor_name end,
      details = case when a.details::text ~* ${pattern} then '{"erased": true}' else a.details end
    where (${tenantId}::uuid is null or a.tenant_id = ${tenantId})
      and (a.actor_name ~* ${pattern} or a.details::text ~* ${pattern})
    returning a.id`)
  return rows.length
}
