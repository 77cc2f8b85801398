// Has a link mailed to whom it is for, by whoever made it and was shown it.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Database } from '../lib/sql.ts'
import { noteLink } from '../notices/mail-link.ts'
import { findLink } from './links.ts'
import type { UserKind } from './user.ts'

/**
 * To the address by which its user signs in, and once, however often it is asked.
 * @throws Problem not_found for a link that is no good, or that another tenant's Owner made; not_allowed, also for too many in
 *   a day
 */
export async function mailMadeLink(
  { database, box }: { database: Database; box: SecretBox },
  actor: TenantActor,
  { kind, token }: { kind: UserKind; token: string },
): Promise<void> {
  assertMay(actor, kind === 'person' ? 'managePeople' : 'manageMailboxUsers')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    const link = await findLink(tx, kind, token)
    if (!link || link.forTenantId !== tenantId || link.purpose === 'sign_in') throw absent('link')
    const { purpose, userId, expiresAt } = link
    const outcome = await noteLink(tx, box, { kind: purpose, tenantId, userId, token, expiresAt })
    if (outcome === 'too_many') {
      throw problem('not_allowed', {
        message: 'No more links are mailed for your organization today: hand it on yourself.',
      })
    }
    await recordAct(tx, actor, { operation: 'link.mail', resourceType: 'user', resourceId: userId })
  })
}
