// Users change what is theirs by a session that still stands when it is changed: whoever was signed out, or has lost every
// factor to a reset, while the request was on its way, changes nothing any more.
import { problem } from '../access/problem.ts'
import { sql, type Tx } from '../lib/sql.ts'
import { lockUser } from './lock-user.ts'
import type { FoundSession } from './sessions.ts'

/** As `lockUser`. Whoever ends a session locks its user first, so that this one stands until the transaction ends. @throws Problem not_signed_in */
export async function lockSession(tx: Tx, session: FoundSession): Promise<void> {
  await lockUser(tx, session)
  const stands = await tx.first(sql<{ found: boolean }>`
    select true as found from sessions
    where tenant_id = ${session.tenantId} and user_id = ${session.userId} and id = ${session.sessionId}`)
  if (!stands) throw problem('not_signed_in')
}
