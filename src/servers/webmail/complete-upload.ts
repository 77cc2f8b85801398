// Makes a file of a draft of bytes that have come.
import type { MailboxUser } from '../../access/actor.ts'
import type { OwnPuts } from '../../attachments/local-transfers.ts'
import { completeOwnUpload } from '../../attachments/own/complete-own-upload.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { dataFor } from '../sessions/data.ts'
import { DraftAttachment } from './draft-schemas.ts'
import { draftAttachment } from './upload-schemas.ts'

export default dataFor<MailboxUser>()(
  {
    method: 'POST',
    path: '/data/uploads/:uploadId/complete',
    params: IdParams('uploadId'),
    answer: DraftAttachment,
  },
  ({ database, ownPuts }: { database: Database; ownPuts: OwnPuts }) =>
    async ({ actor, params: { uploadId } }) =>
      draftAttachment(await completeOwnUpload({ database, transfers: ownPuts }, actor, uploadId)),
)
