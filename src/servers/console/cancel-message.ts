// Ends a message that waits.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { cancelMessage } from '../../messages/cancel-message.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'POST', path: '/data/messages/:messageId/cancel', params: IdParams('messageId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params }) =>
      cancelMessage(database, actor, params.messageId),
)
