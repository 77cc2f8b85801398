// The sandboxes of a tenant: each is an environment of its own.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** By name. @throws Problem not_allowed */
export function listSandboxes(db: Db, actor: TenantActor): Promise<{ id: Uuid; name: string }[]> {
  assertMay(actor, 'readApplications')
  return db.rows(sql<{ id: Uuid; name: string }>`
    select id, name from apps where tenant_id = ${actor.tenantId} and environment = 'sandbox' order by name, id`)
}
