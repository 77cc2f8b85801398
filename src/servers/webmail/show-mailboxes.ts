// The user's mailboxes, with how many messages their folders have and how many of them are unread, and how many drafts they have.
import type { MailboxUser } from '../../access/actor.ts'
import { countInFolders } from '../../activity/count-in-folders.ts'
import type { Database } from '../../lib/sql.ts'
import { listOwnMailboxes } from '../../mailboxes/list-own-mailboxes.ts'
import { countDrafts } from '../../messages/drafts/count-drafts.ts'
import { FOLDERS } from '../../messages/schemas.ts'
import { dataFor } from '../sessions/data.ts'
import { Mailboxes } from './schemas.ts'

const EMPTY = { messages: 0, unread: 0 }
const NO_DRAFTS = { total: 0, failed: 0 }

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/mailboxes', answer: Mailboxes },
  ({ database }: { database: Database }) =>
    async ({ actor }) => {
      const [mailboxes, counts, drafts] = await Promise.all([
        listOwnMailboxes(database, actor),
        countInFolders(database, actor),
        countDrafts(database, actor),
      ])
      const foldersOf = (mailboxId: string) =>
        Object.fromEntries(FOLDERS.map((folder) => [folder, counts.get(mailboxId)?.get(folder) ?? EMPTY]))
      const items = mailboxes.map((mailbox) => {
        return { ...mailbox, folders: foldersOf(mailbox.id), drafts: drafts.get(mailbox.id) ?? NO_DRAFTS }
      })
      return { items } as Mailboxes
    },
)
