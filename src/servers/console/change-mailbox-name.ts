// Changes the name that a mailbox shows.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { renameMailbox } from '../../mailboxes/rename-mailbox.ts'
import { consoleData } from './console-data.ts'
import { ChangeMailboxName } from './mailbox-schemas.ts'

export default consoleData(
  {
    method: 'PUT',
    path: '/data/mailboxes/:mailboxId/name',
    params: IdParams('mailboxId'),
    body: ChangeMailboxName,
    answer: null,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { mailboxId }, body: { name } }) =>
      renameMailbox(database, actor, mailboxId, name),
)
