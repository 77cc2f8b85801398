// Writes what attempts came to: the deliveries, if their cycle is still the current one, and the counters of their
// endpoints. One transaction for many, and only for jobs whose claim still holds; one statement where all went well.

import { holdLane, openLane } from '../lib/queue/lanes.ts'
import type { JobResult } from '../lib/queue/settle-jobs.ts'
import { settlementsAsJson } from '../lib/queue/settle-jobs.ts'
import { arrayLiteral, type Database, type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import {
  type AttemptError,
  type Backoff,
  type DeliveryError,
  type DeliveryStatus,
  endpointWaitSeconds,
  MAX_RECEPTIONS,
  WEBHOOK_QUEUE,
} from './delivery-state.ts'
import type { LoadedDelivery, LoadedEndpoint } from './load-deliveries.ts'
import { type FailingEndpoint, tellOfDisabledEndpoint } from './tell-failing-endpoints.ts'

export interface AttemptResult extends JobResult {
  /** Absent when nothing is to be said of the delivery. */
  record?: {
    delivery: Pick<LoadedDelivery, 'tenantId' | 'id' | 'cycle' | 'attempts'> & {
      endpoint: Pick<LoadedEndpoint, 'id' | 'failuresCounted' | 'single'>
    }
    status: DeliveryStatus
    lastError: DeliveryError | null
    /** For a pending one. */
    dueInMs?: number
    /** Absent when no request was made. Of one that was accepted without `error` and `answer`. */
    attempt?: { statusCode: number | null; durationMs: number; error?: AttemptError; answer?: string | null }
  }
}

type Recorded = AttemptResult & { record: NonNullable<AttemptResult['record']> }
type Accepted = Recorded & { record: { attempt: NonNullable<Recorded['record']['attempt']> } }

export interface DisabledEndpoint {
  tenantId: Uuid
  id: Uuid
}

/** What failures in a row mean for an endpoint. */
export interface FailureRules {
  /** So many, and no fewer, disable it. */
  failureLimit: number
  /** What decides how long it waits after each. */
  backoff: Backoff
  random(): number
}

/** Gives the endpoints that these results have disabled. */
export async function recordAttempts(
  database: Database,
  results: readonly AttemptResult[],
  rules: FailureRules,
): Promise<DisabledEndpoint[]> {
  // As nearly always.
  if (results.every(isAccepted) && (await recordAccepted(database, results))) return []
  if (results.every(({ record }) => !record?.attempt)) {
    await save(database, results)
    return []
  }
  return database.transaction((tx) => recordAndCount(tx, results, rules))
}

/** Accepted by an endpoint whose counter stood at zero. */
function isAccepted(result: AttemptResult): result is Accepted {
  const { record } = result
  return record?.status === 'delivered' && record.attempt !== undefined && !record.delivery.endpoint.single
}

/** Records in one round trip. False where a counter stands above zero, and then nothing is recorded. */
async function recordAccepted(database: Database, results: readonly Accepted[]): Promise<boolean> {
  const tenants = new Map(results.map(({ job }) => [job.lane, job.tenantId]))
  const inOrder = results.toSorted(byDelivery)
  const each = (value: (result: Accepted) => string | number | null) => arrayLiteral(inOrder.map(value))
  const row = await database.first(sql<{ recorded: boolean }>`
    select record_accepted(${arrayLiteral([...tenants.values()])}, ${arrayLiteral([...tenants.keys()])},
      ${each(({ job }) => job.tenantId)}, ${each(({ job }) => job.claim)}, ${each(({ job }) => job.id)},
      ${each(({ record }) => record.delivery.id)}, ${each(({ record }) => record.delivery.cycle)},
      ${each(({ record }) => record.delivery.attempts + 1)}, ${each(({ job }) => Math.min(job.receptions, MAX_RECEPTIONS))},
      ${each(({ record }) => record.attempt.statusCode)}, ${each(({ record }) => record.attempt.durationMs)}) as recorded`)
  return row?.recorded === true
}

/** In this order two workers that record the same deliveries, one of them too late, meet them. */
function byDelivery(one: Recorded, other: Recorded): number {
  return one.record.delivery.id < other.record.delivery.id ? -1 : 1
}

async function recordAndCount(
  tx: Tx,
  results: readonly AttemptResult[],
  rules: FailureRules,
): Promise<DisabledEndpoint[]> {
  const saved = await save(tx, results)
  const counted = results.filter(
    (result): result is Recorded => result.record?.attempt !== undefined && saved.has(result.record.delivery.id),
  )
  return countFailures(tx, counted, rules)
}

/** Gives the ids of the deliveries that were still pending in the cycle the attempt belongs to. */
async function save(db: Db, results: readonly AttemptResult[]): Promise<Set<Uuid>> {
  const saved = await db.rows(sql<{ id: Uuid }>`
    select record_attempts(${settlementsAsJson(results)}, ${recordsAsJson(results)}) as id`)
  return new Set(saved.map((row) => row.id))
}

/** What the database's `record_attempts` takes. */
function recordsAsJson(results: readonly AttemptResult[]): string {
  const records = results
    .filter((result): result is Recorded => result.record !== undefined)
    .sort(byDelivery)
    .map(({ job, record: { delivery, attempt, status, lastError, dueInMs } }) => ({
      job_id: job.id,
      tenant_id: delivery.tenantId,
      id: delivery.id,
      cycle: delivery.cycle,
      status,
      attempts: delivery.attempts + (attempt ? 1 : 0),
      // One more than there may be only ends it.
      receptions: Math.min(job.receptions, MAX_RECEPTIONS),
      due_in_ms: dueInMs,
      status_code: attempt?.statusCode ?? undefined,
      duration_ms: attempt?.durationMs,
      error: lastError ?? undefined,
      attempt_error: attempt?.error === lastError ? undefined : attempt?.error,
      answer: attempt?.answer ?? undefined,
    }))
  return JSON.stringify(records)
}

interface Count {
  tenant_id: Uuid
  id: Uuid
  /** One of the attempts was accepted; the failures are those after the last such. */
  resets: boolean
  /** How many failures had been counted when the last of those began that have failed; null when none has. */
  failed_after: number | null
  /** It got one attempt at a time. */
  single: boolean
}

interface Judged extends FailingEndpoint, Pick<Count, 'resets'> {
  /** Its counter from now on. */
  next: number
  counted: boolean
  /** It was disabled. */
  ended: boolean
}

/**
 * Only while it is enabled: what ends later leaves the counter as it was when it was disabled. An attempt that began
 * before the latest counted failure is not counted: what was in flight together counts once.
 */
async function countFailures(
  tx: Tx,
  results: readonly Recorded[],
  { failureLimit, backoff, random }: FailureRules,
): Promise<DisabledEndpoint[]> {
  const counts = countsOf(results)
  const changed = await tx.rows(sql<Judged>`
    with given as materialized (
      select g.* from json_to_recordset(${JSON.stringify(counts)}::json) as g (tenant_id uuid, id uuid, resets boolean,
        failed_after bigint, single boolean)
    ),
    held as materialized (
      select w.tenant_id, w.id, g.resets, case when g.resets then 0 else w.consecutive_failures end as base,
        coalesce(g.failed_after = w.failures_counted, false) as counted
      from given g join webhook_endpoints w on w.tenant_id = g.tenant_id and w.id = g.id
      where w.enabled and w.deleted_at is null
        and (g.failed_after is not null or w.consecutive_failures > 0 or g.single)
      order by w.id for no key update of w
    ),
    judged as materialized (
      select h.*, h.base + h.counted::integer as next, h.base + h.counted::integer >= ${failureLimit} as ended from held h
    )
    update webhook_endpoints w
    set consecutive_failures = j.next, failures_counted = w.failures_counted + j.counted::integer, enabled = not j.ended,
      disabled_at = case when j.ended then clock_timestamp() end,
      disabled_reason = case when j.ended then 'consecutive failed attempts' end,
      failing_since = case when j.next > 0 and j.base > 0 then coalesce(w.failing_since, clock_timestamp())
        when j.next > 0 then clock_timestamp() end
    from judged j
    where w.tenant_id = j.tenant_id and w.id = j.id
    returning w.tenant_id as "tenantId", w.id, w.url, w.failing_since as since, j.next, j.resets, j.counted, j.ended`)
  for (const endpoint of changed) {
    const { tenantId, id, next, resets, counted, ended } = endpoint
    const lane = { tenantId, queue: WEBHOOK_QUEUE, lane: id }
    // What is left of a disabled endpoint's jobs comes to nothing.
    if ((resets && next === 0) || ended) await openLane(tx, lane, null)
    else if (counted) await holdLane(tx, lane, endpointWaitSeconds(next, backoff, random()) * 1000)
    if (ended) await tellOfDisabledEndpoint(tx, endpoint)
  }
  return changed.filter(({ ended }) => ended).map(({ tenantId, id }) => ({ tenantId, id }))
}

/** What the attempts come to for each endpoint, in the order in which they ended. */
function countsOf(results: readonly Recorded[]): Count[] {
  const counts = new Map<Uuid, Count>()
  for (const { record } of results) {
    const { id, failuresCounted, single } = record.delivery.endpoint
    const { tenantId } = record.delivery
    const count = counts.get(id) ?? { tenant_id: tenantId, id, resets: false, failed_after: null, single: false }
    counts.set(id, count)
    count.single ||= single
    if (record.status === 'delivered') Object.assign(count, { resets: true, failed_after: null })
    else count.failed_after = Math.max(count.failed_after ?? 0, failuresCounted)
  }
  return [...counts.values()]
}
