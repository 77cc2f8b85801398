// A page of what lies in a folder of one of the user's mailboxes.
import type { MailboxUser } from '../../access/actor.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed, IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { listFolder } from '../../messages/list-folder.ts'
import { dataFor } from '../sessions/data.ts'
import { FolderName, FolderPage } from './schemas.ts'

const ON_A_PAGE = 50

export default dataFor<MailboxUser>()(
  {
    method: 'GET',
    path: '/data/mailboxes/:mailboxId/messages',
    params: IdParams('mailboxId'),
    query: Closed({ folder: FolderName, cursor: Type.Optional(Type.String()) }),
    answer: FolderPage,
  },
  ({ database }: { database: Database }) =>
    async ({ actor, params: { mailboxId }, query: { folder, cursor } }) => {
      const page = await listFolder(database, actor, { mailboxId, folder, cursor, limit: ON_A_PAGE })
      return {
        items: page.items.map(({ id, from, to, subject, preview, createdAt, mailboxes }) => {
          const isRead = mailboxes.find((entry) => entry.mailboxId === mailboxId)?.isRead ?? true
          return { id, from, to, subject, preview, at: createdAt, isRead }
        }),
        nextCursor: page.nextCursor,
      }
    },
)
