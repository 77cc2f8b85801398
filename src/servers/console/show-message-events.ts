// The events of a message, and what was delivered of each.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { eventsOfMessage } from '../../webhooks/events-of-message.ts'
import { MessageEvents } from '../../webhooks/schemas.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'GET', path: '/data/messages/:messageId/events', params: IdParams('messageId'), answer: MessageEvents },
  ({ database }: { database: Database }) =>
    ({ actor, params }) =>
      eventsOfMessage(database, actor, params.messageId),
)
