// What the data of the events of messages holds, which is what the contract shows. specification.md#data-of-an-event
import type { Static, TObject } from 'typebox'
import { Type } from '../lib/schema-types.ts'
import { Closed, Explained, Nullable, OneOf, Uuid } from '../lib/schemas.ts'
import { BOUNCE_TYPES } from './bounce-type.ts'
import { Address, FOLDERS } from './schemas.ts'
import { MESSAGE_STATUSES } from './status.ts'

const message = {
  mailboxId: Explained(Nullable(Uuid), 'The mailbox that sent, received or changed it.'),
  direction: Explained(OneOf(['inbound', 'outbound']), '`inbound` was received, `outbound` is sent from here.'),
  messageId: Explained(Nullable(Type.String()), 'The header Message-ID.'),
  subject: Type.String({ description: 'The subject line.' }),
  from: Explained(Nullable(Address), 'The sender.'),
  to: Type.Array(Address, { description: 'Its recipients.' }),
  status: Explained(OneOf(MESSAGE_STATUSES), 'Where the message stood when this happened.'),
  erased: Type.Optional(
    Type.Literal(true, {
      description: 'What it said was taken out, as an address in it was erased; the event keeps its place.',
    }),
  ),
}

/** The outcome of one recipient, in the words of whoever reported it. */
const outcome = {
  recipient: Type.String({ description: 'The address that this is about.' }),
  smtpCode: Explained(Nullable(Type.Integer()), 'The SMTP reply code of whoever decided.'),
  enhancedCode: Explained(Nullable(Type.String()), 'The enhanced status code (RFC 3463), such as `5.1.1`.'),
  diagnostic: Explained(Nullable(Type.String()), 'What was said of it, up to 1,000 characters.'),
}

const mailboxIds = (description: string) => Type.Array(Uuid, { description })

/** By type: the members of `data` beside object and id. */
export const MESSAGE_EVENT_DATA = {
  'message.received': { ...message, mailboxIds: mailboxIds('Every mailbox that received it.') },
  'message.queued': message,
  'message.sent': { ...message, relayResponse: Explained(Nullable(Type.String()), 'What the relay said.') },
  'message.delivered': { ...message, ...outcome },
  'message.bounced': {
    ...message,
    ...outcome,
    bounce: Closed(
      {
        type: Explained(
          OneOf(BOUNCE_TYPES),
          '`permanent`: do not write to this address again. `transient`: time may heal it. `undetermined`: the report does not say.',
        ),
      },
      { description: 'What kind of bounce it is.' },
    ),
  },
  'message.failed': { ...message, ...outcome },
  'message.updated': {
    ...message,
    changes: Closed(
      {
        isRead: Type.Optional(Type.Boolean({ description: 'Whether it is marked as read.' })),
        isStarred: Type.Optional(Type.Boolean({ description: 'Whether it is starred.' })),
        folder: Type.Optional(Explained(OneOf(FOLDERS), 'The folder in which it is.')),
      },
      { minProperties: 1, description: 'What was asked for.' },
    ),
  },
  'message.deleted': {
    ...message,
    mailboxIds: mailboxIds('Every mailbox that it went from.'),
    reason: Explained(
      OneOf(['deleted', 'trash_expired']),
      '`deleted` by the operator, or `trash_expired`: it lay in the trash for 30 days.',
    ),
  },
}

export type MessageEventType = keyof typeof MESSAGE_EVENT_DATA
export type MessageEventData<T extends MessageEventType> = Static<TObject<(typeof MESSAGE_EVENT_DATA)[T]>>
