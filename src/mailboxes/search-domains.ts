// Domains by a part of their name, or one by its id, to whoever looks for something and does not know where it is.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Up to `limit`, by name. @throws Problem not_allowed */
export function searchDomains(
  db: Db,
  actor: TenantActor,
  { text, id }: { text: string; id: Uuid | null },
  limit: number,
): Promise<{ id: Uuid; domain: string; health: string }[]> {
  assertMay(actor, 'readDomains')
  return db.rows(sql<{ id: Uuid; domain: string; health: string }>`
    select id, domain, health from domains
    where tenant_id = ${actor.tenantId} and (id = ${id} or position(${text.toLowerCase()} in domain) > 0)
    order by domain limit ${limit}`)
}
