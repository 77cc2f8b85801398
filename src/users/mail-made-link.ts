// Has a link mailed to whom it is for, by whoever made it and was shown it.
import { DIRECTORY, type TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, invalidField, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { isEmailAddress } from '../lib/formats.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { noteLink } from '../notices/mail-link.ts'
import { normalizeLogin } from './find-user.ts'
import { findRecoveryAddress } from './recovery-address.ts'
import { hashToken } from './token.ts'
import type { UserKind } from './user.ts'

/**
 * Once, however often it is asked: a person's to the address by which they sign in; a mailbox user's to `to`, else to the
 * confirmed recovery address, else to where they sign in with, and never to a mailbox that only the link leads into.
 * @throws Problem not_found for a link that is no good, or that another tenant's Owner made; validation_error for where it is to
 *   go; not_allowed, also for too many in a day
 */
export async function mailMadeLink(
  { database, box }: { database: Database; box: SecretBox },
  actor: TenantActor,
  { kind, token, to }: { kind: UserKind; token: string; to?: string | undefined },
): Promise<void> {
  assertMay(actor, kind === 'person' ? 'managePeople' : 'manageMailboxUsers')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    const found = await findOwnLink(tx, tenantId, kind, token)
    if (!found) throw absent('link')
    const { purpose, userId, expiresAt } = found
    const link = { kind: purpose, tenantId, userId, token, expiresAt }
    const outcome = await noteLink(tx, box, kind === 'person' ? link : { ...link, to: await whereTo(tx, found, to) })
    if (outcome === 'too_many') {
      throw problem('not_allowed', {
        message: 'No more links are mailed for your organization today: hand it on yourself.',
      })
    }
    await recordAct(tx, actor, { operation: 'link.mail', resourceType: 'user', resourceId: userId })
  })
}

/** @throws Problem validation_error */
async function whereTo(tx: Tx, { tenantId, userId, login }: FoundLink, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const to = normalizeLogin(given)
    if (!isEmailAddress(to)) throw invalidField('to', `"${given}" is not an email address`)
    if (await isOwnMailbox(tx, tenantId, userId, to))
      throw invalidField('to', `${to} is a mailbox that they get into by the link alone`)
    return to
  }
  const recovery = await findRecoveryAddress(tx, { tenantId, userId })
  if (recovery?.verifiedAt) return recovery.address
  if (await isOwnMailbox(tx, tenantId, userId, login))
    throw invalidField('to', 'must be given: they sign in with the mailbox itself')
  return login
}

async function isOwnMailbox(db: Db, tenantId: Uuid, userId: Uuid, address: string): Promise<boolean> {
  const mailbox = await db.first(sql`
    select from mailbox_access a join mailboxes b on b.tenant_id = a.tenant_id and b.id = a.mailbox_id
    where a.tenant_id = ${tenantId} and a.mailbox_user_id = ${userId} and b.address = ${address}`)
  return mailbox !== undefined
}

interface FoundLink {
  tenantId: Uuid
  userId: Uuid
  login: string
  purpose: 'invitation' | 'reset'
  expiresAt: Timestamp
}

/** Undefined when it is no good, of another kind, or of another tenant's Owner. */
function findOwnLink(db: Db, tenantId: Uuid, kind: UserKind, token: string) {
  return db.first(sql<FoundLink>`
    select l.tenant_id as "tenantId", l.user_id as "userId", u.login, l.purpose, l.expires_at as "expiresAt"
    from user_links l join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
    where l.tenant_id = ${kind === 'person' ? DIRECTORY : tenantId} and l.token_hash = ${hashToken(token)}
      and l.for_tenant_id = ${tenantId} and l.purpose in ('invitation', 'reset') and l.expires_at > clock_timestamp()`)
}
