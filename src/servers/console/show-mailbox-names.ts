// What a list may be narrowed to: all mailboxes of the tenant, by address.
import type { Db } from '../../lib/sql.ts'
import { listMailboxes } from '../../mailboxes/list-mailboxes.ts'
import { MailboxList } from '../../mailboxes/schemas.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'GET', path: '/data/mailbox-names', answer: MailboxList },
  ({ database }: { database: Db }) =>
    async ({ actor }) => ({ items: await listMailboxes(database, actor) }),
)
