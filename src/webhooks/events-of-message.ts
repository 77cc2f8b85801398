// The events of a message, and what was delivered of each to the endpoints in an actor's reach.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { findMessage } from '../messages/find-submission.ts'
import { WEBHOOK_QUEUE } from './delivery-state.ts'
import { endpointReach } from './endpoint-reach.ts'
import type { DeliveryOfEvent, MessageEvents } from './schemas.ts'

/** Of one message, the newest; and as many deliveries of them. */
const MOST_EVENTS = 100
const MOST_DELIVERIES = 500

/** Oldest first. @throws Problem not_found */
export async function eventsOfMessage(db: Db, actor: TenantActor, messageId: Uuid): Promise<MessageEvents> {
  assertMay(actor, 'readEvents')
  assertMay(actor, 'readWebhooks')
  if (!(await findMessage(db, actor, messageId))) throw absent('message')
  const events = await readEvents(db, actor, messageId)
  const shown = events.slice(0, MOST_EVENTS).reverse()
  const deliveries = await readDeliveries(db, actor, shown)
  return {
    items: shown.map((event) => {
      const ofEvent = deliveries.filter(({ eventId }) => eventId === event.id)
      return { ...event, deliveries: ofEvent.map(({ eventId: _eventId, ...delivery }) => delivery) }
    }),
    isCut: events.length > MOST_EVENTS || deliveries.length === MOST_DELIVERIES,
  }
}

interface EventRow {
  id: Uuid
  type: string
  occurredAt: Timestamp
}

/** Newest first, and one more than are shown. */
function readEvents(db: Db, actor: TenantActor, messageId: Uuid): Promise<EventRow[]> {
  return db.rows(sql<EventRow>`
    select e.id, e.type, e.occurred_at as "occurredAt" from events e
    where e.tenant_id = ${actor.tenantId} and e.environment_id = ${actor.environmentId} and e.resource_id = ${messageId}
    order by e.epoch desc, e.xid desc, e.seq desc limit ${MOST_EVENTS + 1}`)
}

/** By their ids, which begin with the millisecond of their event: no index has their event. */
function readDeliveries(db: Db, actor: TenantActor, events: readonly EventRow[]) {
  const { tenantId, environmentId, appId } = endpointReach(actor)
  return db.rows(sql<DeliveryOfEvent & { eventId: Uuid }>`
    select d.id, d.event_id as "eventId", w.id as "endpointId", w.url, d.status, d.cycle, d.attempts as "attemptCount",
      case when d.next_attempt_at is not null then greatest(d.next_attempt_at, h.held_until) end as "nextAttemptAt",
      d.last_attempt_at as "lastAttemptAt", d.last_status_code as "lastStatusCode", d.last_error as "lastError"
    from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ occurredAt }) => occurredAt)}::timestamptz[])
      with ordinality as e (id, occurred_at, place)
    cross join lateral (
      select date_trunc('milliseconds', e.occurred_at) as begins offset 0
    ) ms
    cross join (
      select w.tenant_id, w.id, w.url from webhook_endpoints w
      where w.tenant_id = ${tenantId} and w.environment_id = ${environmentId} and w.deleted_at is null
        and (${appId}::uuid is null or w.app_id = ${appId})
    ) w
    cross join lateral (
      select d.id, d.event_id, d.status, d.cycle, d.attempts, d.next_attempt_at, d.last_attempt_at, d.last_status_code,
        d.last_error
      from webhook_deliveries d
      where d.tenant_id = w.tenant_id and d.endpoint_id = w.id and d.event_id = e.id
        and d.id >= uuid_at(ms.begins) and d.id < uuid_at(ms.begins + interval '1 millisecond')
      order by d.id limit 1
    ) d
    left join held_lanes h on h.tenant_id = w.tenant_id and h.queue = ${WEBHOOK_QUEUE} and h.lane = w.id
    order by e.place, w.id limit ${MOST_DELIVERIES}`)
}
