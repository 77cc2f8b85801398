// What lies in a folder of a mailbox, as its user sees it, page by page, newest first.
import type { MailboxUser } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, problem } from '../access/problem.ts'
import type { Db } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { walkMessages } from './list-messages.ts'
import { decodePageCursor, NEWEST } from './page-cursor.ts'
import type { Folder, MessagePage } from './schemas.ts'

/** @throws Problem not_found for a mailbox that is not the user's, invalid_cursor */
export async function listFolder(
  db: Db,
  actor: MailboxUser,
  { mailboxId, folder, cursor, limit }: { mailboxId: Uuid; folder: Folder; cursor?: string | undefined; limit: number },
): Promise<MessagePage> {
  assertMay(actor, 'readMessages')
  if (!actor.mailboxes.has(mailboxId)) throw absent('mailbox')
  const behind = cursor === undefined ? NEWEST : decodePageCursor(cursor)
  if (!behind) throw problem('invalid_cursor')
  return walkMessages(db, actor, behind, limit, { mailboxId, folder })
}
