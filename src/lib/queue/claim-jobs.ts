// Hands out what is due, and looks for when something will be (next-due.sql). The claims' order and caps: claim-jobs.sql.
import { type Db, sql } from '../sql.ts'
import { newId, type Uuid } from '../uuid.ts'
import type { Job, Lane } from './job.ts'

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
    from next_due(${queue}) as next (at)
    where next.at is not null`)
  return row?.ms
}
