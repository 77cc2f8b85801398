// What the pages of messages are given, and what they ask for.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { Address, MessageDetail } from '../../messages/schemas.ts'
import { MESSAGE_STATUSES } from '../../messages/status.ts'
import { MessageTimeline } from '../../messages/timeline/schemas.ts'

const DIRECTIONS = ['inbound', 'outbound'] as const

const Words = Type.String({ format: 'text', minLength: 1, maxLength: 200 })

export const MessageFilters = Closed({
  status: Type.Optional(OneOf(MESSAGE_STATUSES)),
  direction: Type.Optional(OneOf(DIRECTIONS)),
  app: Type.Optional(Uuid),
  mailbox: Type.Optional(Uuid),
  /** Words in subject, sender and recipients, or an id. */
  q: Type.Optional(Words),
  subject: Type.Optional(Words),
  recipient: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
  since: Type.Optional(Type.String()),
  until: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
})

const head = {
  id: Uuid,
  direction: OneOf(DIRECTIONS),
  status: OneOf(MESSAGE_STATUSES),
  from: Nullable(Address),
  subject: Type.String(),
  createdAt: DateTime,
}

/** What was said of a recipient that has the status of its message. */
const Reason = Closed({
  recipient: Type.String(),
  smtpCode: Nullable(Type.Integer()),
  enhancedCode: Nullable(Type.String()),
  diagnostic: Nullable(Type.String()),
  nextAttemptAt: Nullable(DateTime),
})

const Author = Closed({
  kind: OneOf(['application', 'mailbox_user']),
  id: Uuid,
  /** Null when there is none any more. */
  name: Nullable(Type.String()),
})

const Listed = Closed({
  ...head,
  /** Who sent it; null for what was received. */
  author: Nullable(Author),
  /** In `to` and `cc`: the addresses of the first few, and how many there are. */
  recipients: Closed({ first: Type.Array(Type.String()), count: Type.Integer() }),
  hasAttachments: Type.Boolean(),
  reason: Nullable(Reason),
})
export type ListedMessage = Static<typeof Listed>

export const MessageList = Closed({ items: Type.Array(Listed), nextCursor: Nullable(DateTime) })

/** A message without what is in it. */
export const ShownMessage = Closed({
  ...head,
  to: Type.Array(Address),
  cc: Type.Array(Address),
  bcc: Type.Array(Address),
  /** The header Message-ID. */
  messageId: Nullable(Type.String()),
  /** Null until it is built. */
  sizeBytes: Nullable(Type.Integer()),
  /** Where it lies. */
  mailboxes: MessageDetail.properties.mailboxes,
  recipients: MessageDetail.properties.recipients,
  timeline: MessageTimeline,
})
export type ShownMessage = Static<typeof ShownMessage>

/** What is in it. */
export const MessageContent = Closed({
  headers: MessageDetail.properties.headers,
  text: Nullable(Type.String()),
  html: Nullable(Type.String()),
  /** More was written than is shown. */
  isCut: Type.Boolean(),
  attachments: Type.Array(
    Closed({
      id: Uuid,
      filename: Type.String(),
      mediaType: Type.String(),
      sizeBytes: Type.Integer(),
      /** By which the HTML refers to it. */
      contentId: Nullable(Type.String()),
    }),
  ),
})
export type MessageContent = Static<typeof MessageContent>

export const ShownSource = Closed({
  /** The beginning of it. */
  text: Type.String(),
  isCut: Type.Boolean(),
  sizeBytes: Type.Integer(),
})
export type ShownSource = Static<typeof ShownSource>

export const TriedAtOnce = Closed({ state: OneOf(['due', 'being_submitted']) })
export type TriedAtOnce = Static<typeof TriedAtOnce>
