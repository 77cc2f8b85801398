// What is found in the user's mailboxes.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { searchMail } from '../../messages/search-mail.ts'
import { dataFor } from '../sessions/data.ts'
import { SearchAsked, SearchPage } from './search-schemas.ts'

const ON_A_PAGE = 50

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/search', query: SearchAsked, answer: SearchPage },
  ({ database }: { database: Database }) =>
    ({ actor, query: { q, mailbox, cursor, timeZone } }) =>
      searchMail(database, actor, { q, mailboxId: mailbox, cursor, timeZone, limit: ON_A_PAGE }),
)
