// What was asked for with each key, and sent by each application, on each day of the last week; and what mailboxes have.
import { countSentByApp } from '../../activity/count-sent-by-app.ts'
import { largestMailboxes } from '../../activity/mailbox-figures.ts'
import { countRequests } from '../../apps/count-requests.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { consoleData } from './console-data.ts'
import { Usage } from './settings-schemas.ts'

const DAYS = 7
const MOST_MAILBOXES = 20

export default consoleData(
  {
    method: 'GET',
    path: '/data/usage',
    query: Closed({
      /** Of the IANA database. */
      timeZone: Type.String({ maxLength: 64, default: 'UTC' }),
    }),
    answer: Usage,
  },
  ({ database }: { database: Database }) =>
    async ({ actor, query: { timeZone } }) => {
      const [requests, messages, mailboxes] = await Promise.all([
        countRequests(database, actor),
        countSentByApp(database, actor, { days: DAYS, timeZone }),
        largestMailboxes(database, actor, MOST_MAILBOXES),
      ])
      const stored = mailboxes.map(({ mailboxId: id, address, storedBytes: bytes }) => ({ id, address, bytes }))
      return { requests, messages, stored }
    },
)
