// The mail that was captured, newest first.
import { Type } from '../../lib/schema-types.ts'
import { Closed, Uuid } from '../../lib/schemas.ts'
import { consoleData } from '../../servers/console/console-data.ts'
import type { CapturedMail } from './captured-mail.ts'
import { CaptureList } from './schemas.ts'

const ON_A_PAGE = 50

export default consoleData(
  { method: 'GET', path: '/data/captured', query: Closed({ cursor: Type.Optional(Uuid) }), answer: CaptureList },
  ({ mail }: { mail: CapturedMail }) =>
    async ({ actor, query: { cursor } }) => {
      const found = await mail.list(actor, { behind: cursor, limit: ON_A_PAGE + 1 })
      const items = found.slice(0, ON_A_PAGE)
      return { items, nextCursor: found.length > ON_A_PAGE ? (items.at(-1)?.id ?? null) : null }
    },
)
