// Writes a received message: one row for its tenant, an entry for each of the tenant's mailboxes it was for, and the
// event, in one transaction. Knows nothing of how it came or was read.
import { attachToMessage } from '../attachments/attach-to-message.ts'
import { insertAttachments } from '../attachments/insert-attachments.ts'
import { appendEvents } from '../events/append.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Authentication } from '../mail/authenticate/authentication.ts'
import type { ParsedAttachment, ParsedMessage } from '../mail/parse/parsed-message.ts'
import { joinConversation } from './conversations/join-conversation.ts'
import { type EventMessage, messageEvent } from './message-event.ts'

export interface ReceivedMessage extends Omit<ParsedMessage, 'readable' | 'fault' | 'date' | 'attachments'> {
  tenantId: Uuid
  id: Uuid
  sizeBytes: number
  entries: { mailboxId: Uuid; folder: 'inbox' | 'spam' }[]
  authentication: Authentication | null
  /** Their objects lie where `attachmentKey` says. */
  attachments: (Omit<ParsedAttachment, 'content'> & { id: Uuid })[]
}

/** Received mail is production mail: every production application of the tenant sees it. */
export async function insertReceived(tx: Tx, message: ReceivedMessage): Promise<void> {
  const { tenantId, id } = message
  const [row] = await tx.rows(sql<EventMessage>`
    with message as (
      insert into messages (tenant_id, id, environment_id, created_at, direction, from_address, from_name, to_addresses,
        cc_addresses, bcc_addresses, subject, preview, attachment_count, size_bytes, message_id, in_reply_to, text, html,
        received_at)
      select ${tenantId}, ${id}, ${tenantId}, at, 'inbound', ${message.from?.address ?? null},
        ${message.from?.name ?? null}, ${JSON.stringify(message.to)}, ${JSON.stringify(message.cc)}, '[]',
        ${message.subject}, ${message.preview}, ${message.attachments.length}, ${message.sizeBytes},
        ${message.messageId}, ${message.inReplyTo}, ${message.text}, ${message.html}, at
      from clock_timestamp() as at
      returning tenant_id, id, environment_id, created_at, seq, direction, message_id, subject, from_address,
        from_name, to_addresses
    ),
    content as (
      insert into message_contents (tenant_id, message_id, reply_to, reference_ids, headers, mime, authentication,
        text_truncated, html_truncated)
      values (${tenantId}, ${id}, ${JSON.stringify(message.replyTo)}, ${JSON.stringify(message.references)},
        ${JSON.stringify(message.headers)}, ${message.mime && JSON.stringify(message.mime)},
        ${message.authentication && JSON.stringify(message.authentication)}, ${message.textTruncated},
        ${message.htmlTruncated})
    ),
    entry as (
      insert into message_entries (tenant_id, message_id, mailbox_id, folder, is_read, is_starred, environment_id,
        created_at, seq)
      select m.tenant_id, m.id, e.mailbox_id, e.folder, false, false, m.environment_id, m.created_at, m.seq
      from message m
      cross join unnest(${message.entries.map((e) => e.mailboxId)}::uuid[], ${message.entries.map((e) => e.folder)}::text[])
        as e (mailbox_id, folder)
    )
    select tenant_id, id, environment_id, direction, 'received' as status, message_id, subject, from_address, from_name,
      to_addresses, add_stored_bytes(json_build_array(json_build_object('tenant_id', tenant_id, 'bytes', ${message.sizeBytes}::bigint)))
    from message`)
  // What others may have forged gets between nobody's messages.
  if (message.entries.some(({ folder }) => folder !== 'spam')) await joinConversation(tx, message)
  const mailboxIds = message.entries.map((entry) => entry.mailboxId)
  const [mailboxId = ''] = mailboxIds
  const place = { tenantId, environmentId: tenantId, mailboxId }
  await insertAttachments(
    tx,
    message.attachments.map((attachment) => ({ ...attachment, ...place })),
  )
  await attachToMessage(tx, { tenantId, id }, message.attachments)
  await appendEvents(tx, [messageEvent('message.received', row as EventMessage, mailboxId, { mailboxIds })])
}
