// Forgets that images of an address were shown.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Gives how many it was. */
export async function eraseImageSenders(db: Db, tenantId: Uuid | null, pattern: string): Promise<number> {
  const rows = await db.rows(sql<{ userId: Uuid }>`
    delete from image_senders s
    where s.tenant_id = coalesce(${tenantId}, s.tenant_id) and s.address ~* ${pattern} returning s.user_id as "userId"`)
  return rows.length
}
