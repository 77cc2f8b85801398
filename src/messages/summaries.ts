// What the API shows of any message, wherever it is shown: the columns, and the summary made of them.
import type { Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { messageIdOf } from './message-id.ts'
import type { Address, MessageSummary } from './schemas.ts'
import type { MessageStatus } from './status.ts'

export interface SummaryRow {
  id: Uuid
  direction: 'inbound' | 'outbound'
  status: MessageStatus
  from_address: string | null
  from_name: string | null
  to_addresses: Address[]
  cc_addresses: Address[]
  subject: string
  preview: string
  attachment_count: number
  size_bytes: number | null
  /** Null for mail that is sent. */
  message_id: string | null
  in_reply_to: string | null
  sent_at: Timestamp | null
  received_at: Timestamp | null
  created_at: Timestamp
  entries: MessageSummary['mailboxes']
}

/** The summary of a message, as lists show it. */
export function summaryFrom(row: SummaryRow): MessageSummary {
  return {
    id: row.id,
    object: 'message',
    direction: row.direction,
    status: row.status,
    from: row.from_address === null ? null : { address: row.from_address, name: row.from_name },
    to: row.to_addresses,
    cc: row.cc_addresses,
    subject: row.subject,
    preview: row.preview,
    hasAttachments: row.attachment_count > 0,
    attachmentCount: row.attachment_count,
    sizeBytes: row.size_bytes,
    messageId: messageIdOf(row),
    inReplyTo: row.in_reply_to,
    mailboxes: row.entries,
    sentAt: row.sent_at,
    receivedAt: row.received_at,
    createdAt: row.created_at,
  }
}
