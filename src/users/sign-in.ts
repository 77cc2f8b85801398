// The first step of signing in: an address and a password.
import type { RequestOrigin } from '../access/request-origin.ts'
import { needsSecondFactor, tenantsOfUser } from './find-user.ts'
import { recordSignIn } from './record-sign-in.ts'
import { type NewSession, startSession } from './sessions.ts'
import { type NotRight, type PasswordDeps, tryPassword } from './try-password.ts'
import type { UserKind } from './user.ts'

export type SignInOutcome =
  | { outcome: 'signed_in'; session: NewSession }
  /** The password is right; the session asks for a code or a passkey. */
  | { outcome: 'second_factor'; session: NewSession }
  | NotRight

/** @throws Problem service_unavailable when too many sign in at once */
export function signIn(
  deps: PasswordDeps,
  kind: UserKind,
  request: { login: string; password: string },
  origin: RequestOrigin,
): Promise<SignInOutcome> {
  return tryPassword<SignInOutcome>(deps, kind, request, origin, async (tx, user, forgive) => {
    const whole = !needsSecondFactor(user)
    const session = await startSession(tx, user, { whole }, origin)
    // What is left to prove is guessed at too: the account is forgiven only then.
    if (!whole) return { outcome: 'second_factor', session }
    await forgive()
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'signIn', origin)
    return { outcome: 'signed_in', session }
  })
}
