// Discards a draft.
import type { MailboxUser } from '../../access/actor.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { discardDraft } from '../../messages/drafts/discard-draft.ts'
import { dataFor } from '../sessions/data.ts'

export default dataFor<MailboxUser>()(
  { method: 'DELETE', path: '/data/drafts/:draftId', params: IdParams('draftId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params: { draftId } }) =>
      discardDraft(database, actor, draftId),
)
