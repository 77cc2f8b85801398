// Announces a file that is to be sent.
import type { MailboxUser } from '../../access/actor.ts'
import type { AnnounceDeps } from '../../attachments/announce-upload.ts'
import type { OwnPuts } from '../../attachments/local-transfers.ts'
import { beginOwnUpload } from '../../attachments/own/begin-own-upload.ts'
import { dataFor } from '../sessions/data.ts'
import { BegunUpload, draftAttachment, NewUpload } from './upload-schemas.ts'

type Deps = Omit<AnnounceDeps, 'transfers'> & { ownPuts: OwnPuts }

export default dataFor<MailboxUser>()(
  { method: 'POST', path: '/data/uploads', body: NewUpload, answer: BegunUpload, status: 201 },
  ({ ownPuts, ...deps }: Deps) =>
    async ({ actor, body: { key, ...input } }) => {
      const { uploadId, attachment } = await beginOwnUpload({ ...deps, transfers: ownPuts }, actor, key, input)
      return { uploadId, attachment: attachment && draftAttachment(attachment) }
    },
)
