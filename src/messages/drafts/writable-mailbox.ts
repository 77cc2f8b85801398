// In which mailboxes a user has drafts: those that the user may write to. To whoever may only read, the drafts are absent.
import type { MailboxUser } from '../../access/actor.ts'
import { assertWrites } from '../../access/assert-writes.ts'
import type { Uuid } from '../../lib/uuid.ts'

export function mailboxesWithDrafts(actor: MailboxUser): Uuid[] {
  return [...actor.mailboxes].flatMap(([id, access]) => (access === 'write' ? [id] : []))
}

/** The one that is named, or all. @throws Problem not_found, or not_allowed for one that the user may only read */
export function chosenForDrafts(actor: MailboxUser, mailboxId: Uuid | undefined): Uuid[] {
  if (mailboxId === undefined) return mailboxesWithDrafts(actor)
  const id = mailboxId.toLowerCase()
  assertWrites(actor.mailboxes.get(id))
  return [id]
}
