// Puts a message under legal hold.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { holdMessage } from '../../messages/hold-message.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'POST', path: '/data/messages/:messageId/hold', params: IdParams('messageId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params }) =>
      holdMessage(database, actor, params.messageId),
)
