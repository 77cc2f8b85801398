// The one list of the types of events in the canonical log. specification.md#types-of-events

export const EVENT_TYPES = [
  'message.received',
  'message.queued',
  'message.sent',
  'message.delivered',
  'message.bounced',
  'message.failed',
  'message.updated',
  'message.deleted',
  'mailbox.created',
  'mailbox.updated',
  'mailbox.suspended',
  'domain.health_changed',
] as const

export type EventType = (typeof EVENT_TYPES)[number]
