// Lets a mailbox user write in a mailbox, or read there alone.
import { Closed, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { setMailboxAccess } from '../../mailboxes/set-mailbox-access.ts'
import { consoleData } from './console-data.ts'
import { ChangeAccess } from './mailbox-schemas.ts'

export default consoleData(
  {
    method: 'PUT',
    path: '/data/mailboxes/:mailboxId/users/:mailboxUserId/access',
    params: Closed({ mailboxId: Uuid, mailboxUserId: Uuid }),
    body: ChangeAccess,
    answer: null,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { mailboxId, mailboxUserId: userId }, body: { access } }) =>
      setMailboxAccess(database, actor, { mailboxId, userId, access }),
)
