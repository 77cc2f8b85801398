// A message as a user of a mailbox reads it. Reading one's own mail leaves no record.
import type { MailboxUser } from '../../access/actor.ts'
import { absent } from '../../access/problem.ts'
import type { Db } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { findMessageDetail } from '../read-message.ts'
import type { MessageDetail } from '../schemas.ts'
import { type OwnEntry, ownEntries } from './own-entries.ts'

/** `mailboxes`: the user's alone, whoever else has got it. */
export type OwnMessage = Omit<MessageDetail, 'mailboxes'> & { mailboxes: OwnEntry[] }

/** @throws Problem not_found */
export async function readOwnMessage(db: Db, actor: MailboxUser, id: Uuid): Promise<OwnMessage> {
  const mailboxes = await ownEntries(db, actor, id)
  const detail = await findMessageDetail(db, actor, id)
  if (!detail) throw absent('message')
  return { ...detail, mailboxes }
}
