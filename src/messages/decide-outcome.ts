// What news of some recipients means for a message: which recipients move, where the message stands then, and what
// is told of it. Pure; `apply-outcomes.ts` carries it out.
import {
  MESSAGE_TRANSITIONS,
  type MessageStatus,
  RECIPIENT_TRANSITIONS,
  type RecipientStatus,
  statusFromRecipients,
} from './status.ts'

/** What became of one recipient, and in whose words. */
export interface RecipientNews {
  position: number
  status: Exclude<RecipientStatus, 'queued'>
  smtpCode: number | null
  /** Enhanced status code (RFC 3463). */
  enhancedCode: string | null
  diagnostic: string | null
  /** True when it was told by who took the message from us, and so proves that we submitted it. */
  reported?: boolean
}

export interface RecipientNow {
  position: number
  address: string
  status: RecipientStatus
}

export interface Told {
  type: 'message.sent' | 'message.delivered' | 'message.bounced' | 'message.failed'
  /** The message's status when this is told. */
  status: MessageStatus
  /** Absent for message.sent, which tells of the message. */
  news?: RecipientNews & { address: string }
}

export interface Decision {
  /** The recipients that move. */
  moved: RecipientNews[]
  status: MessageStatus
  told: Told[]
}

/**
 * Applies news in their order. A recipient moves only where its transitions lead; news that lead nowhere – a report
 * told twice, or overtaken – change nothing. A fate reported before our own record of acceptance proves submission:
 * the message counts as sent first.
 */
export function decideOutcome(
  status: MessageStatus,
  recipients: readonly RecipientNow[],
  news: readonly RecipientNews[],
): Decision {
  const now = new Map(recipients.map((recipient) => [recipient.position, { ...recipient }]))
  const moved = new Map<number, RecipientNews>()
  const told: Told[] = []

  const messageStatus = () => statusFromRecipients([...now.values()].map((recipient) => recipient.status))
  const move = (item: RecipientNews, recipient: RecipientNow) => {
    recipient.status = item.status
    moved.set(item.position, item)
  }

  let current = status
  for (const item of news) {
    const recipient = now.get(item.position)
    if (!recipient) continue
    const proven = recipient.status === 'queued' && item.reported === true
    if (!proven && !RECIPIENT_TRANSITIONS[recipient.status].includes(item.status)) continue

    if (item.status === 'sent' || proven) {
      move({ ...item, status: 'sent' }, recipient)
      if (current === 'queued') {
        current = 'sent'
        told.push({ type: 'message.sent', status: 'sent' })
      }
      if (item.status === 'sent') continue
    }
    move(item, recipient)
    const next = messageStatus()
    if (MESSAGE_TRANSITIONS[current].includes(next)) current = next
    told.push({ type: `message.${item.status}`, status: current, news: { ...item, address: recipient.address } })
  }
  return { moved: [...moved.values()], status: current, told }
}
