// The work queue's statements: claim, renew, settle, and what is dead. A job's result is written only by whoever
// names the claim that holds it. Knows nothing of what the work is. The columns are in migrations/0003_queue.sql.
import { type Db, sql, type Timestamp, type Tx } from '../sql.ts'
import { newId, type Uuid } from '../uuid.ts'

export interface Job {
  tenantId: Uuid
  id: number
  queue: string
  lane: Uuid
  /** The consumer's own record that the work is about. */
  subjectId: Uuid
  payload: Record<string, unknown> | null
  /** How often it has been handed out, this time included. */
  receptions: number
  /** True when it was handed out more often than the queue allows: its consumer must say why it dies. */
  exhausted: boolean
  /** The token that whoever records a result must name. */
  claim: Uuid
}

export interface ClaimOptions {
  queue: string
  /** How many jobs at most. */
  limit: number
  /** How many jobs of one lane may be in flight, over all processes. */
  laneCap: number
  /** How many jobs of all of one tenant's lanes. Absent: as many as its lanes allow. */
  tenantCap?: number | undefined
  /** How often a job may be handed out before it is exhausted. */
  receptionBudget: number
  leaseMs: number
  /** The lane that was served last: the next one in order begins. */
  after: Lane
}

/** A tenant's line of jobs, which are served in the order in which they fall due. */
export type Lane = Pick<Job, 'tenantId' | 'lane'>

const NIL: Uuid = '00000000-0000-0000-0000-000000000000'
/** Before every lane. */
export const NO_LANE: Lane = { tenantId: NIL, lane: NIL }

/** Claims due jobs, one from each lane in turn. Their leases begin now. */
export async function claimJobs(db: Db, options: ClaimOptions): Promise<Job[]> {
  const claim = newId()
  const jobs = await db.rows(sql<Job>`
    select tenant_id as "tenantId", id, lane, subject_id as "subjectId", payload, receptions, exhausted
    from claim_jobs(${options.queue}, ${options.limit}, ${options.laneCap}, ${options.tenantCap ?? null},
      ${options.receptionBudget}, make_interval(secs => ${options.leaseMs / 1000}), ${claim},
      ${options.after.tenantId}, ${options.after.lane})`)
  for (const job of jobs) Object.assign(job, { queue: options.queue, claim })
  return jobs
}

/**
 * How long until the next job of a queue falls due that is waiting for its time, or the wait of a lane ends that holds
 * some, in milliseconds by the clock of the database; 0 when that is so already, undefined when none waits.
 */
export async function nextDueInMs(db: Db, queue: string): Promise<number | undefined> {
  const row = await db.first(sql<{ ms: number }>`
    select greatest(0, extract(epoch from next.at - clock_timestamp()) * 1000)::float8 as ms
    from (
      select least(
        (select due_at from jobs where queue = ${queue} and state = 'scheduled' order by due_at limit 1),
        (select release_at from held_lanes where queue = ${queue} and release_at is not null order by release_at limit 1)
      ) as at
    ) next
    where next.at is not null`)
  return row?.ms
}

/** Begins the leases of these jobs anew. Gives those that are still held; the others were lost meanwhile. */
export async function renewJobs(db: Db, jobs: readonly Job[], leaseMs: number): Promise<Set<number>> {
  const claims = jobs.map(({ tenantId, id, claim }) => ({ tenant_id: tenantId, id, claim }))
  const rows = await db.rows(sql<{ id: number }>`
    select renew_jobs(${JSON.stringify(claims)}, make_interval(secs => ${leaseMs / 1000})) as id`)
  return new Set(rows.map((row) => row.id))
}

export type JobSettlement =
  | { kind: 'done' }
  /** Due again after a while. `keepReceptions`: the budget goes on counting; otherwise it begins anew. */
  | { kind: 'putBack'; dueInMs: number; keepReceptions: boolean; payload?: Record<string, unknown> }
  /** Untouched: due now unless it says when, and this reception does not count. */
  | { kind: 'giveBack'; dueInMs?: number }
  | { kind: 'deadLetter'; reason: string }

/**
 * Settles jobs; what is due at once is signalled. Gives the ids of those whose claim still held; the others' results must
 * not be recorded.
 */
export async function settleJobs(
  tx: Tx,
  settlements: readonly { job: Job; how: JobSettlement }[],
): Promise<Set<number>> {
  const rows = await tx.rows(sql<{ id: number }>`select settle_jobs(${settlementsAsJson(settlements)}) as id`)
  for (const { job, how } of settlements) if (isDueAtOnce(how)) tx.signal(job.queue)
  return new Set(rows.map((row) => row.id))
}

function isDueAtOnce(how: JobSettlement): boolean {
  return how.kind === 'putBack' || how.kind === 'giveBack' ? !how.dueInMs : false
}

/** What the database's `settle_jobs` takes, for a function that settles and records in one. */
export function settlementsAsJson(settlements: readonly { job: Job; how: JobSettlement }[]): string {
  return JSON.stringify(settlements.map(settlementRow))
}

function settlementRow({ job, how }: { job: Job; how: JobSettlement }): Record<string, unknown> {
  const row = { tenant_id: job.tenantId, id: job.id, claim: job.claim, kind: how.kind }
  switch (how.kind) {
    case 'putBack':
      return { ...row, due_in_ms: Math.round(how.dueInMs), keep_receptions: how.keepReceptions, payload: how.payload }
    case 'giveBack':
      return { ...row, due_in_ms: Math.ceil(how.dueInMs ?? 0) }
    case 'deadLetter':
      return { ...row, reason: how.reason }
    default:
      return row
  }
}

export interface NewJob {
  tenantId: Uuid
  queue: string
  lane: Uuid
  subjectId: Uuid
  payload?: Record<string, unknown>
  /** Absent: due now. */
  dueInMs?: number
}

/** Puts work into the queue, in the transaction that makes it necessary. Its commit signals the queues. */
export async function enqueueJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  const rows = jobs.map((job) => ({
    tenant_id: job.tenantId,
    queue: job.queue,
    lane: job.lane,
    subject_id: job.subjectId,
    payload: job.payload ?? null,
    due_in_ms: job.dueInMs ?? 0,
  }))
  await tx.rows(sql`
    insert into jobs (tenant_id, queue, lane, subject_id, payload, state, due_at)
    select n.tenant_id, n.queue, n.lane, n.subject_id, n.payload,
      case when n.due_in_ms > 0 then 'scheduled' else 'ready' end,
      clock_timestamp() + n.due_in_ms * interval '1 millisecond'
    from json_to_recordset(${JSON.stringify(rows)}::json) as n (tenant_id uuid, queue text, lane uuid,
      subject_id uuid, payload jsonb, due_in_ms bigint)`)
  for (const { queue } of jobs) tx.signal(queue)
}

export type LaneOfQueue = Lane & Pick<Job, 'queue'>

/**
 * Gives a lane a cap of its own, of how many of its jobs may be in flight; null takes it away. What its jobs wait for
 * ends: whatever is held goes on, and the commit signals the queue.
 */
export async function openLane(tx: Tx, { tenantId, queue, lane }: LaneOfQueue, cap: number | null): Promise<void> {
  if (cap === null) {
    await tx.rows(sql`
      delete from lane_caps where tenant_id = ${tenantId} and queue = ${queue} and lane = ${lane}`)
  } else {
    await setLaneCap(tx, { tenantId, queue, lane }, cap)
  }
  await tx.rows(sql`
    update held_lanes set held_until = '-infinity', release_at = clock_timestamp()
    where tenant_id = ${tenantId} and queue = ${queue} and lane = ${lane}`)
  tx.signal(queue)
}

/** Nothing of the lane is handed out for so long, and then one job at a time until the lane is opened. */
export async function holdLane(tx: Tx, { tenantId, queue, lane }: LaneOfQueue, forMs: number): Promise<void> {
  await setLaneCap(tx, { tenantId, queue, lane }, 1)
  await tx.rows(sql`
    with wait as (
      select clock_timestamp() + ${forMs} * interval '1 millisecond' as ends_at
    )
    insert into held_lanes (tenant_id, queue, lane, held_until, release_at)
    select ${tenantId}, ${queue}, ${lane}, wait.ends_at, wait.ends_at from wait
    on conflict (tenant_id, queue, lane) do update
    set held_until = excluded.held_until, release_at = excluded.release_at`)
}

async function setLaneCap(tx: Tx, { tenantId, queue, lane }: LaneOfQueue, cap: number): Promise<void> {
  await tx.rows(sql`
    insert into lane_caps (tenant_id, queue, lane, cap) values (${tenantId}, ${queue}, ${lane}, ${cap})
    on conflict (tenant_id, queue, lane) do update set cap = excluded.cap`)
}

export interface QueueStats {
  queue: string
  /** Waiting, due or not; counted to 100,000. */
  depth: number
  /** How long the oldest of those that are due has been. */
  oldestSeconds: number
}

/** How much waits in each queue. Costs the same however many jobs there are. */
export function readQueueStats(db: Db, queues: readonly string[]): Promise<QueueStats[]> {
  return db.rows(sql<QueueStats>`
    select q.queue, m.depth, m.oldest_seconds as "oldestSeconds"
    from unnest(${queues}::text[]) as q (queue) cross join lateral measure_queue(q.queue) m`)
}

export interface DeadLetter {
  id: number
  queue: string
  subjectId: Uuid
  reason: string
  deadAt: Timestamp
  expiresAt: Timestamp
}

/** The newest dead letters, of one queue or of all. */
export function listDeadLetters(
  db: Db,
  filter: { queue?: string; limit: number },
  ttlMs: number,
): Promise<DeadLetter[]> {
  return db.rows(sql<DeadLetter>`
    select id, queue, subject_id as "subjectId", reason, dead_at as "deadAt",
      dead_at + make_interval(secs => ${ttlMs / 1000}) as "expiresAt"
    from dead_letters
    where (${filter.queue ?? null}::text is null or queue = ${filter.queue ?? null})
      and dead_at > clock_timestamp() - make_interval(secs => ${ttlMs / 1000})
    order by dead_at desc, id desc limit ${filter.limit}`)
}

/** Puts a dead letter back into its queue, whose workers hear of it, with a fresh budget. Undefined when there is none. */
export async function replayDeadLetter(
  tx: Tx,
  id: number,
): Promise<{ tenantId: Uuid; queue: string; subjectId: Uuid } | undefined> {
  const job = await tx.first(sql<{ tenantId: Uuid; queue: string; subjectId: Uuid }>`
    with removed as (
      delete from dead_letters where id = ${id} returning tenant_id, queue, lane, subject_id, payload
    )
    insert into jobs (tenant_id, queue, lane, subject_id, payload)
    select tenant_id, queue, lane, subject_id, payload from removed
    returning tenant_id as "tenantId", queue, subject_id as "subjectId"`)
  if (job) tx.signal(job.queue)
  return job
}

/** Removes dead letters past their time, so many at most. Gives how many went. */
export async function expireDeadLetters(db: Db, ttlMs: number, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: number }>`
    delete from dead_letters where id in (
      select id from dead_letters where dead_at <= clock_timestamp() - make_interval(secs => ${ttlMs / 1000})
      order by dead_at limit ${limit})
    returning id`)
  return rows.length
}
