// Ends the legal hold of a message.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { releaseMessage } from '../../messages/release-message.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'POST', path: '/data/messages/:messageId/release', params: IdParams('messageId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params }) =>
      releaseMessage(database, actor, params.messageId),
)
