// Whether an address is that of a mailbox here.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** `pattern`: as `addressPattern` gives it; `tenantId`: null for all. */
export function findOwnAddress(db: Db, tenantId: Uuid | null, pattern: string): Promise<{ id: Uuid }[]> {
  return db.rows(sql<{ id: Uuid }>`
    select b.id from mailboxes b
    where b.tenant_id = coalesce(${tenantId}, b.tenant_id) and b.address ~* ${pattern} order by b.id`)
}
