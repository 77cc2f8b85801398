// Reads one message as its tenant and environment see it. Knows nothing of HTTP.
import type { Principal } from '../http/principal.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Address, MessageDetail } from './schemas.ts'
import type { MessageStatus } from './status.ts'

interface Row {
  id: Uuid
  direction: 'inbound' | 'outbound'
  status: MessageStatus
  from_address: string | null
  from_name: string | null
  to_addresses: Address[]
  cc_addresses: Address[]
  bcc_addresses: Address[]
  subject: string
  preview: string
  attachment_count: number
  size_bytes: number | null
  message_id: string | null
  in_reply_to: string | null
  sent_at: Timestamp | null
  received_at: Timestamp | null
  created_at: Timestamp
  text: string | null
  html: string | null
  text_truncated: boolean
  html_truncated: boolean
  entries: MessageDetail['mailboxes']
  recipients: MessageDetail['recipients']
}

/** DECISIONS "Message": bodies above 1 MiB are cut. Counted in characters here. */
const BODY_CUT = 1024 * 1024

/** The message with its recipients and entries; undefined when absent or foreign. */
export async function readMessage(db: Db, principal: Principal, id: Uuid): Promise<MessageDetail | undefined> {
  const row = await db.first(sql<Row>`
    select m.id, m.direction, m.status, m.from_address, m.from_name, m.to_addresses, m.cc_addresses, m.bcc_addresses,
      m.subject, m.preview, m.attachment_count, m.size_bytes, m.message_id, m.in_reply_to, m.sent_at, m.received_at,
      m.created_at, left(b.text, ${BODY_CUT}) as text, left(b.html, ${BODY_CUT}) as html,
      coalesce(length(b.text) > ${BODY_CUT}, false) as text_truncated,
      coalesce(length(b.html) > ${BODY_CUT}, false) as html_truncated,
      coalesce((
        select json_agg(json_build_object('mailboxId', e.mailbox_id, 'folder', e.folder, 'isRead', e.is_read,
          'isStarred', e.is_starred) order by e.mailbox_id)
        from message_entries e where e.tenant_id = m.tenant_id and e.message_id = m.id), '[]') as entries,
      coalesce((
        select json_agg(json_build_object('address', r.address, 'kind', r.kind, 'status', r.status,
          'smtpCode', r.smtp_code, 'enhancedCode', r.enhanced_code, 'diagnostic', r.diagnostic,
          'updatedAt', to_char(r.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by r.position)
        from message_recipients r where r.tenant_id = m.tenant_id and r.message_id = m.id), '[]') as recipients
    from messages m
    join message_bodies b on b.tenant_id = m.tenant_id and b.message_id = m.id
    where m.tenant_id = ${principal.tenantId} and m.environment_id = ${principal.environmentId} and m.id = ${id}`)
  return row && detailFrom(row)
}

function detailFrom(row: Row): MessageDetail {
  return {
    id: row.id,
    object: 'message',
    direction: row.direction,
    status: row.status,
    from: row.from_address === null ? null : { address: row.from_address, name: row.from_name },
    to: row.to_addresses,
    cc: row.cc_addresses,
    ...(row.direction === 'outbound' ? { bcc: row.bcc_addresses } : {}),
    subject: row.subject,
    preview: row.preview,
    hasAttachments: row.attachment_count > 0,
    attachmentCount: row.attachment_count,
    sizeBytes: row.size_bytes,
    messageId: row.message_id,
    inReplyTo: row.in_reply_to,
    mailboxes: row.entries,
    sentAt: row.sent_at,
    receivedAt: row.received_at,
    createdAt: row.created_at,
    text: row.text,
    html: row.html,
    textTruncated: row.text_truncated,
    htmlTruncated: row.html_truncated,
    recipients: row.recipients,
  }
}
