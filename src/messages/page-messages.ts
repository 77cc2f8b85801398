// A page of messages by what the page before gave as its cursor. Knows nothing of HTTP.
import type { TenantActor } from '../access/actor.ts'
import { notFoundField, problem } from '../access/problem.ts'
import type { Db } from '../lib/sql.ts'
import { isOwnMailbox, listMailboxMessages, listMessages } from './list-messages.ts'
import { decodePageCursor, NEWEST } from './page-cursor.ts'
import type { MessagePage, MessagesQuery } from './schemas.ts'

/** Of all mailboxes or of one. @throws Problem invalid_cursor, not_found when the mailbox is not the tenant's */
export async function pageMessages(
  db: Db,
  actor: TenantActor,
  { limit, cursor, mailboxId }: MessagesQuery,
): Promise<MessagePage> {
  const behind = cursor === undefined ? NEWEST : decodePageCursor(cursor)
  if (!behind) throw problem('invalid_cursor')
  if (mailboxId === undefined) return listMessages(db, actor, behind, limit)
  if (!(await isOwnMailbox(db, actor, mailboxId))) throw notFoundField('mailboxId')
  return listMailboxMessages(db, actor, mailboxId, behind, limit)
}
