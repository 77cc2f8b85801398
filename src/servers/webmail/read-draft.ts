// A draft, to go on with it.
import type { MailboxUser } from '../../access/actor.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { readDraft } from '../../messages/drafts/read-draft.ts'
import { dataFor } from '../sessions/data.ts'
import { Draft } from './draft-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/drafts/:draftId', params: IdParams('draftId'), answer: Draft },
  ({ database }: { database: Database }) =>
    ({ actor, params: { draftId } }) =>
      readDraft(database, actor, draftId),
)
