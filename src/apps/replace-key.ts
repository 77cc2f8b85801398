// Makes a key that takes another's place: of its name, scopes and lifetime. The other stays good until it is revoked, so that
// whoever uses it can change over.
import type { Environment, TenantActor } from '../access/actor.ts'
import { assertMay, type Scope } from '../access/permissions.ts'
import { absent, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { CreatedKey, CreateKeyDeps } from './create-key.ts'
import { insertKey, mintKey } from './insert-key.ts'
import { requireKeyRoom } from './require-key-room.ts'

/** @throws Problem not_found, sign_in_again, plan_capacity_exceeded, not_allowed for a key that is revoked, or whose place another one has */
export async function replaceKey(
  { database, keyHasher }: CreateKeyDeps,
  actor: TenantActor,
  id: Uuid,
): Promise<CreatedKey> {
  assertMay(actor, 'makeKeys')
  const { tenantId } = actor
  const found = await database.first(sql<{ environment: Environment }>`
    select a.environment from api_keys k join apps a on a.tenant_id = k.tenant_id and a.id = k.app_id
    where k.tenant_id = ${tenantId} and k.id = ${id}`)
  if (!found) throw absent('key')
  const minted = await mintKey(keyHasher, found.environment)
  const made = await database.transaction(async (tx) => {
    const { appId, name, scopes, lifetimeSeconds } = await lockReplaceable(tx, tenantId, id)
    await requireKeyRoom(tx, actor, appId)
    const facts = { appId, name, scopes, expiresInSeconds: lifetimeSeconds, replaces: id }
    const madeId = await insertKey(tx, actor, minted, facts)
    await recordAct(tx, actor, { operation: 'key.replace', resourceType: 'key', resourceId: madeId })
    return madeId
  })
  return { id: made, key: minted.text }
}

interface Replaceable {
  appId: Uuid
  name: string | null
  scopes: Scope[]
  lifetimeSeconds: number | null
  isRevoked: boolean
}

/** Of two who replace it at once, the second finds the first one's. */
async function lockReplaceable(tx: Tx, tenantId: Uuid, id: Uuid): Promise<Replaceable> {
  const key = await tx.first(sql<Replaceable>`
    select app_id as "appId", name, scopes, extract(epoch from expires_at - created_at)::float8 as "lifetimeSeconds",
      revoked_at is not null as "isRevoked"
    from api_keys where tenant_id = ${tenantId} and id = ${id} for update`)
  if (!key) throw absent('key')
  if (key.isRevoked) throw problem('not_allowed', { message: 'This key is revoked. Make a new one.' })
  const successor = await tx.first(sql<{ id: Uuid }>`
    select id from api_keys
    where tenant_id = ${tenantId} and app_id = ${key.appId} and replaces = ${id} and revoked_at is null
      and (expires_at is null or expires_at > clock_timestamp())`)
  if (successor) {
    throw problem('not_allowed', {
      message:
        'This key has been replaced already. Use the key that was made then; where it is lost, revoke that one first.',
    })
  }
  return key
}
