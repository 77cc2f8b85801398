// Whoever adds a second factor is to be asked for it everywhere: the user's other sessions were opened without one.
import type { Tx } from '../lib/sql.ts'
import { findUser, needsSecondFactor } from './find-user.ts'
import { endSessions, type FoundSession } from './sessions.ts'

/** Ends a locked user's other sessions, before a factor is added, unless there is a second one already. */
export async function endUnprovenSessions(tx: Tx, session: FoundSession): Promise<void> {
  const user = await findUser(tx, session.kind, session.login)
  if (user && !needsSecondFactor(user)) await endSessions(tx, session, { but: session.sessionId })
}
