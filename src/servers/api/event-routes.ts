// The event feed over HTTP. specification.md#event-feed

import type { Principal } from '../../access/principal.ts'
import { problem } from '../../access/problem.ts'
import { BEGINNING, type CursorCodec, type Position } from '../../events/cursor.ts'
import { noticeRewind } from '../../events/epoch.ts'
import { placeOfInstant, readFeed } from '../../events/feed.ts'
import { pageText } from '../../events/page-text.ts'
import { EventPage, EventsQuery } from '../../events/schemas.ts'
import { parseInstant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { Server } from '../http/server.ts'

export function eventRoutes(app: Server, deps: { database: Db; cursors: CursorCodec }): void {
  app.get<{ Querystring: EventsQuery; Reply: string }>(
    '/v1/events',
    {
      config: { operation: 'listEvents' },
      schema: { querystring: EventsQuery, response: { 200: EventPage } },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query
      const after = cursor === undefined ? BEGINNING : await placeOf(deps, request.principal, cursor)
      const page = await readFeed(deps.database, request.principal, after, limit)
      if (page.items.length === 0) await noticeRewind(deps.database, after)
      const position = deps.cursors.encode(request.principal, page.position)
      // The last page has no next cursor; this is where a consumer goes on when there is more some day.
      reply.header('mdk-resume-cursor', position)
      reply.type('application/json; charset=utf-8')
      return pageText(page.items, page.more ? position : null)
    },
  )
}

async function placeOf(
  deps: { database: Db; cursors: CursorCodec },
  principal: Principal,
  cursor: string,
): Promise<Position> {
  const place = deps.cursors.decode(principal, cursor)
  if (place) return place
  const instant = parseInstant(cursor)
  if (instant === undefined) throw problem('invalid_cursor')
  return placeOfInstant(deps.database, principal, instant)
}
