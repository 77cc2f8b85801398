// Links that are good once, and for a while: whoever has one enters as its user, or confirms an
// address. What is in the link is kept as a hash.
import { type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { hashToken, makeToken } from './token.ts'
import type { UserKind, UserRef } from './user.ts'

export type LinkPurpose = 'invitation' | 'reset' | 'sign_in' | 'recovery_address'

const GOOD_FOR_S: Record<LinkPurpose, number> = {
  invitation: 72 * 3_600,
  reset: 30 * 60,
  sign_in: 86_400,
  recovery_address: 86_400,
}

export interface NewLink {
  /** Goes into the link, after `/enter/`. */
  token: string
  expiresAt: Timestamp
}

/** Makes a link. Earlier ones of the same user, purpose and tenant are no good from then on. */
export async function makeLink(
  tx: Tx,
  user: UserRef,
  purpose: LinkPurpose,
  forTenantId: Uuid | null = null,
): Promise<NewLink> {
  const token = makeToken()
  await tx.rows(sql`
    delete from user_links where tenant_id = ${user.tenantId} and user_id = ${user.userId} and purpose = ${purpose}
      and for_tenant_id is not distinct from ${forTenantId}::uuid`)
  const [link] = await tx.rows(sql<{ expiresAt: Timestamp }>`
    insert into user_links (tenant_id, user_id, id, purpose, token_hash, for_tenant_id, expires_at)
    values (${user.tenantId}, ${user.userId}, ${newId()}, ${purpose}, ${token.hash}, ${forTenantId},
      clock_timestamp() + make_interval(secs => ${GOOD_FOR_S[purpose]}))
    returning expires_at as "expiresAt"`)
  return { token: token.text, expiresAt: (link as { expiresAt: Timestamp }).expiresAt }
}

export interface FoundLink extends UserRef {
  purpose: LinkPurpose
  forTenantId: Uuid | null
  login: string
  /**
   * Whether the user can sign in, or has a role already, which a new factor would lead to as well: then the link of an
   * invitation alone is not enough to enter.
   */
  isSomebody: boolean
  /** Whether the user can sign in by a password or a passkey, and not by some tenant's single sign-on alone. */
  hasOwnFactor: boolean
}

/** What a link leads to, without using it. Undefined when it is no good. */
export function findLink(db: Db, kind: UserKind, token: string): Promise<FoundLink | undefined> {
  return db.first(sql<FoundLink>`
    select u.kind, l.tenant_id as "tenantId", l.user_id as "userId", l.purpose, l.for_tenant_id as "forTenantId", u.login,
      f.own as "hasOwnFactor",
      f.own or exists (select from identities i where i.person_id = u.id)
        or exists (select from memberships m where m.person_id = u.id and m.joined_at is not null) as "isSomebody"
    from user_links l join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
    cross join lateral (
      select exists (select from passwords p where p.tenant_id = u.tenant_id and p.user_id = u.id)
        or exists (select from passkeys k where k.tenant_id = u.tenant_id and k.user_id = u.id) as own
    ) f
    where l.token_hash = ${hashToken(token)} and u.kind = ${kind} and l.expires_at > clock_timestamp()`)
}

/** Uses a link up: of those who try at the same time one. */
export async function useLink(tx: Tx, user: UserRef, token: string): Promise<boolean> {
  const used = await tx.first(sql<{ id: Uuid }>`
    delete from user_links where tenant_id = ${user.tenantId} and user_id = ${user.userId}
      and token_hash = ${hashToken(token)} and expires_at > clock_timestamp()
    returning id`)
  return used !== undefined
}

/** Makes a user's links worthless: all, or those of one purpose, or those that one tenant's Owner made. */
export async function dropLinks(
  tx: Tx,
  user: UserRef,
  which: 'all' | { forTenantId: Uuid } | { purpose: LinkPurpose },
): Promise<void> {
  const forTenantId = typeof which === 'object' && 'forTenantId' in which ? which.forTenantId : null
  const purpose = typeof which === 'object' && 'purpose' in which ? which.purpose : null
  await tx.rows(sql`
    delete from user_links where tenant_id = ${user.tenantId} and user_id = ${user.userId}
      and (${forTenantId}::uuid is null or for_tenant_id = ${forTenantId})
      and (${purpose}::text is null or purpose = ${purpose})`)
}

/** Makes those worthless that were mailed to a user's recovery address: nobody else made them. */
export async function dropOwnLinks(tx: Tx, user: UserRef): Promise<void> {
  await tx.rows(sql`
    delete from user_links where tenant_id = ${user.tenantId} and user_id = ${user.userId}
      and purpose in ('reset', 'recovery_address') and for_tenant_id is null`)
}

/** Gives how many went. */
export async function sweepLinks(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from user_links where token_hash = any (array(
      select token_hash from user_links where expires_at < statement_timestamp()
      order by expires_at limit ${limit} for update skip locked))
    returning id`)
  return rows.length
}
