// A tenant always keeps somebody who may do everything.
import { problem } from '../access/problem.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/**
 * Locks the Owners of a tenant, so that they leave one after the other.
 * @throws Problem not_allowed when this one is the last who can sign in
 */
export async function assertAnotherOwner(tx: Tx, tenantId: Uuid, personId: Uuid): Promise<void> {
  const owners = await tx.rows(sql<{ personId: Uuid }>`
    select person_id as "personId" from memberships
    where tenant_id = ${tenantId} and role = 'owner' and joined_at is not null
    order by person_id for update`)
  if (owners.length === 1 && owners[0]?.personId === personId) {
    throw problem('not_allowed', {
      message: 'This is the last Owner of the tenant: make somebody else an Owner first.',
    })
  }
}
