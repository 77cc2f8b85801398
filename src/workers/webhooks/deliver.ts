// The webhook worker: posts what is due, decides by delivery-state what came of it, and records that in groups with
// its neighbours. At least once: what was posted and not recorded is posted again, under the same event id.
import { createGroup } from '../../lib/group.ts'
import type { PublicFetch } from '../../lib/public-fetch.ts'
import type { Job } from '../../lib/queue/jobs.ts'
import { persistently } from '../../lib/queue/persistently.ts'
import type { Lease } from '../../lib/queue/worker.ts'
import type { Database } from '../../lib/sql.ts'
import { attemptFrom, type Backoff, receive, settle } from '../../webhooks/delivery-state.ts'
import { endDeliveries } from '../../webhooks/end-deliveries.ts'
import { DELIVERY_HEADERS, deliveryBody } from '../../webhooks/envelope.ts'
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

const MOST_LOADED_TOGETHER = 128
const MOST_RECORDED_TOGETHER = 128

/** Makes the handler of the webhook queue's jobs. */
export function createDeliverer(deps: DeliverDeps): (job: Job, lease: Lease) => Promise<void> {
  const load = createGroup<Job, LoadedDelivery | undefined>({
    write: (jobs) =>
      loadDeliveries(
        deps.database,
        jobs.map((job) => ({ tenantId: job.tenantId, id: job.subjectId, jobId: job.id, endpointId: job.lane })),
      ),
    maxItems: MOST_LOADED_TOGETHER,
    ownerOf: (job) => job.tenantId,
    inFlight: 2,
  })
  const record = createGroup<AttemptResult, void>({
    write: (results) => recordResults(deps, results),
    maxItems: MOST_RECORDED_TOGETHER,
    ownerOf: ({ job }) => job.tenantId,
    inFlight: 2,
  })

  return async (job, lease) => {
    const onOutOfTime = (error: Error) => deps.onOutOfTime(error, job.subjectId)
    const delivery = await persistently(lease, onOutOfTime, () => load.add(job))
    // Its turn came too late: another worker may have it by now.
    if (!lease.held()) return
    const result = await attempt(deps, job, delivery)
    await persistently(lease, onOutOfTime, () => record.add(result))
  }
}

async function recordResults(deps: DeliverDeps, results: AttemptResult[]): Promise<undefined[]> {
  const disabled = await recordAttempts(deps.database, results, deps)
  for (const endpoint of disabled) {
    deps.onDisabled(endpoint)
    await endDeliveries(deps.database, endpoint)
  }
  return results.map(() => undefined)
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
  const made = { delivery, attempt: { statusCode, durationMs: outcome.durationMs } }
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
