// Where a mailbox user is mailed a link who cannot sign in any more: an address, once its user has shown to read its mail.
import { type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import { dropOwnLinks } from './links.ts'
import type { UserRef } from './user.ts'

interface FoundAddress {
  address: string
  /** Null while it has not been confirmed. */
  verifiedAt: Timestamp | null
}

export function findRecoveryAddress(
  db: Db,
  { tenantId, userId }: Pick<UserRef, 'tenantId' | 'userId'>,
): Promise<FoundAddress | undefined> {
  return db.first(sql<FoundAddress>`
    select address, verified_at as "verifiedAt" from recovery_addresses
    where tenant_id = ${tenantId} and user_id = ${userId}`)
}

/** Of a user who is locked. What was mailed to it is worth nothing any more. Gives whether there was one. */
export async function forgetRecoveryAddress(tx: Tx, user: UserRef): Promise<boolean> {
  await dropOwnLinks(tx, user)
  const gone = await tx.first(sql<{ address: string }>`
    delete from recovery_addresses where tenant_id = ${user.tenantId} and user_id = ${user.userId} returning address`)
  return gone !== undefined
}
