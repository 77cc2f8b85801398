// The shapes of attachments and uploads as the API takes and gives them.
import Type, { type Static } from 'typebox'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../lib/schemas.ts'

/** Each file. specification.md#limits-of-a-message */
export const MAX_ATTACHMENT_BYTES = 26_214_400
/** A file in JSON, decoded. specification.md#small-files-in-json */
export const MAX_LEGACY_BYTES = 3 * 1024 * 1024
const MAX_FILENAME_CHARACTERS = 255
const MAX_MEDIA_TYPE_CHARACTERS = 255
const MAX_LEGACY_MEDIA_TYPE_CHARACTERS = 120

// RFC 9110 §8.3.1: type/subtype of tokens, with parameters whose values are tokens or quoted.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const MEDIA_TYPE = `^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[ !#-\\[\\]-~]*"))*$`

const Sha256 = Type.String({ pattern: '^[a-f0-9]{64}$' })
const Filename = Type.String({ format: 'text', minLength: 1, maxLength: MAX_FILENAME_CHARACTERS })

export const PrepareAttachmentInput = Closed({
  mailboxId: Uuid,
  filename: Filename,
  mediaType: Type.String({ pattern: MEDIA_TYPE, minLength: 1, maxLength: MAX_MEDIA_TYPE_CHARACTERS }),
  // More than 26214400 is 413, not 400, and so not said here.
  sizeBytes: Type.Integer({ minimum: 1 }),
  sha256: Sha256,
})
export type PrepareAttachmentInput = Static<typeof PrepareAttachmentInput>

export const UploadAttachmentInput = Closed({
  mailboxId: Uuid,
  filename: Filename,
  mediaType: Type.String({ pattern: MEDIA_TYPE, minLength: 1, maxLength: MAX_LEGACY_MEDIA_TYPE_CHARACTERS }),
  contentBase64: Type.String({ minLength: 1, format: 'base64' }),
})
export type UploadAttachmentInput = Static<typeof UploadAttachmentInput>

export const Attachment = Type.Object({
  id: Uuid,
  mailboxId: Uuid,
  messageId: Nullable(Uuid),
  filename: Type.String(),
  mediaType: Type.String(),
  sizeBytes: Type.Integer(),
  sha256: Sha256,
  disposition: OneOf(['attachment', 'inline']),
  contentId: Nullable(Type.String()),
  createdAt: DateTime,
})
export type Attachment = Static<typeof Attachment>

export const AttachmentAnswer = Closed({ attachment: Attachment })

export const PreparedAttachment = Closed({
  uploadId: Uuid,
  attachment: Nullable(Attachment),
  upload: Nullable(
    Closed({
      url: Type.String({ format: 'uri' }),
      method: Type.Literal('PUT'),
      headers: Type.Record(Type.String(), Type.String()),
      expiresAt: DateTime,
    }),
  ),
})
export type PreparedAttachment = Static<typeof PreparedAttachment>

export const AttachmentDownload = Closed({
  url: Type.String({ format: 'uri' }),
  expiresAt: DateTime,
  filename: Type.String(),
  mediaType: Type.String(),
  sizeBytes: Type.Integer(),
  sha256: Sha256,
})
export type AttachmentDownload = Static<typeof AttachmentDownload>

export const LegacyDownload = Closed({
  filename: Type.String(),
  mediaType: Type.String(),
  contentBase64: Type.String({ contentEncoding: 'base64' }),
})
