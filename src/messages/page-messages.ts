// A page of messages by what the page before gave as its cursor, and by what its messages have in common. Knows nothing of
// HTTP. specification.md#pages-of-messages
import type { TenantActor } from '../access/actor.ts'
import { invalidField, notFoundField, problem } from '../access/problem.ts'
import { parseInstant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import { isOwnMailbox, listMessages, type MessageFilter } from './list-messages.ts'
import { decodePageCursor, NEWEST, type PagePlace } from './page-cursor.ts'
import type { MessagePage, MessagesQuery } from './schemas.ts'

/**
 * Of all mailboxes or of one. @throws Problem invalid_cursor, validation_error for what is no instant, not_found when the
 * mailbox is not the tenant's
 */
export async function pageMessages(
  db: Db,
  actor: TenantActor,
  { limit, cursor, since, until, ...filter }: MessagesQuery & Pick<MessageFilter, 'subject' | 'appId'>,
): Promise<MessagePage> {
  const behind = cursor === undefined ? NEWEST : decodePageCursor(cursor)
  if (!behind) throw problem('invalid_cursor')
  const sinceMicros = since === undefined ? 0 : microsOf('since', since)
  const untilMicros = until === undefined ? NEWEST.micros : microsOf('until', until)
  const { mailboxId } = filter
  if (mailboxId !== undefined && !(await isOwnMailbox(db, actor, mailboxId))) throw notFoundField('mailboxId')
  return listMessages(db, actor, older(behind, { micros: untilMicros, seq: 0 }), limit, { ...filter, sinceMicros })
}

/** @throws Problem validation_error */
function microsOf(field: string, text: string): number {
  const micros = parseInstant(text)
  if (micros === undefined) throw invalidField(field, 'must be an ISO 8601 date or instant')
  return micros
}

function older(one: PagePlace, other: PagePlace): PagePlace {
  return one.micros < other.micros ? one : other
}
