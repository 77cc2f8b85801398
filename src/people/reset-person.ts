// Makes a link by which somebody who cannot sign in any more sets a new password, and loses the other factors.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { makeLink, type NewLink } from '../users/links.ts'
import { lockUser } from '../users/lock-user.ts'
import { personRef } from '../users/user.ts'

/**
 * Nothing changes until the link is used. An Owner makes one only of somebody with a role in no other tenant, which the
 * link would lead to as well; who joins another before it is used makes it worthless.
 * @throws Problem not_found, not_allowed
 */
export async function resetPerson(database: Database, actor: TenantActor, personId: Uuid): Promise<NewLink> {
  assertMay(actor, 'managePeople')
  const { tenantId } = actor
  const person = personRef(personId)
  return database.transaction(async (tx) => {
    await lockUser(tx, person)
    const roles = await tx.rows(sql<{ tenantId: Uuid; joined: boolean }>`
      select tenant_id as "tenantId", joined_at is not null as joined from memberships where person_id = ${personId}`)
    const here = roles.find((role) => role.tenantId === tenantId)
    if (!here) throw absent('person')
    if (!here.joined) {
      throw problem('not_allowed', { message: 'This person has not taken the invitation up: make another.' })
    }
    if (actor.kind !== 'operator' && roles.some((role) => role.joined && role !== here)) {
      throw problem('not_allowed', {
        message: 'This person has a role in another organization too: ask the operator of the service for the link.',
      })
    }
    await recordAct(tx, actor, { operation: 'person.reset', resourceType: 'person', resourceId: personId })
    return makeLink(tx, person, 'reset', tenantId)
  })
}
