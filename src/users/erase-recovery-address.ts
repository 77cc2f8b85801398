// Forgets an address by which users would be helped back in. They name another, or have none.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Gives how many it was. */
export async function eraseRecoveryAddress(db: Db, tenantId: Uuid | null, pattern: string): Promise<number> {
  const rows = await db.rows(sql<{ userId: Uuid }>`
    delete from recovery_addresses r
    where r.tenant_id = coalesce(${tenantId}, r.tenant_id) and r.address ~* ${pattern} returning r.user_id as "userId"`)
  return rows.length
}

/** Who signs in by it, to the tenant or, for null, to any. */
export async function findLogins(
  db: Db,
  tenantId: Uuid | null,
  pattern: string,
): Promise<{ id: Uuid; kind: string }[]> {
  return db.rows(sql<{ id: Uuid; kind: string }>`
    select u.id, u.kind from users u
    where u.login ~* ${pattern} and (
      u.tenant_id = coalesce(${tenantId}, u.tenant_id)
      or exists (select from memberships m where m.tenant_id = ${tenantId} and m.person_id = u.id))
    order by u.id`)
}
