// What is pending for an endpoint that was disabled becomes dead. DECISIONS "Webhooks". In batches, so that nobody
// waits for fifty thousand of them; the worker and the sweep finish what a crash left.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

const BATCH = 500

/** Ends when nothing is pending any more, or the endpoint has been enabled again. Their jobs come to nothing. */
export async function buryDeliveries(db: Db, endpoint: { tenantId: Uuid; id: Uuid }): Promise<void> {
  for (let buried = BATCH; buried === BATCH; ) {
    const rows = await db.rows(sql<{ id: Uuid }>`
      update webhook_deliveries d
      set status = 'dead', next_attempt_at = null, dead_at = clock_timestamp(), last_error = 'endpoint_disabled'
      where d.tenant_id = ${endpoint.tenantId} and d.status = 'pending' and d.id in (
        select p.id from webhook_deliveries p
        join webhook_endpoints w on w.tenant_id = p.tenant_id and w.id = p.endpoint_id and not w.enabled
        where p.tenant_id = ${endpoint.tenantId} and p.endpoint_id = ${endpoint.id} and p.status = 'pending'
        limit ${BATCH} for update of p skip locked)
      returning d.id`)
    buried = rows.length
  }
}

/** Finishes what a crash left. Gives how many endpoints it looked after. */
export async function sweepDisabled(db: Db, limit: number): Promise<number> {
  const endpoints = await db.rows(sql<{ tenantId: Uuid; id: Uuid }>`
    select w.tenant_id as "tenantId", w.id from webhook_endpoints w
    where not w.enabled and exists (
      select from webhook_deliveries d
      where d.tenant_id = w.tenant_id and d.endpoint_id = w.id and d.status = 'pending')
    limit ${limit}`)
  for (const endpoint of endpoints) await buryDeliveries(db, endpoint)
  return 0
}
