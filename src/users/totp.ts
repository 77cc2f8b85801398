// Codes that change every 30 seconds (TOTP, RFC 6238). The form of the key and the codes are those that every authenticator
// app knows: SHA-1, six digits.
import { Secret as OtpSecret, TOTP } from 'otpauth'
import { Secret } from '../lib/secret.ts'
import { type Db, sql, type Tx } from '../lib/sql.ts'
import type { UserRef } from './user.ts'

const PERIOD_S = 30
const DIGITS = 6
/** Steps before and after the present one that are good too, for clocks that are off (RFC 6238, section 5.2). */
const DRIFT_STEPS = 1
/** 160 bits, as RFC 4226, section 4, recommends. */
const KEY_OCTETS = 20

/** A new key, in base32 as people type it. */
export function makeTotpKey(): Secret {
  return new Secret(new OtpSecret({ size: KEY_OCTETS }).base32)
}

/** What an authenticator app reads from a QR code. */
export function totpUri(key: Secret, issuer: string, login: string): string {
  return totpOf(key, issuer, login).toString()
}

/** The time step that a code belongs to; undefined when it is wrong. */
export function stepOfCode(key: Secret, code: string, nowMs: number): number | undefined {
  const digits = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return undefined
  const delta = totpOf(key).validate({ token: digits, timestamp: nowMs, window: DRIFT_STEPS })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_S) + delta
}

function totpOf(key: Secret, issuer = '', label = ''): TOTP {
  return new TOTP({ issuer, label, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_S, secret: key.reveal() })
}

/** Where a key is sealed to. */
export function placeOfTotpKey({ tenantId, userId }: Omit<UserRef, 'kind'>): string {
  return `totp_keys/${tenantId}/${userId}`
}

/** Sealed; undefined when the user has none that is confirmed. */
export async function findTotpKey(db: Db, user: UserRef, which: 'confirmed' | 'any'): Promise<Buffer | undefined> {
  const row = await db.first(sql<{ secret: Buffer }>`
    select secret from totp_keys where tenant_id = ${user.tenantId} and user_id = ${user.userId}
      and (${which === 'any'}::boolean or confirmed_at is not null)`)
  return row?.secret
}

/** Uses a step up, and confirms the key by it. False when it, or a later one, was used before. */
export async function useTotpStep(tx: Tx, user: UserRef, step: number): Promise<boolean> {
  const used = await tx.first(sql<{ step: number }>`
    update totp_keys set last_step = ${step}, confirmed_at = coalesce(confirmed_at, clock_timestamp())
    where tenant_id = ${user.tenantId} and user_id = ${user.userId} and last_step < ${step}
    returning last_step as step`)
  return used !== undefined
}
