// Has a link mailed to whom it is for, by whoever made it and was shown it.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { noteLink } from '../notices/mail-link.ts'
import { hashToken } from './token.ts'
import { DIRECTORY, type UserKind } from './user.ts'

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
    const link = await findOwnLink(tx, tenantId, kind, token)
    if (!link) throw absent('link')
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

/** Undefined when it is no good, of another kind, or of another tenant's Owner. */
function findOwnLink(db: Db, tenantId: Uuid, kind: UserKind, token: string) {
  return db.first(sql<{ userId: Uuid; purpose: 'invitation' | 'reset'; expiresAt: Timestamp }>`
    select user_id as "userId", purpose, expires_at as "expiresAt" from user_links
    where tenant_id = ${kind === 'person' ? DIRECTORY : tenantId} and token_hash = ${hashToken(token)}
      and for_tenant_id = ${tenantId} and purpose in ('invitation', 'reset') and expires_at > clock_timestamp()`)
}
