// The applications whose keys act in an actor's environment: those of production, or the one that a sandbox is.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** By name. @throws Problem not_allowed */
export function listAppsHere(db: Db, actor: TenantActor): Promise<{ id: Uuid; name: string }[]> {
  assertMay(actor, 'readApplications')
  return db.rows(sql<{ id: Uuid; name: string }>`
    select id, name from apps
    where tenant_id = ${actor.tenantId}
      and case environment when 'production' then tenant_id else id end = ${actor.environmentId}
    order by name, id`)
}
