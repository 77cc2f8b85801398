// Pages of the log for whoever looks at it, newest first; what must miss nothing reads the feed. Each page costs the same
// however long the log is: it walks back along the index that has the fewest events beside those that are looked for, and
// looks through so many at most.
import type { Realm, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField, problem } from '../access/problem.ts'
import { parseInstant } from '../lib/instant.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { eventDataText } from './event-text.ts'
import { type FeedRow, type LoggedEvent, placeOfInstant } from './feed.ts'
import { decodePlace, type EventPlace, encodePlace, LOG_END } from './page-place.ts'
import { type EventType, isRareType } from './types.ts'

export interface EventPageQuery {
  limit: number
  cursor?: string | undefined
  type?: EventType | undefined
  resourceId?: Uuid | undefined
  /** ISO 8601: none older. */
  since?: string | undefined
  /** ISO 8601: older ones alone. */
  until?: string | undefined
}

export interface LogPage {
  /** Newest first. There may be fewer than asked for, or none, and yet a cursor. */
  items: LoggedEvent[]
  nextCursor: string | null
}

/** How many events one page looks through at most for those that its filter lets pass. */
const MOST_EVENTS_WALKED_BACK = 5_000

interface Row extends FeedRow {
  matches: boolean
  /** How many were looked at up to this one. */
  n: number
}

/** @throws Problem invalid_cursor, validation_error for what is no instant */
export async function pageEvents(
  db: Db,
  actor: TenantActor,
  query: EventPageQuery,
  mostWalked = MOST_EVENTS_WALKED_BACK,
): Promise<LogPage> {
  assertMay(actor, 'readEvents')
  const before = query.cursor === undefined ? LOG_END : decodePlace(query.cursor)
  if (!before) throw problem('invalid_cursor')
  const [since, until] = [microsOf('since', query.since), microsOf('until', query.until)]
  const oldest = since === undefined ? undefined : await placeOfInstant(db, actor, since)
  const rows = await walkBack(
    db,
    actor,
    query,
    { before, oldest, since: since ?? 0, until: until ?? MOST_MICROS },
    mostWalked,
  )
  const matching = rows.filter(({ matches }) => matches)
  const isFull = matching.length > query.limit
  const shown = matching.slice(0, query.limit)
  const last = isFull ? shown.at(-1) : rows.at(-1)
  const goesOn = isFull || last?.n === mostWalked
  return {
    items: shown.map((row) => ({ ...row, data: eventDataText(row.resourceType, row.resourceId, row.data) })),
    nextCursor: last && goesOn ? encodePlace(last) : null,
  }
}

/** Beyond any instant that an event bears. */
const MOST_MICROS = Number.MAX_SAFE_INTEGER

function microsOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const micros = parseInstant(text)
  if (micros === undefined) throw invalidField(field, 'must be an ISO 8601 date or instant')
  return micros
}

interface Bounds {
  before: EventPlace
  /** Every event of `since` and later lies behind it. */
  oldest: EventPlace | undefined
  /** Microseconds since 1970. */
  since: number
  until: number
}

/** What the filter lets pass, one more than `limit`; and the last that was looked at, where the walk ended before. */
function walkBack(
  db: Db,
  realm: Realm,
  query: EventPageQuery,
  { before, oldest, since, until }: Bounds,
  most: number,
): Promise<Row[]> {
  const { limit, type = null, resourceId = null } = query
  const along = resourceId !== null ? 'resource' : type !== null && isRareType(type) ? 'type' : 'log'
  const from = oldest ?? { epoch: 0, xid: '0', seq: 0 }
  return db.rows(sql<Row>`
    select e.epoch, e.xid::text as xid, e.seq, e.id, e.type, e.resource_type as "resourceType",
      e.resource_id as "resourceId", e.data::text as data, e.occurred_at as "occurredAt", p.matches, p.n::integer as n
    from (
      select w.epoch, w.xid, w.seq,
        row_number() over walked as n, lead(w.seq) over walked is null as is_end,
        w.type = coalesce(${type}, w.type) and w.resource_id = coalesce(${resourceId}, w.resource_id)
          and w.occurred_at >= to_timestamp(0) + ${since}::bigint * interval '1 microsecond'
          and w.occurred_at < to_timestamp(0) + ${until}::bigint * interval '1 microsecond' as matches
      from (
        (
          select e.epoch, e.xid, e.seq, e.type, e.resource_id, e.occurred_at from events e
          where ${along}::text = 'log' and e.tenant_id = ${realm.tenantId} and e.environment_id = ${realm.environmentId}
            and (e.epoch, e.xid, e.seq) < (${before.epoch}, ${before.xid}::xid8, ${before.seq})
            and (e.epoch, e.xid, e.seq) > (${from.epoch}, ${from.xid}::xid8, ${from.seq})
          order by e.epoch desc, e.xid desc, e.seq desc limit ${most}
        )
        union all
        (
          select e.epoch, e.xid, e.seq, e.type, e.resource_id, e.occurred_at from events e
          where ${along}::text = 'type' and e.tenant_id = ${realm.tenantId} and e.environment_id = ${realm.environmentId}
            and e.type = ${type} and e.type not in (
              'message.received', 'message.queued', 'message.sent', 'message.delivered', 'message.updated')
            and (e.epoch, e.xid, e.seq) < (${before.epoch}, ${before.xid}::xid8, ${before.seq})
            and (e.epoch, e.xid, e.seq) > (${from.epoch}, ${from.xid}::xid8, ${from.seq})
          order by e.epoch desc, e.xid desc, e.seq desc limit ${most}
        )
        union all
        (
          select e.epoch, e.xid, e.seq, e.type, e.resource_id, e.occurred_at from events e
          where ${along}::text = 'resource' and e.tenant_id = ${realm.tenantId}
            and e.environment_id = ${realm.environmentId} and e.resource_id = ${resourceId}
            and (e.epoch, e.xid, e.seq) < (${before.epoch}, ${before.xid}::xid8, ${before.seq})
            and (e.epoch, e.xid, e.seq) > (${from.epoch}, ${from.xid}::xid8, ${from.seq})
          order by e.epoch desc, e.xid desc, e.seq desc limit ${most}
        )
        order by epoch desc, xid desc, seq desc
      ) w
      window walked as (order by w.epoch desc, w.xid desc, w.seq desc)
    ) p
    join events e on e.tenant_id = ${realm.tenantId} and e.environment_id = ${realm.environmentId} and e.epoch = p.epoch
      and e.xid = p.xid and e.seq = p.seq
    where p.matches or p.is_end
    order by p.epoch desc, p.xid desc, p.seq desc
    limit ${limit + 1}`)
}
