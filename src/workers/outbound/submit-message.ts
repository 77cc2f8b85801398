// The outbound worker: builds and signs a message once, stores it, submits exactly those bytes to the relay and
// records what came of it. After a crash between acceptance and record the same bytes and Message-ID go again: at least once.
import { type ObjectStore, StoreUnavailable } from '../../lib/object-store.ts'
import { inGroups } from '../../lib/queue/in-groups.ts'
import type { Job } from '../../lib/queue/job.ts'
import type { Lease } from '../../lib/queue/lease.ts'
import type { JobSettlement } from '../../lib/queue/settle-jobs.ts'
import type { WorkerOptions } from '../../lib/queue/worker.ts'
import { SealError } from '../../lib/secret-box.ts'
import type { Database } from '../../lib/sql.ts'
import type { DkimSigner } from '../../mail/build/dkim-signature.ts'
import { UnbuildableMessage } from '../../mail/mail-address.ts'
import type { Relay } from '../../mail/smtp/relay.ts'
import type { DkimKeyring } from '../../mailboxes/dkim-keyring.ts'
import type { MessageOutcome } from '../../messages/apply-outcomes.ts'
import type { RecipientOutcome } from '../../messages/decide-outcome.ts'
import { type LoadedMessage, loadMessages } from '../../messages/load-messages.ts'
import { mostEvents, recordSubmissions, type SubmissionResult } from '../../messages/record-submissions.ts'
import { type OutboundBackoff, retryWait } from './retry-wait.ts'
import { SIMULATED_RESPONSE, simulate } from './simulate.ts'
import { type StoredMime, storeMime } from './stored-mime.ts'
import { failAll, outcomesOf, relayResponseOf, type Tried } from './submission-outcome.ts'

/** A message that stops its worker this often is failed. specification.md#retries-of-a-submission */
export const OUTBOUND_RECEPTIONS = 5
/** RFC 5321 4.5.3.1.8 lets a relay take no more. specification.md#submission */
const RECIPIENTS_PER_TRANSACTION = 100

export interface SubmitDeps {
  database: Database
  store: ObjectStore
  relay: Relay
  /** The signed return path of a message. specification.md#return-path */
  returnPathOf(messageId: string): string
  /** The envelope id of a message, which proves the relay's reports. */
  envelopeIdOf(messageId: string): string
  dkimKeys: DkimKeyring
  backoff: OutboundBackoff
  giveUpMs: number
  random(): number
  /** Called with what became of each submission. */
  onResult(result: Tried['kind'] | 'simulated'): void
  /** Called with what keeps a message waiting and only an operator can repair. */
  onTrouble(error: Error, messageId: string): void
  /** Called each time that the database took too long to read a message, or to record what came of it. */
  onOutOfTime(error: Error, messageId: string): void
}

const MOST_TOGETHER = 64
/** Each is a delivery and a job for every endpoint that hears it: 100 make 500 events last seconds (ADR 12). */
const MOST_EVENTS_TOGETHER = 500

/** Makes the handler of the outbound queue's jobs. */
export function createSubmitter(deps: SubmitDeps): WorkerOptions['handle'] {
  return inGroups<LoadedMessage | undefined, SubmissionResult>({
    load: (jobs) => loadMessages(deps.database, jobs),
    work: async (job, message, lease) => ({ job, ...(message ? await submit(deps, job, message, lease) : NOTHING) }),
    record: (results) => recordSubmissions(deps.database, results),
    mostTogether: MOST_TOGETHER,
    weightOf: mostEvents,
    maxWeight: MOST_EVENTS_TOGETHER,
    onOutOfTime: (error, job) => deps.onOutOfTime(error, job.subjectId),
  })
}

type Result = Omit<SubmissionResult, 'job'>

/** There is nothing left to do. */
const NOTHING: Result = { how: { kind: 'done' } }

async function submit(deps: SubmitDeps, job: Job, message: LoadedMessage, lease: Lease): Promise<Result> {
  if (message.open.length === 0) return NOTHING
  if (job.exhausted) {
    return failed(
      message,
      `gave up: this message stopped its worker ${OUTBOUND_RECEPTIONS} times`,
      'receptions_exhausted',
    )
  }
  if (message.suspended) {
    const why = `the ${message.suspended} was suspended before the message was submitted`
    return failed(message, why, `${message.suspended}_suspended`)
  }
  try {
    const built = await storeMime(deps.store, message, () => signerOf(deps, message), job.receptions > 1)
    return message.sandbox ? simulated(deps, job, message, built) : await submitted(deps, job, message, built, lease)
  } catch (error) {
    if (error instanceof UnbuildableMessage) {
      return failed(message, `the message cannot be built: ${error.message}`, 'unbuildable')
    }
    if (error instanceof StoreUnavailable) return waiting(deps, job, message, 'the object store is not available')
    if (error instanceof SealError) {
      // The operator can bring the service's key back; unsigned mail would be taken for forged.
      deps.onTrouble(error, message.id)
      return waiting(deps, job, message, 'the DKIM key of the domain cannot be opened')
    }
    throw error
  }
}

/** Nobody else gets it. `deadLetter`: the reason under which an operator finds it; absent, there is nothing to repair. */
function failed(message: LoadedMessage, why: string, deadLetter?: string): Result {
  const how: JobSettlement = deadLetter === undefined ? { kind: 'done' } : { kind: 'deadLetter', reason: deadLetter }
  return { how, outcome: outcomeOf(message, failAll(message.open, why)) }
}

/** @throws SealError */
function signerOf(deps: SubmitDeps, message: LoadedMessage): DkimSigner | undefined {
  const { tenantId, domainId: id, domain, dkimSelector: selector, sealedDkimKey: sealed } = message
  if (selector === null || sealed === null) return undefined
  return { domain, selector, privateKey: deps.dkimKeys.keyOf({ tenantId, id }, selector, sealed) }
}

function simulated(deps: SubmitDeps, job: Job, message: LoadedMessage, built: StoredMime): Result {
  deps.onResult('simulated')
  const recipients = simulate(message.open, attemptOf(job))
  const outcome = { ...outcomeOf(message, recipients, built), relayResponse: SIMULATED_RESPONSE }
  const settled = new Set(recipients.map(({ position }) => position)).size
  return { how: settled < message.open.length ? putOff(deps, job) : { kind: 'done' }, outcome }
}

async function submitted(
  deps: SubmitDeps,
  job: Job,
  message: LoadedMessage,
  built: StoredMime,
  lease: Lease,
): Promise<Result> {
  const now = message.open.slice(0, RECIPIENTS_PER_TRANSACTION)
  const submission = await deps.relay.submit({
    envelopeFrom: deps.returnPathOf(message.id),
    recipients: now.map((recipient) => recipient.address),
    message: built.bytes,
    envelopeId: deps.envelopeIdOf(message.id),
    smtpUtf8: built.smtpUtf8,
    // Another worker may have it by now.
    stillWanted: () => lease.held(),
  })
  if (submission.kind === 'not_tried') return { how: { kind: 'giveBack' } }
  deps.onResult(submission.kind)
  // What was cut off by a stop was no last attempt.
  const isLast = message.ageMs >= deps.giveUpMs && !(submission.kind === 'unknown' && submission.stopped)
  const recipients = outcomesOf(submission, now, isLast)
  const relayResponse = relayResponseOf(submission)
  const outcome = {
    ...outcomeOf(message, recipients, built),
    ...(relayResponse === undefined ? {} : { relayResponse }),
  }
  if (recipients.length < now.length) return { how: putOff(deps, job), outcome }
  return { how: now.length < message.open.length ? nextTransaction(job) : { kind: 'done' }, outcome }
}

/** For what an operator may bring back in time. */
function waiting(deps: SubmitDeps, job: Job, message: LoadedMessage, cause: string): Result {
  return message.ageMs >= deps.giveUpMs ? failed(message, `gave up: ${cause}`) : { how: putOff(deps, job) }
}

function outcomeOf(message: LoadedMessage, recipients: RecipientOutcome[], built?: StoredMime): MessageOutcome {
  const { tenantId, id: messageId } = message
  if (!built) return { tenantId, messageId, recipients }
  const { sizeBytes, dkimSignature } = built
  return { tenantId, messageId, recipients, stored: { sizeBytes, dkimSignature } }
}

/** Back into the queue with a wait that grows. The worker lives, so its receptions begin anew. */
function putOff(deps: SubmitDeps, job: Job): JobSettlement {
  const attempt = attemptOf(job)
  const dueInMs = retryWait(deps.backoff, attempt, deps.random())
  return { kind: 'putBack', dueInMs, keepReceptions: false, payload: { attempt: attempt + 1 } }
}

/** The rest of a message with more recipients than one transaction takes, at once. */
function nextTransaction(job: Job): JobSettlement {
  return { kind: 'putBack', dueInMs: 0, keepReceptions: false, payload: { attempt: attemptOf(job) } }
}

function attemptOf(job: Job): number {
  return typeof job.payload?.attempt === 'number' ? job.payload.attempt : 0
}
