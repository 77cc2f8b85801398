// What statuses are called, and the colour that says the same.
import type { EventType } from '../../src/events/types.ts'
import type { MessageStatus } from '../../src/messages/status.ts'
import type { Tone } from '../ui/badge.tsx'

const TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  sent: 'accent',
  bounced: 'bad',
  failed: 'bad',
  dead: 'bad',
  pending: 'warn',
}

/** Of a message, a recipient or a webhook delivery. */
export const toneOf = (status: string): Tone => TONES[status] ?? 'neutral'

/** The same for a type of event, such as `message.bounced`. */
export const toneOfType = (type: string): Tone => toneOf(type.slice(type.indexOf('.') + 1))

const STATUSES: Readonly<Record<MessageStatus, string>> = {
  queued: 'Queued',
  sent: 'Sent',
  delivered: 'Delivered',
  bounced: 'Bounced',
  failed: 'Failed',
  received: 'Received',
}

export const nameOfStatus = (status: MessageStatus): string => STATUSES[status]

/** As a filter offers them. */
export const MESSAGE_STATUSES = Object.entries(STATUSES)

const TYPES: Readonly<Record<EventType, string>> = {
  'message.queued': 'Message queued',
  'message.sent': 'Message sent',
  'message.delivered': 'Message delivered',
  'message.bounced': 'Message bounced',
  'message.failed': 'Message failed',
  'message.received': 'Message received',
  'message.updated': 'Message updated',
  'message.deleted': 'Message deleted',
  'mailbox.created': 'Mailbox created',
  'mailbox.updated': 'Mailbox updated',
  'mailbox.suspended': 'Mailbox suspended',
  'domain.health_changed': 'Health of a domain changed',
}

/** As a filter offers them: each type with its words. */
export const EVENT_TYPES = Object.entries(TYPES)
