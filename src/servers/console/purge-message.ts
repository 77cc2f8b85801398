// Removes what is in a message, in all mailboxes.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { purgeMessage } from '../../messages/purge-message.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'POST', path: '/data/messages/:messageId/purge', params: IdParams('messageId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params }) =>
      purgeMessage(database, actor, params.messageId),
)
