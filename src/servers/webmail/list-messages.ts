// A page of the conversations of a folder, of one of the user's mailboxes or of all.
import type { MailboxUser } from '../../access/actor.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { listConversations } from '../../messages/conversations/list-conversations.ts'
import { dataFor } from '../sessions/data.ts'
import { ListPage } from './message-list-schemas.ts'
import { FolderName } from './schemas.ts'

const ON_A_PAGE = 50

export default dataFor<MailboxUser>()(
  {
    method: 'GET',
    path: '/data/messages',
    query: Closed({ folder: FolderName, mailbox: Type.Optional(Uuid), cursor: Type.Optional(Type.String()) }),
    answer: ListPage,
  },
  ({ database }: { database: Database }) =>
    ({ actor, query: { folder, mailbox, cursor } }) =>
      listConversations(database, actor, { folder, mailboxId: mailbox, cursor, limit: ON_A_PAGE }),
)
