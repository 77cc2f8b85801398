// Reads on in logs behind their cursors: which event, of which quarter of an hour, which mailboxes it concerns. Never what it says.
import type { Realm } from '../access/actor.ts'
import { mailboxesOfEvent } from '../events/follow-reads.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface FollowedEvent extends Realm {
  build: number
  epoch: number
  xid: string
  seq: number
  type: string
  resourceId: Uuid
  mailboxIds: Uuid[]
  /** The application that sent; null for what is no send, or whose sender is forgotten. */
  appId: Uuid | null
  /** The beginning of the quarter of an hour in which it happened. */
  quarter: Timestamp
}

interface Row extends Omit<FollowedEvent, 'mailboxIds'> {
  resourceType: string
  mailboxId: string | null
  mailboxIds: unknown
}

/** Up to `limit` events behind each cursor of these logs, oldest first. */
export async function readFollowedEvents(db: Db, logs: readonly Realm[], limit: number): Promise<FollowedEvent[]> {
  const rows = await db.rows(sql<Row>`
    select c.tenant_id as "tenantId", c.environment_id as "environmentId", c.build, e.epoch, e.xid::text as xid, e.seq,
      e.type, e.resource_type as "resourceType", e.resource_id as "resourceId", e.app_id as "appId", d."mailboxId", d."mailboxIds",
      date_bin('15 minutes', e.occurred_at, timestamptz '2000-01-01 00:00Z') as quarter
    from unnest(${logs.map((log) => log.tenantId)}::uuid[], ${logs.map((log) => log.environmentId)}::uuid[])
      as l (tenant_id, environment_id)
    join activity_cursors c on c.tenant_id = l.tenant_id and c.environment_id = l.environment_id
    cross join lateral (
      select v.epoch, v.xid, v.seq, v.type, v.resource_type, v.resource_id, v.app_id, v.occurred_at, v.data
      from events v
      where v.tenant_id = c.tenant_id and v.environment_id = c.environment_id
        and (v.epoch, v.xid, v.seq) > (c.epoch, c.xid, c.seq)
        and (v.epoch, v.xid) < ((select epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot()))
      order by v.epoch, v.xid, v.seq
      limit ${limit}
    ) e
    cross join lateral json_to_record(e.data) as d ("mailboxId" text, "mailboxIds" json)
    order by c.environment_id, c.build, e.epoch, e.xid, e.seq`)
  return rows.map((row) => ({ ...row, mailboxIds: mailboxesOfEvent(row) }))
}
