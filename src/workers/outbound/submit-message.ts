// The outbound worker: builds and signs a message once, stores it, submits exactly those bytes to the relay and
// records what came of it. After a crash between acceptance and record the same bytes and Message-ID go again: at least once.
import { type ObjectStore, StoreUnavailable } from '../../lib/object-store.ts'
import { inGroups } from '../../lib/queue/in-groups.ts'
import type { Job } from '../../lib/queue/job.ts'
import type { Lease } from '../../lib/queue/lease.ts'
import type { WorkerOptions } from '../../lib/queue/worker.ts'
import { SealError } from '../../lib/secret-box.ts'
import type { Database } from '../../lib/sql.ts'
import type { DkimSigner } from '../../mail/build/dkim-signature.ts'
import { UnbuildableMessage } from '../../mail/mail-address.ts'
import type { Relay } from '../../mail/smtp/relay.ts'
import type { DkimKeyring } from '../../mailboxes/dkim-keyring.ts'
import { type LoadedMessage, loadMessages } from '../../messages/load-messages.ts'
import { mostEvents, recordSubmissions, type SubmissionResult } from '../../messages/record-submissions.ts'
import { SUPPRESSED } from '../../suppressions/suppressed.ts'
import type { AttemptReport } from './attempt-report.ts'
import { SIMULATED_RESPONSE, simulate } from './simulate.ts'
import { type StoredMime, storeMime } from './stored-mime.ts'
import { isUnreached, outcomesOf, relayResponseOf, type Tried } from './submission-outcome.ts'
import {
  attempted,
  attemptOf,
  failed,
  NOT_TRIED,
  NOTHING,
  type Retries,
  type TriedSubmission,
  waiting,
  withSuppressed,
} from './submission-result.ts'

/** A message that stops its worker this often is failed. specification.md#retries-of-a-submission */
export const OUTBOUND_RECEPTIONS = 5
/** RFC 5321 4.5.3.1.8 lets a relay take no more. specification.md#submission */
const RECIPIENTS_PER_TRANSACTION = 100

export interface SubmitDeps extends Retries {
  database: Database
  store: ObjectStore
  relay: Relay
  /** The signed return path of a message. specification.md#return-path */
  returnPathOf(messageId: string): string
  /** The envelope id of a message, which proves the relay's reports. */
  envelopeIdOf(messageId: string): string
  dkimKeys: DkimKeyring
  /** Called with what became of each submission. */
  onResult(result: Tried['kind'] | 'simulated'): void
  /** Called with each attempt, also where nothing could be submitted. */
  onAttempt(report: AttemptReport): void
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
    work: async (job, message, lease) => {
      const { report, ...result } = message ? await submitWanted(deps, job, message, lease) : NOTHING
      if (report) deps.onAttempt(report)
      return { job, ...result }
    },
    record: (results) => recordSubmissions(deps.database, results),
    mostTogether: MOST_TOGETHER,
    weightOf: mostEvents,
    maxWeight: MOST_EVENTS_TOGETHER,
    onOutOfTime: (error, job) => deps.onOutOfTime(error, job.subjectId),
  })
}

/** Whoever was stopped meanwhile gets nothing: what becomes of the others is recorded with that. */
async function submitWanted(
  deps: SubmitDeps,
  job: Job,
  message: LoadedMessage,
  lease: Lease,
): Promise<TriedSubmission> {
  if (message.suppressed.length === 0) return submit(deps, job, message, lease)
  const wanted = message.open.filter((recipient) => !message.suppressed.includes(recipient))
  return wanted.length === 0
    ? failed(job, message, { why: SUPPRESSED, reason: SUPPRESSED, deadLetter: false })
    : withSuppressed(message, await submit(deps, job, { ...message, open: wanted }, lease))
}

async function submit(deps: SubmitDeps, job: Job, message: LoadedMessage, lease: Lease): Promise<TriedSubmission> {
  if (message.open.length === 0) return NOTHING
  if (job.exhausted) {
    const why = `gave up: this message stopped its worker ${OUTBOUND_RECEPTIONS} times`
    return failed(job, message, { why, reason: 'receptions_exhausted', deadLetter: true })
  }
  if (message.suspended) {
    const why = `the ${message.suspended} was suspended before the message was submitted`
    return failed(job, message, { why, reason: `${message.suspended}_suspended`, deadLetter: true })
  }
  try {
    const built = await storeMime(deps.store, message, () => signerOf(deps, message), job.receptions > 1)
    return message.sandbox ? simulated(deps, job, message, built) : await submitted(deps, job, message, built, lease)
  } catch (error) {
    if (error instanceof UnbuildableMessage) {
      const why = `the message cannot be built: ${error.message}`
      return failed(job, message, { why, reason: 'unbuildable', deadLetter: true })
    }
    if (error instanceof StoreUnavailable) {
      const why = 'the object store is not available'
      return waiting(job, message, { why, reason: 'object_store_unavailable' }, deps)
    }
    if (error instanceof SealError) {
      // The operator can bring the service's key back; unsigned mail would be taken for forged.
      deps.onTrouble(error, message.id)
      const why = 'the DKIM key of the domain cannot be opened'
      return waiting(job, message, { why, reason: 'dkim_key_unavailable' }, deps)
    }
    throw error
  }
}

/** @throws SealError */
function signerOf(deps: SubmitDeps, message: LoadedMessage): DkimSigner | undefined {
  const { tenantId, domainId: id, domain, dkimSelector: selector, sealedDkimKey: sealed } = message
  if (selector === null || sealed === null) return undefined
  return { domain, selector, privateKey: deps.dkimKeys.keyOf({ tenantId, id }, selector, sealed) }
}

function simulated(deps: SubmitDeps, job: Job, message: LoadedMessage, built: StoredMime): TriedSubmission {
  deps.onResult('simulated')
  const results = simulate(message.open, attemptOf(job))
  const attempt = { tried: message.open, results, result: 'simulated', built, relayResponse: SIMULATED_RESPONSE }
  return attempted(job, message, attempt, deps)
}

async function submitted(
  deps: SubmitDeps,
  job: Job,
  message: LoadedMessage,
  built: StoredMime,
  lease: Lease,
): Promise<TriedSubmission> {
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
  if (submission.kind === 'not_tried') return NOT_TRIED
  deps.onResult(submission.kind)
  // What was cut off by a stop was no last attempt.
  const isLast = message.ageMs >= deps.giveUpMs && !(submission.kind === 'unknown' && submission.stopped)
  // A relay that cannot be reached keeps all of them waiting.
  const unreached = isUnreached(submission)
  const tried = unreached ? message.open : now
  const attempt = {
    tried,
    unreached,
    results: outcomesOf(submission, tried, isLast),
    result: submission.kind,
    built,
    relayResponse: relayResponseOf(submission),
    ...(submission.kind === 'unknown' ? {} : { reply: submission.reply }),
  }
  return attempted(job, message, attempt, deps)
}
