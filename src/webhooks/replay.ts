// Starts a new cycle of a delivery: a new budget, due at once, under the same event id. Results of earlier cycles
// change nothing any more. specification.md#replay
import type { AppRef } from '../access/actor.ts'
import { problem } from '../access/problem.ts'
import { enqueueJobs } from '../lib/queue/enqueue-jobs.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { WEBHOOK_QUEUE } from './delivery-state.ts'
import type { ReplayedDelivery } from './schemas.ts'

/** @throws Problem not_found, endpoint_disabled */
export async function replayDelivery(tx: Tx, app: AppRef, id: Uuid): Promise<ReplayedDelivery> {
  const endpoint = await tx.first(sql<{ id: Uuid; enabled: boolean }>`
    select w.id, w.enabled
    from webhook_deliveries d
    join webhook_endpoints w on w.tenant_id = d.tenant_id and w.id = d.endpoint_id
    where d.tenant_id = ${app.tenantId} and d.id = ${id} and w.app_id = ${app.appId} and w.deleted_at is null`)
  if (!endpoint) throw problem('not_found')
  if (!endpoint.enabled) throw problem('endpoint_disabled')
  const replayed = await tx.first(sql<ReplayedDelivery>`
    update webhook_deliveries
    set status = 'pending', cycle = cycle + 1, attempts = 0, receptions = 0, next_attempt_at = now(),
      delivered_at = null, dead_at = null
    where tenant_id = ${app.tenantId} and id = ${id}
    returning id, 'webhook_delivery' as object, event_id as "eventId", endpoint_id as "endpointId", status, cycle`)
  if (!replayed) throw problem('not_found')
  const payload = { cycle: replayed.cycle }
  await enqueueJobs(tx, [
    { tenantId: app.tenantId, queue: WEBHOOK_QUEUE, lane: endpoint.id, subjectId: replayed.id, payload },
  ])
  return replayed
}

/** Whose a delivery is, for commands of the operator. */
export function findDeliveryOwner(
  tx: Tx,
  tenantId: Uuid,
  id: Uuid,
): Promise<{ tenantId: Uuid; appId: Uuid } | undefined> {
  return tx.first(sql<{ tenantId: Uuid; appId: Uuid }>`
    select w.tenant_id as "tenantId", w.app_id as "appId"
    from webhook_deliveries d join webhook_endpoints w on w.tenant_id = d.tenant_id and w.id = d.endpoint_id
    where d.tenant_id = ${tenantId} and d.id = ${id}`)
}
