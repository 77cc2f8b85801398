// Takes a second factor away, unless the password that is left is too short to stand alone.

import { absent, problem } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { tenantsOfUser } from './find-user.ts'
import { lockSession } from './lock-session.ts'
import { recordSignIn } from './record-sign-in.ts'
import { requireFresh } from './require-whole.ts'
import type { FoundSession } from './sessions.ts'
import type { UserRef } from './user.ts'

/** @throws Problem not_signed_in, sign_in_again, not_found, not_allowed when too little would be left to sign in with */
export async function removeFactor(
  database: Database,
  user: FoundSession,
  factor: 'totp' | { passkey: Uuid },
  origin: RequestOrigin,
): Promise<void> {
  requireFresh(user)
  await database.transaction(async (tx) => {
    await lockSession(tx, user)
    const removed = factor === 'totp' ? await removeTotp(tx, user) : await removePasskey(tx, user, factor.passkey)
    if (!removed) throw absent(factor === 'totp' ? 'authenticator app' : 'passkey')
    if (!(await isEnough(tx, user))) {
      throw problem('not_allowed', {
        message: 'Set a password of 15 characters first: the present one needs a second factor.',
      })
    }
    const operation = factor === 'totp' ? 'totp.remove' : 'passkey.remove'
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), operation, origin)
  })
}

async function removeTotp(tx: Tx, { tenantId, userId }: UserRef): Promise<boolean> {
  const removed = await tx.first(sql<{ userId: Uuid }>`
    delete from totp_keys where tenant_id = ${tenantId} and user_id = ${userId} returning user_id as "userId"`)
  return removed !== undefined
}

async function removePasskey(tx: Tx, { tenantId, userId }: UserRef, id: Uuid): Promise<boolean> {
  const removed = await tx.first(sql<{ id: Uuid }>`
    delete from passkeys where tenant_id = ${tenantId} and user_id = ${userId} and id = ${id} returning id`)
  return removed !== undefined
}

/** A password that stands alone, or a passkey, or a password beside an authenticator app. */
async function isEnough(tx: Tx, { tenantId, userId }: UserRef): Promise<boolean> {
  const row = await tx.first(sql<{ enough: boolean }>`
    select exists (select from passkeys k where k.tenant_id = u.tenant_id and k.user_id = u.id)
      or exists (
        select from passwords p where p.tenant_id = u.tenant_id and p.user_id = u.id and (p.stands_alone or exists (
          select from totp_keys t where t.tenant_id = u.tenant_id and t.user_id = u.id and t.confirmed_at is not null)))
      as enough
    from users u where u.tenant_id = ${tenantId} and u.id = ${userId}`)
  return row?.enough ?? false
}
