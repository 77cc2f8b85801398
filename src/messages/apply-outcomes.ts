// Carries out what news of recipients mean: moves recipients and messages, and appends the events, in one
// transaction. The outbound worker and the relay's reports both come through here.
import { appendEvents, type NewEvent } from '../events/append.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { bounceType } from './bounce-type.ts'
import { type Decision, decideOutcome, type RecipientNews, type RecipientNow, type Told } from './decide-outcome.ts'
import { messageEventData } from './event-data.ts'
import type { Address } from './schemas.ts'
import type { MessageStatus, RecipientStatus } from './status.ts'

export interface MessageNews {
  tenantId: Uuid
  messageId: Uuid
  recipients: RecipientNews[]
  /** Where the built message lies, how large it is and how it is signed, when the news come from who built it. */
  stored?: { objectKey: string; sizeBytes: number; dkimSignature?: string | null }
  /** The relay's words when it took the message. */
  relayResponse?: string
}

interface MessageNow {
  tenant_id: Uuid
  id: Uuid
  environment_id: Uuid
  mailbox_id: Uuid
  status: MessageStatus
  message_id: string
  subject: string
  from_address: string
  from_name: string | null
  to_addresses: Address[]
}

/** Applies news of many messages. A message that is gone is passed over. */
export async function applyOutcomes(tx: Tx, news: readonly MessageNews[]): Promise<void> {
  if (news.length === 0) return
  // In this order: what is read after the lock is what whoever held it left.
  const [messages, recipients] = await Promise.all([lockMessages(tx, news), readRecipients(tx, news)])
  const decided: { message: MessageNow; decision: Decision; news: MessageNews }[] = []
  for (const item of news) {
    const message = messages.get(item.messageId)
    if (!message) continue
    const now = recipients.get(item.messageId) ?? []
    const decision = decideOutcome(message.status, now, item.recipients)
    decided.push({ message, decision, news: item })
    // News of one message may come twice in a group: the second starts where the first left off.
    message.status = decision.status
    for (const moved of decision.moved) {
      const recipient = now.find((candidate) => candidate.position === moved.position)
      if (recipient) recipient.status = moved.status
    }
  }
  await Promise.all([
    saveRecipients(
      tx,
      decided.flatMap(({ message, decision }) => decision.moved.map((moved) => ({ ...moved, message }))),
    ),
    saveMessages(tx, decided),
    appendEvents(
      tx,
      decided.flatMap(({ message, decision, news: item }) => decision.told.map((told) => eventOf(message, told, item))),
    ),
  ])
}

/** Locked in the order of their ids, so that two groups wait for each other and never in a circle. */
async function lockMessages(tx: Tx, news: readonly MessageNews[]): Promise<Map<Uuid, MessageNow>> {
  const rows = await tx.rows(sql<MessageNow>`
    select m.tenant_id, m.id, m.environment_id, m.mailbox_id, m.status, m.message_id, m.subject, m.from_address,
      m.from_name, m.to_addresses
    from unnest(${news.map((n) => n.tenantId)}::uuid[], ${news.map((n) => n.messageId)}::uuid[]) as n (tenant_id, id)
    join messages m on m.tenant_id = n.tenant_id and m.id = n.id
    where m.direction = 'outbound' and m.gone is null
    order by m.tenant_id, m.id
    for no key update of m`)
  return new Map(rows.map((row) => [row.id, row]))
}

async function readRecipients(tx: Tx, news: readonly MessageNews[]): Promise<Map<Uuid, RecipientNow[]>> {
  const rows = await tx.rows(sql<{ message_id: Uuid; position: number; address: string; status: RecipientStatus }>`
    select r.message_id, r.position, r.address, r.status
    from message_recipients r
    join unnest(${news.map((n) => n.tenantId)}::uuid[], ${news.map((n) => n.messageId)}::uuid[]) as n (tenant_id, id)
      on r.tenant_id = n.tenant_id and r.message_id = n.id
    group by r.message_id, r.position, r.address, r.status
    order by r.message_id, r.position`)
  const byMessage = new Map<Uuid, RecipientNow[]>()
  for (const { message_id, ...recipient } of rows) {
    const list = byMessage.get(message_id)
    if (list) list.push(recipient)
    else byMessage.set(message_id, [recipient])
  }
  return byMessage
}

async function saveRecipients(tx: Tx, moved: (RecipientNews & { message: MessageNow })[]): Promise<void> {
  if (moved.length === 0) return
  // One row a recipient: the last word stands.
  const last = new Map(moved.map((m) => [`${m.message.id} ${m.position}`, m]))
  const rows = [...last.values()].map((m) => ({
    tenant_id: m.message.tenant_id,
    message_id: m.message.id,
    position: m.position,
    status: m.status,
    smtp_code: m.smtpCode,
    enhanced_code: m.enhancedCode,
    diagnostic: m.diagnostic,
  }))
  await tx.rows(sql`
    update message_recipients r
    set status = n.status, smtp_code = n.smtp_code, enhanced_code = n.enhanced_code, diagnostic = n.diagnostic,
      updated_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(rows)}::json) as n (tenant_id uuid, message_id uuid, position smallint,
      status text, smtp_code smallint, enhanced_code text, diagnostic text)
    where r.tenant_id = n.tenant_id and r.message_id = n.message_id and r.position = n.position`)
}

async function saveMessages(
  tx: Tx,
  decided: readonly { message: MessageNow; decision: Decision; news: MessageNews }[],
): Promise<void> {
  const rows = new Map<Uuid, Record<string, unknown>>()
  for (const { message, decision, news } of decided) {
    const before = rows.get(message.id)
    rows.set(message.id, {
      tenant_id: message.tenant_id,
      id: message.id,
      status: decision.status,
      sent: decision.told.some((told) => told.type === 'message.sent') || before?.sent === true,
      object_key: news.stored?.objectKey ?? before?.object_key ?? null,
      size_bytes: news.stored?.sizeBytes ?? before?.size_bytes ?? null,
      dkim_signature: news.stored?.dkimSignature ?? before?.dkim_signature ?? null,
    })
  }
  if (rows.size === 0) return
  await tx.rows(sql`
    update messages m
    set status = n.status, sent_at = case when n.sent then greatest(clock_timestamp(), m.created_at) else m.sent_at end,
      object_key = coalesce(n.object_key, m.object_key), size_bytes = coalesce(n.size_bytes, m.size_bytes),
      dkim_signature = coalesce(n.dkim_signature, m.dkim_signature)
    from json_to_recordset(${JSON.stringify([...rows.values()])}::json) as n (tenant_id uuid, id uuid, status text,
      sent boolean, object_key text, size_bytes bigint, dkim_signature text)
    where m.tenant_id = n.tenant_id and m.id = n.id`)
}

/** specification.md#data-of-an-event */
function eventOf(message: MessageNow, told: Told, item: MessageNews): NewEvent {
  const { news } = told
  return {
    tenantId: message.tenant_id,
    environmentId: message.environment_id,
    type: told.type,
    resourceType: 'message',
    resourceId: message.id,
    data: messageEventData({ ...message, direction: 'outbound', status: told.status }, message.mailbox_id, {
      ...(told.type === 'message.sent' ? { relayResponse: item.relayResponse ?? null } : {}),
      ...(news
        ? {
            recipient: news.address,
            smtpCode: news.smtpCode,
            enhancedCode: news.enhancedCode,
            diagnostic: news.diagnostic,
          }
        : {}),
      ...(told.type === 'message.bounced' ? { bounce: { type: bounceType(news?.enhancedCode ?? null) } } : {}),
    }),
  }
}
