// How many events of each type there were, by days or by hours of a time zone. specification.md#counts-of-events
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField } from '../access/problem.ts'
import { databaseTime } from '../lib/database-clock.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import { type BarOfTime, hoursOfDay, isTimeZone, lastDays } from './bars-of-time.ts'
import { COUNTED_TYPES, type CountedType } from './counted-types.ts'

/** Today by the hour, or so many days up to today. */
type CountedDays = 1 | 30

type EventCounts = Record<CountedType, number>

interface CountedBar {
  /** From here on. */
  since: Timestamp
  /** To before this. */
  until: Timestamp
  counts: EventCounts
}

interface CountedEvents {
  bars: CountedBar[]
  /** Of all bars. */
  sums: EventCounts
  /** False while events wait to be counted. */
  isCurrent: boolean
}

/** Of an environment. `timeZone`: its name in the IANA database. @throws Problem not_allowed, validation_error for no such zone */
export async function countEvents(
  db: Db,
  actor: TenantActor,
  { days, timeZone }: { days: CountedDays; timeZone: string },
): Promise<CountedEvents> {
  assertMay(actor, 'readEvents')
  if (!isTimeZone(timeZone)) throw invalidField('timeZone', `"${timeZone}" is no time zone such as Europe/Berlin`)
  const nowMs = (await databaseTime(db)).getTime()
  const times = days === 1 ? hoursOfDay(nowMs, timeZone) : lastDays(nowMs, days, timeZone)
  const [rows, isCurrent] = await Promise.all([readCounts(db, actor, times), isAtEnd(db, actor)])
  const bars = times.map(({ sinceMs, untilMs }, n) => {
    const counts = none()
    for (const row of rows) if (row.n === n + 1) counts[row.type] += row.count
    return { since: timestampOf(sinceMs), until: timestampOf(untilMs), counts }
  })
  const sums = none()
  for (const { type, count } of rows) sums[type] += count
  return { bars, sums, isCurrent }
}

interface Row {
  /** Of the bar, from 1 on. */
  n: number
  type: CountedType
  count: number
}

function readCounts(db: Db, { tenantId, environmentId }: TenantActor, times: readonly BarOfTime[]): Promise<Row[]> {
  const begins = times.map(({ sinceMs }) => timestampOf(sinceMs))
  const end = timestampOf(times.at(-1)?.untilMs ?? 0)
  return db.rows(sql<Row>`
    select width_bucket(a.at, ${begins}::timestamptz[]) as n, a.type, sum(a.count)::bigint as count
    from activity_counts a
    where a.tenant_id = ${tenantId} and a.environment_id = ${environmentId} and a.subject_id = ${environmentId}
      and a.build = (
        select min(c.build) from activity_cursors c
        where c.tenant_id = ${tenantId} and c.environment_id = ${environmentId})
      and a.at >= ${begins[0]} and a.at < ${end}
    group by 1, 2`)
}

/** Whether every event that is committed has been counted. */
async function isAtEnd(db: Db, { tenantId, environmentId }: TenantActor): Promise<boolean> {
  const row = await db.first(sql<{ is_behind: boolean }>`
    select exists (
      select from events e
      where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId}
        and (e.epoch, e.xid, e.seq) > (coalesce(c.epoch, 0), coalesce(c.xid, '0'::xid8), coalesce(c.seq, 0))
    ) as is_behind
    from (select) one
    left join lateral (
      select c.epoch, c.xid, c.seq from activity_cursors c
      where c.tenant_id = ${tenantId} and c.environment_id = ${environmentId} order by c.build limit 1
    ) c on true`)
  return row?.is_behind === false
}

const timestampOf = (ms: number): Timestamp => new Date(ms).toISOString().replace('Z', '000Z')

const none = (): EventCounts => Object.fromEntries(COUNTED_TYPES.map((type) => [type, 0])) as EventCounts
