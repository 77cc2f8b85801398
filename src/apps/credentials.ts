// Decides whether a presented API key is good, and for whom. Argon2id runs once per key and process; after that a
// keyed digest of the whole key is remembered. What may change – status, expiry, plan – is never remembered for
// longer than a second. specification.md#checking-a-key

import { hash as digestOf, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Credential } from '../access/actor.ts'
import { createGroup } from '../lib/group.ts'
import type { Hasher } from '../lib/hash-turns.ts'
import type { Db } from '../lib/sql.ts'
import { readApiKey } from './api-key.ts'
import { credentialVersion, findKeys, type StoredKey } from './find-keys.ts'
import { type KeyUse, recordKeyUse } from './record-key-use.ts'

/** Keys that are looked up in one statement. One is on its way at a time: whoever invents keys takes no more of the database. */
const LOOK_UPS_AT_ONCE = 256
const REMEMBERED_KEYS = 10_000
/** How old the knowledge of status may be before it is renewed in the background, and before a request waits. */
const RENEW_AFTER_MS = 400
const STALE_AFTER_MS = 900
const RECORD_USE_EVERY_MS = 5_000

export interface Credentials {
  /**
   * What a key proves, or undefined when it is no good, whatever the reason. `onKnown` is called with whose key it is once its
   * secret has proven right, be it revoked, expired or suspended. @throws when the database is away
   */
  verify(key: string, onKnown?: (credential: Credential) => void): Promise<Credential | undefined>
  stop(): Promise<void>
}

/** What is stored beside the hash of a key's secret, so that wrong secrets, however many, cost no hash: 4 bytes of its SHA-256. */
export function secretTag(secret: string): Buffer {
  return digestOf('sha256', secret, 'buffer').subarray(0, 4)
}

interface Known {
  credential: Credential
  secretHash: string
  secretTag: Buffer
  active: boolean
  expiresAtMs: number
}

/** `hasher`: in the turns of keys. */
export function createCredentials(db: Db, hasher: Hasher, onError: (error: unknown) => void): Credentials {
  const digestKey = randomBytes(32).toString('latin1')
  /** Digest of a key that was verified → the hash it was verified against. */
  const verified = new LRUCache<string, string>({ max: REMEMBERED_KEYS })
  /** Public id → what the database says of it, as of the current version. */
  const known = new LRUCache<string, Known>({ max: REMEMBERED_KEYS })
  let version = -1
  let checkedAt = Number.NEGATIVE_INFINITY
  let databaseAhead = 0
  let renewal: Promise<void> | undefined
  const lookUps = createGroup({
    write: (publicIds: string[]) => findKeys(db, publicIds),
    maxItems: LOOK_UPS_AT_ONCE,
    inFlight: 1,
  })
  /** Hashes that wait or run: one for each presented key, however often it comes meanwhile. */
  const underWay = new Map<string, Promise<boolean>>()
  /** Key id → how often it was used since that was last recorded. */
  const used = new Map<string, KeyUse>()
  const recorder = setInterval(() => void flushUse().catch(onError), RECORD_USE_EVERY_MS).unref()

  async function renew(): Promise<void> {
    const startedAt = performance.now()
    const current = await credentialVersion(db)
    if (current.version !== version) known.clear()
    version = current.version
    // From when it was asked: however long the answer took, no key outlives its expiry.
    databaseAhead = Date.parse(current.now) - startedAt
    checkedAt = startedAt
  }

  /** Makes sure that what is known was so less than a second before. */
  async function beFresh(): Promise<void> {
    const arrivedAt = performance.now()
    const age = arrivedAt - checkedAt
    if (age < RENEW_AFTER_MS) return
    const renewing = renewOnce()
    if (age <= STALE_AFTER_MS) return void renewing.catch(() => {}) // The request that finds it stale waits for it, and reports it.
    await renewing
    // It may have begun long before this request, and have found what was so then.
    if (arrivedAt - checkedAt > STALE_AFTER_MS) await renewOnce()
  }

  function renewOnce(): Promise<void> {
    renewal ??= renew().finally(() => {
      renewal = undefined
    })
    return renewal
  }

  async function lookUp(publicId: string): Promise<Known | undefined> {
    const asOf = version
    const row = await lookUps.add(publicId)
    const found = row && knownFrom(row)
    if (found && version === asOf) known.set(publicId, found)
    return found
  }

  /** Compares the secret, in turn. */
  function isRight(digest: string, secret: string, secretHash: string): Promise<boolean> {
    const pending = underWay.get(digest)
    if (pending) return pending
    const hashed = hasher.verify(secretHash, secret).finally(() => underWay.delete(digest))
    underWay.set(digest, hashed)
    return hashed
  }

  function countUse({ tenantId, keyId }: Credential): void {
    const use = used.get(keyId)
    if (use) use.requests += 1
    else used.set(keyId, { tenantId, keyId, requests: 1 })
  }

  async function flushUse(): Promise<void> {
    if (used.size === 0) return
    const uses = [...used.values()]
    used.clear()
    await recordKeyUse(db, uses)
  }

  return {
    async verify(text, onKnown) {
      const key = readApiKey(text)
      if (!key) return undefined
      if (performance.now() - checkedAt >= RENEW_AFTER_MS) await beFresh()

      const entry = known.get(key.publicId) ?? (await lookUp(key.publicId))
      // Nothing is hashed for it: 128 random bits are not found by trying, so its time gives nothing away.
      if (!entry) return undefined
      // All texts are equally long here, so that a key in front is as good as an HMAC, and costs a fifth of it.
      const digest = digestOf('sha256', digestKey + text, 'base64')
      if (verified.get(digest) !== entry.secretHash) {
        if (!entry.secretTag.equals(secretTag(key.secret))) return undefined
        if (!(await isRight(digest, key.secret, entry.secretHash))) return undefined
        verified.set(digest, entry.secretHash)
      }
      if (entry.credential.environment !== key.environment) return undefined
      onKnown?.(entry.credential)
      if (!entry.active || performance.now() + databaseAhead >= entry.expiresAtMs) return undefined
      countUse(entry.credential)
      return entry.credential
    },

    async stop() {
      clearInterval(recorder)
      await flushUse().catch(onError)
    },
  }
}

function knownFrom(row: StoredKey): Known {
  return {
    credential: {
      kind: 'application',
      tenantId: row.tenant_id,
      appId: row.app_id,
      keyId: row.id,
      environment: row.environment,
      environmentId: row.environment === 'production' ? row.tenant_id : row.app_id,
      scopes: new Set(row.scopes),
      limits: { keyPerMinute: row.key_per_minute, tenantPerDay: row.tenant_per_day },
    },
    secretHash: row.secret_hash,
    secretTag: row.secret_tag,
    active: row.active,
    expiresAtMs: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
  }
}
