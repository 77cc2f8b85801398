// Takes a message for sending. What it answers is durable; the outbound worker submits it later.
// Knows nothing of HTTP but what a refusal is called.

import { createHash } from 'node:crypto'
import type { Application } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type FieldFault, notFoundField, overCapacity, type Problem, problem } from '../access/problem.ts'
import { createGroup, type Group } from '../lib/group.ts'
import type { Db, Signals } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { canonicalAddress } from '../mail/mail-address.ts'
import { makePreview } from '../mail/parse/preview.ts'
import { suppressionKeys } from '../suppressions/suppressed.ts'
import { acceptingSends } from './accept-authors.ts'
import { acceptMessages, type SendOutcome, type SendRow } from './accept-messages.ts'
import { nextInstant } from './message-instants.ts'
import { placeAttachments } from './place-attachments.ts'
import type { Address, SendMessageInput } from './schemas.ts'

export interface Sender {
  /**
   * Accepts one message, in a group with whatever else arrives meanwhile.
   * @throws Problem not_found, message_too_large, mailbox_suspended, plan_capacity_exceeded, idempotency_conflict,
   * idempotency_pending
   */
  send(actor: Application, key: string, input: SendMessageInput): Promise<Accepted>
  /** Waits until everything that was asked for is written. */
  drain(): Promise<void>
}

export interface Accepted {
  id: Uuid
  /** True when an earlier request with the same key was answered again. */
  replayed: boolean
}

export interface SenderDeps {
  database: Db & Signals
  idempotencyTtlSeconds: number
  onGroup(size: number): void
  /** Requests that are written in one statement at most. */
  groupRows?: number
}

/** Measured (docs/speed.md): beyond this a statement gains little. */
const MOST_ROWS = 64
/** What a group weighs at most, and what is large: large mails go apart, so that small ones do not wait for them. */
const MOST_BYTES = 4 * 1024 * 1024
const LARGE_BYTES = MOST_BYTES / MOST_ROWS
/** While one group is written the next is already on its way: the database and this process work side by side. */
const GROUPS_IN_FLIGHT = 2

/** What is wrong with a body beyond what its schema says: there is neither text nor html, or an attachment is given twice. */
export function faultsOfSend(body: unknown): FieldFault[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const { text, html, attachmentIds } = body as { text?: unknown; html?: unknown; attachmentIds?: unknown }
  const isEmpty = (text ?? html ?? null) === null
  const missing: FieldFault = { path: 'text', code: 'required', message: 'text or html must be given' }
  return [...(isEmpty ? [missing] : []), ...(Array.isArray(attachmentIds) ? duplicates(attachmentIds) : [])]
}

/** Every id that is there before, in whatever case. */
function duplicates(attachmentIds: readonly unknown[]): FieldFault[] {
  const seen = new Set<string>()
  return attachmentIds.flatMap((id, i) => {
    if (typeof id !== 'string') return []
    const isNew = !seen.has(id.toLowerCase())
    seen.add(id.toLowerCase())
    return isNew ? [] : [{ path: `attachmentIds[${i}]`, code: 'duplicate', message: 'is given twice' }]
  })
}

export function createSender(deps: SenderDeps): Sender {
  const accepting = acceptingSends(deps.idempotencyTtlSeconds)
  const group: Group<SendRow, SendOutcome> = createGroup({
    async write(rows) {
      const outcomes = await acceptMessages(deps.database, rows, accepting)
      deps.onGroup(rows.length)
      return outcomes
    },
    maxItems: deps.groupRows ?? MOST_ROWS,
    weightOf: (row) => (row.text?.length ?? 0) + (row.html?.length ?? 0),
    maxWeight: MOST_BYTES,
    heavyWeight: LARGE_BYTES,
    ownerOf: (row) => row.tenant_id,
    inFlight: GROUPS_IN_FLIGHT,
  })

  let lastMicros = Number.NEGATIVE_INFINITY

  return {
    async send(actor, key, input) {
      assertMay(actor, 'sendMessages')
      lastMicros = nextInstant(lastMicros, Math.floor(performance.now() * 1000))
      const row = rowFrom(actor, key, input, lastMicros)
      if (input.attachmentIds.length === 0) return answerTo(await group.add(row), row)
      const { missing, ...placed } = await placeAttachments(deps.database, actor, input.attachmentIds, row)
      return answerTo(await group.add({ ...row, ...placed }), row, missing)
    },
    drain: () => group.drain(),
  }
}

function rowFrom(actor: Application, key: string, input: SendMessageInput, createdMicros: number): SendRow {
  const recipients = recipientsOf(input)
  return {
    tenant_id: actor.tenantId,
    app_id: actor.appId,
    key_id: actor.keyId,
    environment_id: actor.environmentId,
    demo: actor.environment === 'sandbox',
    idempotency_key: key,
    request_hash: sendHash(input),
    message_id: newId(),
    event_id: newId(),
    mailbox_id: input.fromMailboxId,
    to_addresses: input.to.map(unnamed),
    cc_addresses: input.cc.map(unnamed),
    bcc_addresses: input.bcc.map(unnamed),
    recipients,
    keys: suppressionKeys(recipients),
    subject: input.subject,
    text: input.text ?? null,
    html: input.html ?? null,
    preview: makePreview(input.text, input.html),
    attachments: [],
    refusal: null,
    created_micros: createdMicros,
    client_address: actor.origin.clientAddress,
    user_agent: actor.origin.userAgent,
    request_id: actor.origin.requestId,
  }
}

function unnamed(address: string): Address {
  return { address, name: null }
}

/** SHA-256 of what is asked for, whatever its white space, key order and unsaid defaults. specification.md#idempotency */
function sendHash(input: SendMessageInput): string {
  const canonical = JSON.stringify([
    input.fromMailboxId.toLowerCase(),
    input.to,
    input.cc,
    input.bcc,
    input.subject,
    input.text ?? null,
    input.html ?? null,
    input.attachmentIds.map((id) => id.toLowerCase()),
  ])
  return createHash('sha256').update(canonical).digest('hex')
}

/** Each address once, however its domain is spelled: someone named in to and in cc gets one copy. */
export function recipientsOf(input: Pick<SendMessageInput, 'to' | 'cc' | 'bcc'>): SendRow['recipients'] {
  const seen = new Set<string>()
  const recipients: SendRow['recipients'] = []
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const address of input[kind]) {
      const same = canonicalAddress(address)
      if (seen.has(same)) continue
      seen.add(same)
      recipients.push({ address, kind, status: 'queued' })
    }
  }
  return recipients
}

/** `missing` is the place of the first attachment that names nothing. */
function answerTo(outcome: SendOutcome, row: SendRow, missing = 0): Accepted {
  if (outcome.outcome === 'accepted') return { id: row.message_id, replayed: false }
  if (outcome.outcome === 'replay') return { id: outcome.prior_id, replayed: true }
  if (outcome.outcome === 'not_due') throw new Error('a request of an application was judged as a draft')
  throw refusalOf(outcome, missing)
}

/** What is said of what was not accepted. */
export function refusalOf(
  outcome: Exclude<SendOutcome, { outcome: 'accepted' | 'replay' | 'not_due' }>,
  missing = 0,
): Problem {
  switch (outcome.outcome) {
    case 'conflict':
      return problem('idempotency_conflict')
    case 'pending':
      return problem('idempotency_pending', { retryAfterSeconds: 1 })
    case 'no_mailbox':
      return notFoundField('fromMailboxId')
    case 'mailbox_suspended':
      return problem('mailbox_suspended')
    case 'no_attachment':
      return notFoundField(`attachmentIds[${missing}]`)
    case 'too_large':
      return problem('message_too_large')
    case 'over_capacity':
      return overCapacity({
        resource: 'messages',
        limit: outcome.capacity,
        used: outcome.used,
        resetsAt: outcome.resets_at,
      })
    case 'over_storage':
      return overCapacity({
        resource: 'storage',
        limit: outcome.stored_limit,
        used: outcome.stored,
        resetsAt: null,
      })
  }
}
