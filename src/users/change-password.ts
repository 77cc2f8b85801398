// Gives users who are signed in another password, or their first beside a passkey.
import type { RequestOrigin } from '../access/request-origin.ts'
import type { Hasher } from '../lib/hash-turns.ts'
import { type Database, sql } from '../lib/sql.ts'
import { tenantsOfUser } from './find-user.ts'
import { lockSession } from './lock-session.ts'
import { recordSignIn } from './record-sign-in.ts'
import { requireFresh } from './require-whole.ts'
import { endSessions, type FoundSession } from './sessions.ts'
import { hashPassword, setPassword } from './set-password.ts'

/**
 * All other sessions of the user end, as whoever knew the former password may have one.
 * @throws Problem not_signed_in, sign_in_again, validation_error naming `password`
 */
export async function changePassword(
  { database, hasher }: { database: Database; hasher: Hasher },
  user: FoundSession,
  password: string,
  origin: RequestOrigin,
): Promise<void> {
  requireFresh(user)
  const second = await database.first(sql<{ found: boolean }>`
    select true as found from totp_keys
    where tenant_id = ${user.tenantId} and user_id = ${user.userId} and confirmed_at is not null
    union all select true from passkeys where tenant_id = ${user.tenantId} and user_id = ${user.userId} limit 1`)
  const hashed = await hashPassword(hasher, password, { login: user.login, hasSecondFactor: second !== undefined })
  await database.transaction(async (tx) => {
    await lockSession(tx, user)
    await setPassword(tx, user, hashed)
    await endSessions(tx, user, { but: user.sessionId })
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'password.set', origin)
  })
}
