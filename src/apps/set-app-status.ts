// Suspends an application, and with it all its keys, and ends the suspension.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Succeeds when it is so already. @throws Problem not_found */
export async function setAppStatus(
  database: Database,
  actor: TenantActor,
  id: Uuid,
  status: 'active' | 'suspended',
): Promise<void> {
  assertMay(actor, 'manageApplications')
  await database.transaction(async (tx) => {
    const app = await tx.first(sql<{ id: Uuid }>`
      update apps set status = ${status} where tenant_id = ${actor.tenantId} and id = ${id} returning id`)
    if (!app) throw absent('application')
    const operation = status === 'active' ? 'app.resume' : 'app.suspend'
    await recordAct(tx, actor, { operation, resourceType: 'app', resourceId: id })
  })
}
