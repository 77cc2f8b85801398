// Signs a user out: here, somewhere else, or everywhere.
import { absent } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { tenantsOfUser } from './find-user.ts'
import { lockUser } from './lock-user.ts'
import { recordSignIn } from './record-sign-in.ts'
import { requireWhole } from './require-whole.ts'
import { endSessions, type FoundSession } from './sessions.ts'

/** Ends the session itself, also one that asks for a second factor. Succeeds when it has ended. */
export async function signOut(database: Database, user: FoundSession, origin: RequestOrigin): Promise<void> {
  await database.transaction(async (tx) => {
    await lockUser(tx, user)
    if ((await endSessions(tx, user, { id: user.sessionId })) === 0) return
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'signOut', origin)
  })
}

/**
 * Ends one session, all others, or all; by a session that a tenant's provider opened, of such alone. Gives how many.
 * @throws Problem not_signed_in, not_found when there is no such session
 */
export async function endOwnSessions(
  database: Database,
  user: FoundSession,
  which: { id: Uuid } | 'others' | 'all',
  origin: RequestOrigin,
): Promise<number> {
  requireWhole(user)
  return database.transaction(async (tx) => {
    await lockUser(tx, user)
    const those = which === 'others' ? { but: user.sessionId } : which
    const ended = await endSessions(tx, user, those, user.onlyTenantId)
    if (ended === 0 && typeof which === 'object') throw absent('session')
    if (ended > 0) await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'session.end', origin)
    return ended
  })
}
