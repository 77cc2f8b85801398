// Takes a person's role in a tenant away. Whoever has no role anywhere any more is forgotten.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { dropLinks } from '../users/links.ts'
import { lockUser } from '../users/lock-user.ts'
import { removeUser } from '../users/remove-user.ts'
import { personRef } from '../users/user.ts'
import { assertAnotherOwner } from './last-owner.ts'

/** @throws Problem not_found, not_allowed for the last Owner */
export async function removePerson(database: Database, actor: TenantActor, personId: Uuid): Promise<void> {
  assertMay(actor, 'managePeople')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    await lockUser(tx, personRef(personId))
    await assertAnotherOwner(tx, tenantId, personId)
    const removed = await tx.first(sql<{ role: string }>`
      delete from memberships where tenant_id = ${tenantId} and person_id = ${personId} returning role`)
    if (!removed) throw absent('person')
    await dropLinks(tx, personRef(personId), { forTenantId: tenantId })
    await recordAct(tx, actor, { operation: 'person.remove', resourceType: 'person', resourceId: personId })
    await removeUser(tx, personRef(personId), async () => {
      const left = await tx.first(sql<{ tenantId: Uuid }>`
        select tenant_id as "tenantId" from memberships where person_id = ${personId} limit 1`)
      return left === undefined
    })
  })
}
