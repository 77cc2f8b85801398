// Gives a user a password, in place of the former one if there was one.
import { problem } from '../access/problem.ts'
import type { Hasher } from '../lib/hash-turns.ts'
import { sql, type Tx } from '../lib/sql.ts'
import { lockUser } from './lock-user.ts'
import { checkPassword, normalizePassword, standsAlone } from './password-rules.ts'
import type { UserRef } from './user.ts'

export interface HashedPassword {
  hash: string
  standsAlone: boolean
}

/** More than that wait for their hash: what is left up to the bound of sign-ins is theirs alone. */
const WAITING = 64

/**
 * Made before the transaction that sets it, as a hash takes its time.
 * @throws Problem validation_error naming `password`, service_unavailable when too many are hashed at once
 */
export async function hashPassword(
  hasher: Hasher,
  password: string,
  user: { login: string; hasSecondFactor: boolean },
): Promise<HashedPassword> {
  const normalized = normalizePassword(password)
  checkPassword(normalized, user)
  if (hasher.waiting >= WAITING) throw problem('service_unavailable', { retryAfterSeconds: 1 })
  return { hash: await hasher.hash(normalized), standsAlone: standsAlone(normalized) }
}

/** @throws Problem validation_error when the second factor, beside which a short password was good enough, has gone */
export async function setPassword(tx: Tx, user: UserRef, password: HashedPassword): Promise<void> {
  // Factors of a user are changed in turn.
  await lockUser(tx, user)
  const set = await tx.first(sql<{ hash: string }>`
    insert into passwords (tenant_id, user_id, hash, stands_alone)
    select u.tenant_id, u.id, ${password.hash}, ${password.standsAlone} from users u
    where u.tenant_id = ${user.tenantId} and u.id = ${user.userId} and (${password.standsAlone}::boolean
      or exists (select from totp_keys t where t.tenant_id = u.tenant_id and t.user_id = u.id and t.confirmed_at is not null)
      or exists (select from passkeys k where k.tenant_id = u.tenant_id and k.user_id = u.id))
    on conflict (tenant_id, user_id) do update
      set hash = excluded.hash, stands_alone = excluded.stands_alone, changed_at = clock_timestamp()
    returning hash`)
  if (!set)
    throw problem('validation_error', { message: 'The second factor was removed meanwhile: choose a longer password.' })
}
