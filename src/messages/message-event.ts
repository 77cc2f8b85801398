// Makes the events of a message, but for that of an accepted send, which its statement makes. Pure.
import type { NewEvent } from '../events/append.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { MessageEventData, MessageEventType } from './event-data.ts'
import { messageIdOf } from './message-id.ts'
import type { Address } from './schemas.ts'
import type { MessageStatus } from './status.ts'

/** A message as its events show it. */
export interface EventMessage {
  tenant_id: Uuid
  environment_id: Uuid
  id: Uuid
  direction: 'inbound' | 'outbound'
  status: MessageStatus
  /** Null for mail that is sent. */
  message_id: string | null
  subject: string
  from_address: string | null
  from_name: string | null
  to_addresses: Address[]
}

/** An event of a message. `more` is what its type adds to what all have. */
export function messageEvent<T extends MessageEventType>(
  type: T,
  message: EventMessage,
  mailboxId: Uuid | null,
  more: Omit<MessageEventData<T>, keyof MessageEventData<'message.queued'>>,
): NewEvent {
  const common: MessageEventData<'message.queued'> = {
    mailboxId,
    direction: message.direction,
    messageId: messageIdOf(message),
    subject: message.subject,
    from: message.from_address === null ? null : { address: message.from_address, name: message.from_name },
    to: message.to_addresses,
    status: message.status,
  }
  const isDemo = message.environment_id !== message.tenant_id
  return {
    tenantId: message.tenant_id,
    environmentId: message.environment_id,
    type,
    resourceType: 'message',
    resourceId: message.id,
    data: { ...common, ...more, ...(isDemo ? { demo: true } : {}) },
  }
}
