// The applications of a tenant as its people see them. They show in every environment.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import type { Db } from '../lib/sql.ts'
import { type AppInUse, findOwnApps } from './own-apps.ts'

/** By name. @throws Problem not_allowed */
export function listApps(db: Db, actor: TenantActor): Promise<AppInUse[]> {
  assertMay(actor, 'readApplications')
  return findOwnApps(db, actor.tenantId, null)
}
