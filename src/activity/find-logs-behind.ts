// Which logs have events that have not been followed yet, and for how long. Environments need no note of theirs: one that is
// new is found by its first event.
import type { Realm } from '../access/actor.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface LogBehind extends Realm {
  /** False while an open transaction holds back what there is to read (ADR 5). */
  isReady: boolean
}

/** Every log that has events behind its cursor, or behind that of a rebuild; of one tenant where it is given. */
export function findLogsBehind(db: Db, tenantId: Uuid | null = null): Promise<LogBehind[]> {
  return db.rows(sql<LogBehind>`
    select r.tenant_id as "tenantId", r.environment_id as "environmentId",
      bool_or((v.epoch, v.xid) < ((select epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot()))) as "isReady"
    from (
      select t.id as tenant_id, t.id as environment_id from tenants t
      union all
      select a.tenant_id, a.id from apps a where a.environment = 'sandbox'
    ) r
    left join activity_cursors c on c.tenant_id = r.tenant_id and c.environment_id = r.environment_id
    cross join lateral (
      select v.epoch, v.xid from events v
      where v.tenant_id = r.tenant_id and v.environment_id = r.environment_id
        and (v.epoch, v.xid, v.seq) > (coalesce(c.epoch, 0), coalesce(c.xid, '0'::xid8), coalesce(c.seq, 0))
      order by v.epoch, v.xid, v.seq limit 1
    ) v
    where r.tenant_id = coalesce(${tenantId}::uuid, r.tenant_id)
    group by r.tenant_id, r.environment_id`)
}

/** For how long the oldest event has waited that is not followed yet; 0 where there is none. Seconds. */
export async function readActivityLag(db: Db): Promise<number> {
  const row = await db.first(sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(v.occurred_at)), 0)::float8 as seconds
    from (
      select t.id as tenant_id, t.id as environment_id from tenants t
      union all
      select a.tenant_id, a.id from apps a where a.environment = 'sandbox'
    ) r
    left join lateral (
      select c.epoch, c.xid, c.seq from activity_cursors c
      where c.tenant_id = r.tenant_id and c.environment_id = r.environment_id order by c.build limit 1
    ) c on true
    cross join lateral (
      select v.occurred_at from events v
      where v.tenant_id = r.tenant_id and v.environment_id = r.environment_id
        and (v.epoch, v.xid, v.seq) > (coalesce(c.epoch, 0), coalesce(c.xid, '0'::xid8), coalesce(c.seq, 0))
      order by v.epoch, v.xid, v.seq limit 1
    ) v`)
  return row?.seconds ?? 0
}
