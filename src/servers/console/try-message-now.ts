// Has a message that waits tried at once.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { tryMessageNow } from '../../messages/try-message-now.ts'
import { consoleData } from './console-data.ts'
import { TriedAtOnce } from './message-schemas.ts'

export default consoleData(
  { method: 'POST', path: '/data/messages/:messageId/try-now', params: IdParams('messageId'), answer: TriedAtOnce },
  ({ database }: { database: Database }) =>
    ({ actor, params }) =>
      tryMessageNow(database, actor, params.messageId),
)
