// How many requests were made with each key of a tenant, on each day of UTC in the last week.
import type { Environment, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { KEY_USE_DAYS } from './record-key-use.ts'

/** Of the keys that are used most; the rest is counted together. */
const MOST_KEYS = 50

export interface RequestsByKey {
  /** `2026-11-23`, the oldest first, today last. */
  days: string[]
  /** Those with the most requests first; a number for each day. */
  keys: {
    id: Uuid
    name: string | null
    prefix: string
    app: { id: Uuid; name: string; environment: Environment }
    requests: number[]
  }[]
  /** With all other keys. */
  others: number[]
}

interface Row {
  id: Uuid | null
  name: string | null
  prefix: string | null
  appId: Uuid | null
  appName: string | null
  environment: Environment | null
  /** By day: `{"2026-11-23": 7}`. */
  requests: Record<string, number>
}

/** Of all its applications. @throws Problem not_allowed */
export async function countRequests(db: Db, actor: TenantActor): Promise<RequestsByKey> {
  assertMay(actor, 'readApplications')
  const [rows, days] = await Promise.all([readRequests(db, actor.tenantId), readDays(db)])
  const numbersOf = ({ requests }: Row) => days.map((day) => requests[day] ?? 0)
  const keys = rows.flatMap((row): RequestsByKey['keys'] => {
    const { id, name, prefix, appId, appName, environment } = row
    if (id === null || prefix === null || appId === null || appName === null || environment === null) return []
    return [{ id, name, prefix, app: { id: appId, name: appName, environment }, requests: numbersOf(row) }]
  })
  const rest = rows.find(({ id }) => id === null)
  return { days, keys, others: rest ? numbersOf(rest) : days.map(() => 0) }
}

async function readDays(db: Db): Promise<string[]> {
  const rows = await db.rows(sql<{ day: string }>`
    select to_char((statement_timestamp() at time zone 'UTC')::date - n, 'YYYY-MM-DD') as day
    from generate_series(${KEY_USE_DAYS - 1}::integer, 0, -1) n`)
  return rows.map(({ day }) => day)
}

function readRequests(db: Db, tenantId: Uuid): Promise<Row[]> {
  return db.rows(sql<Row>`
    with used as (
      select r.key_id, row_number() over (order by sum(r.requests) desc, r.key_id) as n
      from api_key_requests r where r.tenant_id = ${tenantId}
      group by r.key_id
    ),
    counted as (
      select case when u.n <= ${MOST_KEYS} then u.key_id end as key_id, r.day, sum(r.requests) as requests
      from used u join api_key_requests r on r.tenant_id = ${tenantId} and r.key_id = u.key_id
      group by 1, 2
    )
    select k.id, k.name, a.id as "appId", a.name as "appName", a.environment,
      case a.environment when 'production' then 'mdk_live_' else 'mdk_test_' end || left(k.public_id, 6) as prefix,
      json_object_agg(to_char(c.day, 'YYYY-MM-DD'), c.requests) as requests
    from counted c
    left join api_keys k on k.tenant_id = ${tenantId} and k.id = c.key_id
    left join apps a on a.tenant_id = k.tenant_id and a.id = k.app_id
    group by k.tenant_id, k.id, a.tenant_id, a.id
    order by sum(c.requests) desc, k.id`)
}
