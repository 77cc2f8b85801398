import type { TUnsafe } from 'typebox'
import type { Application } from '../../access/actor.ts'
import { problem } from '../../access/problem.ts'
import { BEGINNING, type CursorCodec, type Position } from '../../events/cursor.ts'
import { noticeRewind } from '../../events/epoch.ts'
import { placeOfInstant, readFeed } from '../../events/feed.ts'
import { pageText } from '../../events/page-text.ts'
import { EventPage, EventsQuery } from '../../events/schemas.ts'
import { parseInstant } from '../../lib/instant.ts'
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
    answers: { 200: EventPage as unknown as TUnsafe<string> },
    answerHeaders: ['Mdk-Resume-Cursor'],
    words: {
      tag: 'Events',
      summary: 'Read the event log',
      description:
        'Events oldest first, in an order in which nothing ever appears behind a cursor already given out. Store the cursor ' +
        'once the items before it are durably accepted. The last page has `nextCursor: null`; the header ' +
        '`Mdk-Resume-Cursor` says where to go on later. An ISO 8601 timestamp as cursor means from that instant on.',
      errors: ['invalid_cursor'],
      examples: { answer: { items: [event], nextCursor: null } },
    },
  },
  (deps: { database: Db; cursors: CursorCodec }) =>
    async ({ actor, query: { limit, cursor } }, reply) => {
      const after = cursor === undefined ? BEGINNING : await placeOf(deps, actor, cursor)
      const page = await readFeed(deps.database, actor, after, limit)
      if (page.items.length === 0) await noticeRewind(deps.database, after)
      const position = deps.cursors.encode(actor, page.position)
      // The last page has no next cursor; this is where a consumer goes on when there is more some day.
      reply.header('mdk-resume-cursor', position)
      reply.type('application/json; charset=utf-8')
      return pageText(page.items, page.more ? position : null)
    },
)

async function placeOf(
  deps: { database: Db; cursors: CursorCodec },
  actor: Application,
  cursor: string,
): Promise<Position> {
  const place = deps.cursors.decode(actor, cursor)
  if (place) return place
  const instant = parseInstant(cursor)
  if (instant === undefined) throw problem('invalid_cursor')
  return placeOfInstant(deps.database, actor, instant)
}
