// Makes an application of a tenant. Its environment never changes.
import type { Environment, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, overCapacity } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { checkName } from './check-name.ts'

/** Each sandbox is an environment of its own, which is looked at once a second. The operator makes more. */
export const MOST_APPS = 100

/** @throws Problem not_found for the tenant, validation_error, plan_capacity_exceeded */
export async function createApp(
  database: Database,
  actor: TenantActor,
  { name, environment }: { name: string; environment: Environment },
): Promise<{ id: Uuid }> {
  assertMay(actor, 'manageApplications')
  const { tenantId } = actor
  checkName(name)
  return database.transaction(async (tx) => {
    if (!(await lockTenant(tx, tenantId))) throw absent('tenant')
    if (actor.kind !== 'operator') refuseWhenFull(await countApps(tx, tenantId))
    const id = newId()
    await tx.rows(sql`
      insert into apps (tenant_id, id, name, environment, status)
      values (${tenantId}, ${id}, ${name}, ${environment}, 'active')`)
    await recordAct(tx, actor, { operation: 'app.create', resourceType: 'app', resourceId: id })
    return { id }
  })
}

/** Until the transaction ends nobody else makes an application of it: what is counted after the lock is all there is. */
async function lockTenant(tx: Tx, id: Uuid): Promise<boolean> {
  const tenant = await tx.first(sql<{ id: Uuid }>`select id from tenants where id = ${id} for no key update`)
  return tenant !== undefined
}

async function countApps(tx: Tx, tenantId: Uuid): Promise<number> {
  const row = await tx.first(sql<{ count: number }>`select count(*) from apps where tenant_id = ${tenantId}`)
  return row?.count ?? 0
}

function refuseWhenFull(used: number): void {
  if (used < MOST_APPS) return
  throw overCapacity(
    { resource: 'applications', limit: MOST_APPS, used, resetsAt: null },
    `A tenant's people may make ${MOST_APPS} applications. Use one that there is, or ask whoever runs the service.`,
  )
}
