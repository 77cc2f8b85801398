// The operator, as tests act.
import { type Operator, operatorIn, productionOf, type TenantOperator } from '../../src/access/actor.ts'
import type { Uuid } from '../../src/lib/uuid.ts'

export const operator: Operator = { kind: 'operator', account: 'tests' }

/** The operator at a tenant's data. `environmentId`: of a sandbox. */
export function operatorOf(tenantId: Uuid, environmentId = tenantId): TenantOperator {
  return operatorIn(operator, { ...productionOf(tenantId), environmentId })
}
