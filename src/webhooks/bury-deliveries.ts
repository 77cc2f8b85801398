// What is pending for an endpoint that was disabled becomes dead. DECISIONS "Webhooks". In batches, so that nobody
// waits for fifty thousand of them; the worker and the sweep finish what a crash left.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { WEBHOOK_QUEUE } from './delivery-state.ts'

const BATCH = 500

/**
 * Ends when nothing is pending any more, or the endpoint has been enabled again. Whatever is pending has a job, and is
 * found by it: no index of deliveries tells their status, so that they are cheap to change. The jobs come to nothing.
 */
export async function buryDeliveries(db: Db, endpoint: { tenantId: Uuid; id: Uuid }): Promise<void> {
  for (let after = 0, seen = BATCH; seen === BATCH; ) {
    const jobs = await db.rows(sql<{ id: number; deliveryId: Uuid }>`
      select j.id, j.subject_id as "deliveryId" from jobs j
      where j.tenant_id = ${endpoint.tenantId} and j.id > ${after} and j.queue = ${WEBHOOK_QUEUE} and j.lane = ${endpoint.id}
      order by j.id limit ${BATCH}`)
    await db.rows(sql`
      update webhook_deliveries d
      set status = 'dead', next_attempt_at = null, dead_at = clock_timestamp(), last_error = 'endpoint_disabled'
      where d.tenant_id = ${endpoint.tenantId} and d.status = 'pending' and d.id in (
        select p.id from webhook_deliveries p
        join webhook_endpoints w on w.tenant_id = p.tenant_id and w.id = p.endpoint_id and not w.enabled
        where p.tenant_id = ${endpoint.tenantId} and p.id = any(${jobs.map(({ deliveryId }) => deliveryId)}::uuid[])
          and p.status = 'pending'
        for update of p skip locked)`)
    after = jobs.at(-1)?.id ?? after
    seen = jobs.length
  }
}

/** Finishes what a crash left. Gives how many endpoints it looked after. */
export async function sweepDisabled(db: Db, limit: number): Promise<number> {
  const endpoints = await db.rows(sql<{ tenantId: Uuid; id: Uuid }>`
    select w.tenant_id as "tenantId", w.id from webhook_endpoints w
    where not w.enabled and (
      exists (
        select from jobs j where j.queue = ${WEBHOOK_QUEUE} and j.tenant_id = w.tenant_id and j.lane = w.id
          and j.state = 'ready')
      or exists (
        select from jobs j where j.queue = ${WEBHOOK_QUEUE} and j.tenant_id = w.tenant_id and j.lane = w.id
          and j.state = 'scheduled'))
    limit ${limit}`)
  for (const endpoint of endpoints) await buryDeliveries(db, endpoint)
  return 0
}
