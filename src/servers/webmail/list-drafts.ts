// A page of the drafts of one of the user's mailboxes, or of all.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { listDrafts } from '../../messages/drafts/list-drafts.ts'
import { dataFor } from '../sessions/data.ts'
import { DraftPage, DraftsQuery } from './draft-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/drafts', query: DraftsQuery, answer: DraftPage },
  ({ database }: { database: Database }) =>
    ({ actor, query: { mailbox, cursor, limit } }) =>
      listDrafts(database, actor, { mailboxId: mailbox, cursor, limit }),
)
