// Whoever takes single sign-on away leaves somebody who may do everything and can still sign in.
import type { TenantActor } from '../../access/actor.ts'
import { problem } from '../../access/problem.ts'
import { sql, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { factorsOf } from '../../users/factors-of.ts'
import { personRef } from '../../users/user.ts'

/**
 * The operator may leave none, and makes links by which they get in.
 * @throws Problem not_allowed when no Owner has a password or a passkey
 */
export async function assertOwnersGetIn(tx: Tx, { kind, tenantId }: TenantActor): Promise<void> {
  if (kind === 'operator') return
  const owners = await tx.rows(sql<{ personId: Uuid }>`
    select person_id as "personId" from memberships
    where tenant_id = ${tenantId} and role = 'owner' and joined_at is not null
    order by person_id`)
  for (const { personId } of owners) if ((await factorsOf(tx, personRef(personId))).own) return
  throw problem('not_allowed', {
    message: 'No Owner could sign in any more: one needs a password or a passkey first.',
  })
}
