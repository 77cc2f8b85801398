// Takes back what is about to be sent.
import type { MailboxUser } from '../../access/actor.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { takeBackDraft } from '../../messages/drafts/take-back-draft.ts'
import { dataFor } from '../sessions/data.ts'
import { Draft } from './draft-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'POST', path: '/data/drafts/:draftId/take-back', params: IdParams('draftId'), answer: Draft },
  ({ database }: { database: Database }) =>
    ({ actor, params: { draftId } }) =>
      takeBackDraft(database, actor, draftId),
)
