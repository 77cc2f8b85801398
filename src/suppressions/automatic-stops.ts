// Whether a tenant's addresses are stopped automatically once they bounce for good or complain. specification.md#stopped-addresses
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'

/** From the next bounce or complaint on, in all environments of the tenant. Succeeds when it is so already. @throws Problem not_allowed */
export async function setAutomaticStops(database: Database, actor: TenantActor, on: boolean): Promise<void> {
  assertMay(actor, 'manageSuppressions')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    const changed = await tx.first(sql<{ id: string }>`
      update tenants set stops_bounced = ${on} where id = ${tenantId} and stops_bounced <> ${on} returning id`)
    if (!changed) return
    const operation = on ? 'automaticStops.switchOn' : 'automaticStops.switchOff'
    await recordAct(tx, actor, { operation, resourceType: 'tenant', resourceId: tenantId })
  })
}

/** @throws Problem not_allowed */
export async function hasAutomaticStops(db: Db, actor: TenantActor): Promise<boolean> {
  assertMay(actor, 'readSuppressions')
  const row = await db.first(sql<{ on: boolean }>`
    select stops_bounced as "on" from tenants where id = ${actor.tenantId}`)
  return row?.on ?? false
}
