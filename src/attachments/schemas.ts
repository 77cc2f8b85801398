// The shapes of attachments and uploads as the API takes and gives them.
import type { Static } from 'typebox'
import { SHA256_PATTERN } from '../lib/formats.ts'
import { Type } from '../lib/schema-types.ts'
import { Closed, DateTime, Explained, Nullable, OneOf, Uuid } from '../lib/schemas.ts'

/** Each file. specification.md#limits-of-a-message */
export const MAX_ATTACHMENT_BYTES = 26_214_400
/** A file in JSON, decoded. specification.md#small-files-in-json */
export const MAX_LEGACY_BYTES = 3 * 1024 * 1024
const MAX_FILENAME_CHARACTERS = 255
const MAX_MEDIA_TYPE_CHARACTERS = 255
const MAX_LEGACY_MEDIA_TYPE_CHARACTERS = 120

const SHA256_SAYS = 'The SHA-256 of its bytes, in lower-case hexadecimal.'
const Sha256 = Type.String({ pattern: SHA256_PATTERN, description: SHA256_SAYS })
const Filename = Type.String({
  format: 'text',
  minLength: 1,
  maxLength: MAX_FILENAME_CHARACTERS,
  description: 'The name that recipients see.',
})
const mediaType = (maxLength: number) =>
  Type.String({
    format: 'media_type',
    minLength: 1,
    maxLength,
    description: 'The type of its content, such as `application/pdf`.',
  })
const Owner = Explained(Uuid, 'The mailbox that it belongs to.')

export const PrepareAttachmentInput = Closed({
  mailboxId: Owner,
  filename: Filename,
  mediaType: mediaType(MAX_MEDIA_TYPE_CHARACTERS),
  // More than 26214400 is 413, not 400, and so not said here.
  sizeBytes: Type.Integer({ minimum: 1, description: 'How many bytes it has.' }),
  sha256: Type.String({ format: 'sha256', description: SHA256_SAYS }),
})
export type PrepareAttachmentInput = Static<typeof PrepareAttachmentInput>

export const UploadAttachmentInput = Closed({
  mailboxId: Owner,
  filename: Filename,
  mediaType: mediaType(MAX_LEGACY_MEDIA_TYPE_CHARACTERS),
  contentBase64: Type.String({
    minLength: 1,
    format: 'base64',
    description: 'Its bytes in base64 with padding, up to 3 MiB decoded.',
  }),
})
export type UploadAttachmentInput = Static<typeof UploadAttachmentInput>

export const Attachment = Type.Object(
  {
    id: Explained(Uuid, 'Names the attachment, as in `attachmentIds` of a message to send.'),
    mailboxId: Explained(Uuid, 'The mailbox that it belongs to.'),
    messageId: Explained(Nullable(Uuid), 'The message that carries it; null until one does.'),
    filename: Type.String({ description: 'The name that recipients see.' }),
    mediaType: Type.String({ description: 'The type of its content, such as `application/pdf`.' }),
    sizeBytes: Type.Integer({ description: 'How many bytes it has.' }),
    sha256: Sha256,
    disposition: Explained(OneOf(['attachment', 'inline']), '`inline` for what is shown within the html.'),
    contentId: Explained(Nullable(Type.String()), 'The Content-ID by which the html refers to it.'),
    createdAt: Explained(DateTime, 'When it was announced or received.'),
  },
  { description: 'A file of a message, or for one.' },
)
export type Attachment = Static<typeof Attachment>

export const AttachmentAnswer = Closed({ attachment: Attachment })

export const PreparedAttachment = Closed({
  uploadId: Explained(Uuid, 'Names the upload when you complete it.'),
  attachment: Explained(Nullable(Attachment), 'The attachment, once the upload is completed; null before.'),
  upload: Explained(
    Nullable(
      Closed({
        url: Type.String({ format: 'uri', description: 'Where to put the bytes. A secret: it needs no API key.' }),
        method: Type.Literal('PUT', { description: 'How to put them.' }),
        headers: Type.Record(Type.String(), Type.String(), {
          description: 'The headers to send with them, by name: all of these.',
        }),
        expiresAt: Explained(DateTime, 'When the upload ends.'),
      }),
    ),
    'Where to put the bytes; null once the upload is completed.',
  ),
})
export type PreparedAttachment = Static<typeof PreparedAttachment>

export const AttachmentDownload = Closed({
  url: Type.String({ format: 'uri', description: 'Where to get the bytes. A secret: it needs no API key.' }),
  expiresAt: Explained(DateTime, 'Until when the URL works. A transfer that has begun goes on.'),
  filename: Type.String({ description: 'The name of the file.' }),
  mediaType: Type.String({ description: 'The type of its content.' }),
  sizeBytes: Type.Integer({ description: 'How many bytes it has.' }),
  sha256: Sha256,
})
export type AttachmentDownload = Static<typeof AttachmentDownload>

export const LegacyDownload = Closed({
  filename: Type.String({ description: 'The name of the file.' }),
  mediaType: Type.String({ description: 'The type of its content.' }),
  contentBase64: Type.String({ contentEncoding: 'base64', description: 'Its bytes in base64.' }),
})
