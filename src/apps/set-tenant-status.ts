// Suspends a tenant and ends the suspension. Whoever lets in, claims or receives looks at the status.
import type { Operator } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Succeeds when it is so already. @throws Problem not_found */
export async function setTenantStatus(
  database: Database,
  operator: Operator,
  id: Uuid,
  status: 'active' | 'suspended',
): Promise<void> {
  await database.transaction(async (tx) => {
    const changed = await tx.first(sql<{ id: Uuid }>`
      update tenants set status = ${status} where id = ${id} returning id`)
    if (!changed) throw absent('tenant')
    const operation = status === 'active' ? 'tenant.resume' : 'tenant.suspend'
    await recordAct(tx, operator, { operation, resourceType: 'tenant', resourceId: id, tenantId: id })
  })
}
