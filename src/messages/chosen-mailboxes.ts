// Which of a user's mailboxes are looked at.
import type { MailboxUser } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import type { Uuid } from '../lib/uuid.ts'

/** The one that is named, or all. @throws Problem not_found for a mailbox that is not the user's */
export function chosenMailboxes(actor: MailboxUser, mailboxId: Uuid | undefined): Uuid[] {
  if (mailboxId === undefined) return [...actor.mailboxes.keys()]
  const id = mailboxId.toLowerCase()
  if (!actor.mailboxes.has(id)) throw absent('mailbox')
  return [id]
}
