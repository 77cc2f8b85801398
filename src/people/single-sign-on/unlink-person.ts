// Takes from a person what links them to the tenant's provider: they no longer come in by it.
import type { TenantActor } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent } from '../../access/problem.ts'
import { recordAct } from '../../audit/record.ts'
import type { Database } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { unlinkIdentities } from '../../users/identities.ts'
import { lockUser } from '../../users/lock-user.ts'
import { endVouchedSessions } from '../../users/sessions.ts'
import { personRef } from '../../users/user.ts'

/** @throws Problem not_found, sign_in_again, not_allowed */
export async function unlinkPerson(database: Database, actor: TenantActor, personId: Uuid): Promise<void> {
  assertMay(actor, 'managePeople')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    await lockUser(tx, personRef(personId))
    if (!(await unlinkIdentities(tx, personId, { tenantId }))) throw absent('link to single sign-on')
    await endVouchedSessions(tx, tenantId, { personId })
    await recordAct(tx, actor, { operation: 'person.unlink', resourceType: 'person', resourceId: personId })
  })
}
