// What was delivered to the endpoints that lie in an actor's reach, newest first, page by page.
// specification.md#pages-of-deliveries
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField, notFoundField, problem } from '../access/problem.ts'
import { parseInstant } from '../lib/instant.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import { isUuid, leastIdAt, type Uuid } from '../lib/uuid.ts'
import { MAX_RECEPTIONS, WEBHOOK_QUEUE } from './delivery-state.ts'
import { endpointReach } from './endpoint-reach.ts'
import { findEndpoint } from './find-endpoint.ts'
import type { WebhookDeliveriesQuery, WebhookDelivery, WebhookDeliveryPage } from './schemas.ts'

/** How many deliveries one page looks through at most for those that its filter lets pass; one more than a page of each endpoint. */
export const MOST_DELIVERIES_WALKED = 5_000

/** Behind every id. */
const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The newest behind a cursor, of one endpoint or of all. A page may have fewer than `limit`, or none, and yet a cursor. A
 * pending one is tried no sooner than its endpoint's wait ends.
 * @throws Problem invalid_cursor, validation_error for what is no instant, not_found when there is no such endpoint
 */
export async function listDeliveries(
  db: Db,
  actor: TenantActor,
  { limit, cursor = NEWEST, endpointId, since, until, ...wanted }: WebhookDeliveriesQuery,
  mostWalked = MOST_DELIVERIES_WALKED,
): Promise<WebhookDeliveryPage> {
  assertMay(actor, 'readWebhooks')
  if (!isUuid(cursor)) throw problem('invalid_cursor')
  const sinceMicros = since === undefined ? 0 : microsOf('since', since)
  const untilMicros = until === undefined ? null : microsOf('until', until)
  if (endpointId !== undefined && !(await findEndpoint(db, actor, endpointId))) throw notFoundField('endpointId')
  const event = wanted.eventId === undefined ? undefined : await whenLogged(db, actor, wanted.eventId)
  if (wanted.eventId !== undefined && !event) return { items: [], nextCursor: null }
  const between = bounds(cursor.toLowerCase(), sinceMicros, untilMicros, event)
  const rows = await walk(db, actor, { ...wanted, ...between, endpointId, sinceMicros, untilMicros, limit, mostWalked })
  const matching = rows.filter((row) => row.matches)
  const items = matching.slice(0, limit)
  const end = matching.length > limit ? items.at(-1) : rows.find((row) => row.isEnd)
  return {
    items: items.map(({ matches: _matches, isEnd: _isEnd, ...delivery }) => delivery),
    nextCursor: end?.id ?? null,
  }
}

/** @throws Problem validation_error */
function microsOf(field: string, instant: string): number {
  const micros = parseInstant(instant)
  if (micros === undefined) throw invalidField(field, 'must be an ISO 8601 date or instant')
  return micros
}

/** Between which ids lie those that are wanted: an id begins with the millisecond of its event. */
function bounds(
  cursor: Uuid,
  sinceMicros: number,
  untilMicros: number | null,
  event: Timestamp | undefined,
): { from: Uuid; before: Uuid } {
  const sinceMs = Math.floor(sinceMicros / 1000)
  const eventMs = event === undefined ? undefined : Date.parse(`${event.slice(0, 23)}Z`)
  const befores = [cursor]
  if (untilMicros !== null) befores.push(leastIdAt(Math.floor(untilMicros / 1000) + 1))
  if (eventMs !== undefined) befores.push(leastIdAt(eventMs + 1))
  const before = befores.reduce((least, id) => (id < least ? id : least))
  return { from: leastIdAt(Math.max(eventMs ?? 0, sinceMs)), before }
}

/** When the event happened. Undefined when it is absent or foreign. */
async function whenLogged(db: Db, actor: TenantActor, eventId: Uuid): Promise<Timestamp | undefined> {
  const event = await db.first(sql<{ occurredAt: Timestamp }>`
    select occurred_at as "occurredAt" from events
    where tenant_id = ${actor.tenantId} and environment_id = ${actor.environmentId} and id = ${eventId}`)
  return event?.occurredAt
}

interface Walk extends Pick<WebhookDeliveriesQuery, 'status' | 'type' | 'eventId' | 'endpointId' | 'limit'> {
  from: Uuid
  before: Uuid
  sinceMicros: number
  untilMicros: number | null
  mostWalked: number
}

type Row = WebhookDelivery & {
  /** It is wanted. */
  matches: boolean
  /** The walk along its endpoint stopped here: there may be more behind it. */
  isEnd: boolean
}

/**
 * Each endpoint's deliveries are read from the end of its index, those that are dead from an index of their own. None is
 * given behind the first place at which a walk came to its bound: all before it have been looked at.
 */
function walk(db: Db, actor: TenantActor, { from, before, limit, ...wanted }: Walk): Promise<Row[]> {
  const { tenantId, environmentId, appId } = endpointReach(actor)
  const { endpointId = null, status = null, type = null, eventId = null } = wanted
  const { sinceMicros, untilMicros, mostWalked } = wanted
  return db.rows(sql<Row>`
    with reach as materialized (
      select w.tenant_id, w.id, h.held_until,
        greatest(${limit + 1}::bigint, ${mostWalked}::bigint / count(*) over ()) as most
      from webhook_endpoints w
      left join held_lanes h on h.tenant_id = w.tenant_id and h.queue = ${WEBHOOK_QUEUE} and h.lane = w.id
      where w.tenant_id = ${tenantId} and w.environment_id = ${environmentId} and w.deleted_at is null
        and (${appId}::uuid is null or w.app_id = ${appId})
        and (${endpointId}::uuid is null or w.id = ${endpointId})
    ),
    found as materialized (
      select r.tenant_id, r.held_until, d.id, d.matches, d.is_end
      from reach r
      cross join lateral (
        select n.id, n.matches, n.is_end
        from (
          select p.id, row_number() over (order by p.id desc) = r.most as is_end,
            p.status = coalesce(${status}, p.status) and p.event_id = coalesce(${eventId}, p.event_id)
              and p.event_type = coalesce(${type}, p.event_type)
              and p.created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
              and p.created_at < coalesce(to_timestamp(0) + ${untilMicros}::bigint * interval '1 microsecond', 'infinity')
              as matches
          from (
            (
              select d.id, d.status, d.event_id, d.event_type, d.created_at from webhook_deliveries d
              where ${status}::text is distinct from 'dead' and d.tenant_id = r.tenant_id and d.endpoint_id = r.id
                and d.id >= ${from} and d.id < ${before}
              order by d.id desc limit r.most
            )
            union all
            (
              select d.id, d.status, d.event_id, d.event_type, d.created_at from webhook_deliveries d
              where ${status}::text = 'dead' and d.tenant_id = r.tenant_id and d.endpoint_id = r.id
                and d.dead_at is not null and d.id >= ${from} and d.id < ${before}
              order by d.id desc limit r.most
            )
            order by id desc
          ) p
        ) n
        where n.matches or n.is_end
        order by n.id desc limit ${limit + 1}
      ) d
    )
    select d.id, 'webhook_delivery' as object, d.endpoint_id as "endpointId", d.event_id as "eventId",
      d.event_type as "eventType", d.status, d.cycle, d.attempts as "attemptCount",
      case when d.next_attempt_at is null then d.receptions
        else least(current_receptions(d.tenant_id, d.endpoint_id, d.id, d.cycle), ${MAX_RECEPTIONS}) end as receptions,
      case when d.next_attempt_at is not null then greatest(d.next_attempt_at, f.held_until) end as "nextAttemptAt",
      d.last_attempt_at as "lastAttemptAt", d.last_status_code as "lastStatusCode", d.last_error as "lastError",
      d.last_duration_ms as "lastDurationMs", d.delivered_at as "deliveredAt", d.dead_at as "deadAt",
      d.created_at as "createdAt", f.matches, f.is_end as "isEnd"
    from (
      select f.tenant_id, f.held_until, f.id, f.matches, f.is_end from found f
      where f.id >= coalesce((select e.id from found e where e.is_end order by e.id desc limit 1), ${from})
      order by f.id desc limit ${limit + 1}
    ) f
    join webhook_deliveries d on d.tenant_id = f.tenant_id and d.id = f.id
    order by d.id desc`)
}
