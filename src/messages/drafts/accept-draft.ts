// Turns a draft that is due into a message, by the statement that takes sends of the API; in the same transaction the draft ends.
// What cannot be sent is an open draft again, which says why.
import { type MailboxUser, productionOf, type Realm } from '../../access/actor.ts'
import { type Problem, problem } from '../../access/problem.ts'
import { recordAct } from '../../audit/record.ts'
import { sql, type Timestamp, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { acceptingDrafts } from '../accept-authors.ts'
import { acceptMessages } from '../accept-messages.ts'
import { joinConversation } from '../conversations/join-conversation.ts'
import { sentMessageId } from '../message-id.ts'
import { refusalOf } from '../send-message.ts'
import { faultsOfDraft } from './compose-message.ts'
import type { DraftFailure, StoredDraft } from './draft.ts'
import { findDraft } from './read-draft.ts'
import type { Thread } from './reply-references.ts'
import { rowOfDraft } from './row-of-draft.ts'
import { senderOfDraft } from './sender-of-draft.ts'

export type DraftOutcome =
  | { kind: 'sent' }
  /** It was taken back, is due at another time, or is none any more. */
  | { kind: 'not_due' }
  /** The clock of the database has gone back. */
  | { kind: 'early'; dueInMs: number }
  | { kind: 'reopened'; failure: DraftFailure }

/** A draft that was to be sent at a time. */
export interface DueToSend {
  tenantId: Uuid
  id: Uuid
  /** As `sendDraft` said it. */
  dueAt: Timestamp
}

/** Whoever saves it, takes it back or sends it too waits for the end of the transaction. */
export async function acceptDraft(tx: Tx, due: DueToSend): Promise<DraftOutcome> {
  const { tenantId, id } = due
  const early = await lockDue(tx, due)
  if (early === undefined) return { kind: 'not_due' }
  if (early > 0) return { kind: 'early', dueInMs: early }
  const { actor, mayWrite, isTenantActive } = await senderOfDraft(tx, tenantId, id)
  if (!isTenantActive) return reopenDraft(tx, actor, id, TENANT_SUSPENDED)
  if (!mayWrite) return reopenDraft(tx, actor, id, NO_ACCESS)
  const draft = { ...((await findDraft(tx, actor, id)) as StoredDraft), ...(await threadOfDraft(tx, actor, id)) }
  const faults = faultsOfDraft(draft)
  if (faults.length > 0) return reopenDraft(tx, actor, id, failureOf(problem('validation_error')))
  const { row, missing } = await rowOfDraft(tx, actor, draft)
  const [outcome] = await acceptMessages(tx, [row], acceptingDrafts)
  if (!outcome || outcome.outcome === 'replay') throw new Error('a draft that is due was not judged')
  if (outcome.outcome === 'not_due') return { kind: 'early', dueInMs: 0 }
  if (outcome.outcome !== 'accepted') return reopenDraft(tx, actor, id, failureOf(refusalOf(outcome, missing)))
  await joinAnswered(tx, actor, draft)
  await recordAct(tx, actor, { operation: 'draft.send', resourceType: 'message', resourceId: draft.messageId })
  return { kind: 'sent' }
}

/** For how long it is not due yet, in milliseconds; undefined when it is not to be sent for this. */
async function lockDue(tx: Tx, { tenantId, id, dueAt }: DueToSend): Promise<number | undefined> {
  const row = await tx.first(sql<{ inMs: number }>`
    select ceil(greatest(extract(epoch from due_at - clock_timestamp()), 0) * 1000)::bigint as "inMs" from drafts
    where tenant_id = ${tenantId} and id = ${id} and due_at = ${dueAt}::timestamptz
    for update`)
  return row?.inMs
}

async function threadOfDraft(tx: Tx, { tenantId }: Realm, id: Uuid): Promise<Thread> {
  const row = await tx.first(sql<Thread>`
    select in_reply_to as "inReplyTo", reference_ids as "references" from drafts
    where tenant_id = ${tenantId} and id = ${id}`)
  return row as Thread
}

/**
 * The tenant's messages join one after the other, as mail does that comes in: behind the lock on what counts its stored bytes,
 * for which whoever ends messages waits too.
 */
async function joinAnswered(
  tx: Tx,
  { tenantId }: MailboxUser,
  { messageId, inReplyTo, references }: StoredDraft & Thread,
): Promise<void> {
  if (inReplyTo === null && references.length === 0) return
  await tx.rows(sql`select tenant_id from tenant_storage where tenant_id = ${tenantId} for no key update`)
  const row = await tx.first(sql<{ from: string }>`
    select from_address as "from" from messages where tenant_id = ${tenantId} and id = ${messageId}`)
  // Mail that mentions it may have come before.
  const own = sentMessageId(messageId, row?.from as string)
  await joinConversation(tx, { tenantId, id: messageId, messageId: own, inReplyTo, references })
}

/** Opens one again that nobody could send, however often it was tried. */
export async function giveUpDraft(tx: Tx, due: DueToSend): Promise<DraftOutcome> {
  if ((await lockDue(tx, due)) === undefined) return { kind: 'not_due' }
  return reopenDraft(tx, productionOf(due.tenantId), due.id, GIVEN_UP)
}

/** For the transaction that has locked it. */
async function reopenDraft(tx: Tx, { tenantId }: Realm, id: Uuid, failure: DraftFailure): Promise<DraftOutcome> {
  await tx.rows(sql`
    update drafts set due_at = null, is_scheduled = null, sender_id = null, client_address = null, user_agent = null,
      request_id = null, failure_code = ${failure.code}, failure_message = ${failure.message}
    where tenant_id = ${tenantId} and id = ${id} and due_at is not null`)
  return { kind: 'reopened', failure }
}

const TENANT_SUSPENDED = {
  code: 'not_allowed',
  message: 'Your organization is suspended: nothing is sent for it.',
} satisfies DraftFailure

const NO_ACCESS = {
  code: 'not_allowed',
  message: 'Whoever had it sent may no longer write in this mailbox.',
} satisfies DraftFailure

const GIVEN_UP = {
  code: 'internal_error',
  message: 'It could not be sent, through no fault of yours. Send it again.',
} satisfies DraftFailure

/** In words for whoever wrote it. */
function failureOf({ code, message }: Problem): DraftFailure {
  return {
    code,
    message: code === 'not_found' ? 'A file of it is no longer there. Remove it, or attach it again.' : message,
  }
}
