// Suspends an application, and with it all its keys, and ends the suspension.
import { absent } from '../access/problem.ts'
import { recordOperatorAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Succeeds when it is so already. @throws Problem not_found */
export async function setAppStatus(database: Database, id: Uuid, status: 'active' | 'suspended'): Promise<void> {
  await database.transaction(async (tx) => {
    const app = await tx.first(sql<{ tenant_id: Uuid }>`
      update apps set status = ${status} where id = ${id} returning tenant_id`)
    if (!app) throw absent('application')
    const operation = status === 'active' ? 'app.resume' : 'app.suspend'
    await recordOperatorAct(tx, { tenantId: app.tenant_id, operation, resourceType: 'app', resourceId: id })
  })
}
