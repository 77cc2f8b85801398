// What outcomes of some recipients mean for a message: which recipients move, where the message stands then, and which
// events say so. Pure; `apply-outcomes.ts` carries it out.
import {
  MESSAGE_TRANSITIONS,
  type MessageStatus,
  RECIPIENT_TRANSITIONS,
  type RecipientStatus,
  statusFromRecipients,
} from './status.ts'

/** What was said of one recipient. */
export interface RecipientReply {
  position: number
  smtpCode: number | null
  /** Enhanced status code (RFC 3463). */
  enhancedCode: string | null
  diagnostic: string | null
}

/** What became of one recipient, and in whose words. */
export interface RecipientOutcome extends RecipientReply {
  status: Exclude<RecipientStatus, 'queued'>
  /** True when it comes from whoever took the message from us, and so proves that we submitted it. */
  reported?: boolean
}

export interface RecipientNow {
  position: number
  address: string
  status: RecipientStatus
}

/** An event that a message's outcome causes. */
export type OutcomeEvent = {
  /** The message's status at that moment. */
  status: MessageStatus
} & (
  | { type: 'message.sent'; outcome?: undefined }
  | {
      type: 'message.delivered' | 'message.bounced' | 'message.failed'
      outcome: RecipientOutcome & { address: string }
    }
)

export interface Decision {
  /** The recipients that move. */
  moved: RecipientOutcome[]
  status: MessageStatus
  events: OutcomeEvent[]
}

/**
 * Applies outcomes in their order. A recipient moves only where its transitions lead; an outcome that leads nowhere – a
 * report that comes twice, or is overtaken – changes nothing. One that is reported before our own record of acceptance
 * proves submission: the message counts as sent first.
 */
export function decideOutcome(
  status: MessageStatus,
  recipients: readonly RecipientNow[],
  outcomes: readonly RecipientOutcome[],
): Decision {
  const now = new Map(recipients.map((recipient) => [recipient.position, { ...recipient }]))
  const moved = new Map<number, RecipientOutcome>()
  const events: OutcomeEvent[] = []

  const messageStatus = () => statusFromRecipients([...now.values()].map((recipient) => recipient.status))
  const move = (outcome: RecipientOutcome, recipient: RecipientNow) => {
    recipient.status = outcome.status
    moved.set(outcome.position, outcome)
  }

  let current = status
  for (const outcome of outcomes) {
    const recipient = now.get(outcome.position)
    if (!recipient) continue
    const proven = recipient.status === 'queued' && outcome.reported === true
    if (!proven && !RECIPIENT_TRANSITIONS[recipient.status].includes(outcome.status)) continue

    if (outcome.status === 'sent' || proven) {
      move({ ...outcome, status: 'sent' }, recipient)
      if (current === 'queued') {
        current = 'sent'
        events.push({ type: 'message.sent', status: 'sent' })
      }
      if (outcome.status === 'sent') continue
    }
    move(outcome, recipient)
    const next = messageStatus()
    if (MESSAGE_TRANSITIONS[current].includes(next)) current = next
    const reached = { ...outcome, address: recipient.address }
    events.push({ type: `message.${outcome.status}`, status: current, outcome: reached })
  }
  return { moved: [...moved.values()], status: current, events }
}
