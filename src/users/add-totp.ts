// Adds an authenticator app to a user who is signed in: a key is shown, and counts once a code of it was typed in.

import { problem } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import type { Secret } from '../lib/secret.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, sql } from '../lib/sql.ts'
import { endUnprovenSessions } from './end-unproven-sessions.ts'
import { tenantsOfUser } from './find-user.ts'
import { lockSession } from './lock-session.ts'
import { recordSignIn } from './record-sign-in.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { requireFresh } from './require-whole.ts'
import type { FoundSession } from './sessions.ts'
import { findTotpKey, makeTotpKey, placeOfTotpKey, stepOfCode, totpUri, useTotpStep } from './totp.ts'

/** A new key takes the place of one that was never confirmed. @throws Problem sign_in_again, not_allowed when there is one that counts */
export async function offerTotp(
  { database, box }: { database: Database; box: SecretBox },
  user: FoundSession,
  issuer: string,
): Promise<{ key: Secret; uri: string }> {
  requireFresh(user)
  const key = makeTotpKey()
  const offered = await database.transaction(async (tx) => {
    await lockSession(tx, user)
    return tx.first(sql<{ userId: string }>`
    insert into totp_keys as t (tenant_id, user_id, secret)
    values (${user.tenantId}, ${user.userId}, ${box.seal(key, placeOfTotpKey(user))})
    on conflict (tenant_id, user_id) do update set secret = excluded.secret, created_at = clock_timestamp()
      where t.confirmed_at is null
    returning t.user_id as "userId"`)
  })
  if (!offered) throw problem('not_allowed', { message: 'You have an authenticator app already. Remove it first.' })
  return { key, uri: totpUri(key, issuer, user.login) }
}

/**
 * Gives new recovery codes, shown this once; undefined when the code is wrong. The first second factor ends all other
 * sessions, which were opened without it.
 * @throws Problem not_signed_in, sign_in_again
 */
export async function confirmTotp(
  { database, box, nowMs = Date.now }: { database: Database; box: SecretBox; nowMs?: () => number },
  user: FoundSession,
  code: string,
  origin: RequestOrigin,
): Promise<string[] | undefined> {
  requireFresh(user)
  return database.transaction(async (tx) => {
    await lockSession(tx, user)
    const sealed = await findTotpKey(tx, user, 'any')
    const step = sealed && stepOfCode(box.open(sealed, placeOfTotpKey(user)), code, nowMs())
    if (step === undefined) return undefined
    await endUnprovenSessions(tx, user)
    if (!(await useTotpStep(tx, user, step))) return undefined
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'totp.add', origin)
    return makeRecoveryCodes(tx, user)
  })
}
