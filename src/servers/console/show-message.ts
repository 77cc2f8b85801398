// A message with what became of it, and without what is in it.
import { absent } from '../../access/problem.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { readMessage } from '../../messages/read-message.ts'
import { messageTimeline } from '../../messages/timeline/message-timeline.ts'
import { consoleData } from './console-data.ts'
import { ShownMessage } from './message-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/messages/:messageId', params: IdParams('messageId'), answer: ShownMessage },
  ({ database }: { database: Database }) =>
    async ({ actor, params: { messageId } }) => {
      const [message, timeline] = await Promise.all([
        readMessage(database, actor, messageId),
        messageTimeline(database, actor, messageId),
      ])
      if (!message) throw absent('message')
      const {
        id,
        direction,
        status,
        from,
        to,
        cc,
        bcc = [],
        subject,
        createdAt,
        sizeBytes,
        mailboxes,
        recipients,
      } = message
      const head = { id, direction, status, from, to, cc, bcc, subject, createdAt, sizeBytes, mailboxes, recipients }
      return { ...head, messageId: message.messageId, timeline }
    },
)
