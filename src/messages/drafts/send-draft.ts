// Has a draft sent: in ten seconds, in which it can be taken back, or when its sender wants it. Until then it is a draft with a
// time. What keeps it from being sent is said at once, as far as it is known. specification.md#drafts
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent, invalidField, invalidFields, notFoundField, problem } from '../../access/problem.ts'
import { parseInstant } from '../../lib/instant.ts'
import { enqueueJobs } from '../../lib/queue/enqueue-jobs.ts'
import type { RateLimiter } from '../../lib/rate-limiter/rate-limiter.ts'
import { type Database, type Db, sql, type Timestamp, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { faultsOfDraft } from './compose-message.ts'
import type { Due, StoredDraft } from './draft.ts'
import { draftChanged, lockDraft } from './lock-draft.ts'
import { findDraft } from './read-draft.ts'
import { rowOfDraft } from './row-of-draft.ts'
import { mailboxesWithDrafts } from './writable-mailbox.ts'

/** What the queue of drafts to send is called. Its lanes are those who send, its subjects drafts. */
export const DRAFT_QUEUE = 'drafts'

// specification.md#limits-of-a-draft
const TAKE_BACK_SECONDS = 10
const MOST_DAYS_AHEAD = 365
const MOST_PER_MINUTE = 60

export interface SendDraftDeps {
  database: Database
  limiter: RateLimiter
}

interface Asked {
  /** Of the draft, as its sender saw it. */
  version: number
  sendAt?: string | undefined
}

interface Answer {
  due: Due
  messageId: Uuid
}

/**
 * The same again is answered like the first, also when it has been sent meanwhile.
 * @throws Problem not_found; draft_changed; draft_due when it is due at another time; validation_error, mailbox_suspended,
 * message_too_large; rate_limited
 */
export async function sendDraft(
  { database, limiter }: SendDraftDeps,
  actor: MailboxUser,
  draftId: Uuid,
  asked: Asked,
): Promise<Answer> {
  assertMay(actor, 'sendMessages')
  const id = draftId.toLowerCase()
  const known = await answerOf(database, actor, id, asked)
  if (known) return known
  await admit(limiter, actor)
  return database.transaction(async (tx) => {
    const draft = await lockDraft(tx, actor, id)
    if (!draft || draft === 'absent') return (await answerOf(tx, actor, id, asked)) ?? gone()
    if (draft.dueAt !== null) return (await answerOf(tx, actor, id, asked)) ?? gone()
    if (draft.version !== asked.version) throw draftChanged(draft)
    await requireSendable(tx, actor, (await findDraft(tx, actor, id)) as StoredDraft)
    const due = await makeDue(tx, actor, id, asked.sendAt)
    return { due, messageId: draft.messageId }
  })
}

function gone(): never {
  throw absent('draft')
}

/**
 * Of what was asked before; undefined while it was not. @throws Problem draft_due when it was asked for another time,
 * draft_changed when another version was sent, not_found
 */
async function answerOf(db: Db, actor: MailboxUser, id: Uuid, { version, sendAt }: Asked): Promise<Answer | undefined> {
  const row = await db.first(sql<{
    messageId: Uuid
    mailboxId: Uuid
    version: number
    at: Timestamp | null
    isScheduled: boolean
    isSame: boolean
  }>`
    select d.message_id as "messageId", d.mailbox_id as "mailboxId", d.version, d.due_at as at,
      d.is_scheduled as "isScheduled",
      case when ${sendAt !== undefined} then d.due_at = ${instantOf(sendAt)}::timestamptz else not d.is_scheduled end as "isSame"
    from (
      select message_id, mailbox_id, version, due_at, is_scheduled from drafts
      where tenant_id = ${actor.tenantId} and id = ${id}
      union all
      select message_id, mailbox_id, version, due_at, is_scheduled from ended_drafts
      where tenant_id = ${actor.tenantId} and id = ${id} and message_id is not null
    ) d`)
  if (!row || !mailboxesWithDrafts(actor).includes(row.mailboxId)) return gone()
  if (row.at === null) return undefined
  if (row.version !== version || !row.isSame) throw problem('draft_due')
  return { due: { at: row.at, isScheduled: row.isScheduled }, messageId: row.messageId }
}

/** @throws Problem rate_limited */
async function admit(limiter: RateLimiter, { mailboxUserId }: MailboxUser): Promise<void> {
  const limit = { kind: 'user', subject: mailboxUserId, most: MOST_PER_MINUTE, windowMs: 60_000 } as const
  const { refused, resetSeconds } = await limiter.take(limit)
  if (refused) throw problem('rate_limited', { details: { limit: 'user' }, retryAfterSeconds: resetSeconds })
}

/** All of it is looked at again when it is due. */
async function requireSendable(tx: Tx, actor: MailboxUser, draft: StoredDraft): Promise<void> {
  const faults = faultsOfDraft(draft)
  if (faults.length > 0) throw invalidFields(faults)
  const mailbox = await tx.first(sql<{ status: string }>`
    select status from mailboxes where tenant_id = ${actor.tenantId} and id = ${draft.mailboxId}`)
  if (!mailbox) throw notFoundField('mailboxId')
  if (mailbox.status === 'suspended') throw problem('mailbox_suspended')
  const { row, missing } = await rowOfDraft(tx, actor, { ...draft, inReplyTo: null, references: [] })
  if (missing !== undefined) throw notFoundField(`attachmentIds[${missing}]`)
  if (row.refusal === 'too_large') throw problem('message_too_large')
}

/** `sendAt`: in ten seconds unless given. @throws Problem validation_error */
async function makeDue(tx: Tx, actor: MailboxUser, id: Uuid, sendAt: string | undefined): Promise<Due> {
  const { tenantId, mailboxUserId, origin } = actor
  const due = await tx.first(sql<Due & { inMs: number }>`
    update drafts set due_at = n.due_at, is_scheduled = ${sendAt !== undefined}, sender_id = ${mailboxUserId},
      client_address = ${origin.clientAddress}, user_agent = ${origin.userAgent}, request_id = ${origin.requestId},
      failure_code = null, failure_message = null
    from (
      select coalesce(${instantOf(sendAt)}::timestamptz, at + make_interval(secs => ${TAKE_BACK_SECONDS})) as due_at, at
      from clock_timestamp() as at
    ) n
    where tenant_id = ${tenantId} and id = ${id}
      and n.due_at between n.at + make_interval(secs => ${TAKE_BACK_SECONDS}) and n.at + make_interval(days => ${MOST_DAYS_AHEAD})
    returning n.due_at as at, is_scheduled as "isScheduled", ceil(extract(epoch from n.due_at - n.at) * 1000)::bigint as "inMs"`)
  if (!due) throw invalidField('sendAt', 'must be ten seconds ahead at least, and a year at most')
  const { inMs, ...shown } = due
  await enqueueJobs(tx, [
    { tenantId, queue: DRAFT_QUEUE, lane: mailboxUserId, subjectId: id, payload: { dueAt: shown.at }, dueInMs: inMs },
  ])
  return shown
}

/** The last of the years of four digits, in microseconds since 1970: with an offset, an instant may be beyond it. */
const END_OF_TIME = Date.parse('9999-12-31T23:59:59.999Z') * 1000

/** To the microsecond, as the database keeps it. @throws Problem validation_error */
function instantOf(sendAt: string | undefined): string | null {
  if (sendAt === undefined) return null
  const micros = parseInstant(sendAt)
  if (micros === undefined || micros > END_OF_TIME)
    throw invalidField('sendAt', 'must be an instant such as 2026-01-01T09:00:00Z')
  const seconds = new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)
  return `${seconds}${String(micros % 1000).padStart(3, '0')}Z`
}
