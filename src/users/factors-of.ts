// What a user could sign in with.
import { type Db, sql } from '../lib/sql.ts'
import type { UserRef } from './user.ts'

export interface Factors {
  /** A password or a passkey: opens every tenant that the user has a role in. */
  own: boolean
  /** Some tenant's single sign-on, which opens that tenant. */
  identity: boolean
}

export async function factorsOf(db: Db, { tenantId, userId }: UserRef): Promise<Factors> {
  const row = await db.first(sql<Factors>`
    select exists (select from passwords p where p.tenant_id = ${tenantId} and p.user_id = ${userId})
        or exists (select from passkeys k where k.tenant_id = ${tenantId} and k.user_id = ${userId}) as own,
      exists (select from identities i where i.person_id = ${userId}) as identity`)
  return row as Factors
}
