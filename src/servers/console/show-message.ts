// A message with what became of it, and without what is in it.
import { absent } from '../../access/problem.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { readMessageHead } from '../../messages/read-message-head.ts'
import { messageTimeline } from '../../messages/timeline/message-timeline.ts'
import { consoleData } from './console-data.ts'
import { ShownMessage } from './message-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/messages/:messageId', params: IdParams('messageId'), answer: ShownMessage },
  ({ database }: { database: Database }) =>
    async ({ actor, params: { messageId } }) => {
      const [head, timeline] = await Promise.all([
        readMessageHead(database, actor, messageId),
        messageTimeline(database, actor, messageId),
      ])
      if (!head) throw absent('message')
      return { ...head, timeline }
    },
)
