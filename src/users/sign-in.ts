// The first step of signing in: an address and a password. Everything wrong has one answer, in words and in time.

import { problem } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import type { Hasher } from '../lib/hash-turns.ts'
import { clientNetwork } from '../lib/network.ts'
import type { Database, Tx } from '../lib/sql.ts'
import { type FoundUser, findUser, normalizeLogin, tenantsOfUser } from './find-user.ts'
import { normalizePassword } from './password-rules.ts'
import { recordSignIn } from './record-sign-in.ts'
import { type NewSession, startSession } from './sessions.ts'
import { countGuess, forgiveGuesses, type Guess, guessFromAddress, guessOfAccount } from './sign-in-delay.ts'
import type { UserKind } from './user.ts'

interface SignInDeps {
  database: Database
  /** Of passwords. */
  hasher: Hasher
}

export type SignInOutcome =
  | { outcome: 'signed_in'; session: NewSession }
  /** The password is right; the session asks for a code or a passkey. */
  | { outcome: 'second_factor'; session: NewSession }
  | { outcome: 'wrong' }
  | { outcome: 'delayed'; seconds: number }

/** Verified when there is no such user, so that it takes as long as when there is: Argon2id of nothing that is known. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$5rjH1izXtSnvpwlaOGDe3A$pYE7bxZ2weEeVfv5IcXpZ9dl2CxBx7xWdGB0wZTtdwI'
/** More than that wait for their hash: somebody floods us. */
const WAITING = 256

/** @throws Problem service_unavailable when too many sign in at once */
export async function signIn(
  { database, hasher }: SignInDeps,
  kind: UserKind,
  request: { login: string; password: string },
  origin: RequestOrigin,
): Promise<SignInOutcome> {
  const login = normalizeLogin(request.login)
  const account = guessOfAccount(kind, login)
  const address = guessFromAddress(clientNetwork(origin.clientAddress))
  const seconds = await database.transaction((tx) => countBoth(tx, account, address))
  if (seconds > 0) return { outcome: 'delayed', seconds }

  if (hasher.waiting >= WAITING) throw problem('service_unavailable', { retryAfterSeconds: 1 })
  const user = await findUser(database, kind, login)
  const right = await hasher.verify(user?.passwordHash ?? NOBODY, normalizePassword(request.password))
  return database.transaction(async (tx) => {
    const tenants = user ? await tenantsOfUser(tx, user) : []
    if (!user?.passwordHash || !right) {
      if (user) await recordSignIn(tx, user, tenants, 'signIn.wrong', origin)
      return { outcome: 'wrong' }
    }
    const whole = !needsSecondFactor(user)
    const session = await startSession(tx, user, { whole }, origin)
    // What is left to prove is guessed at too: the account is forgiven only then.
    if (!whole) return { outcome: 'second_factor', session }
    await forgiveGuesses(tx, account, address)
    await recordSignIn(tx, user, tenants, 'signIn', origin)
    return { outcome: 'signed_in', session }
  })
}

function needsSecondFactor({ hasTotp, hasPasskey }: FoundUser): boolean {
  return hasTotp || hasPasskey
}

/** The longer of the two waits; the second is not counted when the first may not be made. */
async function countBoth(tx: Tx, account: Guess, address: Guess): Promise<number> {
  return (await countGuess(tx, address)) || (await countGuess(tx, account))
}
