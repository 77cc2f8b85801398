// Appends a synthetic event to a sandbox.
import { triggerEvent } from '../../events/trigger-event.ts'
import { EVENT_TYPES } from '../../events/types.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed, OneOf, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  {
    method: 'POST',
    path: '/data/events',
    body: Closed({
      type: OneOf(EVENT_TYPES),
      data: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
    }),
    answer: Closed({ id: Uuid }),
    status: 201,
  },
  ({ database }: { database: Database }) =>
    async ({ actor, body: { type, data = {} } }) => {
      const { id } = await triggerEvent(database, actor, { type, data })
      return { id }
    },
)
