// Holds back a lane whose work fails, and opens it again.
import { sql, type Tx } from '../sql.ts'
import type { Job, Lane } from './job.ts'

export type LaneOfQueue = Lane & Pick<Job, 'queue'>

/**
 * Gives a lane a cap of its own, of how many of its jobs may be in flight; null takes it away. What its jobs wait for
 * ends: whatever is held goes on, and the commit signals the queue.
 */
export async function openLane(tx: Tx, { tenantId, queue, lane }: LaneOfQueue, cap: number | null): Promise<void> {
  if (cap === null) {
    await tx.rows(sql`
      delete from lane_caps where tenant_id = ${tenantId} and queue = ${queue} and lane = ${lane}`)
  } else {
    await setLaneCap(tx, { tenantId, queue, lane }, cap)
  }
  await tx.rows(sql`
    update held_lanes set held_until = '-infinity', release_at = clock_timestamp()
    where tenant_id = ${tenantId} and queue = ${queue} and lane = ${lane}`)
  tx.signal(queue)
}

/** Nothing of the lane is handed out for so long, and then one job at a time until the lane is opened. */
export async function holdLane(tx: Tx, { tenantId, queue, lane }: LaneOfQueue, forMs: number): Promise<void> {
  await setLaneCap(tx, { tenantId, queue, lane }, 1)
  await tx.rows(sql`
    with wait as (
      select clock_timestamp() + ${forMs} * interval '1 millisecond' as ends_at
    )
    insert into held_lanes (tenant_id, queue, lane, held_until, release_at)
    select ${tenantId}, ${queue}, ${lane}, wait.ends_at, wait.ends_at from wait
    on conflict (tenant_id, queue, lane) do update
    set held_until = excluded.held_until, release_at = excluded.release_at`)
}

async function setLaneCap(tx: Tx, { tenantId, queue, lane }: LaneOfQueue, cap: number): Promise<void> {
  await tx.rows(sql`
    insert into lane_caps (tenant_id, queue, lane, cap) values (${tenantId}, ${queue}, ${lane}, ${cap})
    on conflict (tenant_id, queue, lane) do update set cap = excluded.cap`)
}
