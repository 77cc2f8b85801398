// What happened to a message, in order, as the console shows it.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { BOUNCE_TYPES } from '../bounce-type.ts'
import { TRY_OUTCOMES } from '../submission-try.ts'

/** By the name that it was given, if any. */
const Named = Closed({ id: Uuid, name: Nullable(Type.String()) })

/** What was said: codes are null where it was not a mail server that said it. */
const reply = {
  smtpCode: Nullable(Type.Integer()),
  /** Enhanced status code (RFC 3463). */
  enhancedCode: Nullable(Type.String()),
  text: Nullable(Type.String()),
}

/** The request that made it. */
export const SendingRequest = Closed({
  requestId: Nullable(Type.String()),
  /** Null of what a mailbox user sent. */
  key: Nullable(Named),
  clientAddress: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
})
export type SendingRequest = Static<typeof SendingRequest>

const Accepted = Closed({
  kind: Type.Literal('accepted'),
  at: DateTime,
  /** The application that sent it. */
  app: Nullable(Named),
  /** The mailbox user who sent it, by the login; null where that is gone. */
  user: Nullable(Named),
  /** Null to whoever may not read the audit log, and once it is forgotten. */
  request: Nullable(SendingRequest),
  /** It is of a sandbox: nothing reaches a relay. */
  isSimulated: Type.Boolean(),
})

const Received = Closed({ kind: Type.Literal('received'), at: DateTime, mailboxIds: Type.Array(Type.String()) })

/** A try to submit it, or several in a row at which the same was said. */
const Try = Closed({
  kind: Type.Literal('try'),
  /** Of the last of them. */
  at: DateTime,
  firstAt: DateTime,
  times: Type.Integer(),
  /**
   * `accepted`, `refused`, `unavailable`, `unknown`: what the relay did; `unreached`: no connection to it could be opened;
   * `simulated`; `object_store_unavailable`, `dkim_key_unavailable`: what kept it from the relay, for the operator to repair.
   */
  result: Type.String(),
  /** Null when no other followed. */
  nextAttemptAt: Nullable(DateTime),
  /** Recipients to whom the same was said stand together. */
  answers: Type.Array(Closed({ recipients: Type.Array(Type.String()), outcome: OneOf(TRY_OUTCOMES), ...reply })),
})
export type TimelineTry = Static<typeof Try>

/** From then on the message counts as sent. */
const Sent = Closed({ kind: Type.Literal('sent'), at: DateTime, relayResponse: Nullable(Type.String()) })

const Outcome = Closed({
  kind: OneOf(['delivered', 'bounced', 'failed']),
  at: DateTime,
  recipient: Type.String(),
  ...reply,
  /** Of a bounce. */
  bounceType: Nullable(OneOf(BOUNCE_TYPES)),
})

const Complained = Closed({ kind: Type.Literal('complained'), at: DateTime, recipient: Type.String() })

const Updated = Closed({
  kind: Type.Literal('updated'),
  at: DateTime,
  mailboxId: Nullable(Type.String()),
  isRead: Nullable(Type.Boolean()),
  isStarred: Nullable(Type.Boolean()),
  folder: Nullable(Type.String()),
})

/** From these mailboxes; from others it is not. */
const Deleted = Closed({
  kind: Type.Literal('deleted'),
  at: DateTime,
  mailboxIds: Type.Array(Type.String()),
  reason: Nullable(Type.String()),
})

export const TimelineItem = Type.Union([Accepted, Received, Try, Sent, Outcome, Complained, Updated, Deleted])
export type TimelineItem = Static<typeof TimelineItem>

/** What a message waits for that is still on its way. */
export const Waiting = Closed({
  /**
   * `turn`: it is due, and waits for a worker; `time`: for its next attempt; `relay`: for the relay to answer again, until the
   * next attempt at the latest; `lane`: it is due, and its lane is held; `submission`: a worker has it at this moment.
   */
  for: OneOf(['turn', 'time', 'relay', 'lane', 'submission']),
  /** When it is tried next, at the latest; null where that depends on others. */
  until: Nullable(DateTime),
})
export type Waiting = Static<typeof Waiting>

export const MessageTimeline = Closed({
  /** Oldest first. */
  items: Type.Array(TimelineItem),
  /** There are more events than were read: of the older ones only what is known otherwise is here. */
  isCut: Type.Boolean(),
  /** A legal hold keeps its bytes. */
  isHeld: Type.Boolean(),
  /** Null when nothing of it is on its way. */
  waiting: Nullable(Waiting),
})
export type MessageTimeline = Static<typeof MessageTimeline>
