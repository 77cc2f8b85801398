// The order in which things of one user are changed: whoever changes them locks the user first, and memberships, links,
// factors and sessions after that. So no two wait for each other.
import { sql, type Tx } from '../lib/sql.ts'
import type { UserRef } from './user.ts'

/** Until the transaction ends nobody else changes what is the user's, or signs in. False when the user is gone. */
export async function lockUser(tx: Tx, user: UserRef): Promise<boolean> {
  const found = await tx.first(sql<{ found: boolean }>`
    select true as found from users where tenant_id = ${user.tenantId} and id = ${user.userId} for update`)
  return found !== undefined
}

/** As `lockUser`, beside others who hold it so: what the user signs in by stays as it is. */
export async function holdUser(tx: Tx, user: UserRef): Promise<boolean> {
  const found = await tx.first(sql<{ found: boolean }>`
    select true as found from users where tenant_id = ${user.tenantId} and id = ${user.userId} for key share`)
  return found !== undefined
}
