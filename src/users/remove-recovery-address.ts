// Takes a mailbox user's recovery address away, whether it was confirmed or not.
import { absent } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import type { Database } from '../lib/sql.ts'
import { tenantsOfUser } from './find-user.ts'
import { lockSession } from './lock-session.ts'
import { recordSignIn } from './record-sign-in.ts'
import { forgetRecoveryAddress } from './recovery-address.ts'
import { requireFresh } from './require-whole.ts'
import type { FoundSession } from './sessions.ts'

/** @throws Problem not_signed_in, sign_in_again, not_found when there is none */
export async function removeRecoveryAddress(
  database: Database,
  user: FoundSession,
  origin: RequestOrigin,
): Promise<void> {
  requireFresh(user)
  await database.transaction(async (tx) => {
    await lockSession(tx, user)
    if (!(await forgetRecoveryAddress(tx, user))) throw absent('recovery address')
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'recoveryAddress.remove', origin)
  })
}
