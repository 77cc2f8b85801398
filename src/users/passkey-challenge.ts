// What a passkey signs to prove that it is there now. Whoever asks gets one and nothing is kept of it, so that strangers who
// ask fill no table; which were answered is kept until they are too old.
import { createHmac, hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKeys, type SecretKeys } from '../lib/secret-box.ts'
import { type Db, sql, type Tx } from '../lib/sql.ts'
import type { UserKind } from './user.ts'

export interface Challenges {
  /** `use` binds it to what it is for: a sign-in, or the user who adds a passkey. */
  make(kind: UserKind, use: string): Uint8Array<ArrayBuffer>
  /** Whether a challenge, as base64url, is one that was made for this and is young enough. */
  isGood(challenge: string, kind: UserKind, use: string): boolean
}

/** As long as a browser may ask its user. */
const GOOD_FOR_MS = 5 * 60_000
const TIME_OCTETS = 6
const RANDOM_OCTETS = 16
const MAC_OCTETS = 16

export function createChallenges(keys: SecretKeys, nowMs: () => number = Date.now): Challenges {
  const macKeys = deriveKeys(keys, 'passkey-challenge').map(({ key }) => key)
  const [current] = macKeys as [KeyObject]
  return {
    make(kind, use) {
      const body = Buffer.concat([Buffer.alloc(TIME_OCTETS), randomBytes(RANDOM_OCTETS)])
      body.writeUIntBE(nowMs(), 0, TIME_OCTETS)
      return new Uint8Array(Buffer.concat([body, mac(current, body, kind, use)]))
    },
    isGood(challenge, kind, use) {
      const octets = Buffer.from(challenge, 'base64url')
      if (octets.length !== TIME_OCTETS + RANDOM_OCTETS + MAC_OCTETS) return false
      const body = octets.subarray(0, TIME_OCTETS + RANDOM_OCTETS)
      const given = octets.subarray(body.length)
      if (!macKeys.some((key) => timingSafeEqual(mac(key, body, kind, use), given))) return false
      return nowMs() - body.readUIntBE(0, TIME_OCTETS) < GOOD_FOR_MS
    },
  }
}

function mac(key: KeyObject, body: Uint8Array, kind: UserKind, use: string): Buffer {
  return createHmac('sha256', key).update(`${kind} ${use}\0`).update(body).digest().subarray(0, MAC_OCTETS)
}

/** Uses a challenge up: of those who answer it at the same time one. */
export async function useChallenge(tx: Tx, challenge: string): Promise<boolean> {
  const used = await tx.first(sql<{ hash: Buffer }>`
    insert into answered_challenges (challenge_hash) values (${hash('sha256', challenge, 'buffer')})
    on conflict do nothing returning challenge_hash as hash`)
  return used !== undefined
}

/** Gives how many went. */
export async function sweepChallenges(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ hash: Buffer }>`
    delete from answered_challenges where challenge_hash = any (array(
      select challenge_hash from answered_challenges
      where answered_at < statement_timestamp() - make_interval(secs => ${(2 * GOOD_FOR_MS) / 1000})
      order by answered_at limit ${limit} for update skip locked))
    returning challenge_hash as hash`)
  return rows.length
}
