// Ends a replay that runs. What it has replayed stays replayed.
import { sql, type Tx } from '../../lib/sql.ts'
import type { ReplayRef, ReplayStop } from './replay.ts'

/** Null: all is replayed. One that has ended stays as it is; its job comes to nothing. */
export async function endReplay(tx: Tx, { tenantId, id }: ReplayRef, stoppedBecause: ReplayStop | null): Promise<void> {
  const ended = await tx.rows(sql`
    update webhook_replays
    set status = case when ${stoppedBecause}::text is null then 'done' else 'stopped' end,
      stopped_because = ${stoppedBecause}, ended_at = clock_timestamp()
    where tenant_id = ${tenantId} and id = ${id} and status = 'running'
    returning id`)
  if (ended.length === 0) return
  await tx.rows(sql`delete from webhook_replay_places where tenant_id = ${tenantId} and replay_id = ${id}`)
}
