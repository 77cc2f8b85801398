// Makes an API key of an application.
import type { TenantActor } from '../access/actor.ts'
import { assertMay, type Scope } from '../access/permissions.ts'
import { invalidField } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { Hasher } from '../lib/hash-turns.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { checkName } from './check-name.ts'
import { environmentOfApp } from './find-app.ts'
import { insertKey, mintKey } from './insert-key.ts'
import { requireKeyRoom } from './require-key-room.ts'

export interface KeyRequest {
  appId: Uuid
  scopes: readonly Scope[]
  name?: string
  expiresInMs?: number
}

/** `keyHasher`: not in the turns in which keys are verified, where others than the operator make keys. */
export interface CreateKeyDeps {
  database: Database
  keyHasher: Hasher
}

/** A key's text, known where it is made and never again. */
export interface CreatedKey {
  id: Uuid
  key: string
}

/** @throws Problem not_found, validation_error, sign_in_again, plan_capacity_exceeded */
export async function createKey(
  { database, keyHasher }: CreateKeyDeps,
  actor: TenantActor,
  request: KeyRequest,
): Promise<CreatedKey> {
  assertMay(actor, 'makeKeys')
  const { appId, name, expiresInMs } = request
  const scopes = [...new Set(request.scopes)]
  if (scopes.length === 0) throw invalidField('scopes', 'at least one is needed')
  if (name !== undefined) checkName(name)
  const minted = await mintKey(keyHasher, await environmentOfApp(database, actor.tenantId, appId))
  const id = await database.transaction(async (tx) => {
    await requireKeyRoom(tx, actor, appId)
    const made = await insertKey(tx, actor, minted, {
      appId,
      scopes,
      name: name ?? null,
      expiresInSeconds: expiresInMs === undefined ? null : expiresInMs / 1000,
      replaces: null,
    })
    await recordAct(tx, actor, { operation: 'key.create', resourceType: 'key', resourceId: made })
    return made
  })
  return { id, key: minted.text }
}
