// Waits for the event feed, which every open write transaction of the cluster holds back, other tests' too.
import { type Database, sql } from '../../src/lib/sql.ts'
import { until } from './until.ts'

/** Resolves when the feed gives out all that has been committed until now. */
export async function feedCaughtUp(database: Database): Promise<void> {
  const now = await database.first(sql<{ xid: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`)
  await until('the feed has caught up', async () => {
    const oldest = await database.first(sql<{ ended: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${now?.xid}::xid8 as ended`)
    return oldest?.ended
  })
}
