// Has a draft sent, in ten seconds or later.
import type { MailboxUser } from '../../access/actor.ts'
import { IdParams } from '../../lib/schemas.ts'
import { type SendDraftDeps, sendDraft } from '../../messages/drafts/send-draft.ts'
import { dataFor } from '../sessions/data.ts'
import { DueDraft, SendDraft } from './draft-schemas.ts'

export default dataFor<MailboxUser>()(
  {
    method: 'POST',
    path: '/data/drafts/:draftId/send',
    params: IdParams('draftId'),
    body: SendDraft,
    answer: DueDraft,
  },
  (deps: SendDraftDeps) =>
    ({ actor, params: { draftId }, body }) =>
      sendDraft(deps, actor, draftId, body),
)
