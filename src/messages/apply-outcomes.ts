// Carries out what outcomes of recipients mean: moves recipients and messages, and appends the events, in one
// transaction. The outbound worker and the relay's reports both come through here.
import { appendEvents, type NewEvent } from '../events/append.ts'
import { arrayLiteral, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { isAddressGone } from '../suppressions/is-address-gone.ts'
import { type Bounce, recordBounces } from '../suppressions/record-bounces.ts'
import { bounceType } from './bounce-type.ts'
import { type Decision, decideOutcome, type OutcomeEvent, type RecipientOutcome } from './decide-outcome.ts'
import { type EventMessage, messageEvent } from './message-event.ts'
import {
  openRecipients,
  recipientsNow,
  type StoredRecipient,
  type SubmissionAttempt,
  withAttempt,
  withOutcomes,
} from './recipients.ts'
import { isFailure, type MessageStatus } from './status.ts'

/** What is known of some recipients of a message. */
export interface MessageOutcome {
  tenantId: Uuid
  messageId: Uuid
  recipients: RecipientOutcome[]
  /** Where it comes from an attempt to submit the message. */
  attempt?: SubmissionAttempt
  /** How large the built message is and how it is signed, from whoever built and stored it. */
  stored?: { sizeBytes: number; dkimSignature?: string | null }
  /** The relay's words when it took the message. */
  relayResponse?: string
}

interface MessageNow extends Omit<EventMessage, 'status'> {
  mailbox_id: Uuid
  created_at: Timestamp
  seq: number
}

interface StateNow {
  status: Exclude<MessageStatus, 'received'>
  recipients: StoredRecipient[]
  /** By the database's clock. */
  now: Timestamp
}

/** Applies the outcomes of many messages. A message that is gone is passed over. */
export async function applyOutcomes(tx: Tx, outcomes: readonly MessageOutcome[]): Promise<void> {
  if (outcomes.length === 0) return
  // In this order: whoever ends a message locks its state, and what is read after the lock is what they left.
  const [states, messages] = await Promise.all([lockStates(tx, outcomes), readMessages(tx, outcomes)])
  const decided: Decided[] = []
  for (const outcome of outcomes) {
    const [message, state] = [messages.get(outcome.messageId), states.get(outcome.messageId)]
    if (!message || !state) continue
    const decision = decideOutcome(state.status, recipientsNow(state.recipients), outcome.recipients)
    // One message may come twice in a group: the second starts where the first left off.
    state.status = decision.status as StateNow['status']
    state.recipients = withOutcomes(state.recipients, decision.moved, state.now)
    if (outcome.attempt) state.recipients = withAttempt(state.recipients, outcome.attempt, state.now)
    decided.push({ message, state, decision, outcome })
  }
  await Promise.all([
    saveStates(tx, decided),
    appendEvents(
      tx,
      decided.flatMap(({ message, decision, outcome }) =>
        decision.events.map((event) => eventOf(message, event, outcome)),
      ),
    ),
  ])
  await recordBounces(
    tx,
    decided.flatMap(({ message, decision }) => decision.events.flatMap((event) => bounceOf(message, event))),
  )
}

/** Empty for what says nothing of the address. Whom the relay refuses as there is no such address bounces as well. */
function bounceOf(message: MessageNow, { type, outcome }: OutcomeEvent): Bounce[] {
  const isBounce = type === 'message.bounced' || (type === 'message.failed' && isAddressGone(outcome.enhancedCode))
  if (!isBounce) return []
  const { address, smtpCode, enhancedCode, diagnostic } = outcome
  const { tenant_id: tenantId, environment_id: environmentId, id: messageId } = message
  return [{ tenantId, environmentId, messageId, address, kind: 'bounced', smtpCode, enhancedCode, diagnostic }]
}

interface Decided {
  message: MessageNow
  state: StateNow
  decision: Decision
  outcome: MessageOutcome
}

/**
 * Locked in the order of their ids, so that two groups wait for each other and never in a circle. Here and below `limit 1`
 * keeps the look-up by index whatever the planner believes of a young table.
 */
async function lockStates(tx: Tx, outcomes: readonly MessageOutcome[]): Promise<Map<Uuid, StateNow>> {
  const rows = await tx.rows(sql<StateNow & { message_id: Uuid }>`
    select s.message_id, s.status, s.recipients, clock_timestamp() as now
    from (
      select tenant_id, id from unnest(${arrayLiteral(outcomes.map((o) => o.tenantId))}::uuid[],
        ${arrayLiteral(outcomes.map((o) => o.messageId))}::uuid[]) as wanted (tenant_id, id)
      order by id
    ) n
    cross join lateral (
      select s.message_id, s.status, s.recipients from message_states s
      where s.tenant_id = n.tenant_id and s.message_id = n.id limit 1
      for no key update
    ) s`)
  return new Map(rows.map((row) => [row.message_id, row]))
}

async function readMessages(tx: Tx, outcomes: readonly MessageOutcome[]): Promise<Map<Uuid, MessageNow>> {
  const rows = await tx.rows(sql<MessageNow>`
    select m.tenant_id, m.id, m.environment_id, m.created_at, m.seq, m.mailbox_id, m.direction, m.message_id, m.subject,
      m.from_address, m.from_name, m.to_addresses
    from unnest(${arrayLiteral(outcomes.map((o) => o.tenantId))}::uuid[],
      ${arrayLiteral(outcomes.map((o) => o.messageId))}::uuid[]) as n (tenant_id, id)
    cross join lateral (
      select m.tenant_id, m.id, m.environment_id, m.created_at, m.seq, m.mailbox_id, m.direction, m.message_id,
        m.subject, m.from_address, m.from_name, m.to_addresses
      from messages m
      where m.tenant_id = n.tenant_id and m.id = n.id and m.direction = 'outbound' and m.gone is null limit 1
    ) m`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** They are named twice, as without the array a small table would be read whole. */
async function saveStates(tx: Tx, decided: readonly Decided[]): Promise<void> {
  const rows = new Map<Uuid, Record<string, unknown>>()
  for (const { message, state, decision, outcome } of decided) {
    const before = rows.get(message.id)
    rows.set(message.id, {
      tenant_id: message.tenant_id,
      message_id: message.id,
      status: state.status,
      recipients: state.recipients,
      open: openRecipients(state.recipients).length,
      created_at: message.created_at,
      sent: decision.events.some((event) => event.type === 'message.sent') || before?.sent === true,
      size_bytes: outcome.stored?.sizeBytes ?? before?.size_bytes ?? null,
      dkim_signature: outcome.stored?.dkimSignature ?? before?.dkim_signature ?? null,
      ...(isFailure(state.status) ? { failed_environment_id: message.environment_id, failed_seq: message.seq } : {}),
    })
  }
  if (rows.size === 0) return
  await tx.rows(sql`
    update message_states s
    set status = n.status, recipients = n.recipients, open = n.open,
      sent_at = case when n.sent then greatest(clock_timestamp(), n.created_at) else s.sent_at end,
      size_bytes = coalesce(n.size_bytes, s.size_bytes), dkim_signature = coalesce(n.dkim_signature, s.dkim_signature),
      failed_environment_id = n.failed_environment_id, failed_seq = n.failed_seq,
      failed_created_at = case when n.failed_seq is not null then n.created_at end
    from json_to_recordset(${JSON.stringify([...rows.values()])}::json) as n (tenant_id uuid, message_id uuid, status text,
      recipients json, open smallint, sent boolean, created_at timestamptz, size_bytes bigint, dkim_signature text,
      failed_environment_id uuid, failed_seq bigint)
    where s.message_id = any(${arrayLiteral([...rows.keys()])}::uuid[])
      and s.tenant_id = n.tenant_id and s.message_id = n.message_id`)
}

function eventOf(now: MessageNow, event: OutcomeEvent, { relayResponse }: MessageOutcome): NewEvent {
  const message = { ...now, status: event.status }
  if (event.type === 'message.sent')
    return messageEvent(event.type, message, now.mailbox_id, { relayResponse: relayResponse ?? null })
  const { address: recipient, smtpCode, enhancedCode, diagnostic } = event.outcome
  const outcome = { recipient, smtpCode, enhancedCode, diagnostic }
  if (event.type !== 'message.bounced') return messageEvent(event.type, message, now.mailbox_id, outcome)
  return messageEvent(event.type, message, now.mailbox_id, { ...outcome, bounce: { type: bounceType(enhancedCode) } })
}
