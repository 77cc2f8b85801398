// The second step of signing in, and step-up: a code of the authenticator app, or a recovery code.
import type { RequestOrigin } from '../access/request-origin.ts'
import { clientNetwork } from '../lib/network.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Database, Tx } from '../lib/sql.ts'
import { tenantsOfUser } from './find-user.ts'
import { guessOfPassword } from './guess-of-password.ts'
import { holdUser } from './lock-user.ts'
import { recordSignIn } from './record-sign-in.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { type FoundSession, type NewSession, renewSession } from './sessions.ts'
import { countGuess, forgiveGuesses, guessFromAddress, guessOfAccount } from './sign-in-delay.ts'
import { findTotpKey, placeOfTotpKey, stepOfCode, useTotpStep } from './totp.ts'

export type ProveOutcome =
  | { outcome: 'proven'; session: NewSession }
  | { outcome: 'wrong' }
  | { outcome: 'delayed'; seconds: number }

/** A right code makes the session whole, under a new pair. */
export async function proveCode(
  { database, box, nowMs = Date.now }: { database: Database; box: SecretBox; nowMs?: () => number },
  session: FoundSession,
  code: string,
  origin: RequestOrigin,
): Promise<ProveOutcome> {
  // Codes are few: they have a count of their own, whichever session tries them.
  const account = guessOfAccount(`${session.kind} code`, session.userId)
  const address = guessFromAddress(clientNetwork(origin.clientAddress))
  const seconds = await database.transaction(async (tx) => (await countGuess(tx, address)) || countGuess(tx, account))
  if (seconds > 0) return { outcome: 'delayed', seconds }
  return database.transaction(async (tx) => {
    await holdUser(tx, session)
    const tenants = await tenantsOfUser(tx, session)
    const right = (await isTotpCode(tx, box, session, code, nowMs())) || (await useRecoveryCode(tx, session, code))
    const renewed =
      right &&
      (await renewSession(tx, session, {
        whole: true,
        proven: true,
        inTenantId: session.inTenantId ?? undefined,
      }))
    if (!renewed) {
      await recordSignIn(tx, session, tenants, 'signIn.wrongCode', origin)
      return { outcome: 'wrong' }
    }
    await forgiveGuesses(tx, account, address)
    await forgiveGuesses(tx, await guessOfPassword(tx, session.kind, session.login, origin), address)
    await recordSignIn(tx, session, tenants, 'signIn', origin)
    return { outcome: 'proven', session: renewed }
  })
}

async function isTotpCode(tx: Tx, box: SecretBox, user: FoundSession, code: string, nowMs: number): Promise<boolean> {
  const sealed = await findTotpKey(tx, user, 'confirmed')
  if (!sealed) return false
  const step = stepOfCode(box.open(sealed, placeOfTotpKey(user)), code, nowMs)
  return step !== undefined && useTotpStep(tx, user, step)
}
