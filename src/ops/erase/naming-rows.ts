// How many rows name an address, table by table: whatever the tables are, so that none is forgotten.
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

/** The tables that have any. `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Reads all there is. */
export async function namingRows(db: Db, tenantId: Uuid | null, pattern: string): Promise<Record<string, number>> {
  const tables = await db.rows(sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition order by c.relname`)
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const row = await db.first(sql<{ count: number }>`
      select count_naming(${name}::regclass, ${pattern}, ${tenantId}) as count`)
    if (row && row.count > 0) counts[name] = row.count
  }
  return counts
}
