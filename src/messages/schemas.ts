// The shapes of messages as the API takes and gives them.
import type { Static } from 'typebox'
import { Attachment } from '../attachments/schemas.ts'
import { Type } from '../lib/schema-types.ts'
import { atLeastOneOf, Closed, DateTime, Explained, Nullable, OneOf, Uuid } from '../lib/schemas.ts'
import type { Authentication } from '../mail/authenticate/authentication.ts'
import type { MimePart } from '../mail/mime-part.ts'
import { MESSAGE_STATUSES, RECIPIENT_STATUSES } from './status.ts'

// specification.md#limits-of-a-message
const MAX_RECIPIENTS_PER_FIELD = 50
const MAX_SUBJECT_CHARACTERS = 998
export const MAX_TEXT_CHARACTERS = 1_000_000
export const MAX_HTML_CHARACTERS = 2_000_000
const MAX_ATTACHMENTS = 20

const EmailAddress = Type.String({ format: 'email', maxLength: 254 })

export const SendMessageInput = Closed({
  fromMailboxId: Explained(Uuid, 'The mailbox that sends it: one of those that `listMailboxes` gives.'),
  to: Type.Array(EmailAddress, {
    minItems: 1,
    maxItems: MAX_RECIPIENTS_PER_FIELD,
    description: 'Addresses, without display names. An address that appears twice in the message gets one copy.',
  }),
  cc: Type.Array(EmailAddress, {
    maxItems: MAX_RECIPIENTS_PER_FIELD,
    default: [],
    description: 'Addresses that get a copy, which all recipients can see.',
  }),
  bcc: Type.Array(EmailAddress, {
    maxItems: MAX_RECIPIENTS_PER_FIELD,
    default: [],
    description: 'Addresses that get a copy, which no other recipient can see.',
  }),
  subject: Type.String({
    format: 'text',
    maxLength: MAX_SUBJECT_CHARACTERS,
    default: '',
    description: 'The subject line.',
  }),
  text: Type.Optional(
    Explained(
      Nullable(Type.String({ format: 'text', maxLength: MAX_TEXT_CHARACTERS })),
      'The message as plain text. A message has this, `html` or both.',
    ),
  ),
  html: Type.Optional(
    Explained(
      Nullable(Type.String({ format: 'text', maxLength: MAX_HTML_CHARACTERS })),
      'The message as HTML. `cid:` and the id of an attachment shows that attachment inline.',
    ),
  ),
  attachmentIds: Type.Array(Uuid, {
    maxItems: MAX_ATTACHMENTS,
    default: [],
    description: 'The attachments: completed uploads, each once.',
  }),
})
export type SendMessageInput = Static<typeof SendMessageInput>

export const QueuedMessage = Closed({
  id: Explained(Uuid, 'Names the message in the API, in events and in webhooks.'),
  object: Type.Literal('message', { description: 'What this is.' }),
  status: Type.Literal('queued', { description: 'It is durable and waits to be sent.' }),
})
export type QueuedMessage = Static<typeof QueuedMessage>

export const FOLDERS = ['inbox', 'sent', 'archive', 'spam', 'trash'] as const
export type Folder = (typeof FOLDERS)[number]

export const Address = Closed({
  address: Type.String({ description: 'The email address.' }),
  name: Explained(Nullable(Type.String()), 'The display name.'),
})
export type Address = Static<typeof Address>

const DIRECTIONS = ['inbound', 'outbound'] as const

const Entry = Closed({
  mailboxId: Explained(Uuid, 'The mailbox.'),
  folder: Explained(OneOf(FOLDERS), 'The folder of that mailbox in which it is.'),
  isRead: Type.Boolean({ description: 'Whether it is marked as read there.' }),
  isStarred: Type.Boolean({ description: 'Whether it is starred there.' }),
})

const summary = {
  id: Explained(Uuid, 'Names the message in the API, in events and in webhooks.'),
  object: Type.Literal('message', { description: 'What this is.' }),
  direction: Explained(OneOf(DIRECTIONS), '`inbound` was received, `outbound` is sent from here.'),
  status: Explained(
    OneOf(MESSAGE_STATUSES),
    'Where it stands: `received`; or `queued`, `sent` once the relay has it for anyone, and, when every recipient has an ' +
      'outcome, `delivered` or the worst one.',
  ),
  from: Explained(Nullable(Address), 'The sender; null where a received message names none.'),
  to: Type.Array(Address, { description: 'Its recipients.' }),
  cc: Type.Array(Address, { description: 'Recipients of copies.' }),
  subject: Type.String({ description: 'The subject line.' }),
  preview: Type.String({ description: 'The beginning of its text, up to 200 characters.' }),
  hasAttachments: Type.Boolean({ description: 'Whether it has attachments.' }),
  attachmentCount: Type.Integer({ description: 'How many attachments it has.' }),
  sizeBytes: Explained(Nullable(Type.Integer()), 'The size of the whole message; null until it is built.'),
  messageId: Explained(Nullable(Type.String()), 'The header Message-ID.'),
  inReplyTo: Explained(Nullable(Type.String()), 'The header In-Reply-To: the Message-ID of what it answers.'),
  mailboxes: Type.Array(Entry, { description: 'The mailboxes in which it lies, with folder and flags in each.' }),
  sentAt: Explained(Nullable(DateTime), 'When the relay took it; null before, and for received messages.'),
  receivedAt: Explained(Nullable(DateTime), 'When it was received; null for sent messages.'),
  createdAt: Explained(DateTime, 'When it was accepted. Lists are in this order.'),
}

export const MessageSummary = Type.Object(summary)
export type MessageSummary = Static<typeof MessageSummary>

export const MessagePage = Closed({
  items: Type.Array(MessageSummary, { description: 'Newest first.' }),
  nextCursor: Explained(Nullable(DateTime), 'Where the next page begins; null ends the list. Pass it back unchanged.'),
})
export type MessagePage = Static<typeof MessagePage>

export const MessagesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many messages at most.' }),
  cursor: Type.Optional(
    Explained(
      DateTime,
      'Where to go on: the `nextCursor` of the page before, unchanged. A plain timestamp means strictly older than it.',
    ),
  ),
  mailboxId: Type.Optional(Explained(Uuid, 'Only messages of this mailbox.')),
  folder: Type.Optional(
    Explained(OneOf(FOLDERS), 'Only messages that lie in this folder of that mailbox; without `mailboxId`, of any.'),
  ),
  direction: Type.Optional(Explained(OneOf(DIRECTIONS), 'Only received messages, or only sent ones.')),
  status: Type.Optional(Explained(OneOf(MESSAGE_STATUSES), 'Only messages that have this status now.')),
  recipient: Type.Optional(
    Explained(EmailAddress, 'Only messages with this whole address in `to`, `cc` or `bcc`, in whatever case.'),
  ),
  q: Type.Optional(
    Type.String({
      format: 'text',
      minLength: 1,
      maxLength: 200,
      description:
        'Only messages that have all of these words in the subject, the sender or the recipients, whatever the case and ' +
        'the accents; the last may be the beginning of a word. An address or a Message-ID is looked for whole, a domain as ' +
        '`@example.com`. Or the id of a message. A message is found about a second after it was accepted or received.',
    }),
  ),
  since: Type.Optional(Explained(DateTime, 'Only messages whose `createdAt` is this ISO 8601 instant or later.')),
  until: Type.Optional(Explained(DateTime, 'Only messages whose `createdAt` is earlier than this ISO 8601 instant.')),
})

export type MessagesQuery = Static<typeof MessagesQuery>

export const UpdateMessageInput = Closed(
  {
    mailboxId: Explained(Uuid, 'The mailbox in which it is filed or flagged.'),
    isRead: Type.Optional(Type.Boolean({ description: 'Whether it is marked as read.' })),
    isStarred: Type.Optional(Type.Boolean({ description: 'Whether it is starred.' })),
    folder: Type.Optional(
      Explained(OneOf(FOLDERS), 'The folder to move it to. After 30 days in `trash` it is deleted for good.'),
    ),
  },
  atLeastOneOf('isRead', 'isStarred', 'folder'),
)
export type UpdateMessageInput = Static<typeof UpdateMessageInput>

export const UpdatedMessage = Closed({
  id: Explained(Uuid, 'The message.'),
  updated: Type.Literal(true, { description: 'It is as you asked.' }),
})

const Recipient = Closed({
  address: Type.String({ description: 'The recipient’s address.' }),
  kind: Explained(OneOf(['to', 'cc', 'bcc']), 'The field in which it stood.'),
  status: Explained(OneOf(RECIPIENT_STATUSES), 'Where the message stands for this recipient.'),
  smtpCode: Explained(Nullable(Type.Integer()), 'The SMTP code of the last reply about it.'),
  enhancedCode: Explained(Nullable(Type.String()), 'The enhanced status code (RFC 3463), such as `5.1.1`.'),
  diagnostic: Explained(
    Nullable(Type.String()),
    'The last thing that the relay, a report or the service said of it, up to 1,000 characters. While it waits: why. `suppressed`: mail to the address is stopped.',
  ),
  attempts: Type.Integer({ minimum: 0, description: 'How often it was tried to submit the message for it.' }),
  nextAttemptAt: Explained(Nullable(DateTime), 'While it waits: when it is tried again at the latest.'),
  complainedAt: Explained(Nullable(DateTime), 'When it first complained of the message. It is no outcome.'),
  updatedAt: Explained(DateTime, 'When any of this changed last.'),
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

export const MessageDetail = Type.Object(
  {
    ...summary,
    bcc: Type.Optional(Type.Array(Address, { description: 'Recipients of blind copies; of sent messages only.' })),
    replyTo: Type.Array(Address, { description: 'Where answers are to go.' }),
    references: Type.Array(Type.String(), { description: 'The Message-IDs of the conversation, oldest first.' }),
    headers: Type.Array(
      Closed({
        name: Type.String({ description: 'As it is written in the message.' }),
        value: Type.String({ description: 'Its decoded text.' }),
      }),
      { description: 'The fields of its header, in their order.' },
    ),
    attachments: Type.Array(Attachment, { description: 'Its files, up to 100.' }),
    authentication: AuthenticationSchema,
    mime: MimeSchema,
    text: Explained(Nullable(Type.String()), 'Its plain text, up to 1 MiB.'),
    html: Explained(Nullable(Type.String()), 'Its HTML, up to 1 MiB. Sanitize it before you show it.'),
    textTruncated: Type.Boolean({ description: 'Whether `text` is cut.' }),
    htmlTruncated: Type.Boolean({ description: 'Whether `html` is cut.' }),
    recipients: Type.Array(Recipient, {
      description: 'What became of it for each recipient; empty for received messages.',
    }),
  },
  { description: 'A message with all that is in it.' },
)
export type MessageDetail = Static<typeof MessageDetail>

export const MessageDetailAnswer = Closed({ message: MessageDetail })
