// In which of a user's mailboxes something may be filed, or ended.
import type { MailboxUser } from '../../access/actor.ts'
import { problem } from '../../access/problem.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { chosenMailboxes } from '../chosen-mailboxes.ts'

/**
 * Of one mailbox or of all that the user has, those that the user may write to; the others are passed over where there are any.
 * @throws Problem not_found for a mailbox that is not the user's; not_allowed when the user may only read
 */
export function writableMailboxes(actor: MailboxUser, mailboxId: Uuid | undefined): Uuid[] {
  const chosen = chosenMailboxes(actor, mailboxId)
  const writable = chosen.filter((id) => actor.mailboxes.get(id) === 'write')
  if (writable.length === 0 && chosen.length > 0) throw readOnly()
  return writable
}

export function readOnly() {
  return problem('not_allowed', { message: 'You may read this mailbox, and change nothing in it.' })
}
