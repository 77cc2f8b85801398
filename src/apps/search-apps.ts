// Applications by a part of their name, or one by its id, to whoever looks for something and does not know where it is.
import type { Environment, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Up to `limit`, by name. @throws Problem not_allowed */
export function searchApps(
  db: Db,
  actor: TenantActor,
  { text, id }: { text: string; id: Uuid | null },
  limit: number,
): Promise<{ id: Uuid; name: string; environment: Environment }[]> {
  assertMay(actor, 'readApplications')
  return db.rows(sql<{ id: Uuid; name: string; environment: Environment }>`
    select id, name, environment from apps
    where tenant_id = ${actor.tenantId} and (id = ${id} or position(lower(${text}) in lower(name)) > 0)
    order by lower(name), id limit ${limit}`)
}
