// The epoch of the feed. A cluster that is restored, or that another takes the place of, gives out transaction ids anew:
// what it brought along belongs to an earlier epoch, stays visible, and stays in front (ADR 5).
import type { Operator } from '../access/actor.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import type { Position } from './cursor.ts'

/**
 * Begins the next epoch when this is another server, or another start of it, than events were last written to. Run on
 * each new connection, so that nothing is written before. A server that takes no writes has none on this connection ever:
 * it may become the primary.
 */
export async function keepFeedEpoch(db: Db): Promise<void> {
  await db.rows(sql`
    select case when current_setting('transaction_read_only')::boolean
      then set_config('default_transaction_read_only', 'on', false)
      else begin_feed_epoch(f.epoch, f.epoch)::text end
    from feed_epoch f where f.server_started_at <> pg_postmaster_start_time()`)
}

/**
 * Begins the next epoch when a reader has been further than this database: it was put back without being started, as a
 * virtual machine is together with its memory. From then on the reader misses nothing.
 */
export async function noticeRewind(db: Db, place: Position): Promise<void> {
  await db.rows(sql`
    select begin_feed_epoch(f.epoch, greatest(f.epoch, ${place.epoch}::integer)) from feed_epoch f
    where (${place.epoch}::integer, ${place.xid}::xid8) >= (f.epoch, pg_snapshot_xmax(pg_current_snapshot()))`)
}

/** Begins the next epoch because the operator says so. Gives it. */
export async function renewEpoch(database: Database, operator: Operator): Promise<number> {
  return database.transaction(async (tx) => {
    await recordAct(tx, operator, { operation: 'events.renew', resourceType: 'feed', resourceId: null })
    const row = await tx.first(sql<{ epoch: number }>`
      select begin_feed_epoch(f.epoch, f.epoch) as epoch from feed_epoch f`)
    return row?.epoch as number
  })
}
