// Gives the event log page by page. A header of each page says where to go on later.
import type { TUnsafe } from 'typebox'
import type { CursorCodec } from '../../events/cursor.ts'
import { listEvents } from '../../events/list-events.ts'
import { pageText } from '../../events/page-text.ts'
import { EventPage, EventsQuery } from '../../events/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { event } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'listEvents',
    method: 'GET',
    path: '/v1/events',
    auth: 'key',
    scope: 'messages:read',
    query: EventsQuery,
    // As the text that the log keeps.
    answers: { 200: EventPage as unknown as TUnsafe<string> },
    answerHeaders: ['Mdk-Resume-Cursor'],
    words: {
      tag: 'Events',
      summary: 'Read the event log',
      description:
        'Events, oldest first, in a fixed order: no event ever appears behind a cursor already given out. Store ' +
        'the cursor once the items before it are durably accepted. The last page has `nextCursor: null`; the ' +
        'header `Mdk-Resume-Cursor` says where to continue later. An ISO 8601 timestamp as cursor means from that ' +
        'instant on. With `type` or `resourceId` only the events that both allow are shown, and a page may be short or ' +
        'empty without being the last. A cursor is a place in the whole log, whatever filter it was given with.',
      errors: ['invalid_cursor'],
      examples: { answer: { items: [event], nextCursor: null } },
    },
  },
  (deps: { database: Db; cursors: CursorCodec }) =>
    async ({ actor, query }, reply) => {
      const { items, nextCursor, resumeCursor } = await listEvents(deps, actor, query)
      reply.header('mdk-resume-cursor', resumeCursor).type('application/json; charset=utf-8')
      return pageText(items, nextCursor)
    },
)
