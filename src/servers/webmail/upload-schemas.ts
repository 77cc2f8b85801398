// What the webmail's pages say and are told of files that are to be sent.
import type { Static } from 'typebox'
import { type Attachment, PrepareAttachmentInput } from '../../attachments/schemas.ts'
import { Closed, Nullable, Uuid } from '../../lib/schemas.ts'
import { DraftAttachment } from './draft-schemas.ts'

/** `key`: made by the browser once for each file, so that asking again is the same upload. */
export const NewUpload = Closed({ key: Uuid, ...PrepareAttachmentInput.properties })
export type NewUpload = Static<typeof NewUpload>

/** `attachment`: once the upload is completed. */
export const BegunUpload = Closed({ uploadId: Uuid, attachment: Nullable(DraftAttachment) })
export type BegunUpload = Static<typeof BegunUpload>

export function draftAttachment({ id, filename, mediaType, sizeBytes }: Attachment): DraftAttachment {
  return { id, filename, mediaType, sizeBytes }
}
