// Addresses that mail came back from for good or that complained, and those that are stopped, newest first, page by page. Each
// page is read from one index, however many there are.
import type { TenantActor } from '../access/actor.ts'
import { DIRECTORY } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField, problem } from '../access/problem.ts'
import { parseInstant } from '../lib/instant.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { decodePlaceInTime, END_OF_TIME, encodePlaceInTime } from './place-in-time.ts'
import { suppressionKey } from './suppressed.ts'
import type { SuppressionReason } from './tenant-stops.ts'

export const ADDRESS_STATES = ['bounced', 'complained', 'stopped'] as const

export interface BouncedQuery {
  limit: number
  cursor?: string | undefined
  /** Those that bounced, complained or are stopped; without it those that bounced or complained. */
  status?: (typeof ADDRESS_STATES)[number] | undefined
  /** The address, in any spelling. */
  recipient?: string | undefined
  /** ISO 8601: what last bounced or complained, or was stopped, from this instant on; before that one. */
  since?: string | undefined
  until?: string | undefined
}

export interface BouncedAddress {
  address: string
  bounces: number
  complaints: number
  /** Of bounces and complaints; null where there was none. */
  firstAt: Timestamp | null
  lastAt: Timestamp | null
  last: {
    kind: 'bounced' | 'complained'
    messageId: Uuid
    smtpCode: number | null
    enhancedCode: string | null
    diagnostic: string | null
  } | null
  /** Null while mail goes to it. */
  stopped: {
    id: Uuid
    at: Timestamp
    reason: SuppressionReason
    /** A person's name is what they call themselves, or else their address; null when there is no such person any more. */
    by: { kind: 'person' | 'operator'; name: string | null } | null
    messageId: Uuid | null
    note: string | null
  } | null
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
  const rows = await walk(db, actor, {
    along: status ?? 'all',
    address: recipient === undefined ? null : suppressionKey(recipient),
    before,
    since: microsOf('since', since) ?? 0,
    until: microsOf('until', until) ?? END_OF_TIME.micros,
    most: limit + 1,
  })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(shownAddress), nextCursor: last ? encodePlaceInTime(last.placeAt, last.placeId) : null }
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
  before: { micros: number; id: Uuid }
  /** Microseconds since 1970. */
  since: number
  until: number
  most: number
}

interface Row {
  placeAt: Timestamp
  placeId: Uuid
  address: string
  bounces: number | null
  complaints: number | null
  firstAt: Timestamp | null
  lastAt: Timestamp | null
  lastKind: 'bounced' | 'complained' | null
  lastMessageId: Uuid | null
  smtpCode: number | null
  enhancedCode: string | null
  diagnostic: string | null
  stopId: Uuid | null
  stoppedAt: Timestamp | null
  reason: SuppressionReason | null
  byKind: 'person' | 'operator' | null
  byName: string | null
  stoppedFor: Uuid | null
  note: string | null
}

/** One of the walks is made, along an index of its own; an address is looked up whichever list it is in. */
function walk(db: Db, { tenantId, environmentId }: TenantActor, wanted: Walk): Promise<Row[]> {
  const { along, address, before, since, until, most } = wanted
  return db.rows(sql<Row>`
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
          and a.last_at >= (select since from bounds) and a.last_at < (select until from bounds)
        order by a.last_at desc, a.id desc limit ${most}
      )
      union all
      (
        select a.address, a.last_at, a.id from bounced_addresses a
        where ${along}::text = 'bounced' and ${address}::text is null and a.bounces > 0 and a.tenant_id = ${tenantId}
          and a.environment_id = ${environmentId} and (a.last_at, a.id) < (select before_at, before_id from bounds)
          and a.last_at >= (select since from bounds) and a.last_at < (select until from bounds)
        order by a.last_at desc, a.id desc limit ${most}
      )
      union all
      (
        select a.address, a.last_at, a.id from bounced_addresses a
        where ${along}::text = 'complained' and ${address}::text is null and a.complaints > 0 and a.tenant_id = ${tenantId}
          and a.environment_id = ${environmentId} and (a.last_at, a.id) < (select before_at, before_id from bounds)
          and a.last_at >= (select since from bounds) and a.last_at < (select until from bounds)
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

function shownAddress(row: Row): BouncedAddress {
  const { address, bounces, complaints, firstAt, lastAt, lastKind, lastMessageId, smtpCode, enhancedCode, diagnostic } =
    row
  const { stopId, stoppedAt, reason, byKind, byName, stoppedFor, note } = row
  return {
    ...{ address, bounces: bounces ?? 0, complaints: complaints ?? 0, firstAt, lastAt },
    last:
      lastKind && lastMessageId
        ? { kind: lastKind, messageId: lastMessageId, smtpCode, enhancedCode, diagnostic }
        : null,
    stopped:
      stopId && stoppedAt && reason
        ? {
            id: stopId,
            at: stoppedAt,
            reason,
            by: byKind && { kind: byKind, name: byName },
            messageId: stoppedFor,
            note,
          }
        : null,
  }
}
