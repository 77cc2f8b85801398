// The log of what happened, newest first.
import { pageEvents } from '../../events/page-events.ts'
import { EVENT_TYPES } from '../../events/types.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed, OneOf, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { consoleData } from './console-data.ts'
import { EventList } from './schemas.ts'

const ON_A_PAGE = 50

export default consoleData(
  {
    method: 'GET',
    path: '/data/events',
    query: Closed({
      type: Type.Optional(OneOf(EVENT_TYPES)),
      resourceId: Type.Optional(Uuid),
      since: Type.Optional(Type.String()),
      until: Type.Optional(Type.String()),
      cursor: Type.Optional(Type.String()),
    }),
    answer: EventList,
  },
  ({ database }: { database: Database }) =>
    async ({ actor, query }) => {
      const { items, nextCursor } = await pageEvents(database, actor, { ...query, limit: ON_A_PAGE })
      return { items: items.map(({ data, ...event }) => ({ ...event, data: JSON.parse(data) })), nextCursor }
    },
)
