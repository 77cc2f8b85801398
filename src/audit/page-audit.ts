// Pages of the audit log for whoever looks at it, newest first: who did what to which thing, by their names. Each page costs the
// same however long the log is: it walks back along the index that has the fewest records beside those that are looked for, and
// looks through so many at most. Sends, whose records stand on their events (ADR 32), are among them when they are asked for.
import { type Actor, DIRECTORY, type TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField, problem } from '../access/problem.ts'
import { parseInstant } from '../lib/instant.ts'
import { type Db, sql } from '../lib/sql.ts'
import { isUuid, type Uuid } from '../lib/uuid.ts'
import type { AuditRecord } from './list-audit.ts'

export interface AuditFilters {
  /** What kind of actor did it. */
  by?: Actor['kind']
  personId?: Uuid
  keyId?: Uuid
  operation?: string
  /** What it was done to. */
  resourceId?: Uuid
  /** ISO 8601. */
  since?: string
  until?: string
  /** Sends are among them: also where they are asked for by name, or with all that was done to one thing. */
  sends?: boolean
}

export interface NamedAuditRecord extends Omit<AuditRecord, 'tenantId'> {
  /** Of a person or mailbox user: the login as it was. */
  actorName: string | null
  appName: string | null
  keyName: string | null
  /** What the key begins with. */
  keyStart: string | null
  /** What the resource is called now; null for what has no name or is gone. */
  resourceName: string | null
  /** Of a key: whose it is. */
  resourceAppId: Uuid | null
  /** Where a message, an endpoint or a delivery is, as long as it is there; null for what has no environment. */
  resourceEnvironmentId: Uuid | null
  /** What it was asked about. */
  details: Record<string, unknown> | null
}

export interface AuditPage {
  /** Newest first. There may be fewer than asked for, or none, and yet a cursor. */
  items: NamedAuditRecord[]
  nextCursor: string | null
}

/** How many records one page looks through at most for those that its filter lets pass. */
const MOST_RECORDS_WALKED = 5_000

interface Row extends NamedAuditRecord {
  matches: boolean
  /** How many were looked at up to this one. */
  n: number
}

/** @throws Problem invalid_cursor, validation_error for what is no instant */
export async function pageAudit(
  db: Db,
  actor: TenantActor,
  { limit, cursor, ...filters }: AuditFilters & { limit: number; cursor?: string },
  mostWalked = MOST_RECORDS_WALKED,
): Promise<AuditPage> {
  assertMay(actor, 'readAudit')
  const since = microsOf('since', filters.since) ?? 0
  const until = microsOf('until', filters.until) ?? LATEST
  const before = cursor === undefined ? { micros: until, id: LEAST_ID } : placeOf(cursor)
  const rows = await walkBack(db, actor.tenantId, filters, { since, until, before, limit, most: mostWalked })
  const matching = rows.filter(({ matches }) => matches)
  const isFull = matching.length > limit
  const shown = matching.slice(0, limit)
  const last = isFull ? shown.at(-1) : rows.at(-1)
  const goesOn = isFull || last?.n === mostWalked
  return {
    items: shown.map(({ matches: _matches, n: _n, ...record }) => record),
    nextCursor: last && goesOn ? `${last.at}_${last.id}` : null,
  }
}

/** A place in the order of records: what lies behind it is older. */
interface Place {
  /** Microseconds since 1970. */
  micros: number
  id: Uuid
}

/** Beyond any instant that a record bears. */
const LATEST = Number.MAX_SAFE_INTEGER
const LEAST_ID = '00000000-0000-0000-0000-000000000000'

/** @throws Problem invalid_cursor */
function placeOf(cursor: string): Place {
  const [at = '', id = ''] = cursor.split('_')
  const micros = parseInstant(at)
  if (micros === undefined || !isUuid(id)) throw problem('invalid_cursor')
  return { micros, id }
}

/** @throws Problem validation_error */
function microsOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const micros = parseInstant(text)
  if (micros === undefined) throw invalidField(field, 'must be an ISO 8601 date or instant')
  return micros
}

/** The index along which a page walks. */
function walkFor({ resourceId, operation, by, personId }: AuditFilters): 'resource' | 'operation' | 'people' | 'all' {
  if (resourceId !== undefined) return 'resource'
  if (operation !== undefined) return 'operation'
  return personId !== undefined || (by !== undefined && by !== 'application') ? 'people' : 'all'
}

/** Whether sends may be among what is looked for. */
function wantsSends({ sends = false, by, personId, operation, resourceId }: AuditFilters): boolean {
  if (personId !== undefined || (by !== undefined && by !== 'application')) return false
  return operation === undefined ? sends || resourceId !== undefined : operation === 'sendMessage'
}

interface Walk {
  /** Microseconds since 1970. */
  since: number
  until: number
  before: Place
  limit: number
  most: number
}

/** What the filters let pass, one more than `limit`; and the last that was looked at, where the walk ended before. */
function walkBack(
  db: Db,
  tenantId: Uuid,
  filters: AuditFilters,
  { since, until, before, limit, most }: Walk,
): Promise<Row[]> {
  const { by = null, personId = null, keyId = null, operation = null, resourceId = null } = filters
  const along = walkFor(filters)
  const sends = wantsSends(filters) ? along : null
  return db.rows(sql<Row>`
    select p.id, p.at, p.by, p.app_id as "appId", p.key_id as "keyId", p.person_id as "personId",
      p.mailbox_user_id as "mailboxUserId", p.account, p.operation, p.resource_type as "resourceType",
      p.resource_id as "resourceId", p.client_address as "clientAddress", p.user_agent as "userAgent",
      p.request_id as "requestId", coalesce(p.actor_name, u.login) as "actorName", a.name as "appName",
      k.name as "keyName",
      case a.environment when 'production' then 'mdk_live_' else 'mdk_test_' end || left(k.public_id, 6) as "keyStart",
      case p.resource_type
        when 'key' then (
          select coalesce(r.name, left(r.public_id, 6)) from api_keys r
          where r.tenant_id = ${tenantId} and r.id = p.resource_id)
        when 'app' then (select r.name from apps r where r.tenant_id = ${tenantId} and r.id = p.resource_id)
        when 'domain' then (select r.domain from domains r where r.tenant_id = ${tenantId} and r.id = p.resource_id)
        when 'mailbox' then (select r.address from mailboxes r where r.tenant_id = ${tenantId} and r.id = p.resource_id)
        when 'webhook_endpoint' then (
          select r.url from webhook_endpoints r where r.tenant_id = ${tenantId} and r.id = p.resource_id)
        when 'person' then (
          select r.login from users r
          join memberships m on m.tenant_id = ${tenantId} and m.person_id = r.id
          where r.tenant_id = ${DIRECTORY} and r.id = p.resource_id)
        when 'mailbox_user' then (select r.login from users r where r.tenant_id = ${tenantId} and r.id = p.resource_id)
      end as "resourceName",
      case p.resource_type when 'key' then (
        select r.app_id from api_keys r where r.tenant_id = ${tenantId} and r.id = p.resource_id)
      end as "resourceAppId",
      case p.resource_type
        when 'message' then (
          select r.environment_id from messages r where r.tenant_id = ${tenantId} and r.id = p.resource_id and r.gone is null)
        when 'webhook_endpoint' then (
          select r.environment_id from webhook_endpoints r
          where r.tenant_id = ${tenantId} and r.id = p.resource_id and r.deleted_at is null)
        when 'webhook_delivery' then (
          select r.environment_id from webhook_deliveries r where r.tenant_id = ${tenantId} and r.id = p.resource_id)
      end as "resourceEnvironmentId",
      p.details, p.matches, p.n
    from (
      select w.id, w.at, w.app_id, w.key_id, w.person_id, w.mailbox_user_id, w.actor_name, w.account, w.operation,
        w.resource_type, w.resource_id, w.client_address, w.user_agent, w.request_id, w.details, b.by,
        row_number() over (order by w.at desc, w.id desc)::integer as n,
        b.by = coalesce(${by}, b.by) and (${personId}::uuid is null or w.person_id = ${personId})
          and (${keyId}::uuid is null or w.key_id = ${keyId}) and w.operation = coalesce(${operation}, w.operation)
          and w.at < to_timestamp(0) + ${until}::bigint * interval '1 microsecond' as matches
      from (
        (
          select l.id, l.at, l.app_id, l.key_id, l.person_id, l.mailbox_user_id, l.actor_name, l.account, l.operation,
            l.resource_type, l.resource_id, l.client_address, l.user_agent, l.request_id, l.details
          from audit_log l
          where ${along}::text = 'all' and l.tenant_id = ${tenantId}
            and (l.at, l.id) < (to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::uuid)
            and l.at >= to_timestamp(0) + ${since}::bigint * interval '1 microsecond'
          order by l.at desc, l.id desc limit ${most}
        )
        union all
        (
          select l.id, l.at, l.app_id, l.key_id, l.person_id, l.mailbox_user_id, l.actor_name, l.account, l.operation,
            l.resource_type, l.resource_id, l.client_address, l.user_agent, l.request_id, l.details
          from audit_log l
          where ${along}::text = 'operation' and l.tenant_id = ${tenantId} and l.operation = ${operation}
            and (l.at, l.id) < (to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::uuid)
            and l.at >= to_timestamp(0) + ${since}::bigint * interval '1 microsecond'
          order by l.at desc, l.id desc limit ${most}
        )
        union all
        (
          select l.id, l.at, l.app_id, l.key_id, l.person_id, l.mailbox_user_id, l.actor_name, l.account, l.operation,
            l.resource_type, l.resource_id, l.client_address, l.user_agent, l.request_id, l.details
          from audit_log l
          where ${along}::text = 'resource' and l.tenant_id = ${tenantId} and l.resource_id = ${resourceId}
            and (l.at, l.id) < (to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::uuid)
            and l.at >= to_timestamp(0) + ${since}::bigint * interval '1 microsecond'
          order by l.at desc, l.id desc limit ${most}
        )
        union all
        (
          select l.id, l.at, l.app_id, l.key_id, l.person_id, l.mailbox_user_id, l.actor_name, l.account, l.operation,
            l.resource_type, l.resource_id, l.client_address, l.user_agent, l.request_id, l.details
          from audit_log l
          where ${along}::text = 'people' and l.tenant_id = ${tenantId} and l.app_id is null
            and (l.at, l.id) < (to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::uuid)
            and l.at >= to_timestamp(0) + ${since}::bigint * interval '1 microsecond'
          order by l.at desc, l.id desc limit ${most}
        )
        union all
        (
          select e.id, e.occurred_at, e.app_id, e.key_id, null, null, null, null, 'sendMessage', e.resource_type, e.resource_id,
            e.client_address, e.user_agent, e.request_id::text, null
          from events e
          where ${sends}::text in ('all', 'operation') and e.tenant_id = ${tenantId} and e.key_id is not null
            and e.occurred_at <= to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond'
            and (e.occurred_at, e.id)
              < (to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::uuid)
            and e.occurred_at >= to_timestamp(0) + ${since}::bigint * interval '1 microsecond'
          order by e.occurred_at desc, e.id desc limit ${most}
        )
        union all
        (
          select e.id, e.occurred_at, e.app_id, e.key_id, null, null, null, null, 'sendMessage', e.resource_type, e.resource_id,
            e.client_address, e.user_agent, e.request_id::text, null
          from events e
          where ${sends}::text = 'resource' and e.tenant_id = ${tenantId} and e.resource_id = ${resourceId} and e.key_id is not null
            and e.occurred_at <= to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond'
            and (e.occurred_at, e.id)
              < (to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::uuid)
            and e.occurred_at >= to_timestamp(0) + ${since}::bigint * interval '1 microsecond'
          order by e.occurred_at desc, e.id desc limit ${most}
        )
        order by at desc, id desc limit ${most}
      ) w
      cross join lateral (
        select case when w.app_id is not null then 'application' when w.person_id is not null then 'person'
          when w.mailbox_user_id is not null then 'mailbox_user' else 'operator' end as by
      ) b
    ) p
    left join users u on u.tenant_id = any(${[tenantId, DIRECTORY]}::uuid[])
      and u.id = coalesce(p.person_id, p.mailbox_user_id)
    left join apps a on a.tenant_id = ${tenantId} and a.id = p.app_id
    left join api_keys k on k.tenant_id = ${tenantId} and k.id = p.key_id
    where p.matches or p.n = ${most}
    order by p.at desc, p.id desc limit ${limit + 1}`)
}
