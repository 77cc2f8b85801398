// Takes single sign-on away from a tenant, with what links people to its provider. Who signed in by it is signed out.
import type { TenantActor } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { problem } from '../../access/problem.ts'
import { recordAct } from '../../audit/record.ts'
import { type Database, sql } from '../../lib/sql.ts'
import { endVouchedSessions } from '../../users/sessions.ts'
import { assertOwnersGetIn } from './owners-get-in.ts'

/** @throws Problem not_found, sign_in_again, not_allowed */
export async function removeSingleSignOn(database: Database, actor: TenantActor): Promise<void> {
  assertMay(actor, 'manageSingleSignOn')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    const removed = await tx.first(sql<{ issuer: string }>`
      delete from single_sign_on where tenant_id = ${tenantId} returning issuer`)
    if (!removed) throw problem('not_found', { message: 'This tenant has no single sign-on.' })
    await assertOwnersGetIn(tx, actor)
    await endVouchedSessions(tx, tenantId, 'of all')
    await recordAct(tx, actor, { operation: 'singleSignOn.remove', resourceType: 'tenant', resourceId: tenantId })
  })
}
