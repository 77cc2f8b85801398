// What `data` holds in an event of each type, for the contract: more than object and id. The code that appends events
// does not read this; the tests hold every event against it. specification.md#data-of-an-event
import Type from 'typebox'
import type { EventType } from '../../../events/types.ts'
import { Closed, Nullable, Uuid } from '../../../lib/schemas.ts'
import { DOMAIN_CHECKS } from '../../../mailboxes/domain-checks.ts'
import { DOMAIN_HEALTHS } from '../../../mailboxes/schemas.ts'
import { Address, FOLDERS } from '../../../messages/schemas.ts'
import { MESSAGE_STATUSES } from '../../../messages/status.ts'

const oneOf = (...values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] })

const message = {
  mailboxId: Nullable(Uuid),
  direction: oneOf('inbound', 'outbound'),
  messageId: Nullable(Type.String()),
  subject: Type.String(),
  from: Nullable(Address),
  to: Type.Array(Address),
  status: oneOf(...MESSAGE_STATUSES),
}

/** The outcome of one recipient, in the words of whoever reported it. */
const outcome = {
  recipient: Type.String(),
  smtpCode: Nullable(Type.Integer()),
  enhancedCode: Nullable(Type.String()),
  diagnostic: Nullable(Type.String()),
}

const mailbox = {
  address: Type.String(),
  displayName: Type.String(),
  status: oneOf('active', 'suspended'),
}

const check = Closed({
  status: oneOf('pass', 'missing', 'wrong', 'error'),
  found: Type.Array(Type.String()),
  expected: Type.String(),
})

export const EVENT_DATA: Record<EventType, Type.TProperties> = {
  'message.received': { ...message, mailboxIds: Type.Array(Uuid) },
  'message.queued': message,
  'message.sent': { ...message, relayResponse: Nullable(Type.String()) },
  'message.delivered': { ...message, ...outcome },
  'message.bounced': {
    ...message,
    ...outcome,
    bounce: Closed({ type: oneOf('permanent', 'transient', 'undetermined') }),
  },
  'message.failed': { ...message, ...outcome },
  'message.updated': {
    ...message,
    changes: Closed(
      {
        isRead: Type.Optional(Type.Boolean()),
        isStarred: Type.Optional(Type.Boolean()),
        folder: Type.Optional(oneOf(...FOLDERS)),
      },
      { minProperties: 1 },
    ),
  },
  'message.deleted': { ...message, mailboxIds: Type.Array(Uuid), reason: oneOf('deleted', 'trash_expired') },
  'mailbox.created': mailbox,
  'mailbox.updated': mailbox,
  'mailbox.suspended': mailbox,
  'domain.health_changed': {
    domain: Type.String(),
    previous: oneOf(...DOMAIN_HEALTHS),
    health: oneOf(...DOMAIN_HEALTHS),
    checks: Closed(Object.fromEntries(DOMAIN_CHECKS.map((name) => [name, check]))),
  },
}
