// What is pending for an endpoint that was disabled becomes dead. In batches, so that nobody
// waits for fifty thousand of them; what a crash leaves out, the worker finds dead when its job's turn comes.
import { arrayLiteral, type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { WEBHOOK_QUEUE } from './delivery-state.ts'

/** Jobs of the tenant that one statement reads, and at most so many deliveries are changed by the next. */
const BATCH = 2_000

/**
 * Ends when nothing is pending any more; what is pending once the endpoint has been enabled again stays so. Whatever is
 * pending has a job and is found by it, for no index of deliveries has their status (ADR 19). The jobs come to nothing.
 */
export async function endDeliveries(db: Db, endpoint: { tenantId: Uuid; id: Uuid }): Promise<void> {
  for (let [after, seen] = [0, BATCH]; seen === BATCH; ) {
    const batch = await db.first(sql<{ seen: number; last: number | null; deliveryIds: Uuid[] | null }>`
      select count(*)::integer as seen, max(j.id) as last,
        array_agg(j.subject_id) filter (where j.queue = ${WEBHOOK_QUEUE} and j.lane = ${endpoint.id}) as "deliveryIds"
      from (
        select j.id, j.queue, j.lane, j.subject_id from jobs j
        where j.tenant_id = ${endpoint.tenantId} and j.id > ${after} order by j.id limit ${BATCH}
      ) j`)
    if (batch?.deliveryIds) await endThese(db, endpoint.tenantId, batch.deliveryIds)
    seen = batch?.seen ?? 0
    after = batch?.last ?? after
  }
}

async function endThese(db: Db, tenantId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await db.rows(sql`
    update webhook_deliveries d
    set status = 'dead', next_attempt_at = null, dead_at = clock_timestamp(), last_error = 'endpoint_disabled'
    where d.tenant_id = ${tenantId} and d.status = 'pending' and d.id in (
      select p.id from webhook_deliveries p
      join webhook_endpoints w on w.tenant_id = p.tenant_id and w.id = p.endpoint_id and not w.enabled
      where p.tenant_id = ${tenantId} and p.id = any(${arrayLiteral(ids)}::uuid[]) and p.status = 'pending'
      for update of p skip locked)`)
}
