// What a user signs in by, as the user sees it.
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { UserRef } from './user.ts'

export interface ListedFactors {
  passwordChangedAt: Timestamp | null
  totpAddedAt: Timestamp | null
  passkeys: { id: Uuid; name: string; createdAt: Timestamp; lastUsedAt: Timestamp | null }[]
  /** How many are left. */
  recoveryCodes: number
}

export async function listFactors(db: Db, { tenantId, userId }: UserRef): Promise<ListedFactors> {
  const [row, passkeys] = await Promise.all([
    db.first(sql<Omit<ListedFactors, 'passkeys'>>`
      select
        (select changed_at from passwords where tenant_id = ${tenantId} and user_id = ${userId}) as "passwordChangedAt",
        (select confirmed_at from totp_keys where tenant_id = ${tenantId} and user_id = ${userId}) as "totpAddedAt",
        (select count(*)::integer from recovery_codes where tenant_id = ${tenantId} and user_id = ${userId})
          as "recoveryCodes"`),
    db.rows(sql<ListedFactors['passkeys'][number]>`
      select id, name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys
      where tenant_id = ${tenantId} and user_id = ${userId} order by created_at, id`),
  ])
  return { ...(row as Omit<ListedFactors, 'passkeys'>), passkeys }
}
