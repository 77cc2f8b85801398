// The user's mailboxes, with how many messages their folders have and how many of them are unread.
import type { MailboxUser } from '../../access/actor.ts'
import { countInFolders } from '../../activity/count-in-folders.ts'
import type { Database } from '../../lib/sql.ts'
import { listOwnMailboxes } from '../../mailboxes/list-own-mailboxes.ts'
import { FOLDERS } from '../../messages/schemas.ts'
import { dataFor } from '../sessions/data.ts'
import { Mailboxes } from './schemas.ts'

const EMPTY = { messages: 0, unread: 0 }

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/mailboxes', answer: Mailboxes },
  ({ database }: { database: Database }) =>
    async ({ actor }) => {
      const [mailboxes, counts] = await Promise.all([
        listOwnMailboxes(database, actor),
        countInFolders(database, actor),
      ])
      const foldersOf = (mailboxId: string) =>
        Object.fromEntries(FOLDERS.map((folder) => [folder, counts.get(mailboxId)?.get(folder) ?? EMPTY]))
      return { items: mailboxes.map((mailbox) => ({ ...mailbox, folders: foldersOf(mailbox.id) })) } as Mailboxes
    },
)
