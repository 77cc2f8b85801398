// Has what users sign with forget an address.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** The signature goes that names it, or the name. `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Gives how many it was. */
export async function eraseSignatures(db: Db, tenantId: Uuid | null, pattern: string): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    update sender_identities s set
      name = case when s.name ~* ${pattern} then null else s.name end,
      signature = case when s.signature ~* ${pattern} then null else s.signature end
    where s.tenant_id = coalesce(${tenantId}, s.tenant_id) and (s.name ~* ${pattern} or s.signature ~* ${pattern})
    returning s.user_id as id`)
  return rows.length
}
