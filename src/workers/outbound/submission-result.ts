// What an attempt to submit a message comes to: how its job is settled, what is recorded of its recipients, and what is
// logged. Pure but for the chance that is handed in.
import type { Job } from '../../lib/queue/job.ts'
import type { JobSettlement } from '../../lib/queue/settle-jobs.ts'
import { ownWords, type Reply } from '../../mail/smtp/relay-reply.ts'
import type { MessageOutcome } from '../../messages/apply-outcomes.ts'
import type { RecipientNow } from '../../messages/decide-outcome.ts'
import type { LoadedMessage } from '../../messages/load-messages.ts'
import type { SubmissionResult } from '../../messages/record-submissions.ts'
import { answersOfTry, isKept, type SubmissionTry } from '../../messages/submission-try.ts'
import { SUPPRESSED } from '../../suppressions/suppressed.ts'
import type { AttemptReport } from './attempt-report.ts'
import { type OutboundBackoff, retryWait } from './retry-wait.ts'
import type { StoredMime } from './stored-mime.ts'
import { deferAll, failAll, type RecipientResults } from './submission-outcome.ts'

export interface TriedSubmission extends Omit<SubmissionResult, 'job'> {
  /** Absent where nothing was tried. */
  report?: AttemptReport
}

export interface Retries {
  backoff: OutboundBackoff
  giveUpMs: number
  random(): number
}

/** There is nothing left to do. */
export const NOTHING: TriedSubmission = { how: { kind: 'done' } }

/** It was not tried, and is another worker's or comes again. */
export const NOT_TRIED: TriedSubmission = { how: { kind: 'giveBack' } }

/** Nobody else gets it. `why` goes to the sender; under `reason` an operator finds it, as a dead letter too if it may be repaired. */
export function failed(
  job: Job,
  message: LoadedMessage,
  { why, reason, deadLetter }: { why: string; reason: string; deadLetter: boolean },
): TriedSubmission {
  const results = { outcomes: failAll(message.open, why), deferrals: [] }
  return {
    how: deadLetter ? { kind: 'deadLetter', reason } : { kind: 'done' },
    outcome: outcomeOf(message, results),
    report: reportOf(job, message, reason, results),
  }
}

/** For what an operator may bring back in time: all wait, or fail once the give-up time has passed. */
export function waiting(
  job: Job,
  message: LoadedMessage,
  { why, reason }: { why: string; reason: string },
  retries: Retries,
): TriedSubmission {
  if (message.ageMs >= retries.giveUpMs)
    return failed(job, message, { why: `gave up: ${why}`, reason, deadLetter: false })
  const results = { outcomes: [], deferrals: deferAll(message.open, ownWords(why)) }
  return attempted(job, message, { tried: message.open, results, result: reason }, retries)
}

/** The same, where some were not tried as mail to them is stopped: they fail first. Where nothing is recorded they do so later. */
export function withSuppressed(message: LoadedMessage, result: TriedSubmission): TriedSubmission {
  const { outcome, report } = result
  if (!outcome) return result
  const failed = failAll(message.suppressed, SUPPRESSED)
  return {
    ...result,
    outcome: { ...outcome, recipients: [...failed, ...outcome.recipients] },
    ...(report ? { report: { ...report, failed: report.failed + failed.length } } : {}),
  }
}

export interface Attempted {
  /** Whom it was for. */
  tried: readonly RecipientNow[]
  results: RecipientResults
  /** See `AttemptReport`. */
  result: string
  /** What the relay said last, or what is said in its place. */
  reply?: Reply
  /** No connection to the relay could be opened. */
  unreached?: boolean
  /** What was built, stored and perhaps taken. */
  built?: StoredMime
  /** What the relay said when it took the message. */
  relayResponse?: string | undefined
}

/** Some may be sent, some failed; while any waits the whole message comes again after a while, and at once for those not tried yet. */
export function attempted(job: Job, message: LoadedMessage, attempt: Attempted, retries: Retries): TriedSubmission {
  const { tried, results, result, reply, built, relayResponse } = attempt
  const how = settlementOf(job, message, attempt, retries)
  const nextAttemptInMs = how.kind === 'putBack' ? how.dueInMs : 0
  const submissionTry = tryOf(job, message, attempt, nextAttemptInMs)
  return {
    how,
    ...(submissionTry ? { submissionTry } : {}),
    outcome: {
      ...outcomeOf(message, results, built),
      attempt: { positions: tried.map(({ position }) => position), deferrals: results.deferrals, nextAttemptInMs },
      ...(relayResponse === undefined ? {} : { relayResponse }),
    },
    report: {
      ...reportOf(job, message, result, results),
      ...(reply && reply.code !== null ? { smtpCode: reply.code } : {}),
      ...(reply && reply.enhancedCode !== null ? { enhancedCode: reply.enhancedCode } : {}),
      ...(attempt.unreached && reply?.code === null ? { reason: reply.text } : {}),
      ...(results.deferrals.length > 0 ? { nextAttemptInMs } : {}),
    },
  }
}

/** Undefined where nothing is kept of it. */
function tryOf(
  job: Job,
  { tenantId, id: messageId }: LoadedMessage,
  { results, result, unreached }: Attempted,
  waitMs: number,
): SubmissionTry | undefined {
  const answers = answersOfTry(results.outcomes, results.deferrals)
  if (!isKept(answers, job.payload === null)) return undefined
  const nextAttemptInMs = results.deferrals.length > 0 ? waitMs : null
  return { tenantId, messageId, result: unreached ? 'unreached' : result, answers, nextAttemptInMs }
}

/** The worker lives, so that the job's receptions begin anew. */
function settlementOf(
  job: Job,
  message: LoadedMessage,
  { tried, results, unreached }: Attempted,
  { backoff, random }: Retries,
): JobSettlement {
  const attempt = attemptOf(job)
  if (results.deferrals.length > 0) {
    const dueInMs = retryWait(backoff, attempt, random())
    const putBack = { kind: 'putBack', dueInMs, keepReceptions: false, payload: { attempt: attempt + 1 } } as const
    return unreached ? { ...putBack, resumableInMs: backoff.firstMs } : putBack
  }
  if (tried.length === message.open.length) return { kind: 'done' }
  return { kind: 'putBack', dueInMs: 0, keepReceptions: false, payload: { attempt } }
}

/** How often the message was put off before. */
export function attemptOf(job: Job): number {
  return typeof job.payload?.attempt === 'number' ? job.payload.attempt : 0
}

function outcomeOf(message: LoadedMessage, { outcomes }: RecipientResults, built?: StoredMime): MessageOutcome {
  const { tenantId, id: messageId } = message
  if (!built) return { tenantId, messageId, recipients: outcomes }
  const { sizeBytes, dkimSignature } = built
  return { tenantId, messageId, recipients: outcomes, stored: { sizeBytes, dkimSignature } }
}

function reportOf(
  job: Job,
  { id: messageId }: LoadedMessage,
  result: string,
  { outcomes, deferrals }: RecipientResults,
): AttemptReport {
  const sent = outcomes.filter(({ status }) => status === 'sent').length
  const reached = new Set(outcomes.map(({ position }) => position)).size
  return { messageId, attempt: attemptOf(job) + 1, result, sent, deferred: deferrals.length, failed: reached - sent }
}
