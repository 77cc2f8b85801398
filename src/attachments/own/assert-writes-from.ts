// From which mailboxes a mailbox user may send files.
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { type Problem, problem } from '../../access/problem.ts'
import type { Uuid } from '../../lib/uuid.ts'

/** `absent`: what there is to say where the mailbox is none of the user's. @throws Problem not_found, not_allowed */
export function assertWritesFrom(
  actor: MailboxUser,
  mailboxId: Uuid | undefined,
  absent: Problem = problem('not_found'),
): void {
  assertMay(actor, 'writeAttachments')
  const access = mailboxId === undefined ? undefined : actor.mailboxes.get(mailboxId)
  if (access === undefined) throw absent
  if (access === 'read') throw problem('not_allowed', { message: 'You may read this mailbox, and not write from it.' })
}
