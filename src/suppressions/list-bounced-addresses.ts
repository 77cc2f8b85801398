// Addresses that mail came back from for good or that complained, and those that are stopped, newest first, page by page. Each
// page is read from one index, however many there are. Who bounced or complained within a time stands in a list of its own.
import type { TenantActor } from '../access/actor.ts'
import { DIRECTORY } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField, problem } from '../access/problem.ts'
import { parseInstant } from '../lib/instant.ts'
import { type Db, sql } from '../lib/sql.ts'
import { type AddressRow, type BouncedAddress, shownAddress } from './bounced-address.ts'
import { bouncedWithin } from './bounced-within.ts'
import { decodePlaceInTime, END_OF_TIME, encodePlaceInTime, type PlaceInTime, START_OF_TIME } from './place-in-time.ts'
import { suppressionKey } from './suppressed.ts'

export const ADDRESS_STATES = ['bounced', 'complained', 'stopped'] as const

export interface BouncedQuery {
  limit: number
  cursor?: string | undefined
  /** Those that bounced, complained or are stopped; without it those that bounced or complained. */
  status?: (typeof ADDRESS_STATES)[number] | undefined
  /** The address, in any spelling. */
  recipient?: string | undefined
  /** ISO 8601: what bounced or complained, or was stopped, from this instant on; before that one. */
  since?: string | undefined
  until?: string | undefined
}

export interface BouncedPage {
  items: BouncedAddress[]
  nextCursor: string | null
}

/** @throws Problem not_allowed, invalid_cursor, validation_error for what is no instant */
export async function listBouncedAddresses(
  db: Db,
  actor: TenantActor,
  { limit, cursor, status, recipient, since, until }: BouncedQuery,
): Promise<BouncedPage> {
  assertMay(actor, 'readSuppressions')
  const before = cursor === undefined ? END_OF_TIME : decodePlaceInTime(cursor)
  if (!before) throw problem('invalid_cursor')
  const wanted = {
    address: recipient === undefined ? null : suppressionKey(recipient),
    before,
    since: microsOf('since', since) ?? START_OF_TIME.micros,
    until: microsOf('until', until) ?? END_OF_TIME.micros,
    most: limit + 1,
  }
  const isWithin = (since !== undefined || until !== undefined) && status !== 'stopped'
  const { rows, end } = isWithin
    ? await bouncedWithin(db, actor, { ...wanted, kind: status ?? null })
    : { rows: await walk(db, actor, { ...wanted, along: status ?? 'all' }), end: undefined }
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const next = last ? { at: last.placeAt, id: last.placeId } : end
  return { items: shown.map(shownAddress), nextCursor: next ? encodePlaceInTime(next.at, next.id) : null }
}

function microsOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const micros = parseInstant(text)
  if (micros === undefined) throw invalidField(field, 'must be an ISO 8601 date or instant')
  return micros
}

interface Walk {
  along: (typeof ADDRESS_STATES)[number] | 'all'
  address: string | null
  before: PlaceInTime
  /** Microseconds since 1970; of those that are stopped. */
  since: number
  until: number
  most: number
}

/** One of the walks is made, along an index of its own; an address is looked up whichever list it is in. */
function walk(db: Db, { tenantId, environmentId }: TenantActor, wanted: Walk): Promise<AddressRow[]> {
  const { along, address, before, since, until, most } = wanted
  return db.rows(sql<AddressRow>`
    with bounds as materialized (
      select to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond' as before_at, ${before.id}::uuid as before_id,
        to_timestamp(0) + ${since}::bigint * interval '1 microsecond' as since,
        to_timestamp(0) + ${until}::bigint * interval '1 microsecond' as until
    )
    select p.at as "placeAt", p.id as "placeId", p.address, a.bounces, a.complaints, a.first_at as "firstAt",
      a.last_at as "lastAt", a.last_kind as "lastKind", a.last_message_id as "lastMessageId", a.smtp_code as "smtpCode",
      a.enhanced_code as "enhancedCode", a.diagnostic, s.id as "stopId", s.created_at as "stoppedAt", s.reason,
      case when s.made_by_person is not null then 'person' when s.made_by_account is not null then 'operator' end as "byKind",
      coalesce(u.name, u.login) as "byName", s.message_id as "stoppedFor", s.note
    from (
      (
        select a.address, a.last_at as at, a.id from bounced_addresses a
        where ${along}::text = 'all' and ${address}::text is null and a.tenant_id = ${tenantId}
          and a.environment_id = ${environmentId} and (a.last_at, a.id) < (select before_at, before_id from bounds)
        order by a.last_at desc, a.id desc limit ${most}
      )
      union all
      (
        select a.address, a.last_at, a.id from bounced_addresses a
        where ${along}::text = 'bounced' and ${address}::text is null and a.bounces > 0 and a.tenant_id = ${tenantId}
          and a.environment_id = ${environmentId} and (a.last_at, a.id) < (select before_at, before_id from bounds)
        order by a.last_at desc, a.id desc limit ${most}
      )
      union all
      (
        select a.address, a.last_at, a.id from bounced_addresses a
        where ${along}::text = 'complained' and ${address}::text is null and a.complaints > 0 and a.tenant_id = ${tenantId}
          and a.environment_id = ${environmentId} and (a.last_at, a.id) < (select before_at, before_id from bounds)
        order by a.last_at desc, a.id desc limit ${most}
      )
      union all
      (
        select s.address, s.created_at, s.id from suppressions s
        where ${along}::text = 'stopped' and ${address}::text is null and s.tenant_id = ${tenantId}
          and s.environment_id = ${environmentId} and (s.created_at, s.id) < (select before_at, before_id from bounds)
          and s.created_at >= (select since from bounds) and s.created_at < (select until from bounds)
        order by s.created_at desc, s.id desc limit ${most}
      )
      union all
      (
        select n.address, n.at, n.id
        from (
          select w.address, case when ${along}::text = 'stopped' then s.created_at else coalesce(a.last_at, s.created_at) end as at,
            coalesce(a.id, s.id) as id
          from (select ${address}::text as address) w
          left join bounced_addresses a on a.tenant_id = ${tenantId} and a.environment_id = ${environmentId}
            and a.address = w.address
          left join suppressions s on s.tenant_id = ${tenantId} and s.environment_id = ${environmentId}
            and s.address = w.address
          where case ${along}::text when 'bounced' then a.bounces > 0 when 'complained' then a.complaints > 0
            when 'stopped' then s.id is not null else coalesce(a.id, s.id) is not null end
        ) n, bounds b
        where ${address}::text is not null and (n.at, n.id) < (b.before_at, b.before_id) and n.at >= b.since and n.at < b.until
      )
    ) p
    left join bounced_addresses a on a.tenant_id = ${tenantId} and a.environment_id = ${environmentId} and a.address = p.address
    left join suppressions s on s.tenant_id = ${tenantId} and s.environment_id = ${environmentId} and s.address = p.address
    left join users u on u.tenant_id = ${DIRECTORY} and u.id = s.made_by_person
    order by p.at desc, p.id desc`)
}
