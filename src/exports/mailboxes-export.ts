// Mailboxes as a file, by address, each with how much it has.
import type { TenantActor } from '../access/actor.ts'
import { mailboxFigures } from '../activity/mailbox-figures.ts'
import type { Db } from '../lib/sql.ts'
import { type MailboxesQuery, pageMailboxes } from '../mailboxes/page-mailboxes.ts'
import { listExport } from './list-export.ts'

export const mailboxesExport = listExport<
  Omit<MailboxesQuery, 'limit' | 'cursor'>,
  'id' | 'address' | 'displayName' | 'status' | 'users' | 'unread' | 'storedBytes' | 'createdAt'
>({
  name: 'mailboxes',
  operation: 'exportMailboxes',
  resourceType: 'mailbox',
  columns: ['id', 'address', 'displayName', 'status', 'users', 'unread', 'storedBytes', 'createdAt'],
  read,
})

async function read(db: Db, actor: TenantActor, query: MailboxesQuery) {
  const { items, nextCursor } = await pageMailboxes(db, actor, query)
  const figures = await mailboxFigures(
    db,
    actor,
    items.map(({ id }) => id),
  )
  const none = { unread: 0, storedBytes: 0 }
  return { items: items.map((item) => ({ ...item, ...(figures.get(item.id) ?? none) })), nextCursor }
}
