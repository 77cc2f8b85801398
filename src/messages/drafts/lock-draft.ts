// Locks a draft of a user, whoever else saves, sends or takes it back at this moment.
import type { MailboxUser } from '../../access/actor.ts'
import { problem } from '../../access/problem.ts'
import { sql, type Timestamp, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { mailboxesWithDrafts } from './writable-mailbox.ts'

export interface LockedDraft {
  id: Uuid
  mailboxId: Uuid
  messageId: Uuid
  version: number
  contentSha256: Buffer
  answers: Uuid | null
  dueAt: Timestamp | null
  isScheduled: boolean | null
  savedAt: Timestamp
  savedBy: string
}

/** `absent`: it is in a mailbox that is not the user's; undefined: there is none. */
export async function lockDraft(tx: Tx, actor: MailboxUser, id: Uuid): Promise<LockedDraft | 'absent' | undefined> {
  const row = await tx.first(sql<LockedDraft>`
    select id, mailbox_id as "mailboxId", message_id as "messageId", version, content_sha256 as "contentSha256", answers,
      due_at as "dueAt", is_scheduled as "isScheduled", saved_at as "savedAt", saved_by as "savedBy"
    from drafts where tenant_id = ${actor.tenantId} and id = ${id} for update`)
  return row && (mailboxesWithDrafts(actor).includes(row.mailboxId) ? row : 'absent')
}

/** Somebody else has saved it, in another tab or at another place. */
export function draftChanged({ version, savedAt, savedBy }: LockedDraft) {
  return problem('draft_changed', { details: { version, savedAt, savedBy } })
}
