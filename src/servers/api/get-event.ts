// Shows one event.
import { readEvent } from '../../events/read-event.ts'
import { EventAnswer } from '../../events/schemas.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { event } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'getEvent',
    method: 'GET',
    path: '/v1/events/:eventId',
    auth: 'key',
    scope: 'messages:read',
    params: IdParams('eventId'),
    answers: { 200: EventAnswer },
    words: {
      tag: 'Events',
      summary: 'Get an event',
      description: 'One event of the log, such as the one that a webhook delivery names.',
      extension: true,
      examples: { answer: { event } },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor, params: { eventId } }) => ({ event: await readEvent(database, actor, eventId) }),
)
