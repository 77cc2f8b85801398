// How many drafts each of a user's mailboxes has, and how many of them could not be sent.
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { mailboxesWithDrafts } from './writable-mailbox.ts'

/** By the mailbox's id; nothing for one that has none. */
export async function countDrafts(db: Db, actor: MailboxUser): Promise<Map<Uuid, { total: number; failed: number }>> {
  assertMay(actor, 'sendMessages')
  const rows = await db.rows(sql<{ mailboxId: Uuid; total: number; failed: number }>`
    select mailbox_id as "mailboxId", count(*) as total, count(failure_code) as failed from drafts
    where tenant_id = ${actor.tenantId} and mailbox_id = any (${mailboxesWithDrafts(actor)}::uuid[])
    group by mailbox_id`)
  return new Map(rows.map(({ mailboxId, ...counts }) => [mailboxId, counts]))
}
