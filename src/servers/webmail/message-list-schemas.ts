// What the webmail's lists and conversations give.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { MESSAGE_STATUSES } from '../../messages/status.ts'
import { FolderName } from './schemas.ts'

const Person = Closed({ address: Type.String(), name: Nullable(Type.String()) })

/** A conversation as it lies in a folder. */
export const MessageRow = Closed({
  /** Of its newest message there. */
  id: Uuid,
  /** One that has this message. */
  mailboxId: Uuid,
  /** Who wrote its messages there, oldest first; in `sent`, to whom they were written. */
  people: Type.Array(Person),
  /** Of the newest. */
  subject: Type.String(),
  preview: Type.String(),
  at: DateTime,
  /** All of them are. */
  isRead: Type.Boolean(),
  /** One of them is. */
  isStarred: Type.Boolean(),
  /** How many of its messages lie there. */
  messages: Type.Integer(),
  hasAttachments: Type.Boolean(),
  /** Of the newest. */
  status: OneOf(MESSAGE_STATUSES),
})
export type MessageRow = Static<typeof MessageRow>

export const ListPage = Closed({ items: Type.Array(MessageRow), nextCursor: Nullable(Type.String()) })
export type ListPage = Static<typeof ListPage>

/** How one mailbox has a message. */
const Entry = Closed({ mailboxId: Uuid, folder: FolderName, isRead: Type.Boolean(), isStarred: Type.Boolean() })

const ConversationMessage = Closed({
  id: Uuid,
  direction: OneOf(['inbound', 'outbound']),
  from: Nullable(Person),
  /** The first of them, and how many there are together. */
  to: Type.Array(Person),
  cc: Type.Array(Person),
  recipients: Type.Integer(),
  at: DateTime,
  preview: Type.String(),
  status: OneOf(MESSAGE_STATUSES),
  hasAttachments: Type.Boolean(),
  entries: Type.Array(Entry),
})

export const ShownConversation = Closed({
  /** Of its newest message. */
  subject: Type.String(),
  /** Oldest first. */
  messages: Type.Array(ConversationMessage),
  /** It has older ones, which are not among them. */
  isCut: Type.Boolean(),
})
export type ShownConversation = Static<typeof ShownConversation>
