// Reads those events of the log that a filter lets pass, in the order of the feed. A page walks along the index that has
// the fewest events beside those, and looks through so many at most. Nothing ever appears behind the place at which it stops,
// as nothing does behind a place of the feed (ADR 5).
import type { Realm } from '../access/actor.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Position } from './cursor.ts'
import { type FeedPage, type FeedRow, pageOf } from './feed.ts'
import type { EventsQuery } from './schemas.ts'
import { isRareType } from './types.ts'

/** What the events of a page have in common: all of what is named. */
export type EventFilter = Pick<EventsQuery, 'type' | 'resourceId'>

/** How many events one page looks through at most for those that its filter lets pass. */
export const MOST_EVENTS_WALKED = 5_000

interface Row extends FeedRow {
  /** The filter lets it pass. */
  matches: boolean
  /** How many were looked at up to this one. */
  n: number
}

/** Up to `limit` events after a place, oldest first. A page may have fewer, or none, and yet more to come. */
export async function readFilteredFeed(
  db: Db,
  realm: Realm,
  after: Position,
  limit: number,
  filter: EventFilter,
  mostWalked = MOST_EVENTS_WALKED,
): Promise<FeedPage> {
  const rows = await walk(db, realm, after, limit, filter, mostWalked)
  const matching = rows.filter((row) => row.matches)
  if (matching.length > limit) return pageOf(matching, after, limit)
  const end = rows.at(-1)
  return { ...pageOf(matching, after, limit, end), more: end?.n === mostWalked }
}

/** What the filter lets pass, one more than `limit`; and the last that was looked at, where the walk ended before. */
function walk(db: Db, realm: Realm, after: Position, limit: number, filter: EventFilter, most: number): Promise<Row[]> {
  const { type = null, resourceId = null } = filter
  const along = resourceId !== null ? 'resource' : type !== null && isRareType(type) ? 'type' : 'log'
  return db.rows(sql<Row>`
    select e.epoch, e.xid::text as xid, e.seq, e.id, e.type, e.resource_type as "resourceType",
      e.resource_id as "resourceId", e.data::text as data, e.occurred_at as "occurredAt", p.matches, p.n
    from (
      select w.epoch, w.xid, w.seq,
        row_number() over walked as n, lead(w.seq) over walked is null as is_end,
        w.type = coalesce(${type}, w.type) and w.resource_id = coalesce(${resourceId}, w.resource_id)
          and w.occurred_at >= to_timestamp(0) + ${after.sinceMicros}::bigint * interval '1 microsecond' as matches
      from (
        (
          select e.epoch, e.xid, e.seq, e.type, e.resource_id, e.occurred_at from events e
          where ${along}::text = 'log' and e.tenant_id = ${realm.tenantId} and e.environment_id = ${realm.environmentId}
            and (e.epoch, e.xid, e.seq) > (${after.epoch}, ${after.xid}::xid8, ${after.seq})
            and (e.epoch, e.xid) < ((select epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot()))
          order by e.epoch, e.xid, e.seq limit ${most}
        )
        union all
        (
          select e.epoch, e.xid, e.seq, e.type, e.resource_id, e.occurred_at from events e
          where ${along}::text = 'type' and e.tenant_id = ${realm.tenantId} and e.environment_id = ${realm.environmentId}
            and e.type = ${type} and e.type not in (
              'message.received', 'message.queued', 'message.sent', 'message.delivered', 'message.updated')
            and (e.epoch, e.xid, e.seq) > (${after.epoch}, ${after.xid}::xid8, ${after.seq})
            and (e.epoch, e.xid) < ((select epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot()))
          order by e.epoch, e.xid, e.seq limit ${most}
        )
        union all
        (
          select e.epoch, e.xid, e.seq, e.type, e.resource_id, e.occurred_at from events e
          where ${along}::text = 'resource' and e.tenant_id = ${realm.tenantId}
            and e.environment_id = ${realm.environmentId} and e.resource_id = ${resourceId}
            and (e.epoch, e.xid, e.seq) > (${after.epoch}, ${after.xid}::xid8, ${after.seq})
            and (e.epoch, e.xid) < ((select epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot()))
          order by e.epoch, e.xid, e.seq limit ${most}
        )
        order by epoch, xid, seq
      ) w
      window walked as (order by w.epoch, w.xid, w.seq)
    ) p
    join events e on e.tenant_id = ${realm.tenantId} and e.environment_id = ${realm.environmentId} and e.epoch = p.epoch
      and e.xid = p.xid and e.seq = p.seq
    where p.matches or p.is_end
    order by p.epoch, p.xid, p.seq
    limit ${limit + 1}`)
}
