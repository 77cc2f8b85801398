// Forgets what became of drafts that ended long ago.
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

/** specification.md#retention-times */
const REMEMBERED_DAYS = 30

/** Gives how many went. */
export async function sweepEndedDrafts(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from ended_drafts where (tenant_id, id) in (
      select tenant_id, id from ended_drafts
      where ended_at < statement_timestamp() - make_interval(days => ${REMEMBERED_DAYS})
      order by ended_at limit ${limit} for update skip locked)
    returning id`)
  return rows.length
}
