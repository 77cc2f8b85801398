// The Message-ID header of a message: that of received mail is kept, ours is made of what is kept anyway. Pure.
import type { Uuid } from '../lib/uuid.ts'

/** With its angle brackets; null for received mail that has none. */
export function messageIdOf(message: {
  id: Uuid
  direction: 'inbound' | 'outbound'
  /** Null for mail that is sent. */
  message_id: string | null
  from_address: string | null
}): string | null {
  return message.direction === 'inbound'
    ? message.message_id
    : sentMessageId(message.id, message.from_address as string)
}

/** Of a message that is sent from this address. */
export const sentMessageId = (id: Uuid, from: string): string => `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`
