// Writes what attempts came to: the deliveries, if their cycle is still the current one, and the counters of their
// endpoints. One transaction for many, and only for jobs whose claim still holds; one statement where all went well.
import { type Job, type Settlement as JobSettlement, setLaneCap, settlementsAsJson } from '../lib/queue/jobs.ts'
import { arrayLiteral, type Database, type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import {
  type DeliveryError,
  type DeliveryStatus,
  MAX_FAILURES_AT_ONCE,
  MAX_RECEPTIONS,
  WEBHOOK_QUEUE,
} from './delivery-state.ts'
import type { LoadedDelivery, LoadedEndpoint } from './load-deliveries.ts'

export interface AttemptResult {
  job: Job
  how: JobSettlement
  /** Absent when nothing is to be said of the delivery. */
  record?: {
    delivery: Pick<LoadedDelivery, 'tenantId' | 'id' | 'cycle' | 'attempts'> & {
      endpoint: Pick<LoadedEndpoint, 'id' | 'failures' | 'single'>
    }
    status: DeliveryStatus
    lastError: DeliveryError | null
    /** For a pending one. */
    dueInMs?: number
    /** Absent when no request was made. */
    attempt?: { statusCode: number | null; durationMs: number }
  }
}

type Recorded = AttemptResult & { record: NonNullable<AttemptResult['record']> }
type Accepted = Recorded & { record: { attempt: NonNullable<Recorded['record']['attempt']> } }

export interface DisabledEndpoint {
  tenantId: Uuid
  id: Uuid
}

/** Gives the endpoints that these results have disabled: so many consecutive failures, and no fewer, disable one. */
export async function recordAttempts(
  database: Database,
  results: readonly AttemptResult[],
  failureLimit: number,
): Promise<DisabledEndpoint[]> {
  // As nearly always.
  if (results.every(isAccepted) && (await recordAccepted(database, results))) return []
  if (results.every(({ record }) => !record?.attempt)) {
    await save(database, results)
    return []
  }
  return database.transaction((tx) => recordAndCount(tx, results, failureLimit))
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
  failureLimit: number,
): Promise<DisabledEndpoint[]> {
  const saved = await save(tx, results)
  const counted = results.filter(
    (result): result is Recorded => result.record?.attempt !== undefined && saved.has(result.record.delivery.id),
  )
  return countFailures(tx, counted, failureLimit)
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
      // One more than there may be only buries it.
      receptions: Math.min(job.receptions, MAX_RECEPTIONS),
      due_in_ms: dueInMs,
      status_code: attempt?.statusCode ?? undefined,
      duration_ms: attempt?.durationMs,
      error: lastError ?? undefined,
    }))
  return JSON.stringify(records)
}

interface Count {
  tenant_id: Uuid
  id: Uuid
  /** One of the attempts was accepted; the failures are those after the last such. */
  resets: boolean
  /** Failures of attempts that began while the counter was zero, and of those that began after a failure. */
  fresh: number
  stale: number
  /** It got one attempt at a time. */
  single: boolean
}

async function countFailures(tx: Tx, results: readonly Recorded[], failureLimit: number): Promise<DisabledEndpoint[]> {
  const counts = countsOf(results)
  const changed = await tx.rows(sql<{ tenant_id: Uuid; id: Uuid; next: number; disabled: boolean }>`
    with given as materialized (
      select g.* from json_to_recordset(${JSON.stringify(counts)}::json) as g (tenant_id uuid, id uuid, resets boolean,
        fresh integer, stale integer, single boolean)
    ),
    held as materialized (
      select w.tenant_id, w.id, w.enabled, case when g.resets then 0 else w.consecutive_failures end as base,
        g.fresh, g.stale
      from given g join webhook_endpoints w on w.tenant_id = g.tenant_id and w.id = g.id
      where g.fresh + g.stale > 0 or w.consecutive_failures > 0 or g.single
      order by w.id for no key update of w
    ),
    counted as materialized (
      select h.*, greatest(h.base, least(h.base + h.fresh, ${MAX_FAILURES_AT_ONCE})) + h.stale as next from held h
    )
    update webhook_endpoints w
    set consecutive_failures = c.next, enabled = w.enabled and c.next < ${failureLimit},
      disabled_at = case when w.enabled and c.next >= ${failureLimit} then clock_timestamp()
        else w.disabled_at end,
      disabled_reason = case when w.enabled and c.next >= ${failureLimit}
        then 'consecutive failed attempts' else w.disabled_reason end
    from counted c
    where w.tenant_id = c.tenant_id and w.id = c.id
    returning w.tenant_id, w.id, c.next, c.enabled and not w.enabled as disabled`)
  for (const { tenant_id: tenantId, id: lane, next } of changed) {
    await setLaneCap(tx, { tenantId, queue: WEBHOOK_QUEUE, lane, cap: next > 0 ? 1 : null })
  }
  return changed.filter((row) => row.disabled).map((row) => ({ tenantId: row.tenant_id, id: row.id }))
}

/** What the attempts come to for each endpoint, in the order in which they ended. */
function countsOf(results: readonly Recorded[]): Count[] {
  const counts = new Map<Uuid, Count>()
  for (const { record } of results) {
    const { id, failures, single } = record.delivery.endpoint
    const count = counts.get(id) ?? {
      tenant_id: record.delivery.tenantId,
      id,
      resets: false,
      fresh: 0,
      stale: 0,
      single: false,
    }
    counts.set(id, count)
    count.single ||= single
    if (record.status === 'delivered') Object.assign(count, { resets: true, fresh: 0, stale: 0 })
    else if (failures === 0) count.fresh++
    else count.stale++
  }
  return [...counts.values()]
}
