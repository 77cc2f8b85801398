// How many messages each application of a tenant has sent, by days of a time zone. specification.md#counts-of-events
import { productionOf, type TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { isAtEnd, timesOfDays } from './count-events.ts'

export interface SentByApp {
  /** From `since` on to before `until`, the oldest first, today last. */
  days: { since: Timestamp; until: Timestamp }[]
  /** By name, those that sent something; a number for each day. */
  apps: { id: Uuid; name: string; environment: 'production' | 'sandbox'; sent: number[] }[]
  /** Of production, by nobody of these: mailbox users, and whoever is forgotten. */
  others: number[]
  /** False while events of production wait to be counted. */
  isCurrent: boolean
}

interface Row {
  /** Null for all of production. */
  id: Uuid | null
  name: string | null
  environment: 'production' | 'sandbox'
  /** Of the day, from 1 on. */
  n: number
  count: number
}

/** Of all its environments. @throws Problem not_allowed, validation_error for no such zone */
export async function countSentByApp(
  db: Db,
  actor: TenantActor,
  { days: count, timeZone }: { days: number; timeZone: string },
): Promise<SentByApp> {
  assertMay(actor, 'readEvents')
  const days = await timesOfDays(db, { days: count, timeZone })
  const [rows, isCurrent] = await Promise.all([
    readSent(db, actor.tenantId, days),
    isAtEnd(db, productionOf(actor.tenantId)),
  ])
  const numbersOf = (of: readonly Row[]) => days.map((_, i) => of.find(({ n }) => n === i + 1)?.count ?? 0)
  const apps = [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, own]) => {
    const { name, environment } = own[0] as Row
    return id === null || name === null ? [] : [{ id, name, environment, sent: numbersOf(own) }]
  })
  const inProduction = apps.filter(({ environment }) => environment === 'production')
  const all = numbersOf(rows.filter(({ id }) => id === null))
  const others = all.map((sum, day) => sum - inProduction.reduce((known, { sent }) => known + (sent[day] ?? 0), 0))
  return { days, apps, others, isCurrent }
}

function readSent(db: Db, tenantId: Uuid, days: SentByApp['days']): Promise<Row[]> {
  const begins = days.map(({ since }) => since)
  return db.rows(sql<Row>`
    select s.id, s.name, s.environment, width_bucket(a.at, ${begins}::timestamptz[]) as n, sum(a.count)::bigint as count
    from (
      select p.id, p.name, p.environment, case p.environment when 'production' then p.tenant_id else p.id end as environment_id,
        p.id as subject_id
      from apps p where p.tenant_id = ${tenantId}
      union all
      select null, null, 'production', ${tenantId}::uuid, ${tenantId}::uuid
    ) s
    cross join lateral (
      select min(c.build) as build from activity_cursors c
      where c.tenant_id = ${tenantId} and c.environment_id = s.environment_id
    ) b
    join activity_counts a on a.tenant_id = ${tenantId} and a.environment_id = s.environment_id and a.build = b.build
      and a.subject_id = s.subject_id and a.type = 'message.queued'
    where a.at >= ${begins[0]} and a.at < ${days.at(-1)?.until ?? null}
    group by 1, 2, 3, 4
    order by lower(s.name), s.id`)
}
