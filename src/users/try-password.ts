// A guess at a user's password. Everything wrong has one answer, in words and in time.
import { DIRECTORY } from '../access/actor.ts'
import { problem } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import type { Hasher } from '../lib/hash-turns.ts'
import { clientNetwork } from '../lib/network.ts'
import type { Database, Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type FoundUser, findUser, normalizeLogin, tenantsOfUser } from './find-user.ts'
import { guessOfPassword } from './guess-of-password.ts'
import { holdUser } from './lock-user.ts'
import { normalizePassword } from './password-rules.ts'
import { recordSignIn } from './record-sign-in.ts'
import { countGuess, forgiveGuesses, type Guess, guessFromAddress, touchGuess } from './sign-in-delay.ts'
import type { UserKind } from './user.ts'

export interface PasswordDeps {
  database: Database
  /** Of passwords. */
  hasher: Hasher
}

export type NotRight = { outcome: 'wrong' } | { outcome: 'delayed'; seconds: number }

/** Verified when there is no such user, so that it takes as long as when there is: Argon2id of nothing that is known. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$5rjH1izXtSnvpwlaOGDe3A$pYE7bxZ2weEeVfv5IcXpZ9dl2CxBx7xWdGB0wZTtdwI'
/** Looked up, and written for, where there is no such user, as for one that there is. */
const NO_ID: Uuid = '00000000-0000-0000-0000-000000000000'
/** More than that wait for their hash: somebody floods us. */
const WAITING = 256

/**
 * `whenRight` is done in the transaction in which the password was found right, of the user as it is then; `forgive`
 * forgets the wrong guesses before it.
 * @throws Problem service_unavailable when too many sign in at once
 */
export async function tryPassword<T>(
  { database, hasher }: PasswordDeps,
  kind: UserKind,
  request: { login: string; password: string },
  origin: RequestOrigin,
  whenRight: (tx: Tx, user: FoundUser, forgive: () => Promise<void>) => Promise<T>,
): Promise<T | NotRight> {
  const login = normalizeLogin(request.login)
  const account = await guessOfPassword(database, kind, login, origin)
  const address = guessFromAddress(clientNetwork(origin.clientAddress))
  const seconds = await database.transaction((tx) => countBoth(tx, account, address))
  if (seconds > 0) return { outcome: 'delayed', seconds }

  if (hasher.waiting >= WAITING) throw problem('service_unavailable', { retryAfterSeconds: 1 })
  const user = await findUser(database, kind, login)
  const right = await hasher.verify(user?.passwordHash ?? NOBODY, normalizePassword(request.password))
  return database.transaction(async (tx) => {
    // The user may have been removed, or given another password or factor, since.
    const someone = user ?? { kind, tenantId: DIRECTORY, userId: NO_ID }
    const isThere = await holdUser(tx, someone)
    const now = await findUser(tx, kind, login)
    if (right && isThere && user?.passwordHash && now?.passwordHash === user.passwordHash) {
      return whenRight(tx, now, () => forgiveGuesses(tx, account, address))
    }
    const tenants = await tenantsOfUser(tx, someone)
    if (user && isThere && now) await recordSignIn(tx, user, tenants, 'signIn.wrong', origin)
    else await touchGuess(tx, account)
    return { outcome: 'wrong' }
  })
}

/** The longer of the two waits; the second is not counted when the first may not be made. */
async function countBoth(tx: Tx, account: Guess, address: Guess): Promise<number> {
  return (await countGuess(tx, address)) || (await countGuess(tx, account))
}
