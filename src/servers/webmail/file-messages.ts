// Files or flags messages, one or many.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { fileMessages } from '../../messages/filing/file-messages.ts'
import { dataFor } from '../sessions/data.ts'
import { Filed, FileMessages } from './filing-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'POST', path: '/data/actions', body: FileMessages, answer: Filed },
  ({ database }: { database: Database }) =>
    ({ actor, body: { action, ...selection } }) =>
      fileMessages(database, actor, action, selection),
)
