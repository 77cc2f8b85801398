// Gives a tenant another name: the one by which its people, and whoever they invite, know it.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import { checkName } from './check-name.ts'

/** Succeeds when it has the name already. @throws Problem not_allowed, validation_error */
export async function renameTenant(database: Database, actor: TenantActor, name: string): Promise<void> {
  assertMay(actor, 'manageTenant')
  checkName(name)
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    await tx.rows(sql`update tenants set name = ${name} where id = ${tenantId}`)
    await recordAct(tx, actor, { operation: 'tenant.rename', resourceType: 'tenant', resourceId: tenantId })
  })
}
