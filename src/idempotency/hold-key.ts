// Holds an Idempotency-Key from when a request's head has come, for an operation whose body may take its time: another
// request with the key is answered meanwhile that the first is still running. specification.md#idempotency
import { type Author, authorId } from '../access/actor.ts'
import { problem } from '../access/problem.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** What a process that is killed leaves pending is free after this long. specification.md#idempotency */
const LEASE_MS = 5_000
/** In place of the hash of a request whose body is not there yet. */
const UNKNOWN_HASH = Buffer.alloc(32)

export interface HeldKey {
  tenantId: Uuid
  /** Whose key it is. */
  authorId: Uuid
  key: string
  /** What the request is to make. */
  resourceId: Uuid
}

export interface KeyHolder {
  /**
   * Holds the key for the resource that the request is to make, in the database before it returns, and until it is let go or
   * this process is gone for the time of a lease. A key that has its answer is left alone, for `answerOnce` to judge.
   * @throws Problem idempotency_pending
   */
  hold(actor: Author, request: { key: string; operation: string }, resourceId: Uuid): Promise<HeldKey>
  /** No longer renews the lease: the request has been answered, or will not be. */
  letGo(held: HeldKey): void
  /** Frees the key of a request that came to nothing, unless another has taken it over. */
  free(held: HeldKey): Promise<void>
  stop(): void
}

/** `onError` is called when leases could not be renewed. */
export function createKeyHolder(db: Database, onError: (error: unknown) => void, leaseMs = LEASE_MS): KeyHolder {
  const held = new Set<HeldKey>()
  let renewing = false
  const timer = setInterval(() => {
    if (renewing || held.size === 0) return
    renewing = true
    void renew(db, [...held], leaseMs)
      .catch(onError)
      .finally(() => {
        renewing = false
      })
  }, leaseMs / 4).unref()

  return {
    async hold(actor, request, resourceId) {
      await reserve(db, actor, request, resourceId, leaseMs)
      const key = { tenantId: actor.tenantId, authorId: authorId(actor), key: request.key, resourceId }
      held.add(key)
      return key
    },
    letGo: (key) => void held.delete(key),
    async free(key) {
      held.delete(key)
      await db.rows(sql`
        delete from idempotency_keys
        where tenant_id = ${key.tenantId} and author_id = ${key.authorId} and key = ${key.key}
          and resource_id = ${key.resourceId} and status_code is null`)
    },
    stop: () => clearInterval(timer),
  }
}

async function reserve(
  db: Database,
  actor: Author,
  { key, operation }: { key: string; operation: string },
  resourceId: Uuid,
  leaseMs: number,
): Promise<void> {
  const reserved = await db.first(sql<{ key: string }>`
    insert into idempotency_keys as k (tenant_id, author_id, key, operation, target, request_hash, resource_id, reserved_at,
      expires_at)
    select ${actor.tenantId}, ${authorId(actor)}, ${key}, ${operation}, '', ${UNKNOWN_HASH}, ${resourceId}, at,
      at + make_interval(secs => ${leaseMs / 1000})
    from clock_timestamp() as at
    on conflict (author_id, key) do update set operation = excluded.operation, target = excluded.target,
      request_hash = excluded.request_hash, status_code = null, resource_id = excluded.resource_id, response = null,
      reserved_at = excluded.reserved_at, expires_at = excluded.expires_at
    where k.expires_at <= clock_timestamp()
    returning k.key`)
  if (!reserved && (await isPending(db, actor, key, operation))) throw stillRunning()
}

async function isPending(db: Db, actor: Author, key: string, operation: string): Promise<boolean> {
  const row = await db.first(sql<{ key: string }>`
    select key from idempotency_keys
    where tenant_id = ${actor.tenantId} and author_id = ${authorId(actor)} and key = ${key}
      and operation = ${operation} and status_code is null and expires_at > clock_timestamp()`)
  return row !== undefined
}

/** Those that are locked are being answered this moment. A lease that has run out may be another's next. */
async function renew(db: Db, held: readonly HeldKey[], leaseMs: number): Promise<void> {
  await db.rows(sql`
    with given as materialized (
      select distinct g."tenantId" as tenant_id, g."authorId" as author_id, g.key, g."resourceId" as resource_id
      from json_to_recordset(${JSON.stringify(held)}::json)
        as g ("tenantId" uuid, "authorId" uuid, key text, "resourceId" uuid)
    ),
    free as materialized (
      select k.tenant_id, k.author_id, k.key
      from given g
      cross join lateral (
        select i.tenant_id, i.author_id, i.key from idempotency_keys i
        where i.tenant_id = g.tenant_id and i.author_id = g.author_id and i.key = g.key and i.resource_id = g.resource_id
          and i.status_code is null and i.expires_at > clock_timestamp()
        limit 1 for update skip locked
      ) k
    )
    update idempotency_keys k set expires_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    from free f
    where k.tenant_id = f.tenant_id and k.author_id = f.author_id and k.key = f.key`)
}

/** The first request with the key is still running. */
export function stillRunning() {
  return problem('idempotency_pending', { retryAfterSeconds: 1 })
}
