// Which mailboxes each of some users has at this moment.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { UserRef } from '../users/user.ts'

/** By the user's id; nothing for one who has none. */
export async function mailboxesOfUsers(
  db: Db,
  users: readonly Pick<UserRef, 'tenantId' | 'userId'>[],
): Promise<Map<Uuid, Set<Uuid>>> {
  const rows = await db.rows(sql<{ userId: Uuid; mailboxId: Uuid }>`
    select a.mailbox_user_id as "userId", a.mailbox_id as "mailboxId"
    from unnest(${users.map((user) => user.tenantId)}::uuid[], ${users.map((user) => user.userId)}::uuid[])
      as u (tenant_id, user_id)
    join mailbox_access a on a.tenant_id = u.tenant_id and a.mailbox_user_id = u.user_id`)
  const mailboxes = new Map<Uuid, Set<Uuid>>()
  for (const { userId, mailboxId } of rows) mailboxes.set(userId, (mailboxes.get(userId) ?? new Set()).add(mailboxId))
  return mailboxes
}
