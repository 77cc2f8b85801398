// Deletes a message from all mailboxes.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { deleteMessage } from '../../messages/delete-message.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'DELETE', path: '/data/messages/:messageId', params: IdParams('messageId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params }) =>
      deleteMessage(database, actor, params.messageId),
)
