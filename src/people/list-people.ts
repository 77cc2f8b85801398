// Who has a role in a tenant, and what they prove themselves by.
import { DIRECTORY, type TenantActor } from '../access/actor.ts'
import { assertMay, type PersonRole } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface ListedPerson {
  id: Uuid
  email: string
  name: string | null
  role: PersonRole
  status: 'invited' | 'active'
  factors: { password: boolean; totp: boolean; passkeys: number; recoveryCodes: number; singleSignOn: boolean }
  invitedAt: Timestamp
  joinedAt: Timestamp | null
  lastSeenAt: Timestamp | null
}

/** By address. @throws Problem not_allowed */
export async function listPeople(db: Db, actor: TenantActor): Promise<ListedPerson[]> {
  assertMay(actor, 'readPeople')
  const rows = await db.rows(sql<Omit<ListedPerson, 'factors'> & ListedPerson['factors']>`
    select u.id, u.login as email, u.name, m.role, case when m.joined_at is null then 'invited' else 'active' end as status,
      exists (select from passwords p where p.tenant_id = ${DIRECTORY} and p.user_id = u.id) as password,
      exists (select from totp_keys t where t.tenant_id = ${DIRECTORY} and t.user_id = u.id and t.confirmed_at is not null)
        as totp,
      (select count(*)::integer from passkeys k where k.tenant_id = ${DIRECTORY} and k.user_id = u.id) as passkeys,
      (select count(*)::integer from recovery_codes c where c.tenant_id = ${DIRECTORY} and c.user_id = u.id)
        as "recoveryCodes",
      exists (select from identities i where i.tenant_id = ${actor.tenantId} and i.person_id = m.person_id) as "singleSignOn",
      m.invited_at as "invitedAt", m.joined_at as "joinedAt", u.last_seen_at as "lastSeenAt"
    from memberships m
    join users u on u.tenant_id = ${DIRECTORY} and u.id = m.person_id
    where m.tenant_id = ${actor.tenantId}
    order by u.login`)
  return rows.map(({ password, totp, passkeys, recoveryCodes, singleSignOn, ...person }) => ({
    ...person,
    factors: { password, totp, passkeys, recoveryCodes, singleSignOn },
  }))
}
