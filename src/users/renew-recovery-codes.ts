// Gives users who are signed in ten new recovery codes.
import { problem } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import type { Database } from '../lib/sql.ts'
import { findUser, needsSecondFactor, tenantsOfUser } from './find-user.ts'
import { lockSession } from './lock-session.ts'
import { recordSignIn } from './record-sign-in.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { requireFresh } from './require-whole.ts'
import type { FoundSession } from './sessions.ts'

/**
 * The former are no good from then on, and these are shown this once.
 * @throws Problem not_signed_in, sign_in_again, not_allowed without a second factor, in whose place a code is good
 */
export async function renewRecoveryCodes(
  database: Database,
  user: FoundSession,
  origin: RequestOrigin,
): Promise<string[]> {
  requireFresh(user)
  return database.transaction(async (tx) => {
    await lockSession(tx, user)
    const found = await findUser(tx, user.kind, user.login)
    if (!found || !needsSecondFactor(found)) {
      throw problem('not_allowed', { message: 'Add an authenticator app or a passkey first.' })
    }
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'recoveryCodes.make', origin)
    return makeRecoveryCodes(tx, user)
  })
}
