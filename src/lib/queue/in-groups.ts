// The way of a job that is loaded and recorded together with its neighbours, and worked on by itself in between. The
// database is asked again while it is away or slow, for as long as the job is ours. Knows nothing of what the work is.
import { createGroup } from '../group.ts'
import type { Job } from './job.ts'
import type { Lease } from './lease.ts'
import { persistently } from './persistently.ts'
import type { JobResult } from './settle-jobs.ts'
import type { WorkerOptions } from './worker.ts'

export interface GroupedWork<Subject, Result extends JobResult> {
  /** Reads what the jobs are about, in their order. */
  load(jobs: readonly Job[]): Promise<Subject[]>
  /** Does one. Undefined: it is another worker's by now, and nothing is recorded. */
  work(job: Job, subject: Subject, lease: Lease): Promise<Result | undefined>
  /** Settles the jobs, and records of those whose claim still held what they came to. */
  record(results: readonly Result[]): Promise<void>
  /** So many are loaded, or recorded, together at most. */
  mostTogether: number
  /** What results may weigh that are recorded together; one that weighs more goes alone. */
  maxWeight?: number
  weightOf?(result: Result): number
  /** Called each time that the database took too long to load a job, or to record its result. */
  onOutOfTime(error: Error, job: Job): void
}

/** So many are on their way to the database at once: while one is carried out, the next goes there. */
const IN_FLIGHT = 2

/** Makes a worker's handler. It throws what `load` and `record` throw of a job by itself, and what `work` throws. */
export function inGroups<Subject, Result extends JobResult>(
  work: GroupedWork<Subject, Result>,
): WorkerOptions['handle'] {
  const { mostTogether: maxItems, maxWeight, weightOf } = work
  const load = createGroup<Job, Subject>({
    write: (jobs) => work.load(jobs),
    maxItems,
    ownerOf: (job) => job.tenantId,
    inFlight: IN_FLIGHT,
  })
  const record = createGroup<Result, void>({
    async write(results) {
      await work.record(results)
      return new Array<void>(results.length)
    },
    maxItems,
    ...(maxWeight === undefined ? {} : { maxWeight }),
    ...(weightOf === undefined ? {} : { weightOf }),
    ownerOf: ({ job }) => job.tenantId,
    inFlight: IN_FLIGHT,
  })

  return async (job, lease) => {
    const onOutOfTime = (error: Error) => work.onOutOfTime(error, job)
    const subject = await persistently(lease, onOutOfTime, () => load.add(job))
    const result = await work.work(job, subject, lease)
    if (!result) return
    // What was done must not be forgotten because the database restarts: it would be done again.
    await persistently(lease, onOutOfTime, () => record.add(result))
  }
}
