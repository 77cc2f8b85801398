// The webhook worker: posts what is due, decides by delivery-state what came of it, and records that in groups with
// its neighbours. At least once: what was posted and not recorded is posted again, under the same event id.
import type { PublicFetch } from '../../lib/public-fetch.ts'
import { inGroups } from '../../lib/queue/in-groups.ts'
import type { Job } from '../../lib/queue/job.ts'
import type { WorkerOptions } from '../../lib/queue/worker.ts'
import type { Database } from '../../lib/sql.ts'
import { answerText } from '../../webhooks/answer-text.ts'
import { DELIVERY_HEADERS, deliveryBody } from '../../webhooks/delivery-body.ts'
import { attemptFrom, type Backoff, receive, settle } from '../../webhooks/delivery-state.ts'
import { endDeliveries } from '../../webhooks/end-deliveries.ts'
import { type LoadedDelivery, loadDeliveries } from '../../webhooks/load-deliveries.ts'
import { type AttemptResult, type DisabledEndpoint, recordAttempts } from '../../webhooks/record-attempts.ts'
import { signatureHeaders } from '../../webhooks/signature.ts'
import type { SigningKeyring } from '../../webhooks/signing-keys.ts'

export interface DeliverDeps {
  database: Database
  publicFetch: Pick<PublicFetch, 'post'>
  keyring: SigningKeyring
  backoff: Backoff
  /** Consecutive failures that disable an endpoint. */
  failureLimit: number
  random(): number
  /** Called with every attempt: `accepted`, or why it failed. */
  onAttempt(result: string, durationMs: number): void
  onDisabled(endpoint: DisabledEndpoint): void
  /** Called each time that the database took too long to read a delivery, or to record an attempt. */
  onOutOfTime(error: Error, deliveryId: string): void
}

const MOST_TOGETHER = 128

/** Makes the handler of the webhook queue's jobs. */
export function createDeliverer(deps: DeliverDeps): WorkerOptions['handle'] {
  return inGroups<LoadedDelivery | undefined, AttemptResult>({
    load: (jobs) => loadDeliveries(deps.database, jobs),
    // What is loaded too late another worker may have by now.
    work: async (job, delivery, lease) => (lease.held() ? attempt(deps, job, delivery) : undefined),
    record: (results) => record(deps, results),
    mostTogether: MOST_TOGETHER,
    onOutOfTime: (error, job) => deps.onOutOfTime(error, job.subjectId),
  })
}

async function record(deps: DeliverDeps, results: readonly AttemptResult[]): Promise<void> {
  for (const endpoint of await recordAttempts(deps.database, results, deps)) {
    deps.onDisabled(endpoint)
    await endDeliveries(deps.database, endpoint)
  }
}

async function attempt(deps: DeliverDeps, job: Job, delivery: LoadedDelivery | undefined): Promise<AttemptResult> {
  // A job without payload is of the first cycle.
  if (!delivery || delivery.cycle !== (job.payload?.cycle ?? 1)) return { job, how: { kind: 'done' } }
  const held = { status: delivery.status, attempts: delivery.attempts, receptions: job.receptions }
  const reception = receive(held, delivery.timing, delivery.endpoint)
  if (reception.kind === 'ignore') return { job, how: { kind: 'done' } }
  if (reception.kind === 'wait') return { job, how: { kind: 'giveBack', dueInMs: delivery.dueInMs } }
  if (reception.kind === 'dead') {
    const { lastError } = reception
    const how = lastError === 'endpoint_disabled' ? ({ kind: 'done' } as const) : deadLetter(lastError)
    return { job, how, record: { delivery, status: 'dead', lastError } }
  }
  const outcome = await post(deps, delivery)
  const result = attemptFrom(outcome)
  deps.onAttempt(result.kind === 'accepted' ? 'accepted' : result.error, outcome.durationMs)
  const statusCode = 'status' in outcome ? outcome.status : null
  const failure = result.kind === 'failed' ? { error: result.error, answer: answerText(outcome) } : {}
  const made = { delivery, attempt: { statusCode, durationMs: outcome.durationMs, ...failure } }
  const settlement = settle(held, result, deps.backoff, deps.random())
  switch (settlement.status) {
    case 'delivered':
      return { job, how: { kind: 'done' }, record: { ...made, status: 'delivered', lastError: null } }
    case 'pending': {
      const dueInMs = Math.round(settlement.dueInSeconds * 1000)
      const how = { kind: 'putBack', dueInMs, keepReceptions: true } as const
      return { job, how, record: { ...made, status: 'pending', lastError: settlement.lastError, dueInMs } }
    }
    case 'dead': {
      const { lastError } = settlement
      return { job, how: deadLetter(lastError), record: { ...made, status: 'dead', lastError } }
    }
  }
}

function post(deps: DeliverDeps, delivery: LoadedDelivery) {
  const { eventId: id, type, occurredAt, data, endpoint } = delivery
  const body = deliveryBody({ id, type, apiVersion: endpoint.apiVersion, occurredAt, data })
  const timestamp = Math.floor(endpoint.loadedAtSeconds)
  const keys = deps.keyring.keysOf({
    tenant_id: delivery.tenantId,
    id: endpoint.id,
    secret: endpoint.secret,
    previous_secret: endpoint.previousSecret,
  })
  const headers = { ...DELIVERY_HEADERS, ...signatureHeaders({ id, timestamp, body }, keys) }
  return deps.publicFetch.post(endpoint.url, { headers, body })
}

function deadLetter(reason: string) {
  return { kind: 'deadLetter', reason } as const
}
