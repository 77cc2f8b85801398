// The outbound worker: builds and signs a message once, stores it, submits exactly those bytes to the relay and
// records what came of it. After a crash between acceptance and record the same bytes and Message-ID go again: at least once.
import { createGroup } from '../../lib/group.ts'
import { type ObjectStore, StoreUnavailable } from '../../lib/object-store.ts'
import { type Job, type JobSettlement, settleJobs } from '../../lib/queue/jobs.ts'
import { persistently } from '../../lib/queue/persistently.ts'
import type { Lease } from '../../lib/queue/worker.ts'
import { SealError } from '../../lib/secret-box.ts'
import type { Database } from '../../lib/sql.ts'
import type { DkimSigner } from '../../mail/build/dkim-signature.ts'
import { UnbuildableMessage } from '../../mail/mail-address.ts'
import type { Relay, Reply, Submission } from '../../mail/smtp/relay.ts'
import type { DkimKeyring } from '../../mailboxes/dkim-keyring.ts'
import { applyOutcomes, type MessageOutcome } from '../../messages/apply-outcomes.ts'
import type { RecipientNow, RecipientOutcome } from '../../messages/decide-outcome.ts'
import { type LoadedMessage, loadMessages } from '../../messages/load-messages.ts'
import { type OutboundBackoff, retryWait } from './retry-wait.ts'
import { simulate } from './simulate.ts'
import { type StoredMime, storeMime } from './stored-mime.ts'

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

type Tried = Exclude<Submission, { kind: 'not_tried' }>

interface Result {
  job: Job
  how: JobSettlement
  outcome?: MessageOutcome
}

const MOST_LOADED_TOGETHER = 64
const MOST_RECORDED_TOGETHER = 64
/** Each is a delivery and a job for every endpoint that hears it: 100 make 500 events last seconds (ADR 12). */
const MOST_EVENTS_TOGETHER = 500

/** Makes the handler of the outbound queue's jobs: it does one and settles it, in groups with its neighbours. */
export function createSubmitter(deps: SubmitDeps): (job: Job, lease: Lease) => Promise<void> {
  const load = createGroup<Job, LoadedMessage | undefined>({
    write: (jobs) =>
      loadMessages(
        deps.database,
        jobs.map((job) => ({ tenantId: job.tenantId, messageId: job.subjectId })),
      ),
    maxItems: MOST_LOADED_TOGETHER,
    ownerOf: (job) => job.tenantId,
    inFlight: 2,
  })
  const record = createGroup<Result, void>({
    write: (results) => recordResults(deps, results),
    maxItems: MOST_RECORDED_TOGETHER,
    weightOf: ({ outcome }) => mostEvents(outcome),
    maxWeight: MOST_EVENTS_TOGETHER,
    ownerOf: ({ job }) => job.tenantId,
    inFlight: 2,
  })

  return async (job, lease) => {
    const onOutOfTime = (error: Error) => deps.onOutOfTime(error, job.subjectId)
    const message = await persistently(lease, onOutOfTime, () => load.add(job))
    const result = message
      ? { job, ...(await work(deps, job, message, lease)) }
      : { job, how: { kind: 'done' as const } }
    // What the relay took must not be forgotten because the database restarts: it would be submitted again.
    await persistently(lease, onOutOfTime, () => record.add(result))
  }
}

/** One for the message that is sent, and one for each recipient's outcome. */
function mostEvents(outcome: MessageOutcome | undefined): number {
  return outcome ? 1 + outcome.recipients.filter(({ status }) => status !== 'sent').length : 0
}

/** In one transaction, and only for jobs whose claim still holds. */
async function recordResults(deps: SubmitDeps, results: Result[]): Promise<undefined[]> {
  await deps.database.transaction(async (tx) => {
    const settled = await settleJobs(tx, results)
    const outcomes = results.flatMap(({ job, outcome }) => (outcome && settled.has(job.id) ? outcome : []))
    await applyOutcomes(tx, outcomes)
  })
  return results.map(() => undefined)
}

type Work = Omit<Result, 'job'>

async function work(deps: SubmitDeps, job: Job, message: LoadedMessage, lease: Lease): Promise<Work> {
  if (message.open.length === 0) return { how: { kind: 'done' } }
  if (job.exhausted) {
    const why = `gave up: this message stopped its worker ${OUTBOUND_RECEPTIONS} times`
    return failAll(message, why, { kind: 'deadLetter', reason: 'receptions_exhausted' })
  }
  if (message.suspended) {
    return failAll(message, `the ${message.suspended} was suspended before the message was submitted`, {
      kind: 'deadLetter',
      reason: `${message.suspended}_suspended`,
    })
  }
  try {
    const built = await storeMime(deps.store, message, () => signerOf(deps, message), job.receptions > 1)
    return message.sandbox ? simulated(deps, job, message, built) : await submitted(deps, job, message, built, lease)
  } catch (error) {
    if (error instanceof UnbuildableMessage) {
      return failAll(message, `the message cannot be built: ${error.message}`, {
        kind: 'deadLetter',
        reason: 'unbuildable',
      })
    }
    if (error instanceof StoreUnavailable) {
      const givenUp = message.ageMs >= deps.giveUpMs
      return givenUp ? failAll(message, 'gave up: the object store is not available') : putOff(deps, job)
    }
    if (error instanceof SealError) {
      // The operator can bring the service's key back; unsigned mail would be taken for forged.
      deps.onTrouble(error, message.id)
      const givenUp = message.ageMs >= deps.giveUpMs
      return givenUp ? failAll(message, 'gave up: the DKIM key of the domain cannot be opened') : putOff(deps, job)
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

async function submitted(
  deps: SubmitDeps,
  job: Job,
  message: LoadedMessage,
  built: StoredMime,
  lease: Lease,
): Promise<Work> {
  const now = message.open.slice(0, RECIPIENTS_PER_TRANSACTION)
  const later = message.open.length > now.length
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
  const recipients = outcomesOf(submission, now)
  const open = now.length - recipients.length
  if (open > 0 && isLast) {
    const known = new Set(recipients.map((recipient) => recipient.position))
    const final = finalReply(submission)
    const given = now
      .filter((recipient) => !known.has(recipient.position))
      .map((recipient) => outcomeOf(recipient, 'failed', { ...final, text: `gave up: ${final.text}` }))
    recipients.push(...given)
  }
  const outcome = messageOutcome(message, built, recipients)
  if (submission.kind === 'accepted') outcome.relayResponse = inFull(submission.reply)
  if (recipients.length < now.length) return { ...putOff(deps, job), outcome }
  return { how: later ? nextTransaction(job) : { kind: 'done' }, outcome }
}

/** What is known for good of each recipient, those it was sent to first; those put off are left out. */
function outcomesOf(submission: Tried, recipients: readonly RecipientNow[]): RecipientOutcome[] {
  if (submission.kind === 'unavailable' || submission.kind === 'unknown') return []
  const { kind, reply, refusals } = submission
  const taken = kind === 'accepted' ? recipients.filter((_, i) => !refusals.has(i)) : []
  const failed = recipients.flatMap((recipient, i) => {
    const refusal = refusals.get(i)
    return refusal?.permanent ? outcomeOf(recipient, 'failed', refusal.reply) : []
  })
  return [...taken.map((recipient) => outcomeOf(recipient, 'sent', reply)), ...failed]
}

/** As the relay said it, on one line. */
function inFull({ code, enhancedCode, text }: Reply): string {
  return [code, enhancedCode, text].filter((part) => part !== null && part !== '').join(' ')
}

function outcomeOf(recipient: RecipientNow, status: 'sent' | 'failed', reply: Reply): RecipientOutcome {
  return {
    position: recipient.position,
    status,
    smtpCode: reply.code,
    enhancedCode: reply.enhancedCode,
    diagnostic: reply.text,
  }
}

/** What the relay said to those it put off. */
function finalReply(submission: Tried): Reply {
  if (submission.kind === 'unavailable' || submission.kind === 'unknown') {
    return { code: null, enhancedCode: null, text: submission.reason }
  }
  return [...submission.refusals.values()].find((refusal) => !refusal.permanent)?.reply ?? submission.reply
}

function simulated(deps: SubmitDeps, job: Job, message: LoadedMessage, built: StoredMime): Work {
  deps.onResult('simulated')
  const recipients = message.open.flatMap((recipient) => {
    const outcome = simulate(recipient, attemptOf(job))
    if (!outcome) return []
    const sent = outcomeOf(recipient, 'sent', { code: 250, enhancedCode: '2.0.0', text: '250 2.0.0 simulated' })
    return outcome.status === 'sent' ? sent : [sent, outcome]
  })
  const outcome = { ...messageOutcome(message, built, recipients), relayResponse: '250 2.0.0 simulated' }
  const settled = new Set(recipients.map((recipient) => recipient.position)).size
  return settled < message.open.length ? { ...putOff(deps, job), outcome } : { how: { kind: 'done' }, outcome }
}

function messageOutcome(message: LoadedMessage, built: StoredMime, recipients: RecipientOutcome[]): MessageOutcome {
  return {
    tenantId: message.tenantId,
    messageId: message.id,
    recipients,
    stored: { objectKey: built.objectKey, sizeBytes: built.sizeBytes, dkimSignature: built.dkimSignature },
  }
}

function failAll(message: LoadedMessage, why: string, how: JobSettlement = { kind: 'done' }): Work {
  const reply = { code: null, enhancedCode: null, text: why }
  return {
    how,
    outcome: {
      tenantId: message.tenantId,
      messageId: message.id,
      recipients: message.open.map((recipient) => outcomeOf(recipient, 'failed', reply)),
    },
  }
}

/** Back into the queue with a wait that grows. The worker lives, so its receptions begin anew. */
function putOff(deps: SubmitDeps, job: Job): Work {
  const attempt = attemptOf(job)
  const dueInMs = retryWait(deps.backoff, attempt, deps.random())
  return { how: { kind: 'putBack', dueInMs, keepReceptions: false, payload: { attempt: attempt + 1 } } }
}

/** The rest of a message with more recipients than one transaction takes, at once. */
function nextTransaction(job: Job): JobSettlement {
  return { kind: 'putBack', dueInMs: 0, keepReceptions: false, payload: { attempt: attemptOf(job) } }
}

function attemptOf(job: Job): number {
  return typeof job.payload?.attempt === 'number' ? job.payload.attempt : 0
}
