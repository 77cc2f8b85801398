// Carries out a request once for each Idempotency-Key and answers it again alike. Sending has its own way to the same
// table, in the statement that accepts messages. specification.md#idempotency

import { createHash } from 'node:crypto'
import { type Author, authorId } from '../access/actor.ts'
import { problem } from '../access/problem.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { stillRunning } from './hold-key.ts'

export interface KeyedRequest {
  key: string
  /** The operation's name in the contract. */
  operation: string
  /** What its path names; empty when it names nothing. */
  target: string
  /** What is asked for, defaults filled in. White space and the order of keys in it make no difference. */
  input: unknown
  /** The resource for which the key is held (`hold-key.ts`), if it is. */
  heldFor?: Uuid
}

export interface KeptAnswer<Body> {
  status: number
  resourceId: Uuid
  body: Body
}

/** What a verb gives that is done once for each key. `replayed`: it is the answer to an earlier request alike. */
export interface Replayable<Body> {
  body: Body
  replayed: boolean
}

/**
 * Runs `effect` and keeps its answer in the same transaction, or gives the answer kept for an earlier request alike.
 * A request that comes while the first is running waits for it. Whatever is thrown frees the key.
 * @throws Problem idempotency_conflict, idempotency_pending, or what `effect` throws
 */
export async function answerOnce<Body>(
  tx: Tx,
  actor: Author,
  request: KeyedRequest,
  ttlSeconds: number,
  effect: () => Promise<KeptAnswer<Body>>,
): Promise<KeptAnswer<Body> & Replayable<Body>> {
  const hash = requestHash(request.input)
  const kept = await reserve<Body>(tx, actor, request, hash, ttlSeconds)
  if (kept) return { ...kept, replayed: true }
  const answer = await effect()
  await tx.rows(sql`
    update idempotency_keys
    set status_code = ${answer.status}, resource_id = ${answer.resourceId}, response = ${JSON.stringify(answer.body)}
    where tenant_id = ${actor.tenantId} and author_id = ${authorId(actor)} and key = ${request.key}`)
  return { ...answer, replayed: false }
}

/** Undefined when the key is ours now. */
async function reserve<Body>(
  tx: Tx,
  actor: Author,
  { key, operation, target, heldFor }: KeyedRequest,
  hash: Buffer,
  ttlSeconds: number,
): Promise<KeptAnswer<Body> | undefined> {
  // Waits for another transaction that holds the key; an expired one is taken over.
  const reserved = await tx.first(sql<{ key: string }>`
    insert into idempotency_keys as k (tenant_id, author_id, key, operation, target, request_hash, reserved_at, expires_at)
    select ${actor.tenantId}, ${authorId(actor)}, ${key}, ${operation}, ${target}, ${hash}, at,
      at + make_interval(secs => ${ttlSeconds})
    from clock_timestamp() as at
    on conflict (author_id, key) do update set operation = excluded.operation, target = excluded.target,
      request_hash = excluded.request_hash, status_code = null, resource_id = null, response = null,
      reserved_at = excluded.reserved_at, expires_at = excluded.expires_at
    where k.expires_at <= clock_timestamp() or (k.status_code is null and k.resource_id = ${heldFor ?? null})
    returning k.key`)
  if (reserved) return undefined
  const held = await tx.first(sql<Held<Body>>`
    select operation = ${operation} and target = ${target} as alike, request_hash = ${hash} as same,
      status_code as status, resource_id as "resourceId", response as body
    from idempotency_keys
    where tenant_id = ${actor.tenantId} and author_id = ${authorId(actor)} and key = ${key}`)
  // Swept away this moment: the next attempt finds it free.
  if (!held) throw stillRunning()
  if (!held.alike) throw problem('idempotency_conflict')
  if (held.status === null) throw stillRunning()
  if (!held.same) throw problem('idempotency_conflict')
  return { status: held.status, resourceId: held.resourceId, body: held.body }
}

interface Held<Body> {
  /** Of the same operation and target. */
  alike: boolean
  /** With the same content. */
  same: boolean
  /** Null while the first request is running. */
  status: number | null
  resourceId: Uuid
  body: Body
}

/** SHA-256 of the JSON with sorted keys. */
function requestHash(input: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(input)).digest()
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
