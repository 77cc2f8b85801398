// Removes audit records that are old enough. Those of sends: src/events/forget-senders.ts.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** How long records are kept. */
export const AUDIT_KEPT_DAYS = 365

/** Removes records past their time. Gives how many went. */
export async function sweepAudit(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from audit_log where ctid = any (array(
      select ctid from audit_log
      where at at time zone 'UTC' < (statement_timestamp() - make_interval(days => ${AUDIT_KEPT_DAYS})) at time zone 'UTC'
      order by at at time zone 'UTC' limit ${limit} for update skip locked))
    returning id`)
  return rows.length
}
