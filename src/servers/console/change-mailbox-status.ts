// Suspends a mailbox, or ends that.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { setMailboxStatus } from '../../mailboxes/set-mailbox-status.ts'
import { consoleData } from './console-data.ts'
import { ChangeMailboxStatus } from './mailbox-schemas.ts'

export default consoleData(
  {
    method: 'PUT',
    path: '/data/mailboxes/:mailboxId/status',
    params: IdParams('mailboxId'),
    body: ChangeMailboxStatus,
    answer: null,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { mailboxId }, body: { status } }) =>
      setMailboxStatus(database, actor, mailboxId, status),
)
