// Gives a person another role in a tenant. Their sessions notice with the next request.
import type { TenantActor } from '../access/actor.ts'
import { assertMay, type PersonRole } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { assertAnotherOwner } from './last-owner.ts'

/** Succeeds when it is so already. @throws Problem not_found, not_allowed for the last Owner */
export async function setRole(database: Database, actor: TenantActor, personId: Uuid, role: PersonRole): Promise<void> {
  assertMay(actor, 'managePeople')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    if (role !== 'owner') await assertAnotherOwner(tx, tenantId, personId)
    const set = await tx.first(sql<{ role: string }>`
      update memberships set role = ${role} where tenant_id = ${tenantId} and person_id = ${personId} returning role`)
    if (!set) throw absent('person')
    await recordAct(tx, actor, { operation: 'person.setRole', resourceType: 'person', resourceId: personId })
  })
}
