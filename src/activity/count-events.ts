// How many events of each type there were, by days or by hours of a time zone. specification.md#counts-of-events
import type { Realm, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField } from '../access/problem.ts'
import { databaseTime } from '../lib/database-clock.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import { type BarOfTime, hoursOfDay, isTimeZone, lastDays } from './bars-of-time.ts'
import { COUNTED_TYPES, type CountedType } from './counted-types.ts'

/** Today by the hour, or so many days up to today. */
type CountedDays = 1 | 30

type EventCounts = Record<CountedType, number>

interface CountedTime {
  /** From here on. */
  since: Timestamp
  /** To before this. */
  until: Timestamp
}

interface CountedBar extends CountedTime {
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
  const times = days === 1 ? await timesOfHours(db, timeZone) : await timesOfDays(db, { days, timeZone })
  const [rows, isCurrent] = await Promise.all([readCounts(db, actor, times), isAtEnd(db, actor)])
  const bars = times.map((time, n) => {
    const counts = none()
    for (const row of rows) if (row.n === n + 1) counts[row.type] += row.count
    return { ...time, counts }
  })
  const sums = none()
  for (const { type, count } of rows) sums[type] += count
  return { bars, sums, isCurrent }
}

/** So many days up to today, the oldest first. @throws Problem validation_error for no such zone */
export async function timesOfDays(
  db: Db,
  { days, timeZone }: { days: number; timeZone: string },
): Promise<CountedTime[]> {
  checkTimeZone(timeZone)
  return lastDays((await databaseTime(db)).getTime(), days, timeZone).map(timeOf)
}

async function timesOfHours(db: Db, timeZone: string): Promise<CountedTime[]> {
  checkTimeZone(timeZone)
  return hoursOfDay((await databaseTime(db)).getTime(), timeZone).map(timeOf)
}

function checkTimeZone(timeZone: string): void {
  if (!isTimeZone(timeZone)) throw invalidField('timeZone', `"${timeZone}" is no time zone such as Europe/Berlin`)
}

interface Row {
  /** Of the bar, from 1 on. */
  n: number
  type: CountedType
  count: number
}

function readCounts(db: Db, { tenantId, environmentId }: TenantActor, times: readonly CountedTime[]): Promise<Row[]> {
  const begins = times.map(({ since }) => since)
  const end = times.at(-1)?.until ?? null
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

/** Whether every event that is committed has been counted. In the log's order, so that its index is read at the cursor. */
export async function isAtEnd(db: Db, { tenantId, environmentId }: Realm): Promise<boolean> {
  const row = await db.first(sql<{ isAtEnd: boolean }>`
    select (
      select e.seq from events e
      where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId}
        and (e.epoch, e.xid, e.seq) > (coalesce(c.epoch, 0), coalesce(c.xid, '0'::xid8), coalesce(c.seq, 0))
      order by e.epoch, e.xid, e.seq limit 1
    ) is null as "isAtEnd"
    from (select) one
    left join lateral (
      select c.epoch, c.xid, c.seq from activity_cursors c
      where c.tenant_id = ${tenantId} and c.environment_id = ${environmentId} order by c.build limit 1
    ) c on true`)
  return row?.isAtEnd === true
}

const timeOf = ({ sinceMs, untilMs }: BarOfTime): CountedTime => {
  return { since: timestampOf(sinceMs), until: timestampOf(untilMs) }
}

const timestampOf = (ms: number): Timestamp => new Date(ms).toISOString().replace('Z', '000Z')

const none = (): EventCounts => Object.fromEntries(COUNTED_TYPES.map((type) => [type, 0])) as EventCounts
