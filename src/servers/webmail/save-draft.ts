// Saves what is being written.
import type { MailboxUser } from '../../access/actor.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { saveDraft } from '../../messages/drafts/save-draft.ts'
import { dataFor } from '../sessions/data.ts'
import { Draft, SaveDraft } from './draft-schemas.ts'

/** Body and quote at their limits, four octets a character, and all else. */
const BODY_LIMIT_BYTES = 17 * 1024 * 1024

export default dataFor<MailboxUser>()(
  {
    method: 'PUT',
    path: '/data/drafts/:draftId',
    params: IdParams('draftId'),
    body: SaveDraft,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    answer: Draft,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { draftId }, body }) =>
      saveDraft(database, actor, draftId, body),
)
