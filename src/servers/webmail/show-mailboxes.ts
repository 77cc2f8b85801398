// The user's mailboxes, and what is unread in their folders.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { listOwnMailboxes } from '../../mailboxes/list-own-mailboxes.ts'
import { countUnread } from '../../messages/count-unread.ts'
import { dataFor } from '../sessions/data.ts'
import { Mailboxes } from './schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/mailboxes', answer: Mailboxes },
  ({ database }: { database: Database }) =>
    async ({ actor }) => {
      const [mailboxes, unread] = await Promise.all([listOwnMailboxes(database, actor), countUnread(database, actor)])
      return { items: mailboxes.map((mailbox) => ({ ...mailbox, unread: unread.get(mailbox.id) })) } as Mailboxes
    },
)
