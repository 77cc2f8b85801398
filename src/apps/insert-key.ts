// Makes an API key of an application and stores what it is known by. Whether the actor may is the caller's to ask.
import type { Environment, TenantActor } from '../access/actor.ts'
import type { Scope } from '../access/permissions.ts'
import type { Hasher } from '../lib/hash-turns.ts'
import { sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { makeApiKey } from './api-key.ts'
import { secretTag } from './credentials.ts'

/** A new key, and what is kept of it. */
export interface MintedKey {
  /** What its holder is shown this once. */
  text: string
  publicId: string
  secretHash: string
  secretTag: Buffer
}

/** Takes a hash's time: outside any transaction. */
export async function mintKey(keyHasher: Hasher, environment: Environment): Promise<MintedKey> {
  const { text, publicId, secret } = makeApiKey(environment)
  return { text, publicId, secretHash: await keyHasher.hash(secret), secretTag: secretTag(secret) }
}

export interface KeyFacts {
  appId: Uuid
  name: string | null
  scopes: readonly Scope[]
  /** From now by the database's clock; null: never. */
  expiresInSeconds: number | null
  /** The key that it takes the place of. */
  replaces: Uuid | null
}

/** Gives its id. */
export async function insertKey(tx: Tx, actor: TenantActor, minted: MintedKey, facts: KeyFacts): Promise<Uuid> {
  const id = newId()
  const { publicId, secretHash, secretTag: tag } = minted
  const { appId, name, scopes, expiresInSeconds, replaces } = facts
  await tx.rows(sql`
    insert into api_keys (tenant_id, id, app_id, name, public_id, secret_hash, secret_tag, scopes, expires_at,
      made_by_person, made_by_account, replaces)
    values (${actor.tenantId}, ${id}, ${appId}, ${name}, ${publicId}, ${secretHash}, ${tag}, ${[...scopes]},
      clock_timestamp() + make_interval(secs => ${expiresInSeconds}),
      ${actor.kind === 'person' ? actor.personId : null}, ${actor.kind === 'operator' ? actor.account : null},
      ${replaces})`)
  return id
}
