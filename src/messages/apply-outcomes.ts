// Carries out what outcomes of recipients mean: moves recipients and messages, and appends the events, in one
// transaction. The outbound worker and the relay's reports both come through here.
import { appendEvents, type NewEvent } from '../events/append.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { bounceType } from './bounce-type.ts'
import {
  type Decision,
  decideOutcome,
  type OutcomeEvent,
  type RecipientNow,
  type RecipientOutcome,
} from './decide-outcome.ts'
import { messageEvent } from './message-event.ts'
import type { Address } from './schemas.ts'
import type { MessageStatus, RecipientStatus } from './status.ts'

/** What is known of some recipients of a message. */
export interface MessageOutcome {
  tenantId: Uuid
  messageId: Uuid
  recipients: RecipientOutcome[]
  /** Where the built message lies, how large it is and how it is signed, from whoever built it. */
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

/** Applies the outcomes of many messages. A message that is gone is passed over. */
export async function applyOutcomes(tx: Tx, outcomes: readonly MessageOutcome[]): Promise<void> {
  if (outcomes.length === 0) return
  // In this order: what is read after the lock is what whoever held it left.
  const [messages, recipients] = await Promise.all([lockMessages(tx, outcomes), readRecipients(tx, outcomes)])
  const decided: Decided[] = []
  for (const outcome of outcomes) {
    const message = messages.get(outcome.messageId)
    if (!message) continue
    const now = recipients.get(outcome.messageId) ?? []
    const decision = decideOutcome(message.status, now, outcome.recipients)
    decided.push({ message, decision, outcome })
    // One message may come twice in a group: the second starts where the first left off.
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
      decided.flatMap(({ message, decision, outcome }) =>
        decision.events.map((event) => eventOf(message, event, outcome)),
      ),
    ),
  ])
}

interface Decided {
  message: MessageNow
  decision: Decision
  outcome: MessageOutcome
}

/** Locked in the order of their ids, so that two groups wait for each other and never in a circle. */
async function lockMessages(tx: Tx, outcomes: readonly MessageOutcome[]): Promise<Map<Uuid, MessageNow>> {
  const rows = await tx.rows(sql<MessageNow>`
    select m.tenant_id, m.id, m.environment_id, m.mailbox_id, m.status, m.message_id, m.subject, m.from_address,
      m.from_name, m.to_addresses
    from unnest(${outcomes.map((o) => o.tenantId)}::uuid[],
      ${outcomes.map((o) => o.messageId)}::uuid[]) as n (tenant_id, id)
    join messages m on m.tenant_id = n.tenant_id and m.id = n.id
    where m.direction = 'outbound' and m.gone is null
    order by m.tenant_id, m.id
    for no key update of m`)
  return new Map(rows.map((row) => [row.id, row]))
}

async function readRecipients(tx: Tx, outcomes: readonly MessageOutcome[]): Promise<Map<Uuid, RecipientNow[]>> {
  const rows = await tx.rows(sql<{ message_id: Uuid; position: number; address: string; status: RecipientStatus }>`
    select r.message_id, r.position, r.address, r.status
    from message_recipients r
    join unnest(${outcomes.map((o) => o.tenantId)}::uuid[],
      ${outcomes.map((o) => o.messageId)}::uuid[]) as n (tenant_id, id)
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

async function saveRecipients(tx: Tx, moved: (RecipientOutcome & { message: MessageNow })[]): Promise<void> {
  if (moved.length === 0) return
  // One row a recipient: the last outcome stands.
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

async function saveMessages(tx: Tx, decided: readonly Decided[]): Promise<void> {
  const rows = new Map<Uuid, Record<string, unknown>>()
  for (const { message, decision, outcome } of decided) {
    const before = rows.get(message.id)
    rows.set(message.id, {
      tenant_id: message.tenant_id,
      id: message.id,
      status: decision.status,
      sent: decision.events.some((event) => event.type === 'message.sent') || before?.sent === true,
      object_key: outcome.stored?.objectKey ?? before?.object_key ?? null,
      size_bytes: outcome.stored?.sizeBytes ?? before?.size_bytes ?? null,
      dkim_signature: outcome.stored?.dkimSignature ?? before?.dkim_signature ?? null,
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

function eventOf(now: MessageNow, event: OutcomeEvent, { relayResponse }: MessageOutcome): NewEvent {
  const message = { ...now, direction: 'outbound', status: event.status } as const
  if (event.type === 'message.sent')
    return messageEvent(event.type, message, now.mailbox_id, { relayResponse: relayResponse ?? null })
  const { address: recipient, smtpCode, enhancedCode, diagnostic } = event.outcome
  const outcome = { recipient, smtpCode, enhancedCode, diagnostic }
  if (event.type !== 'message.bounced') return messageEvent(event.type, message, now.mailbox_id, outcome)
  return messageEvent(event.type, message, now.mailbox_id, { ...outcome, bounce: { type: bounceType(enhancedCode) } })
}
