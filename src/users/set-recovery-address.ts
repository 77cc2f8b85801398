// Names the address to which a mailbox user is mailed a link who cannot sign in any more. It counts once it is confirmed.
import { invalidField, problem } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import { isEmailAddress } from '../lib/formats.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import { canonicalAddress } from '../mail/mail-address.ts'
import { noteRecoveryLink } from '../notices/mail-link.ts'
import { tenantsOfUser } from './find-user.ts'
import { countLinkRequest, linksOf } from './link-requests.ts'
import { makeLink } from './links.ts'
import { lockSession } from './lock-session.ts'
import { recordSignIn } from './record-sign-in.ts'
import { forgetRecoveryAddress } from './recovery-address.ts'
import { requireFresh } from './require-whole.ts'
import type { FoundSession } from './sessions.ts'

/**
 * Takes the place of the one before, and has the link mailed by which the user confirms it.
 * @throws Problem not_signed_in, sign_in_again, validation_error naming `address`, rate_limited
 */
export async function setRecoveryAddress(
  { database, box }: { database: Database; box: SecretBox },
  user: FoundSession,
  given: string,
  origin: RequestOrigin,
): Promise<void> {
  requireFresh(user)
  const address = canonicalAddress(given.trim()).toLowerCase()
  if (!isEmailAddress(address)) throw invalidField('address', 'is not an email address')
  if (address === canonicalAddress(user.login)) throw lockedOutOf('is what you sign in with')
  const { tenantId, userId } = user
  await database.transaction(async (tx) => {
    await lockSession(tx, user)
    if (await isOwnMailbox(tx, user, address)) throw lockedOutOf('is a mailbox of yours')
    await boundMail(tx, user, address)
    await forgetRecoveryAddress(tx, user)
    await tx.rows(sql`
      insert into recovery_addresses (tenant_id, user_id, address) values (${tenantId}, ${userId}, ${address})`)
    const link = await makeLink(tx, user, 'recovery_address')
    await noteRecoveryLink(tx, box, { kind: 'recovery_address', tenantId, userId, ...link })
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'recoveryAddress.set', origin)
  })
}

function lockedOutOf(what: string) {
  return invalidField('address', `${what}: name one whose mail you can read when you cannot sign in here`)
}

async function isOwnMailbox(tx: Tx, { tenantId, userId }: FoundSession, address: string): Promise<boolean> {
  const own = await tx.first(sql<{ found: boolean }>`
    select true as found from mailbox_access a
    join mailboxes m on m.tenant_id = a.tenant_id and m.id = a.mailbox_id
    where a.tenant_id = ${tenantId} and a.mailbox_user_id = ${userId} and m.address = ${address}`)
  return own !== undefined
}

/** An address is anybody's until it is confirmed. @throws Problem rate_limited */
async function boundMail(tx: Tx, { userId }: FoundSession, address: string): Promise<void> {
  for (const bound of [linksOf('user', userId), linksOf('address', address)]) {
    if (await countLinkRequest(tx, bound)) continue
    throw problem('rate_limited', {
      message: 'Too many links to confirm an address were asked for. Try again in an hour.',
      details: { limit: 'recovery_address' },
      retryAfterSeconds: 3_600,
    })
  }
}
