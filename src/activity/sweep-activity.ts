// Removes what is no longer needed of what follows the feed: counts that are too old, and those of a build that another has replaced.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { COUNTS_KEPT_DAYS } from './counted-types.ts'

/** Gives how many counts went. specification.md#retention-times */
export async function sweepCounts(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ tenant_id: Uuid }>`
    delete from activity_counts
    where ctid = any (array(
      (
        select a.ctid from activity_counts a
        where a.at < statement_timestamp() - make_interval(days => ${COUNTS_KEPT_DAYS})
        order by a.at limit ${limit}
      )
      union all
      (
        select old.ctid
        from (select c.tenant_id, c.environment_id, min(c.build) as build from activity_cursors c group by 1, 2) c
        cross join lateral (
          select a.ctid from activity_counts a
          where a.tenant_id = c.tenant_id and a.environment_id = c.environment_id and a.build < c.build limit ${limit}
        ) old
        limit ${limit}
      )
      limit ${limit}))
    returning tenant_id`)
  return rows.length
}
