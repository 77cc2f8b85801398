// Holds an Idempotency-Key from when a request's head has come, for an operation whose body may take its time: another
// request with the key is told meanwhile that the first is still running. SPEC "Rules per endpoint" 3.
import type { Principal } from '../http/principal.ts'
import { problem } from '../http/problem.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** DECISIONS "Idempotency": what a process that is killed leaves pending is free after this long. */
const HELD_SECONDS = 60
/** In place of the hash of a request whose body is not there yet. */
const UNKNOWN_HASH = Buffer.alloc(32)

/**
 * Holds the key for the resource that the request is to make, in the database before it returns. A key that has its
 * answer is left alone, for `answerOnce` to judge.
 * @throws Problem idempotency_pending
 */
export async function holdKey(
  db: Database,
  principal: Principal,
  { key, operation }: { key: string; operation: string },
  resourceId: Uuid,
): Promise<void> {
  const held = await db.first(sql<{ key: string }>`
    insert into idempotency_keys as k (tenant_id, app_id, key, operation, target, request_hash, resource_id, reserved_at,
      expires_at)
    select ${principal.tenantId}, ${principal.appId}, ${key}, ${operation}, '', ${UNKNOWN_HASH}, ${resourceId}, at,
      at + make_interval(secs => ${HELD_SECONDS})
    from clock_timestamp() as at
    on conflict (tenant_id, app_id, key) do update set operation = excluded.operation, target = excluded.target,
      request_hash = excluded.request_hash, status_code = null, resource_id = excluded.resource_id, response = null,
      reserved_at = excluded.reserved_at, expires_at = excluded.expires_at
    where k.expires_at <= clock_timestamp()
    returning k.key`)
  if (!held && (await isPending(db, principal, key, operation))) throw pending()
}

async function isPending(db: Db, principal: Principal, key: string, operation: string): Promise<boolean> {
  const row = await db.first(sql<{ key: string }>`
    select key from idempotency_keys
    where tenant_id = ${principal.tenantId} and app_id = ${principal.appId} and key = ${key}
      and operation = ${operation} and status_code is null and expires_at > clock_timestamp()`)
  return row !== undefined
}

/** Frees the key of a request that came to nothing, unless another has taken it over. */
export async function freeKey(db: Database, principal: Principal, key: string, resourceId: Uuid): Promise<void> {
  await db.rows(sql`
    delete from idempotency_keys
    where tenant_id = ${principal.tenantId} and app_id = ${principal.appId} and key = ${key}
      and resource_id = ${resourceId} and status_code is null`)
}

/** The first request with the key is still running. */
export function pending() {
  return problem('idempotency_pending', { headers: { 'retry-after': '1' } })
}
