// Removes idempotency keys whose time is over. They count for nothing since.
import { type Db, sql } from '../lib/sql.ts'

/** Gives how many went. */
export async function sweepIdempotencyKeys(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ key: string }>`
    delete from idempotency_keys where (author_id, key) in (
      select author_id, key from idempotency_keys
      where expires_at <= statement_timestamp() order by expires_at limit ${limit} for update skip locked)
      and expires_at <= statement_timestamp()
    returning key`)
  return rows.length
}
