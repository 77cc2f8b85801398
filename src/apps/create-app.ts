// Makes an application of a tenant. Its environment never changes.
import type { Environment, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { checkName } from './check-name.ts'

/** @throws Problem not_found for the tenant, validation_error */
export async function createApp(
  database: Database,
  actor: TenantActor,
  { name, environment }: { name: string; environment: Environment },
): Promise<{ id: Uuid }> {
  assertMay(actor, 'manageApplications')
  const { tenantId } = actor
  checkName(name)
  return database.transaction(async (tx) => {
    if (!(await tx.first(sql<{ id: Uuid }>`select id from tenants where id = ${tenantId}`))) throw absent('tenant')
    const id = newId()
    await tx.rows(sql`
      insert into apps (tenant_id, id, name, environment, status)
      values (${tenantId}, ${id}, ${name}, ${environment}, 'active')`)
    await recordAct(tx, actor, { operation: 'app.create', resourceType: 'app', resourceId: id })
    return { id }
  })
}
