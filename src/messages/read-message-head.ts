// A message without what is in it: whom it is from and to, where it lies, what became of it. Knows nothing of HTTP.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { messageIdOf } from './message-id.ts'
import { type StoredRecipient, shownRecipients } from './recipients.ts'
import type { Address, MessageDetail, MessageSummary } from './schemas.ts'
import type { MessageStatus } from './status.ts'

export interface MessageHead extends Pick<MessageSummary, 'id' | 'direction' | 'status' | 'from' | 'to' | 'cc'> {
  bcc: Address[]
  subject: string
  createdAt: Timestamp
  /** The header Message-ID. */
  messageId: string | null
  /** Null until it is built. */
  sizeBytes: number | null
  mailboxes: MessageSummary['mailboxes']
  recipients: MessageDetail['recipients']
}

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
  created_at: Timestamp
  message_id: string | null
  size_bytes: number | null
  entries: MessageSummary['mailboxes']
  recipients: StoredRecipient[] | null
}

/** Undefined when absent, foreign or gone. */
export async function readMessageHead(db: Db, actor: TenantActor, id: Uuid): Promise<MessageHead | undefined> {
  assertMay(actor, 'readMessages')
  const row = await db.first(sql<Row>`
    select m.id, m.direction, coalesce(s.status, 'received') as status, m.from_address, m.from_name, m.to_addresses,
      m.cc_addresses, m.bcc_addresses, m.subject, m.created_at, m.message_id,
      coalesce(s.size_bytes, m.size_bytes) as size_bytes, s.recipients,
      case
        when m.in_sent then json_build_array(json_build_object('mailboxId', m.mailbox_id, 'folder', 'sent', 'isRead', true,
          'isStarred', false))
        else coalesce((
          select json_agg(json_build_object('mailboxId', e.mailbox_id, 'folder', e.folder, 'isRead', e.is_read,
            'isStarred', e.is_starred) order by e.mailbox_id)
          from message_entries e where e.tenant_id = m.tenant_id and e.message_id = m.id), '[]')
      end as entries
    from messages m
    left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
    where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId} and m.id = ${id}
      and m.gone is null`)
  if (!row) return undefined
  return {
    id: row.id,
    direction: row.direction,
    status: row.status,
    from: row.from_address === null ? null : { address: row.from_address, name: row.from_name },
    to: row.to_addresses,
    cc: row.cc_addresses,
    bcc: row.bcc_addresses,
    subject: row.subject,
    createdAt: row.created_at,
    messageId: messageIdOf(row),
    sizeBytes: row.size_bytes,
    mailboxes: row.entries,
    recipients: shownRecipients(row.recipients ?? [], row.created_at),
  }
}
