// Has refused requests forget an address that their paths name.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** The route stays in place of the path. `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Gives how many it was. */
export async function eraseFromRequests(db: Db, tenantId: Uuid | null, pattern: string): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    update refused_requests r set path = r.route
    where r.tenant_id = coalesce(${tenantId}, r.tenant_id) and r.path ~* ${pattern} returning r.request_id as id`)
  return rows.length
}
