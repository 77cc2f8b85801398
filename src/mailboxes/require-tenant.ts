// Domains and mailboxes are made only for a tenant that there is.
import { absent } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** @throws Problem not_found */
export async function requireTenant(db: Db, id: Uuid): Promise<void> {
  if (!(await db.first(sql<{ id: Uuid }>`select id from tenants where id = ${id}`))) throw absent('tenant')
}
