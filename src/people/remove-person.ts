// Takes a person's role in a tenant away. Whoever has no role anywhere any more is forgotten; of whoever has only invitations left, what
// they signed in by is, so that they take one up like anybody who is new.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { forgetFactors } from '../users/forget-factors.ts'
import { dropLinks } from '../users/links.ts'
import { lockUser } from '../users/lock-user.ts'
import { removeUser } from '../users/remove-user.ts'
import { endVouchedSessions } from '../users/sessions.ts'
import { personRef } from '../users/user.ts'
import { assertAnotherOwner } from './last-owner.ts'

/** @throws Problem not_found, not_allowed for the last Owner */
export async function removePerson(database: Database, actor: TenantActor, personId: Uuid): Promise<void> {
  assertMay(actor, 'managePeople')
  const { tenantId } = actor
  const person = personRef(personId)
  await database.transaction(async (tx) => {
    await lockUser(tx, person)
    await assertAnotherOwner(tx, tenantId, personId)
    const removed = await tx.first(sql<{ role: string }>`
      delete from memberships where tenant_id = ${tenantId} and person_id = ${personId} returning role`)
    if (!removed) throw absent('person')
    await endVouchedSessions(tx, tenantId, { personId })
    await dropLinks(tx, person, { forTenantId: tenantId })
    await recordAct(tx, actor, { operation: 'person.remove', resourceType: 'person', resourceId: personId })
    const left = await tx.rows(sql<{ joined: boolean }>`
      select joined_at is not null as joined from memberships where person_id = ${personId}`)
    if (!left.some(({ joined }) => joined)) await forgetFactors(tx, person)
    await removeUser(tx, person, async () => left.length === 0)
  })
}
