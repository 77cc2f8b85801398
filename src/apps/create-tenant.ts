// Makes a tenant, on a plan that there is.
import type { Operator } from '../access/actor.ts'
import { invalidField } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { checkName } from './check-name.ts'
import { findPlan } from './find-plan.ts'

/** @throws Problem validation_error for an empty name or an unknown plan */
export async function createTenant(
  database: Database,
  operator: Operator,
  tenant: { name: string; plan?: string },
): Promise<{ id: Uuid }> {
  const { name, plan = 'standard' } = tenant
  checkName(name)
  return database.transaction(async (tx) => {
    if (!(await findPlan(tx, plan))) throw invalidField('plan', `there is no plan "${plan}"`)
    const id = newId()
    await tx.rows(sql`insert into tenants (id, name, plan, status) values (${id}, ${name}, ${plan}, 'active')`)
    await recordAct(tx, operator, { operation: 'tenant.create', resourceType: 'tenant', resourceId: id, tenantId: id })
    return { id }
  })
}
