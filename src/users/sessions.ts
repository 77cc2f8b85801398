// Sessions of the console and the webmail: a pair of id and secret in a cookie, of which the database keeps the hash. Made
// anew whenever what it stands for grows, so that a pair that somebody else put there is worth nothing.
import { randomUUID } from 'node:crypto'
import type { RequestOrigin } from '../access/request-origin.ts'
import { type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { isTokenOf, makeToken } from './token.ts'
import type { UserKind, UserRef } from './user.ts'

/** How long a session lives, in seconds: unused, and at most. */
const LIFETIMES: Record<UserKind, { idle: number; longest: number }> = {
  person: { idle: 3_600, longest: 86_400 },
  mailbox_user: { idle: 7 * 86_400, longest: 30 * 86_400 },
}
/** How long the oldest session lives, in seconds. */
export function longestSeconds(kind: UserKind): number {
  return LIFETIMES[kind].longest
}

/** One that still asks for a second factor. */
const HALF_LIFETIME_S = 600
/** What makes or shows a secret wants factors that were proven no longer ago. */
const FRESH_S = 600
/** `last_used_at` is written no more often. */
const USE_WRITTEN_EVERY_S = 60

/** More than anybody has open: whoever signs in once more ends the one that was used least lately. */
const MOST_OF_USER = 100

/** What a browser keeps: `<id>.<secret>`. */
export interface NewSession {
  id: Uuid
  cookie: string
}

/** What a session is made of besides its user. */
export interface SessionFacts {
  whole: boolean
  /** Of a person: whose data is looked at first; undefined while that is not known. */
  inTenantId?: Uuid | undefined
}

/** What single sign-on adds. */
export interface VouchedFor {
  /** The tenant whose provider vouches for the user: the session reaches no other. */
  tenantId: Uuid
  /** How long ago the user signed in there. */
  provenSecondsAgo: number
}

export async function startSession(
  tx: Tx,
  user: UserRef,
  facts: SessionFacts,
  origin: Pick<RequestOrigin, 'clientAddress' | 'userAgent'>,
  vouched?: VouchedFor,
): Promise<NewSession> {
  const id = randomUUID()
  const secret = makeToken()
  await tx.rows(sql`
    insert into sessions (tenant_id, user_id, id, secret_hash, whole, in_tenant_id, role, client_address, user_agent,
      only_tenant_id, proven_at)
    values (${user.tenantId}, ${user.userId}, ${id}, ${secret.hash}, ${facts.whole}, ${facts.inTenantId ?? null},
      (
        select m.role from memberships m join tenants t on t.id = m.tenant_id
        where m.person_id = ${user.userId} and m.joined_at is not null and t.status = 'active'
        order by m.tenant_id = ${facts.inTenantId ?? null} desc nulls last, m.joined_at, m.tenant_id limit 1
      ), ${origin.clientAddress}, ${origin.userAgent},
      ${vouched?.tenantId ?? null}, clock_timestamp() - make_interval(secs => ${vouched?.provenSecondsAgo ?? 0}))`)
  // Those that still ask for a second factor by themselves: whoever knows no more than the password ends nobody's session.
  await tx.rows(sql`
    delete from sessions where tenant_id = ${user.tenantId} and user_id = ${user.userId} and id in (
      select s.id from sessions s
      where s.tenant_id = ${user.tenantId} and s.user_id = ${user.userId} and s.whole = ${facts.whole}
      order by s.last_used_at desc, s.id offset ${MOST_OF_USER})`)
  return { id, cookie: `${id}.${secret.text}` }
}

export interface FoundSession extends UserRef {
  sessionId: Uuid
  login: string
  name: string | null
  whole: boolean
  /** All factors were proven within the last ten minutes. */
  fresh: boolean
  /** Of a person: the tenant that is looked at, and the role there now; null when there is none any more. */
  inTenantId: Uuid | null
  role: 'owner' | 'admin' | null
  /** Of a session that a tenant's single sign-on opened: the only tenant that it reaches. */
  onlyTenantId: Uuid | null
  /** The role when the pair was made. */
  roleOfPair: string | null
  /**
   * The tenant requires a second factor, and the person has none: there is nothing to do there but to add one. Never for
   * whom the tenant's own provider vouches: which factors it wants is its affair.
   */
  mustAddFactor: boolean
}

const COOKIE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/

/**
 * Whose session a cookie is, looked up each time: whatever ended it counts at once. Undefined when it is no good: unknown,
 * ended, too old, of another kind, or of a user whose tenant is suspended. `isUse`: whether it counts as a use of the
 * session, which would end without one.
 */
export async function findSession(
  db: Db,
  kind: UserKind,
  cookie: string,
  { isUse = true }: { isUse?: boolean } = {},
): Promise<FoundSession | undefined> {
  const [, id, secret] = COOKIE.exec(cookie) ?? []
  if (id === undefined || secret === undefined) return undefined
  const [row] = await readSessions(db, kind, [id])
  if (!row || !isTokenOf(secret, row.secretHash)) return undefined
  if (isUse && row.stale) await recordUse(db, row.tenantId, row.userId, id)
  return foundSession(row, kind)
}

/** The sessions of these ids that are still good, as `findSession` says. No use of them. */
export async function standingSessions(db: Db, kind: UserKind, ids: readonly Uuid[]): Promise<FoundSession[]> {
  const rows = await readSessions(db, kind, ids)
  return rows.map((row) => foundSession(row, kind))
}

type SessionRow = Omit<FoundSession, 'kind'> & { secretHash: Buffer; stale: boolean }

function foundSession({ secretHash: _hash, stale: _stale, ...session }: SessionRow, kind: UserKind): FoundSession {
  return { ...session, kind }
}

function readSessions(db: Db, kind: UserKind, ids: readonly Uuid[]): Promise<SessionRow[]> {
  const { idle, longest } = LIFETIMES[kind]
  return db.rows(sql<SessionRow>`
    select u.tenant_id as "tenantId", u.id as "userId", s.id as "sessionId", u.login, u.name, s.whole,
      s.secret_hash as "secretHash", s.whole and s.proven_at > clock_timestamp() - make_interval(secs => ${FRESH_S}) as fresh,
      m.tenant_id as "inTenantId", m.role, s.only_tenant_id as "onlyTenantId", s.role as "roleOfPair",
      s.only_tenant_id is null and coalesce(m.requires_second_factor, false)
        and not exists (select from totp_keys t
          where t.tenant_id = u.tenant_id and t.user_id = u.id and t.confirmed_at is not null)
        and not exists (select from passkeys k where k.tenant_id = u.tenant_id and k.user_id = u.id) as "mustAddFactor",
      s.last_used_at < clock_timestamp() - make_interval(secs => ${USE_WRITTEN_EVERY_S}) as stale
    from sessions s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    left join lateral (
      select m.tenant_id, m.role, r.requires_second_factor
      from memberships m join tenants t on t.id = m.tenant_id
      left join tenant_sign_in r on r.tenant_id = m.tenant_id
      where u.kind = 'person' and m.person_id = u.id and m.joined_at is not null and t.status = 'active'
        and (s.only_tenant_id is null or m.tenant_id = s.only_tenant_id)
      order by m.tenant_id = s.in_tenant_id desc nulls last, m.joined_at, m.tenant_id limit 1
    ) m on true
    where s.id = any (${ids}::uuid[]) and u.kind = ${kind}
      and s.created_at > clock_timestamp() - make_interval(secs => case when s.whole then ${longest}::integer else ${HALF_LIFETIME_S}::integer end)
      and s.last_used_at > clock_timestamp() - make_interval(secs => ${idle})
      and case when u.kind = 'person' then m.tenant_id is not null
        else exists (select from tenants t where t.id = u.tenant_id and t.status = 'active') end`)
}

/** In two statements, each for itself: whoever ends the session has locked the user first. */
async function recordUse(db: Db, tenantId: Uuid, userId: Uuid, id: Uuid): Promise<void> {
  await db.rows(sql`
    update sessions set last_used_at = clock_timestamp()
    where tenant_id = ${tenantId} and user_id = ${userId} and id = ${id}`)
  await db.rows(sql`
    update users set last_seen_at = clock_timestamp() where tenant_id = ${tenantId} and id = ${userId}`)
}

/**
 * Gives a session a new pair, and the old one is no good from then on. `proven`: all factors were just proven. Undefined
 * when it has ended meanwhile, or another request has given it a new pair.
 */
export async function renewSession(
  tx: Tx,
  session: Pick<FoundSession, 'tenantId' | 'userId' | 'sessionId'>,
  facts: SessionFacts & { proven: boolean },
): Promise<NewSession | undefined> {
  const id = randomUUID()
  const secret = makeToken()
  const renewed = await tx.first(sql<{ id: Uuid }>`
    update sessions set id = ${id}, secret_hash = ${secret.hash}, whole = ${facts.whole},
      in_tenant_id = ${facts.inTenantId ?? null}, role = (
        select m.role from memberships m join tenants t on t.id = m.tenant_id
        where m.person_id = sessions.user_id and m.joined_at is not null and t.status = 'active'
        order by m.tenant_id = ${facts.inTenantId ?? null} desc nulls last, m.joined_at, m.tenant_id limit 1
      ), last_used_at = clock_timestamp(),
      proven_at = case when ${facts.proven}::boolean then clock_timestamp() else proven_at end,
      created_at = case when ${facts.whole}::boolean and not whole then clock_timestamp() else created_at end
    where tenant_id = ${session.tenantId} and user_id = ${session.userId} and id = ${session.sessionId}
    returning id`)
  return renewed && { id, cookie: `${id}.${secret.text}` }
}

export interface ListedSession {
  id: Uuid
  clientAddress: string
  userAgent: string | null
  createdAt: Timestamp
  lastUsedAt: Timestamp
}

/** Those that are still good by their age, the latest used first. `onlyTenantId`: as `endSessions`. */
export function listSessions(db: Db, user: UserRef, onlyTenantId: Uuid | null = null): Promise<ListedSession[]> {
  const { idle, longest } = LIFETIMES[user.kind]
  return db.rows(sql<ListedSession>`
    select id, client_address as "clientAddress", user_agent as "userAgent", created_at as "createdAt",
      last_used_at as "lastUsedAt"
    from sessions
    where tenant_id = ${user.tenantId} and user_id = ${user.userId} and whole
      and (${onlyTenantId}::uuid is null or only_tenant_id = ${onlyTenantId})
      and created_at > clock_timestamp() - make_interval(secs => ${longest})
      and last_used_at > clock_timestamp() - make_interval(secs => ${idle})
    order by last_used_at desc, id limit ${MOST_OF_USER}`)
}

/**
 * Ends one session of a user, or all but one, or all; `onlyTenantId`: of those that this tenant's single sign-on opened.
 * Gives how many ended.
 */
export async function endSessions(
  tx: Tx,
  user: UserRef,
  which: { id: Uuid } | { but: Uuid } | 'all',
  onlyTenantId: Uuid | null = null,
): Promise<number> {
  const only = typeof which === 'object' && 'id' in which ? which.id : null
  const but = typeof which === 'object' && 'but' in which ? which.but : null
  const rows = await tx.rows(sql<{ id: Uuid }>`
    delete from sessions where tenant_id = ${user.tenantId} and user_id = ${user.userId}
      and (${only}::uuid is null or id = ${only}) and (${but}::uuid is null or id <> ${but})
      and (${onlyTenantId}::uuid is null or only_tenant_id = ${onlyTenantId})
    returning id`)
  return rows.length
}

/** Ends the sessions that a tenant's single sign-on has opened. */
export async function endVouchedSessions(tx: Tx, tenantId: Uuid, whose: 'of all' | { personId: Uuid }): Promise<void> {
  const personId = whose === 'of all' ? null : whose.personId
  await tx.rows(sql`
    delete from sessions where only_tenant_id = ${tenantId} and (${personId}::uuid is null or user_id = ${personId})`)
}

/** Removes sessions past their longest age. Gives how many went. */
export async function sweepSessions(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from sessions where id = any (array(
      select id from sessions
      where created_at < statement_timestamp() - make_interval(secs => ${LIFETIMES.mailbox_user.longest})
      order by created_at limit ${limit} for update skip locked))
    returning id`)
  return rows.length
}
