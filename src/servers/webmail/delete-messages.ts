// Deletes messages for good, one or many.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { deleteForGood } from '../../messages/filing/delete-for-good.ts'
import { dataFor } from '../sessions/data.ts'
import { Deleted, DeleteMessages } from './filing-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'POST', path: '/data/delete', body: DeleteMessages, answer: Deleted },
  ({ database }: { database: Database }) =>
    ({ actor, body }) =>
      deleteForGood(database, actor, body),
)
