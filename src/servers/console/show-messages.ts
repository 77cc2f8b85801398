// Messages, newest first, each with who sent it and the reason of its status.
import { Problem, problem } from '../../access/problem.ts'
import type { Database } from '../../lib/sql.ts'
import { authorsOfMessages } from '../../messages/authors-of-messages.ts'
import { firstReasons } from '../../messages/first-reasons.ts'
import { pageMessages } from '../../messages/page-messages.ts'
import { consoleData } from './console-data.ts'
import { MessageFilters, MessageList } from './message-schemas.ts'

const ON_A_PAGE = 50
/** Of a message that is for more, the others are counted. */
const MOST_NAMED = 3

export default consoleData(
  { method: 'GET', path: '/data/messages', query: MessageFilters, answer: MessageList },
  ({ database }: { database: Database }) =>
    async ({ actor, query: { mailbox: mailboxId, app: appId, ...filter } }) => {
      const page = await pageMessages(database, actor, {
        ...filter,
        ...(mailboxId && { mailboxId }),
        ...(appId && { appId }),
        limit: ON_A_PAGE,
      }).catch(inWordsOfThePage)
      const [reasons, authors] = await Promise.all([
        firstReasons(database, actor, page.items),
        authorsOfMessages(database, actor, page.items),
      ])
      return {
        items: page.items.map(({ id, direction, status, from, to, cc, subject, createdAt, hasAttachments }) => {
          const addresses = [...to, ...cc].map(({ address }) => address)
          const recipients = { first: addresses.slice(0, MOST_NAMED), count: addresses.length }
          const reason = reasons.get(id) ?? null
          const author = authors.get(id) ?? null
          return { id, direction, status, from, author, recipients, subject, createdAt, hasAttachments, reason }
        }),
        nextCursor: page.nextCursor,
      }
    },
)

/** A verb names its own parameter. @throws Problem */
function inWordsOfThePage(error: unknown): never {
  const isOfMailbox = error instanceof Problem && error.code === 'not_found' && error.details?.field === 'mailboxId'
  throw isOfMailbox
    ? problem('not_found', { message: 'There is no such mailbox.', details: { field: 'mailbox' } })
    : error
}
