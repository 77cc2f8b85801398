// Takes up the link that was mailed to a recovery address. Only its user does: whoever reads that mail by mistake must not come
// in by it later.
import type { RequestOrigin } from '../access/request-origin.ts'
import { type Database, sql } from '../lib/sql.ts'
import { tenantsOfUser } from './find-user.ts'
import { findLink, useLink } from './links.ts'
import { lockSession } from './lock-session.ts'
import { recordSignIn } from './record-sign-in.ts'
import { requireWhole } from './require-whole.ts'
import type { FoundSession } from './sessions.ts'

/** False when the link is no good, or another user's. @throws Problem not_signed_in */
export async function confirmRecoveryAddress(
  database: Database,
  user: FoundSession,
  token: string,
  origin: RequestOrigin,
): Promise<boolean> {
  requireWhole(user)
  const link = await findLink(database, user.kind, token)
  if (link?.purpose !== 'recovery_address' || link.userId !== user.userId) return false
  return database.transaction(async (tx) => {
    // Another address makes the link of the former one worthless, so that it is about the one that is there.
    await lockSession(tx, user)
    if (!(await useLink(tx, user, token))) return false
    await tx.rows(sql`
      update recovery_addresses set verified_at = clock_timestamp()
      where tenant_id = ${user.tenantId} and user_id = ${user.userId}`)
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'recoveryAddress.confirm', origin)
    return true
  })
}
