// One delivery, to whoever may read it.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { MAX_RECEPTIONS, WEBHOOK_QUEUE } from './delivery-state.ts'
import { endpointReach } from './endpoint-reach.ts'
import type { WebhookDelivery } from './schemas.ts'

/**
 * A pending one is tried no sooner than its endpoint's wait ends.
 * @throws Problem not_found when it is absent, or its endpoint deleted or beyond the actor's reach
 */
export async function readDelivery(db: Db, actor: TenantActor, id: Uuid): Promise<WebhookDelivery> {
  assertMay(actor, 'readWebhooks')
  const { tenantId, environmentId, appId } = endpointReach(actor)
  const delivery = await db.first(sql<WebhookDelivery>`
    select d.id, 'webhook_delivery' as object, d.endpoint_id as "endpointId", d.event_id as "eventId",
      d.event_type as "eventType", d.status, d.cycle, d.attempts as "attemptCount",
      case when d.next_attempt_at is null then d.receptions
        else least(current_receptions(d.tenant_id, d.endpoint_id, d.id, d.cycle), ${MAX_RECEPTIONS}) end as receptions,
      case when d.next_attempt_at is not null then greatest(d.next_attempt_at, h.held_until) end as "nextAttemptAt",
      d.last_attempt_at as "lastAttemptAt", d.last_status_code as "lastStatusCode", d.last_error as "lastError",
      d.last_duration_ms as "lastDurationMs", d.delivered_at as "deliveredAt", d.dead_at as "deadAt",
      d.created_at as "createdAt"
    from webhook_deliveries d
    join webhook_endpoints w on w.tenant_id = d.tenant_id and w.id = d.endpoint_id
    left join held_lanes h on h.tenant_id = w.tenant_id and h.queue = ${WEBHOOK_QUEUE} and h.lane = w.id
    where d.tenant_id = ${tenantId} and d.id = ${id} and w.environment_id = ${environmentId} and w.deleted_at is null
      and (${appId}::uuid is null or w.app_id = ${appId})`)
  if (!delivery) throw problem('not_found')
  return delivery
}
