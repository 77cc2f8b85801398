// What the data of the events of messages holds, which is what the contract shows. specification.md#data-of-an-event
import Type, { type Static } from 'typebox'
import { Closed, Nullable, OneOf, Uuid } from '../lib/schemas.ts'
import { BOUNCE_TYPES } from './bounce-type.ts'
import { Address, FOLDERS } from './schemas.ts'
import { MESSAGE_STATUSES } from './status.ts'

const message = {
  mailboxId: Nullable(Uuid),
  direction: OneOf(['inbound', 'outbound']),
  messageId: Nullable(Type.String()),
  subject: Type.String(),
  from: Nullable(Address),
  to: Type.Array(Address),
  status: OneOf(MESSAGE_STATUSES),
}

/** The outcome of one recipient, in the words of whoever reported it. */
const outcome = {
  recipient: Type.String(),
  smtpCode: Nullable(Type.Integer()),
  enhancedCode: Nullable(Type.String()),
  diagnostic: Nullable(Type.String()),
}

/** By type: the members of `data` beside object and id. */
export const MESSAGE_EVENT_DATA = {
  'message.received': { ...message, mailboxIds: Type.Array(Uuid) },
  'message.queued': message,
  'message.sent': { ...message, relayResponse: Nullable(Type.String()) },
  'message.delivered': { ...message, ...outcome },
  'message.bounced': { ...message, ...outcome, bounce: Closed({ type: OneOf(BOUNCE_TYPES) }) },
  'message.failed': { ...message, ...outcome },
  'message.updated': {
    ...message,
    changes: Closed(
      {
        isRead: Type.Optional(Type.Boolean()),
        isStarred: Type.Optional(Type.Boolean()),
        folder: Type.Optional(OneOf(FOLDERS)),
      },
      { minProperties: 1 },
    ),
  },
  'message.deleted': { ...message, mailboxIds: Type.Array(Uuid), reason: OneOf(['deleted', 'trash_expired']) },
}

export type MessageEventType = keyof typeof MESSAGE_EVENT_DATA
export type MessageEventData<T extends MessageEventType> = Static<Type.TObject<(typeof MESSAGE_EVENT_DATA)[T]>>
