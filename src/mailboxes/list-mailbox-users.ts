// Who has access to the mailboxes of a tenant.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface ListedMailboxUser {
  id: Uuid
  login: string
  name: string | null
  mailboxes: { mailboxId: Uuid; address: string; access: 'read' | 'write' }[]
  /** `active`: whoever has signed in, by whatever they have. */
  status: 'invited' | 'active'
  /** Whether links can be mailed to an address that they have confirmed. */
  hasRecoveryAddress: boolean
  createdAt: Timestamp
  lastSeenAt: Timestamp | null
}

/** By login; of one mailbox, or of all. @throws Problem not_allowed */
export function listMailboxUsers(db: Db, actor: TenantActor, mailboxId: Uuid | null): Promise<ListedMailboxUser[]> {
  assertMay(actor, 'readPeople')
  const { tenantId } = actor
  return db.rows(sql<ListedMailboxUser>`
    select u.id, u.login, u.name,
      (
        select json_agg(json_build_object('mailboxId', m.id, 'address', m.address, 'access', a.access) order by m.address)
        from mailbox_access a join mailboxes m on m.tenant_id = a.tenant_id and m.id = a.mailbox_id
        where a.tenant_id = u.tenant_id and a.mailbox_user_id = u.id
      ) as mailboxes,
      exists (
        select from recovery_addresses r
        where r.tenant_id = ${tenantId} and r.user_id = u.id and r.verified_at is not null
      ) as "hasRecoveryAddress",
      case when u.last_seen_at is null then 'invited' else 'active' end as status,
      u.created_at as "createdAt", u.last_seen_at as "lastSeenAt"
    from users u
    where u.tenant_id = ${tenantId} and u.kind = 'mailbox_user' and exists (
      select from mailbox_access a where a.tenant_id = u.tenant_id and a.mailbox_user_id = u.id
        and (${mailboxId}::uuid is null or a.mailbox_id = ${mailboxId}))
    order by u.login`)
}
