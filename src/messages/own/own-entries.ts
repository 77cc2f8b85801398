// Where a message lies among the mailboxes of a user. What lies in none of them is absent.
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent } from '../../access/problem.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { MessageSummary } from '../schemas.ts'

export type OwnEntry = MessageSummary['mailboxes'][number]

/** One at least, by the ids of the mailboxes. @throws Problem not_found */
export async function ownEntries(db: Db, actor: MailboxUser, messageId: Uuid): Promise<OwnEntry[]> {
  assertMay(actor, 'readMessages')
  const { tenantId, environmentId } = actor
  const mailboxIds = [...actor.mailboxes.keys()]
  const entries = await db.rows(sql<OwnEntry>`
    select e.mailbox_id as "mailboxId", e.folder, e.is_read as "isRead", e.is_starred as "isStarred"
    from messages m
    cross join lateral (
      select m.mailbox_id, 'sent' as folder, true as is_read, false as is_starred where m.in_sent
      union all
      select a.mailbox_id, a.folder, a.is_read, a.is_starred from message_entries a
      where not m.in_sent and a.tenant_id = m.tenant_id and a.message_id = m.id
    ) e
    where m.tenant_id = ${tenantId} and m.environment_id = ${environmentId} and m.id = ${messageId} and m.gone is null
      and e.mailbox_id = any (${mailboxIds}::uuid[])
    order by e.mailbox_id`)
  if (entries.length === 0) throw absent('message')
  return entries
}
