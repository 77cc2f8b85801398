// Which mailboxes each of some users has at this moment, and what each may do there.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { UserRef } from '../users/user.ts'

/** By the user's id; nothing for one who has none. */
export async function mailboxesOfUsers(
  db: Db,
  users: readonly Pick<UserRef, 'tenantId' | 'userId'>[],
): Promise<Map<Uuid, Map<Uuid, 'read' | 'write'>>> {
  const rows = await db.rows(sql<{ userId: Uuid; mailboxId: Uuid; access: 'read' | 'write' }>`
    select a.mailbox_user_id as "userId", a.mailbox_id as "mailboxId", a.access
    from unnest(${users.map((user) => user.tenantId)}::uuid[], ${users.map((user) => user.userId)}::uuid[])
      as u (tenant_id, user_id)
    join mailbox_access a on a.tenant_id = u.tenant_id and a.mailbox_user_id = u.user_id`)
  const mailboxes = new Map<Uuid, Map<Uuid, 'read' | 'write'>>()
  for (const { userId, mailboxId, access } of rows) {
    mailboxes.set(userId, (mailboxes.get(userId) ?? new Map()).set(mailboxId, access))
  }
  return mailboxes
}
