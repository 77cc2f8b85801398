// The shapes of messages as the API takes and gives them. SPEC part "Resources and their fields".
import Type, { type Static } from 'typebox'
import { Closed, DateTime, Nullable, Uuid } from '../http/schemas.ts'
import { MESSAGE_STATUSES, RECIPIENT_STATUSES } from './status.ts'

// SPEC: Limits.
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

const literals = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] })

const Address = Closed({ address: Type.String(), name: Nullable(Type.String()) })
export type Address = Static<typeof Address>

const Entry = Closed({
  mailboxId: Uuid,
  folder: literals(FOLDERS),
  isRead: Type.Boolean(),
  isStarred: Type.Boolean(),
})

const summary = {
  id: Uuid,
  object: Type.Literal('message'),
  direction: literals(['inbound', 'outbound'] as const),
  status: literals(MESSAGE_STATUSES),
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

const Recipient = Closed({
  address: Type.String(),
  kind: literals(['to', 'cc', 'bcc'] as const),
  status: literals(RECIPIENT_STATUSES),
  smtpCode: Nullable(Type.Integer()),
  enhancedCode: Nullable(Type.String()),
  diagnostic: Nullable(Type.String()),
  updatedAt: DateTime,
})

export const MessageDetail = Type.Object({
  ...summary,
  bcc: Type.Optional(Type.Array(Address)),
  text: Nullable(Type.String()),
  html: Nullable(Type.String()),
  textTruncated: Type.Boolean(),
  htmlTruncated: Type.Boolean(),
  recipients: Type.Array(Recipient),
})
export type MessageDetail = Static<typeof MessageDetail>

export const MessageDetailAnswer = Closed({ message: MessageDetail })
