// Makes an API key of an application.
import { SCOPES, type Scope } from '../access/permissions.ts'
import { absent, invalidField } from '../access/problem.ts'
import { recordOperatorAct } from '../audit/record.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { makeApiKey } from './api-key.ts'
import { hashSecret, secretTag } from './credentials.ts'
import { findApp } from './find-app.ts'

export interface KeyRequest {
  appId: Uuid
  scopes: readonly string[]
  name?: string
  expiresInMs?: number
}

/** Makes a key. Its text is known here and never again. @throws Problem not_found, validation_error */
export async function createKey(database: Database, request: KeyRequest): Promise<{ id: Uuid; key: string }> {
  const scopes = [...new Set(request.scopes)]
  const unknown = scopes.find((scope) => !SCOPES.includes(scope as Scope))
  if (unknown !== undefined) throw invalidField('scope', `"${unknown}" is none of ${SCOPES.join(', ')}`)
  if (scopes.length === 0) throw invalidField('scope', 'at least one is needed')
  const app = await findApp(database, request.appId)
  if (!app) throw absent('application')

  const { tenantId, id: appId } = app
  const key = makeApiKey(app.environment)
  const secretHash = await hashSecret(key.secret)
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
      scopes: scopes as Scope[],
      expiresInSeconds: request.expiresInMs === undefined ? null : request.expiresInMs / 1000,
    })
    await recordOperatorAct(tx, { tenantId, operation: 'key.create', resourceType: 'key', resourceId: id })
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
