// Ends a draft without a message.
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent, problem } from '../../access/problem.ts'
import { type Database, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { releaseAttachments } from './hold-attachments.ts'
import { lockDraft } from './lock-draft.ts'

/**
 * Succeeds when it has ended already, in whatever way. A save that comes late does not bring it back.
 * @throws Problem not_found where it is not the user's, draft_due
 */
export async function discardDraft(database: Database, actor: MailboxUser, draftId: Uuid): Promise<void> {
  assertMay(actor, 'sendMessages')
  const id = draftId.toLowerCase()
  await database.transaction(async (tx) => {
    const draft = await lockDraft(tx, actor, id)
    if (draft === 'absent') throw absent('draft')
    if (!draft) return
    if (draft.dueAt !== null) throw problem('draft_due')
    await releaseAttachments(tx, actor, id)
    await tx.rows(sql`
      insert into ended_drafts (tenant_id, id, mailbox_id) values (${actor.tenantId}, ${id}, ${draft.mailboxId})`)
    await tx.rows(sql`delete from drafts where tenant_id = ${actor.tenantId} and id = ${id}`)
  })
}
