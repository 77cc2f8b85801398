// Makes an API key of an application.
import type { TenantActor } from '../access/actor.ts'
import { assertMay, type Scope } from '../access/permissions.ts'
import { invalidField } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { Hasher } from '../lib/hash-turns.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { makeApiKey } from './api-key.ts'
import { secretTag } from './credentials.ts'
import { environmentOfApp } from './find-app.ts'

export interface KeyRequest {
  appId: Uuid
  scopes: readonly Scope[]
  name?: string
  expiresInMs?: number
}

/** `keyHasher`: in the turns of keys. */
export interface CreateKeyDeps {
  database: Database
  keyHasher: Hasher
}

/**
 * Makes a key. Its text is known here and never again.
 * @throws Problem not_found, validation_error, sign_in_again
 */
export async function createKey(
  { database, keyHasher }: CreateKeyDeps,
  actor: TenantActor,
  request: KeyRequest,
): Promise<{ id: Uuid; key: string }> {
  assertMay(actor, 'makeKeys')
  const scopes = [...new Set(request.scopes)]
  if (scopes.length === 0) throw invalidField('scope', 'at least one is needed')
  const { tenantId } = actor
  const { appId } = request
  const key = makeApiKey(await environmentOfApp(database, tenantId, appId))
  const secretHash = await keyHasher.hash(key.secret)
  const id = newId()
  await database.transaction(async (tx) => {
    await insertKey(tx, {
      id,
      tenantId,
      appId,
      name: request.name ?? null,
      publicId: key.publicId,
      secretHash,
      secretTag: secretTag(key.secret),
      scopes,
      expiresInSeconds: request.expiresInMs === undefined ? null : request.expiresInMs / 1000,
    })
    await recordAct(tx, actor, { operation: 'key.create', resourceType: 'key', resourceId: id })
  })
  return { id, key: key.text }
}

interface NewKey {
  id: Uuid
  tenantId: Uuid
  appId: Uuid
  name: string | null
  publicId: string
  secretHash: string
  secretTag: Buffer
  scopes: Scope[]
  /** From now by the database's clock; null: never. */
  expiresInSeconds: number | null
}

async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx.rows(sql`
    insert into api_keys (tenant_id, id, app_id, name, public_id, secret_hash, secret_tag, scopes, expires_at)
    values (${key.tenantId}, ${key.id}, ${key.appId}, ${key.name}, ${key.publicId}, ${key.secretHash},
      ${key.secretTag}, ${key.scopes}, clock_timestamp() + make_interval(secs => ${key.expiresInSeconds}))`)
}
