// Whether the people of a tenant need a second factor.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'

/**
 * Whoever has none may do nothing in the tenant from the next request on but add one, the actor too. Succeeds when it is
 * so already.
 * @throws Problem not_allowed, sign_in_again
 */
export async function setSecondFactorRequired(
  database: Database,
  actor: TenantActor,
  required: boolean,
): Promise<void> {
  assertMay(actor, 'managePeople')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    await tx.rows(sql`
      insert into tenant_sign_in (tenant_id, requires_second_factor) values (${tenantId}, ${required})
      on conflict (tenant_id) do update set requires_second_factor = excluded.requires_second_factor`)
    const operation = required ? 'secondFactor.require' : 'secondFactor.release'
    await recordAct(tx, actor, { operation, resourceType: 'tenant', resourceId: tenantId })
  })
}

/** @throws Problem not_allowed */
export async function isSecondFactorRequired(db: Db, actor: TenantActor): Promise<boolean> {
  assertMay(actor, 'readPeople')
  const row = await db.first(sql<{ required: boolean }>`
    select requires_second_factor as required from tenant_sign_in where tenant_id = ${actor.tenantId}`)
  return row?.required ?? false
}
