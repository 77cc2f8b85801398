// Forgets a user, with factors, links and sessions.
import { sql, type Tx } from '../lib/sql.ts'
import { lockUser } from './lock-user.ts'
import type { UserRef } from './user.ts'

/** Unless `isUnneeded`, asked once nobody else can find or make use of the user meanwhile, says no. */
export async function removeUser(tx: Tx, user: UserRef, isUnneeded: () => Promise<boolean>): Promise<void> {
  await lockUser(tx, user)
  if (!(await isUnneeded())) return
  await tx.rows(sql`delete from users where tenant_id = ${user.tenantId} and id = ${user.userId}`)
}
