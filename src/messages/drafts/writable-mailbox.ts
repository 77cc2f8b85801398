// In which mailboxes a user has drafts: those that the user may write to. To whoever may only read, they are absent.
import type { MailboxUser } from '../../access/actor.ts'
import { absent } from '../../access/problem.ts'
import type { Uuid } from '../../lib/uuid.ts'

export function mailboxesWithDrafts(actor: MailboxUser): Uuid[] {
  return [...actor.mailboxes].flatMap(([id, access]) => (access === 'write' ? [id] : []))
}

/** The one that is named, or all. @throws Problem not_found for one in which the user has no drafts */
export function chosenForDrafts(actor: MailboxUser, mailboxId: Uuid | undefined): Uuid[] {
  const all = mailboxesWithDrafts(actor)
  if (mailboxId === undefined) return all
  const id = mailboxId.toLowerCase()
  if (!all.includes(id)) throw absent('mailbox')
  return [id]
}
