// Forgets replays that ended long ago.
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

/** As long as the deliveries that they replayed. specification.md#retention-times */
const KEPT_DAYS = 30

/** Gives how many went. */
export async function sweepReplays(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from webhook_replays r
    using (
      select o.tenant_id, o.id from webhook_replays o
      where o.ended_at < statement_timestamp() - make_interval(days => ${KEPT_DAYS})
      order by o.ended_at limit ${limit}
    ) old
    where r.tenant_id = old.tenant_id and r.id = old.id
    returning r.id`)
  return rows.length
}
