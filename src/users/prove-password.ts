// Step-up of users without a second factor: the password once more. Those who have one prove that, by a code or a passkey.
import type { RequestOrigin } from '../access/request-origin.ts'
import { needsSecondFactor, tenantsOfUser } from './find-user.ts'
import type { ProveOutcome } from './prove-code.ts'
import { recordSignIn } from './record-sign-in.ts'
import { requireWhole } from './require-whole.ts'
import { type FoundSession, renewSession } from './sessions.ts'
import { type PasswordDeps, tryPassword } from './try-password.ts'

/**
 * The session is fresh again, under a new pair. `second_factor`: the password is right and not enough.
 * @throws Problem not_signed_in, service_unavailable when too many sign in at once
 */
export async function provePassword(
  deps: PasswordDeps,
  session: FoundSession,
  password: string,
  origin: RequestOrigin,
): Promise<ProveOutcome | { outcome: 'second_factor' }> {
  requireWhole(session)
  const request = { login: session.login, password }
  return tryPassword<ProveOutcome | { outcome: 'second_factor' }>(
    deps,
    session.kind,
    request,
    origin,
    async (tx, user, forgive) => {
      if (user.userId !== session.userId) return { outcome: 'wrong' }
      if (needsSecondFactor(user)) return { outcome: 'second_factor' }
      const facts = { whole: true, proven: true, inTenantId: session.inTenantId ?? undefined }
      const renewed = await renewSession(tx, session, facts)
      if (!renewed) return { outcome: 'wrong' }
      await forgive()
      await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'signIn', origin)
      return { outcome: 'proven', session: renewed }
    },
  )
}
