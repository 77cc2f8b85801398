// Reads one message as its tenant and environment see it. Knows nothing of HTTP.
import type { Realm, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { assertSeesContent } from '../apps/see-content.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Authentication } from '../mail/authenticate/authentication.ts'
import { describeMime } from '../mail/build/describe-mime.ts'
import type { MimePart } from '../mail/mime-part.ts'
import { cutText } from '../mail/parse/body-text.ts'
import { sentMessageId } from './message-id.ts'
import { type StoredRecipient, shownRecipients } from './recipients.ts'
import type { Address, MessageDetail, MessagePart } from './schemas.ts'
import { type SummaryRow, summaryFrom } from './summaries.ts'

interface Row extends SummaryRow {
  bcc_addresses: Address[]
  dkim_signature: string | null
  /** Of what is sent; null where it mentions nothing. */
  reference_ids: string[] | null
  text: string | null
  html: string | null
  /** Null for a message that was received. */
  recipients: StoredRecipient[] | null
  attachments: (MessageDetail['attachments'][number] & { partId: string | null })[]
  /** Of what a received message was read as; null for one that is sent. */
  contents: {
    replyTo: Address[]
    references: string[]
    headers: MessageDetail['headers']
    mime: MimePart | null
    authentication: Authentication | null
    textTruncated: boolean
    htmlTruncated: boolean
  } | null
}

/** The message with all that is known of it; undefined when absent, foreign or gone. @throws Problem content_hidden */
export async function readMessage(db: Db, actor: TenantActor, id: Uuid): Promise<MessageDetail | undefined> {
  assertMay(actor, 'readMessages')
  await assertSeesContent(db, actor)
  return findMessageDetail(db, actor, id)
}

/** The same, for whoever was found to see it. */
export async function findMessageDetail(db: Db, realm: Realm, id: Uuid): Promise<MessageDetail | undefined> {
  const row = await db.first(sql<Row>`
    select m.id, m.direction, coalesce(s.status, 'received') as status, m.from_address, m.from_name, m.to_addresses, m.cc_addresses, m.bcc_addresses,
      m.subject, m.preview, m.attachment_count, coalesce(s.size_bytes, m.size_bytes) as size_bytes, m.message_id, m.in_reply_to, s.sent_at, m.received_at,
      m.created_at, s.dkim_signature, m.reference_ids, s.recipients, m.text, m.html,
      case
        when m.in_sent then json_build_array(json_build_object('mailboxId', m.mailbox_id, 'folder', 'sent', 'isRead', true,
          'isStarred', false))
        else coalesce((
          select json_agg(json_build_object('mailboxId', e.mailbox_id, 'folder', e.folder, 'isRead', e.is_read,
            'isStarred', e.is_starred) order by e.mailbox_id)
          from message_entries e where e.tenant_id = m.tenant_id and e.message_id = m.id), '[]')
      end as entries,
      coalesce((
        select json_agg(json_build_object('id', a.id, 'mailboxId', a.mailbox_id, 'messageId', m.id,
          'filename', a.filename, 'mediaType', a.media_type, 'sizeBytes', a.size_bytes,
          'sha256', encode(a.sha256, 'hex'), 'disposition', a.disposition, 'contentId', a.content_id,
          'createdAt', to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          'partId', h.part_id) order by h.position)
        from message_attachments h
        join attachments a on a.tenant_id = h.tenant_id and a.id = h.attachment_id
        where h.tenant_id = m.tenant_id and h.message_id = m.id), '[]') as attachments,
      case when c.message_id is not null then json_build_object('replyTo', c.reply_to, 'references', c.reference_ids,
        'headers', c.headers, 'mime', c.mime, 'authentication', c.authentication, 'textTruncated', c.text_truncated,
        'htmlTruncated', c.html_truncated) end as contents
    from messages m
    left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
    left join message_contents c on c.tenant_id = m.tenant_id and c.message_id = m.id
    where m.tenant_id = ${realm.tenantId} and m.environment_id = ${realm.environmentId} and m.id = ${id}
      and m.gone is null`)
  return row && detailFrom(row)
}

function detailFrom(row: Row): MessageDetail {
  const text = row.text === null ? undefined : cutText(row.text)
  const html = row.html === null ? undefined : cutText(row.html)
  const contents = row.contents ?? contentsOfSent(row)
  const attachmentOf = new Map(row.attachments.map(({ partId, id }) => [partId, id]))
  return {
    ...summaryFrom(row),
    ...(row.direction === 'outbound' ? { bcc: row.bcc_addresses } : {}),
    replyTo: contents.replyTo,
    references: contents.references,
    headers: contents.headers,
    text: text?.text ?? null,
    html: html?.text ?? null,
    textTruncated: text?.truncated || contents.textTruncated,
    htmlTruncated: html?.truncated || contents.htmlTruncated,
    attachments: row.attachments.map(({ partId: _partId, ...attachment }) => attachment),
    recipients: shownRecipients(row.recipients ?? [], row.created_at),
    authentication: contents.authentication,
    mime: contents.mime && withAttachments(contents.mime, attachmentOf),
  }
}

/** What is sent is described as it is written, whether it has been written yet or not; it is signed when it is. */
function contentsOfSent(row: Row): NonNullable<Row['contents']> {
  const { headers, mime } = describeMime({
    messageId: sentMessageId(row.id, row.from_address as string),
    date: new Date(row.created_at),
    from: { address: row.from_address as string, name: row.from_name },
    to: row.to_addresses,
    cc: row.cc_addresses,
    subject: row.subject,
    inReplyTo: row.in_reply_to,
    references: row.reference_ids ?? [],
    text: row.text,
    html: row.html,
    attachments: row.attachments,
  })
  return {
    replyTo: [],
    references: row.reference_ids ?? [],
    headers:
      row.dkim_signature === null ? headers : [{ name: 'DKIM-Signature', value: row.dkim_signature }, ...headers],
    mime,
    authentication: null,
    textTruncated: false,
    htmlTruncated: false,
  }
}

function withAttachments(part: MimePart, attachmentOf: ReadonlyMap<string | null, Uuid>): MessagePart {
  return {
    ...part,
    attachmentId: attachmentOf.get(part.partId) ?? null,
    parts: part.parts.map((child) => withAttachments(child, attachmentOf)),
  }
}
