// Writes accepted sends: one durable statement for a whole group of requests of any tenants (ADR 4).
// Whatever it answers `accepted` to is committed: message, state, event, job, idempotency record and the month's usage, or
// none of them. The event says who sent, and the message that its sender has it in `sent` (ADR 32).
import { EVENTS_TOPIC } from '../events/append.ts'
import { type Db, type Signals, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Accepting } from './accept-authors.ts'
import type { StoredRecipient } from './recipients.ts'
import type { Address } from './schemas.ts'

/** What the queue of messages to submit is called. Its lanes are tenants, its subjects messages. */
export const OUTBOUND_QUEUE = 'outbound'

/** What is to be sent, as the statement reads it. */
interface NewMessageRow {
  tenant_id: Uuid
  environment_id: Uuid
  /** True in a sandbox. */
  demo: boolean
  message_id: Uuid
  event_id: Uuid
  mailbox_id: Uuid
  to_addresses: Address[]
  cc_addresses: Address[]
  bcc_addresses: Address[]
  /** Each address once, in the order of first mention. */
  recipients: StoredRecipient[]
  /** By which each is looked up among the addresses that get no mail; null where it is the address in small letters of ASCII. */
  keys: string[] | null
  subject: string
  text: string | null
  html: string | null
  preview: string
  /** In their order, with the part of the message each will be. */
  attachments: { id: Uuid; part_id: string }[]
  /** Why it is refused whatever else holds, unless its key has been answered already. */
  refusal: 'no_attachment' | 'too_large' | null
  /** When it was created, in microseconds of this process's monotonic clock (`nextInstant`). */
  created_micros: number
  client_address: string | null
  user_agent: string | null
  request_id: string | null
}

/** A request of an application. */
export interface SendRow extends NewMessageRow {
  app_id: Uuid
  key_id: Uuid
  idempotency_key: string
  /** SHA-256 of the canonical request, hex. */
  request_hash: string
}

/** A draft that is due, of a mailbox user. */
export interface DraftSendRow extends NewMessageRow {
  mailbox_user_id: Uuid
  draft_id: Uuid
  /** The name that the user sends by; null: that of the mailbox. */
  sender_name: string | null
  in_reply_to: string | null
  reference_ids: string[]
}

/** What became of one, in the columns of the statement that say it. `not_due`: the draft has been taken back, or is none any more. */
export type SendOutcome =
  | { outcome: 'accepted' }
  | {
      outcome: 'conflict' | 'pending' | 'no_mailbox' | 'mailbox_suspended' | 'no_attachment' | 'too_large'
    }
  | { outcome: 'not_due' }
  | { outcome: 'replay'; prior_id: Uuid }
  | { outcome: 'over_capacity'; capacity: number; used: number; resets_at: Timestamp }
  | { outcome: 'over_storage'; stored_limit: number; stored: number }

/** What one statement says of each. */
export type SendAnswer = SendOutcome | { outcome: 'again' } | { outcome: 'no_usage_row' }

/** Rounds a request may lose before its turn is called a fault; each round settles the first of every tenant. */
const MOST_ROUNDS = 300

/**
 * Writes the group. Outcomes stand in the order of `rows`.
 *
 * A row the statement could not judge yet goes round again: the second use of a key within the group, a key that
 * another process wrote while the statement ran, a row that only fits the plan if one before it does not, a month
 * without its usage row.
 */
export async function acceptMessages<Row extends NewMessageRow>(
  database: Db & Signals,
  rows: readonly Row[],
  accepting: Accepting<Row>,
): Promise<SendOutcome[]> {
  const outcomes = new Array<SendOutcome>(rows.length)
  let open = rows.map((_, i) => i)
  for (let round = 0; open.length > 0; round++) {
    if (round === MOST_ROUNDS) throw new Error('a group of sends does not come to an end')
    const group = open.map((i) => rows[i] as Row)
    const nowMicros = Math.floor(performance.now() * 1000)
    const sinceNow = group.map((row) => row.created_micros - nowMicros)
    const answers = await database.rows(accepting(group, sinceNow))
    const again: number[] = []
    let usageRowMissing = false
    open.forEach((i, n) => {
      const answer = answers[n] as SendAnswer
      if (answer.outcome === 'again' || answer.outcome === 'no_usage_row') again.push(i)
      else outcomes[i] = answer
      usageRowMissing ||= answer.outcome === 'no_usage_row'
    })
    if (answers.some(({ outcome }) => outcome === 'accepted')) {
      database.signal(OUTBOUND_QUEUE)
      database.signal(EVENTS_TOPIC)
    }
    if (usageRowMissing) await openUsage(database, [...new Set(again.map((i) => (rows[i] as Row).tenant_id))])
    open = again
  }
  return outcomes
}

async function openUsage(db: Db, tenants: Uuid[]): Promise<void> {
  await db.rows(sql`
    insert into tenant_usage (tenant_id, month)
    select tenant_id, date_trunc('month', clock_timestamp() at time zone 'UTC')::date
    from unnest(${tenants.sort()}::uuid[]) as t (tenant_id)
    on conflict do nothing`)
}
