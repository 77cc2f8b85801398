// Takes away all that a user signs in by.
import { sql, type Tx } from '../lib/sql.ts'
import { unlinkIdentities } from './identities.ts'
import { endSessions } from './sessions.ts'
import type { UserRef } from './user.ts'

/** Of a user who is locked. Whoever is signed in as the user is signed out. */
export async function forgetFactors(tx: Tx, user: UserRef): Promise<void> {
  const { tenantId, userId } = user
  await tx.rows(sql`delete from passwords where tenant_id = ${tenantId} and user_id = ${userId}`)
  await tx.rows(sql`delete from totp_keys where tenant_id = ${tenantId} and user_id = ${userId}`)
  await tx.rows(sql`delete from passkeys where tenant_id = ${tenantId} and user_id = ${userId}`)
  await tx.rows(sql`delete from recovery_codes where tenant_id = ${tenantId} and user_id = ${userId}`)
  await unlinkIdentities(tx, userId, 'everywhere')
  await endSessions(tx, user, 'all')
}
