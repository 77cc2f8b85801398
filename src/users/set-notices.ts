// Whether a user is sent notices by mail.
import type { RequestOrigin } from '../access/request-origin.ts'
import { type Database, sql } from '../lib/sql.ts'
import { tenantsOfUser } from './find-user.ts'
import { recordSignIn } from './record-sign-in.ts'
import { requireReach } from './require-whole.ts'
import type { FoundSession } from './sessions.ts'

/** @throws Problem not_signed_in, not_allowed */
export async function setNotices(
  database: Database,
  user: FoundSession,
  wanted: boolean,
  origin: RequestOrigin,
): Promise<void> {
  await requireReach(database, user)
  await database.transaction(async (tx) => {
    await tx.rows(sql`update users set notices = ${wanted} where tenant_id = ${user.tenantId} and id = ${user.userId}`)
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'notices.set', origin)
  })
}
