// Gives up notices whose time is over, and forgets what was long ago.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Longer than a plan's month: of the same month nobody is told twice. */
const KEPT_DAYS = 40

/** Those that no worker could mail in time: their tokens are forgotten. Gives their ids. */
export function giveUpNotices(db: Db, limit: number): Promise<{ id: Uuid }[]> {
  return db.rows(sql<{ id: Uuid }>`
    update notices set status = 'dropped', sealed_token = null
    where status = 'waiting' and id in (
      select id from notices where status = 'waiting' and expires_at < statement_timestamp()
      order by expires_at limit ${limit} for update skip locked)
    returning id`)
}

/** Gives how many went. */
export async function sweepNotices(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from notices where id in (
      select id from notices where created_at < statement_timestamp() - make_interval(days => ${KEPT_DAYS})
      order by created_at limit ${limit} for update skip locked)
    returning id`)
  return rows.length
}
