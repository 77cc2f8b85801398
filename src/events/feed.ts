// Reads the canonical log in an order in which nothing ever appears behind a place already read (ADR 5): by
// epoch, transaction and sequence, and only transactions before which every other one has ended.
import type { Realm } from '../access/actor.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import { BEGINNING, type Position } from './cursor.ts'
import { eventDataText } from './event-text.ts'
import type { Event } from './schemas.ts'

/** An event as the log keeps it. */
export interface LoggedEvent extends Omit<Event, 'data'> {
  /** JSON, never read on its way. */
  data: string
}

/** An event with its place. */
export interface FeedRow extends LoggedEvent {
  epoch: number
  xid: string
  seq: number
}

export interface FeedPage {
  items: LoggedEvent[]
  /** After the last item; where the reading began when there is none. */
  position: Position
  /** True when more can be read now. */
  more: boolean
}

/** Up to `limit` events after a place, oldest first. */
export async function readFeed(db: Db, realm: Realm, after: Position, limit: number): Promise<FeedPage> {
  const rows = await db.rows(sql<FeedRow>`
    select epoch, xid::text as xid, seq, id, type, resource_type as "resourceType", resource_id as "resourceId",
      data::text as data, occurred_at as "occurredAt"
    from events e
    where tenant_id = ${realm.tenantId} and environment_id = ${realm.environmentId}
      and (epoch, xid, seq) > (${after.epoch}, ${after.xid}::xid8, ${after.seq})
      and (epoch, xid) < ((select epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot()))
      and occurred_at >= to_timestamp(0) + ${after.sinceMicros}::bigint * interval '1 microsecond'
    order by e.epoch, e.xid, e.seq
    limit ${limit + 1}`)
  return pageOf(rows, after, limit)
}

/** The page of rows that were read for it, `limit` and one more. `end`: what was looked at last, where that is not an item. */
export function pageOf(rows: readonly FeedRow[], after: Position, limit: number, end?: FeedRow): FeedPage {
  const shown = rows.slice(0, limit)
  const last = end ?? shown.at(-1)
  return {
    items: shown.map((row) => ({ ...row, data: eventDataText(row.resourceType, row.resourceId, row.data) })),
    position: last ? { epoch: last.epoch, xid: last.xid, seq: last.seq, sinceMicros: after.sinceMicros } : after,
    more: rows.length > limit,
  }
}

/**
 * How long before an instant the reading begins. An event bears the time of its statement and stands where its
 * transaction stands; no statement of ours runs for longer than half of this.
 */
const SLACK_MICROS = 60_000_000

/**
 * The place after which every event of the instant and later lies. Halves the transactions of an epoch until it
 * has found where the instant falls; the feed leaves out what is older.
 */
export async function placeOfInstant(db: Db, realm: Realm, instantMicros: number): Promise<Position> {
  const begin = instantMicros - SLACK_MICROS
  for (const { epoch, first, lastXid } of await readEpochs(db, realm)) {
    if (first.micros >= begin) continue
    let low = BigInt(first.xid)
    let high = BigInt(lastXid)
    while (low < high) {
      const middle = (low + high) / 2n
      const next = await firstAfter(db, realm, epoch, middle)
      if (next && next.micros < begin) low = BigInt(next.xid)
      else high = middle
    }
    return { epoch, xid: String(low), seq: 0, sinceMicros: instantMicros }
  }
  return { ...BEGINNING, sinceMicros: instantMicros }
}

interface Mark {
  xid: string
  micros: number
}

/** The first and the last event of each epoch that the environment has events of, newest epoch first. */
async function readEpochs(db: Db, realm: Realm): Promise<{ epoch: number; first: Mark; lastXid: string }[]> {
  const rows = await db.rows(sql<{ epoch: number; first_xid: string; first_at: Timestamp; last_xid: string }>`
    with recursive tails (epoch, xid) as (
      (
        select e.epoch, e.xid from events e
        where e.tenant_id = ${realm.tenantId} and e.environment_id = ${realm.environmentId}
        order by e.epoch desc, e.xid desc, e.seq desc limit 1
      )
      union all
      select earlier.epoch, earlier.xid
      from tails
      cross join lateral (
        select e.epoch, e.xid from events e
        where e.tenant_id = ${realm.tenantId} and e.environment_id = ${realm.environmentId}
          and e.epoch < tails.epoch
        order by e.epoch desc, e.xid desc, e.seq desc limit 1
      ) earlier
    )
    select tails.epoch, head.xid::text as first_xid, head.occurred_at as first_at, tails.xid::text as last_xid
    from tails
    cross join lateral (
      select e.xid, e.occurred_at from events e
      where e.tenant_id = ${realm.tenantId} and e.environment_id = ${realm.environmentId}
        and e.epoch = tails.epoch
      order by e.xid, e.seq limit 1
    ) head
    order by tails.epoch desc`)
  return rows.map((row) => ({
    epoch: row.epoch,
    first: { xid: row.first_xid, micros: toMicros(row.first_at) },
    lastXid: row.last_xid,
  }))
}

async function firstAfter(db: Db, realm: Realm, epoch: number, xid: bigint): Promise<Mark | undefined> {
  const row = await db.first(sql<{ xid: string; occurred_at: Timestamp }>`
    select xid::text as xid, occurred_at from events e
    where tenant_id = ${realm.tenantId} and environment_id = ${realm.environmentId} and epoch = ${epoch}
      and xid > ${String(xid)}::xid8
    order by e.xid, e.seq limit 1`)
  return row && { xid: row.xid, micros: toMicros(row.occurred_at) }
}

function toMicros(timestamp: Timestamp): number {
  return Date.parse(`${timestamp.slice(0, 19)}Z`) * 1000 + Number(timestamp.slice(20, 26))
}
