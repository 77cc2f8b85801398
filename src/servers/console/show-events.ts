// The log of what happened, newest first.
import { pageEvents } from '../../events/page-events.ts'
import type { Database } from '../../lib/sql.ts'
import { consoleData } from './console-data.ts'
import { EventFilters, EventList } from './schemas.ts'

const ON_A_PAGE = 50

export default consoleData(
  { method: 'GET', path: '/data/events', query: EventFilters, answer: EventList },
  ({ database }: { database: Database }) =>
    async ({ actor, query }) => {
      const { items, nextCursor } = await pageEvents(database, actor, { ...query, limit: ON_A_PAGE })
      return { items: items.map(({ data, ...event }) => ({ ...event, data: JSON.parse(data) })), nextCursor }
    },
)
