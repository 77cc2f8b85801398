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

/** Brought about by every send, received mail and change of a flag. Each other type has an index (events_of_rare_types). */
const FREQUENT_TYPES: readonly EventType[] = [
  'message.received',
  'message.queued',
  'message.sent',
  'message.delivered',
  'message.updated',
]

/** True for a type whose events are few, and found without looking through others. */
export function isRareType(type: EventType): boolean {
  return !FREQUENT_TYPES.includes(type)
}
