// Which requests were refused, newest first. What a tenant leaves is bounded, so that any filter may look through all of it.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, invalidField, problem } from '../access/problem.ts'
import { parseInstant } from '../lib/instant.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import { isUuid, type Uuid } from '../lib/uuid.ts'

/** As somebody is shown it. */
export interface ShownRefusedRequest {
  requestId: Uuid
  at: Timestamp
  method: string
  route: string
  path: string
  status: number
  code: string | null
  appId: Uuid
  appName: string
  keyId: Uuid
  keyName: string | null
  /** What the key begins with. */
  keyStart: string
  clientAddress: string
  userAgent: string | null
  durationMs: number
}

export interface RefusedRequestFilters {
  /** `4xx`, `5xx`, or one status. */
  status?: string
  code?: string
  keyId?: Uuid
  appId?: Uuid
  requestId?: Uuid
  /** Is in the path, or in that of the contract. */
  path?: string
  /** ISO 8601. */
  since?: string
  until?: string
}

export interface RefusedRequestPage {
  /** Newest first. */
  items: ShownRefusedRequest[]
  nextCursor: string | null
}

/** Behind every id. */
const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const MOST_MICROS = Number.MAX_SAFE_INTEGER

/** @throws Problem invalid_cursor, validation_error for what is no instant or status */
export async function listRefusedRequests(
  db: Db,
  actor: TenantActor,
  { limit, cursor = NEWEST, ...filters }: RefusedRequestFilters & { limit: number; cursor?: string },
): Promise<RefusedRequestPage> {
  assertMay(actor, 'readRequests')
  if (!isUuid(cursor)) throw problem('invalid_cursor')
  const { code = null, keyId = null, appId = null, requestId = null, path = null } = filters
  const [lowest, highest] = statusesOf(filters.status)
  const since = filters.since === undefined ? 0 : microsOf('since', filters.since)
  const until = filters.until === undefined ? MOST_MICROS : microsOf('until', filters.until)
  const rows = await db.rows(sql<ShownRefusedRequest>`
    select r.request_id as "requestId", r.at, r.method, r.route, r.path, r.status, r.code, r.app_id as "appId",
      a.name as "appName", r.key_id as "keyId", k.name as "keyName",
      case a.environment when 'production' then 'mdk_live_' else 'mdk_test_' end || left(k.public_id, 6) as "keyStart",
      r.client_address as "clientAddress", r.user_agent as "userAgent", r.duration_ms as "durationMs"
    from (
      select r.request_id, r.at, r.method, r.route, r.path, r.status, r.code, r.app_id, r.key_id, r.client_address,
        r.user_agent, r.duration_ms
      from refused_requests r
      where r.tenant_id = ${actor.tenantId} and r.environment_id = ${actor.environmentId} and r.request_id < ${cursor}
        and r.request_id = coalesce(${requestId}::uuid, r.request_id)
        and r.status between ${lowest} and ${highest}
        and (${code}::text is null or r.code = ${code})
        and r.key_id = coalesce(${keyId}::uuid, r.key_id) and r.app_id = coalesce(${appId}::uuid, r.app_id)
        and (${path}::text is null or strpos(lower(r.path), lower(${path})) > 0 or strpos(lower(r.route), lower(${path})) > 0)
        and r.at >= to_timestamp(0) + ${since}::bigint * interval '1 microsecond'
        and r.at < to_timestamp(0) + ${until}::bigint * interval '1 microsecond'
      order by r.request_id desc limit ${limit + 1}
    ) r
    join apps a on a.tenant_id = ${actor.tenantId} and a.id = r.app_id
    join api_keys k on k.tenant_id = ${actor.tenantId} and k.id = r.key_id
    order by r.request_id desc`)
  const items = rows.slice(0, limit)
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.requestId ?? null) : null }
}

/** @throws Problem not_found: it was accepted, is older than a week, or was never of this environment */
export async function readRefusedRequest(db: Db, actor: TenantActor, requestId: Uuid): Promise<ShownRefusedRequest> {
  const { items } = await listRefusedRequests(db, actor, { limit: 1, requestId })
  const [found] = items
  if (!found) throw absent('refused request')
  return found
}

/** @throws Problem validation_error */
function statusesOf(status: string | undefined): [lowest: number, highest: number] {
  if (status === undefined) return [400, 599]
  const [, first, rest] = /^([45])(xx|\d\d)$/.exec(status) ?? []
  if (first === undefined || rest === undefined) throw invalidField('status', 'must be 4xx, 5xx or a status of these')
  return rest === 'xx' ? [Number(`${first}00`), Number(`${first}99`)] : [Number(status), Number(status)]
}

/** @throws Problem validation_error */
function microsOf(field: string, instant: string): number {
  const micros = parseInstant(instant)
  if (micros === undefined) throw invalidField(field, 'must be an ISO 8601 date or instant')
  return micros
}
