// The data of every event of a message. Pure. specification.md#data-of-an-event
import type { Uuid } from '../lib/uuid.ts'
import type { Address } from './schemas.ts'
import type { MessageStatus } from './status.ts'

/** A message as its events show it. */
export interface EventMessage {
  tenant_id: Uuid
  environment_id: Uuid
  direction: 'inbound' | 'outbound'
  status: MessageStatus
  message_id: string | null
  subject: string
  from_address: string | null
  from_name: string | null
  to_addresses: Address[]
}

/** The data of one event, without object and id. `more` is what its type adds. */
export function messageEventData(
  message: EventMessage,
  mailboxId: Uuid | null,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    mailboxId,
    direction: message.direction,
    messageId: message.message_id,
    subject: message.subject,
    from: message.from_address === null ? null : { address: message.from_address, name: message.from_name },
    to: message.to_addresses,
    status: message.status,
    ...more,
    ...(message.environment_id === message.tenant_id ? {} : { demo: true }),
  }
}
