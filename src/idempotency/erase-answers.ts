// Forgets answers that name an address, with their keys: who repeats such a request within a day has it carried out again.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Gives how many it was. */
export async function eraseKeptAnswers(db: Db, tenantId: Uuid | null, pattern: string): Promise<number> {
  const rows = await db.rows(sql<{ key: string }>`
    delete from idempotency_keys k
    where k.tenant_id = coalesce(${tenantId}, k.tenant_id) and (k.response::text ~* ${pattern} or k.key ~* ${pattern})
    returning k.key`)
  return rows.length
}
