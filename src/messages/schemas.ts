// The shapes of messages as the API takes and gives them.
import Type, { type Static } from 'typebox'
import { Attachment } from '../attachments/schemas.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../lib/schemas.ts'
import type { Authentication } from '../mail/authenticate/authentication.ts'
import type { MimePart } from '../mail/mime-part.ts'
import { MESSAGE_STATUSES, RECIPIENT_STATUSES } from './status.ts'

// specification.md#limits-of-a-message
const MAX_RECIPIENTS_PER_FIELD = 50
const MAX_SUBJECT_CHARACTERS = 998
const MAX_TEXT_CHARACTERS = 1_000_000
const MAX_HTML_CHARACTERS = 2_000_000
const MAX_ATTACHMENTS = 20

const EmailAddress = Type.String({ format: 'email', maxLength: 254 })

export const SendMessageInput = Closed({
  fromMailboxId: Uuid,
  to: Type.Array(EmailAddress, { minItems: 1, maxItems: MAX_RECIPIENTS_PER_FIELD }),
  cc: Type.Array(EmailAddress, { maxItems: MAX_RECIPIENTS_PER_FIELD, default: [] }),
  bcc: Type.Array(EmailAddress, { maxItems: MAX_RECIPIENTS_PER_FIELD, default: [] }),
  subject: Type.String({ format: 'text', maxLength: MAX_SUBJECT_CHARACTERS, default: '' }),
  text: Type.Optional(Nullable(Type.String({ format: 'text', maxLength: MAX_TEXT_CHARACTERS }))),
  html: Type.Optional(Nullable(Type.String({ format: 'text', maxLength: MAX_HTML_CHARACTERS }))),
  attachmentIds: Type.Array(Uuid, { maxItems: MAX_ATTACHMENTS, default: [] }),
})
export type SendMessageInput = Static<typeof SendMessageInput>

export const QueuedMessage = Closed({
  id: Uuid,
  object: Type.Literal('message'),
  status: Type.Literal('queued'),
})
export type QueuedMessage = Static<typeof QueuedMessage>

export const FOLDERS = ['inbox', 'sent', 'archive', 'spam', 'trash'] as const

export const Address = Closed({ address: Type.String(), name: Nullable(Type.String()) })
export type Address = Static<typeof Address>

const Entry = Closed({
  mailboxId: Uuid,
  folder: OneOf(FOLDERS),
  isRead: Type.Boolean(),
  isStarred: Type.Boolean(),
})

const summary = {
  id: Uuid,
  object: Type.Literal('message'),
  direction: OneOf(['inbound', 'outbound']),
  status: OneOf(MESSAGE_STATUSES),
  from: Nullable(Address),
  to: Type.Array(Address),
  cc: Type.Array(Address),
  subject: Type.String(),
  preview: Type.String(),
  hasAttachments: Type.Boolean(),
  attachmentCount: Type.Integer(),
  sizeBytes: Nullable(Type.Integer()),
  messageId: Nullable(Type.String()),
  inReplyTo: Nullable(Type.String()),
  mailboxes: Type.Array(Entry),
  sentAt: Nullable(DateTime),
  receivedAt: Nullable(DateTime),
  createdAt: DateTime,
}

export const MessageSummary = Type.Object(summary)
export type MessageSummary = Static<typeof MessageSummary>

export const MessagePage = Closed({ items: Type.Array(MessageSummary), nextCursor: Nullable(DateTime) })
export type MessagePage = Static<typeof MessagePage>

export const MessagesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  cursor: Type.Optional(DateTime),
  mailboxId: Type.Optional(Uuid),
})

export type MessagesQuery = Static<typeof MessagesQuery>

export const UpdateMessageInput = Closed(
  {
    mailboxId: Uuid,
    isRead: Type.Optional(Type.Boolean()),
    isStarred: Type.Optional(Type.Boolean()),
    folder: Type.Optional(OneOf(FOLDERS)),
  },
  // The mailbox and at least one change.
  { minProperties: 2 },
)
export type UpdateMessageInput = Static<typeof UpdateMessageInput>

export const UpdatedMessage = Closed({ id: Uuid, updated: Type.Literal(true) })

const Recipient = Closed({
  address: Type.String(),
  kind: OneOf(['to', 'cc', 'bcc']),
  status: OneOf(RECIPIENT_STATUSES),
  smtpCode: Nullable(Type.Integer()),
  enhancedCode: Nullable(Type.String()),
  diagnostic: Nullable(Type.String()),
  updatedAt: DateTime,
})

/** A part with the attachment that it is kept as. */
export interface MessagePart extends MimePart {
  attachmentId: string | null
  parts: MessagePart[]
}
// Both are written as they are: the tree is as deep as the message. The contract says their shapes.
export const MimeSchema = Type.Unsafe<MessagePart | null>({ type: ['object', 'null'], additionalProperties: true })
export const AuthenticationSchema = Type.Unsafe<Authentication | null>({
  type: ['object', 'null'],
  additionalProperties: true,
})

export const MessageDetail = Type.Object({
  ...summary,
  bcc: Type.Optional(Type.Array(Address)),
  replyTo: Type.Array(Address),
  references: Type.Array(Type.String()),
  headers: Type.Array(Closed({ name: Type.String(), value: Type.String() })),
  attachments: Type.Array(Attachment),
  authentication: AuthenticationSchema,
  mime: MimeSchema,
  text: Nullable(Type.String()),
  html: Nullable(Type.String()),
  textTruncated: Type.Boolean(),
  htmlTruncated: Type.Boolean(),
  recipients: Type.Array(Recipient),
})
export type MessageDetail = Static<typeof MessageDetail>

export const MessageDetailAnswer = Closed({ message: MessageDetail })
