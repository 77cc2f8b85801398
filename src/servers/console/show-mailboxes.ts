// The mailboxes of the tenant, each with how much it has.
import { mailboxFigures } from '../../activity/mailbox-figures.ts'
import type { Db } from '../../lib/sql.ts'
import { pageMailboxes } from '../../mailboxes/page-mailboxes.ts'
import { consoleData } from './console-data.ts'
import { MailboxFilters, MailboxPage } from './mailbox-schemas.ts'

const ON_A_PAGE = 50

export default consoleData(
  { method: 'GET', path: '/data/mailboxes', query: MailboxFilters, answer: MailboxPage },
  ({ database }: { database: Db }) =>
    async ({ actor, query }) => {
      const { items, nextCursor } = await pageMailboxes(database, actor, { ...query, limit: ON_A_PAGE })
      const figures = await mailboxFigures(
        database,
        actor,
        items.map(({ id }) => id),
      )
      return {
        items: items.map((mailbox) => ({ ...mailbox, ...(figures.get(mailbox.id) ?? { storedBytes: 0, unread: 0 }) })),
        nextCursor,
      }
    },
)
