// Mails a link to set a new password to the recovery address of a mailbox user who cannot sign in any more. Whoever asks is a
// stranger, who must not learn whether there is such a user, nor fill anybody's inbox.
import type { RequestOrigin } from '../access/request-origin.ts'
import { clientNetwork } from '../lib/network.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Database } from '../lib/sql.ts'
import { noteRecoveryLink } from '../notices/mail-link.ts'
import { findUser, normalizeLogin, tenantsOfUser } from './find-user.ts'
import { countLinkRequest, linksOf } from './link-requests.ts'
import { makeLink } from './links.ts'
import { lockUser } from './lock-user.ts'
import { recordSignIn } from './record-sign-in.ts'
import { findRecoveryAddress } from './recovery-address.ts'

/**
 * Whether it is within what a login and a network may ask for. It does the same for a login that nobody has, and is all that
 * whoever asks waits for.
 */
export function admitResetRequest(database: Database, login: string, origin: RequestOrigin): Promise<boolean> {
  return database.transaction(async (tx) => {
    const ofLogin = await countLinkRequest(tx, linksOf('login', normalizeLogin(login)))
    const ofNetwork = await countLinkRequest(tx, linksOf('network', clientNetwork(origin.clientAddress)))
    return ofLogin && ofNetwork
  })
}

/** Nothing where there is no such user, or no confirmed address. Links that were mailed there before are no good any more. */
export async function mailReset(
  { database, box }: { database: Database; box: SecretBox },
  login: string,
  origin: RequestOrigin,
): Promise<void> {
  const user = await findUser(database, 'mailbox_user', normalizeLogin(login))
  if (!user) return
  await database.transaction(async (tx) => {
    if (!(await lockUser(tx, user))) return
    const recovery = await findRecoveryAddress(tx, user)
    if (!recovery?.verifiedAt || !(await countLinkRequest(tx, linksOf('address', recovery.address)))) return
    const link = await makeLink(tx, user, 'reset')
    const { tenantId, userId } = user
    await noteRecoveryLink(tx, box, { kind: 'recovery_reset', tenantId, userId, ...link })
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'reset.ask', origin)
  })
}
