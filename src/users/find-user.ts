// Finds who wants to sign in.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { UserKind, UserRef } from './user.ts'

export interface FoundUser extends UserRef {
  login: string
  /** PHC string; null when the user has none. */
  passwordHash: string | null
  hasTotp: boolean
  hasPasskey: boolean
}

/** Beside a password. */
export function needsSecondFactor({ hasTotp, hasPasskey }: FoundUser): boolean {
  return hasTotp || hasPasskey
}

/** As logins are kept and compared. */
export function normalizeLogin(login: string): string {
  return login.trim().toLowerCase()
}

/** Undefined when nobody has this login, or whoever has it may enter nowhere. */
export async function findUser(db: Db, kind: UserKind, login: string): Promise<FoundUser | undefined> {
  const row = await db.first(sql<Omit<FoundUser, 'kind'>>`
    select u.tenant_id as "tenantId", u.id as "userId", u.login, p.hash as "passwordHash",
      exists (select from totp_keys t where t.tenant_id = u.tenant_id and t.user_id = u.id and t.confirmed_at is not null)
        as "hasTotp",
      exists (select from passkeys k where k.tenant_id = u.tenant_id and k.user_id = u.id) as "hasPasskey"
    from users u
    left join passwords p on p.tenant_id = u.tenant_id and p.user_id = u.id
    where u.kind = ${kind} and u.login = ${login} and case when u.kind = 'person' then exists (
        select from memberships m join tenants t on t.id = m.tenant_id
        where m.person_id = u.id and m.joined_at is not null and t.status = 'active')
      else exists (select from tenants t where t.id = u.tenant_id and t.status = 'active') end`)
  return row && { ...row, kind }
}

/** Where what a user does about signing in is recorded: every tenant that the user belongs to. */
export async function tenantsOfUser(db: Db, user: UserRef): Promise<Uuid[]> {
  if (user.kind === 'mailbox_user') return [user.tenantId]
  const rows = await db.rows(sql<{ tenantId: Uuid }>`
    select tenant_id as "tenantId" from memberships where person_id = ${user.userId} and joined_at is not null
    order by tenant_id`)
  return rows.map(({ tenantId }) => tenantId)
}
