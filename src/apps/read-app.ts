// One application as the people of its tenant see it, in whichever environment they are.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import type { Db } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type AppInUse, findOwnApps } from './own-apps.ts'

/** @throws Problem not_found */
export async function readApp(db: Db, actor: TenantActor, id: Uuid): Promise<AppInUse> {
  assertMay(actor, 'readApplications')
  const [app] = await findOwnApps(db, actor.tenantId, id)
  if (!app) throw absent('application')
  return app
}
