// What is read of the log by who follows it: which event it is and which mailboxes it concerns, of many logs at once. Never
// what an event says.
import type { Realm } from '../access/actor.ts'
import { type Db, sql } from '../lib/sql.ts'
import { isUuid, type Uuid } from '../lib/uuid.ts'
import { BEGINNING, type Position } from './cursor.ts'

/** An event, as far as it is known to who follows the log. */
export interface Appended {
  place: Position
  type: string
  resourceId: Uuid
  /** The mailboxes that it concerns; none for what concerns the tenant. */
  mailboxIds: Uuid[]
}

/** A log, and where it is read on. */
export interface LogPlace extends Realm {
  place: Position
}

export interface ReadOn {
  /** Oldest first. */
  appended: Appended[]
  /** True when more can be read now. */
  more: boolean
  /** True when more is committed, and an open transaction before it holds it back (ADR 5). */
  isHeld: boolean
}

interface Row {
  n: number
  epoch: number
  xid: string
  seq: number
  type: string
  resourceType: string
  resourceId: Uuid
  mailboxId: string | null
  mailboxIds: unknown
  isReady: boolean
}

/** Up to `limit` events of each log behind its place, in the order of the logs. One statement for all of them. */
export async function readLogsOn(db: Db, logs: readonly LogPlace[], limit: number): Promise<ReadOn[]> {
  const rows = await db.rows(sql<Row>`
    select l.n::integer as n, e.epoch, e.xid::text as xid, e.seq, e.type, e.resource_type as "resourceType",
      e.resource_id as "resourceId", d."mailboxId", d."mailboxIds",
      (e.epoch, e.xid) < ((select epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot())) as "isReady"
    from unnest(${logs.map((log) => log.tenantId)}::uuid[], ${logs.map((log) => log.environmentId)}::uuid[],
        ${logs.map(({ place }) => place.epoch)}::integer[], ${logs.map(({ place }) => place.xid)}::text[],
        ${logs.map(({ place }) => place.seq)}::bigint[])
      with ordinality as l (tenant_id, environment_id, epoch, xid, seq, n)
    cross join lateral (
      select v.epoch, v.xid, v.seq, v.type, v.resource_type, v.resource_id, v.data from events v
      where v.tenant_id = l.tenant_id and v.environment_id = l.environment_id
        and (v.epoch, v.xid, v.seq) > (l.epoch, l.xid::xid8, l.seq)
      order by v.epoch, v.xid, v.seq
      limit ${limit + 1}
    ) e
    cross join lateral json_to_record(e.data) as d ("mailboxId" text, "mailboxIds" json)
    order by l.n, e.epoch, e.xid, e.seq`)
  const found: Row[][] = logs.map(() => [])
  for (const row of rows) found[row.n - 1]?.push(row)
  return found.map((all) => {
    const ready = all.filter((row) => row.isReady)
    return {
      appended: ready.slice(0, limit).map(appendedOf),
      more: ready.length > limit,
      isHeld: ready.length < all.length,
    }
  })
}

function appendedOf({ epoch, xid, seq, ...row }: Row): Appended {
  return { place: { epoch, xid, seq, sinceMicros: 0 }, ...row, mailboxIds: mailboxesOfEvent(row) }
}

/** The mailboxes that an event concerns, each once. What an operator triggers in a sandbox may say anything at all. */
export function mailboxesOfEvent(event: Pick<Row, 'resourceType' | 'resourceId' | 'mailboxId' | 'mailboxIds'>): Uuid[] {
  const { resourceType, resourceId, mailboxId, mailboxIds } = event
  if (resourceType === 'mailbox') return [resourceId]
  const all: unknown[] = Array.isArray(mailboxIds) ? mailboxIds : [mailboxId]
  return all.filter((id): id is Uuid => typeof id === 'string' && isUuid(id))
}

/** The place of the newest event that the feed gives out now: what is read from there on was appended since. */
export async function endOfLog(db: Db, realm: Realm): Promise<Position> {
  const last = await db.first(sql<{ epoch: number; xid: string; seq: number }>`
    select e.epoch, e.xid::text as xid, e.seq from events e
    where e.tenant_id = ${realm.tenantId} and e.environment_id = ${realm.environmentId}
      and (e.epoch, e.xid) < ((select epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot()))
    order by e.epoch desc, e.xid desc, e.seq desc limit 1`)
  return last ? { ...last, sinceMicros: 0 } : BEGINNING
}
