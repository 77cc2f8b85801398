// What came of each request that was to deliver an event. specification.md#attempts-of-a-delivery
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { readDelivery } from './read-delivery.ts'
import type { WebhookAttempt } from './schemas.ts'

/** A cycle has five at most, and a delivery may be replayed for ever. */
const MOST_ATTEMPTS_LISTED = 100

/**
 * The newest of all cycles, oldest first. The success that a delivery stands at is the delivery itself.
 * @throws Problem not_found when it is absent, or its endpoint deleted or beyond the actor's reach
 */
export async function listAttempts(db: Db, actor: TenantActor, deliveryId: Uuid): Promise<{ items: WebhookAttempt[] }> {
  assertMay(actor, 'readWebhooks')
  const { tenantId } = actor
  const { id } = await readDelivery(db, actor, deliveryId)
  const newestFirst = await db.rows(sql<WebhookAttempt>`
    select a.cycle, a.number, a.at, case when a.error is null then 'accepted' else 'failed' end as outcome,
      a.status_code as "statusCode", a.error, a.duration_ms as "durationMs", a.answer
    from (
      (
        select a.cycle, a.number, a.at, a.status_code, a.error, a.duration_ms, a.answer from webhook_attempts a
        where a.tenant_id = ${tenantId} and a.delivery_id = ${id}
        order by a.cycle desc, a.number desc limit ${MOST_ATTEMPTS_LISTED}
      )
      union all
      select d.cycle, d.attempts, d.last_attempt_at, d.last_status_code, null, d.last_duration_ms, null
      from webhook_deliveries d
      where d.tenant_id = ${tenantId} and d.id = ${id} and d.status = 'delivered'
    ) a
    order by a.cycle desc, a.number desc limit ${MOST_ATTEMPTS_LISTED}`)
  return { items: newestFirst.reverse() }
}
