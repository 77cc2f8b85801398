// Of which events it is counted how many there are. specification.md#counts-of-events
import type { EventType } from '../events/types.ts'

export const COUNTED_TYPES = [
  'message.queued',
  'message.sent',
  'message.delivered',
  'message.bounced',
  'message.failed',
  'message.received',
] as const satisfies readonly EventType[]

export type CountedType = (typeof COUNTED_TYPES)[number]

/** specification.md#retention-times */
export const COUNTS_KEPT_DAYS = 400
