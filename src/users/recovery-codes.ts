// Ten codes for the day a second factor is lost, each good once.
import { hash, randomInt } from 'node:crypto'
import { sql, type Tx } from '../lib/sql.ts'
import type { UserRef } from './user.ts'

const CODES = 10
/** Crockford's base32: no letter that is taken for a digit. 50 bits, and guesses are delayed. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 10

/** Makes new codes, and the former ones are no good. Shown this once. */
export async function makeRecoveryCodes(tx: Tx, user: UserRef): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode)
  await tx.rows(sql`delete from recovery_codes where tenant_id = ${user.tenantId} and user_id = ${user.userId}`)
  await tx.rows(sql`
    insert into recovery_codes (tenant_id, user_id, code_hash)
    select ${user.tenantId}, ${user.userId}, code_hash from unnest(${codes.map(hashOf)}::bytea[]) as c (code_hash)`)
  return codes
}

/** Uses a code up: of those who try it at the same time one. */
export async function useRecoveryCode(tx: Tx, user: UserRef, code: string): Promise<boolean> {
  const used = await tx.first(sql<{ hash: Buffer }>`
    delete from recovery_codes where tenant_id = ${user.tenantId} and user_id = ${user.userId} and code_hash = ${hashOf(code)}
    returning code_hash as hash`)
  return used !== undefined
}

function makeCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}

/** Of the letters alone, as people leave out hyphens and use capitals. */
function hashOf(code: string): Buffer {
  return hash('sha256', code.toLowerCase().replace(/[^0-9a-z]/g, ''), 'buffer')
}
