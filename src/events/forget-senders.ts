// Lets events forget who sent: they outlive the time for which the records of the audit are kept.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Of events older than `keptDays`. Gives how many. */
export async function forgetSenders(db: Db, keptDays: number, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    update events set app_id = null, key_id = null, request_id = null, client_address = null, user_agent = null
    where ctid = any (array(
      select e.place from tenants t
      cross join lateral (
        select v.ctid as place from events v
        where v.tenant_id = t.id and v.key_id is not null
          and v.occurred_at < statement_timestamp() - make_interval(days => ${keptDays})
        order by v.occurred_at limit ${limit} for update skip locked
      ) e
      limit ${limit}))
    returning id`)
  return rows.length
}
