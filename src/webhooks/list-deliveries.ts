// What was delivered to the endpoints that lie in an actor's reach.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { notFoundField } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import { MAX_RECEPTIONS, WEBHOOK_QUEUE } from './delivery-state.ts'
import { endpointReach } from './endpoint-reach.ts'
import { findEndpoint } from './find-endpoint.ts'
import type { WebhookDeliveriesQuery, WebhookDelivery } from './schemas.ts'

/**
 * Ids tell milliseconds apart, and those of one are in no order: so many more are read, and then the newest are told by
 * their time. An event appends no more for one endpoint.
 */
const MORE = 100

/**
 * The newest of one endpoint, or of all. Each endpoint's are read from the end of its index. A pending
 * one is tried no sooner than its endpoint's wait ends. @throws Problem not_found when there is no such endpoint
 */
export async function listDeliveries(
  db: Db,
  actor: TenantActor,
  { endpointId, limit }: WebhookDeliveriesQuery,
): Promise<WebhookDelivery[]> {
  assertMay(actor, 'readWebhooks')
  if (endpointId !== undefined && !(await findEndpoint(db, actor, endpointId))) throw notFoundField('endpointId')
  const { tenantId, environmentId, appId } = endpointReach(actor)
  return db.rows(sql<WebhookDelivery>`
    select d.id, 'webhook_delivery' as object, d.endpoint_id as "endpointId", d.event_id as "eventId",
      d.event_type as "eventType", d.status, d.cycle, d.attempts as "attemptCount",
      case when d.next_attempt_at is null then d.receptions
        else least(current_receptions(d.tenant_id, d.endpoint_id, d.id, d.cycle), ${MAX_RECEPTIONS}) end as receptions,
      case when d.next_attempt_at is not null then greatest(d.next_attempt_at, h.held_until) end as "nextAttemptAt",
      d.last_attempt_at as "lastAttemptAt", d.last_status_code as "lastStatusCode", d.last_error as "lastError",
      d.last_duration_ms as "lastDurationMs", d.delivered_at as "deliveredAt", d.dead_at as "deadAt",
      d.created_at as "createdAt"
    from webhook_endpoints w
    left join held_lanes h on h.tenant_id = w.tenant_id and h.queue = ${WEBHOOK_QUEUE} and h.lane = w.id
    cross join lateral (
      select d.* from webhook_deliveries d
      where d.tenant_id = w.tenant_id and d.endpoint_id = w.id
      order by d.id desc limit ${limit + MORE}
    ) d
    where w.tenant_id = ${tenantId} and w.environment_id = ${environmentId} and w.deleted_at is null
      and (${appId}::uuid is null or w.app_id = ${appId})
      and (${endpointId ?? null}::uuid is null or w.id = ${endpointId ?? null})
    order by d.created_at desc, d.id desc limit ${limit}`)
}
