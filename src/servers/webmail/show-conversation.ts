// A message with the others of its conversation, in the user's mailboxes or in one of them.
import type { MailboxUser } from '../../access/actor.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed, IdParams, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { readConversation } from '../../messages/conversations/read-conversation.ts'
import { dataFor } from '../sessions/data.ts'
import { ShownConversation } from './message-list-schemas.ts'

export default dataFor<MailboxUser>()(
  {
    method: 'GET',
    path: '/data/conversations/:messageId',
    params: IdParams('messageId'),
    query: Closed({ mailbox: Type.Optional(Uuid) }),
    answer: ShownConversation,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { messageId }, query: { mailbox } }) =>
      readConversation(database, actor, messageId, mailbox),
)
