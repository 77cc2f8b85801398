// Has attempts forget what receivers answered where it names an address.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Gives how many it was. */
export async function eraseAnswers(db: Db, tenantId: Uuid | null, pattern: string): Promise<number> {
  const rows = await db.rows(sql<{ number: number }>`
    update webhook_attempts a set answer = null
    where a.tenant_id = coalesce(${tenantId}, a.tenant_id) and a.answer ~* ${pattern} returning a.number`)
  return rows.length
}
