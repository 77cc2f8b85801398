// Takes somebody's access to a mailbox away.
import { Closed, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { removeMailboxUser } from '../../mailboxes/remove-mailbox-user.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  {
    method: 'DELETE',
    path: '/data/mailboxes/:mailboxId/users/:mailboxUserId',
    params: Closed({ mailboxId: Uuid, mailboxUserId: Uuid }),
    answer: null,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { mailboxId, mailboxUserId: userId } }) =>
      removeMailboxUser(database, actor, { mailboxId, userId }),
)
