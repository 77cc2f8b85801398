// The work queue of a test's database, asked as its workers ask it, for a tenant of its own.
import { claimJobs, NO_LANE } from '../../src/lib/queue/claim-jobs.ts'
import { enqueueJobs } from '../../src/lib/queue/enqueue-jobs.ts'
import type { Job } from '../../src/lib/queue/job.ts'
import { type JobSettlement, settleJobs } from '../../src/lib/queue/settle-jobs.ts'
import { type Database, type Db, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'

/** Claims take all that is there, and hold it for half a minute, unless they say otherwise. */
export function testQueueOf(database: Database) {
  const tenantId = newId()
  return {
    tenantId,
    enqueue: (queue: string, lane: Uuid, count = 1) =>
      database.transaction((tx) =>
        enqueueJobs(
          tx,
          Array.from({ length: count }, () => ({ tenantId, queue, lane, subjectId: newId() })),
        ),
      ),
    claim: (queue: string, change: Partial<Parameters<typeof claimJobs>[1]> = {}, db: Db = database) =>
      claimJobs(db, {
        queue,
        limit: 100,
        laneCap: 1000,
        receptionBudget: 5,
        leaseMs: 30_000,
        after: NO_LANE,
        ...change,
      }),
    /** Gives the ids of the jobs whose claim was good. */
    settle: (jobs: Job[], how: JobSettlement) =>
      database.transaction((tx) =>
        settleJobs(
          tx,
          jobs.map((job) => ({ job, how })),
        ),
      ),
    /** How many jobs the queue has, whatever they wait for. */
    async left(queue: string): Promise<number | undefined> {
      return (await database.first(sql<{ n: number }>`select count(*) as n from jobs where queue = ${queue}`))?.n
    },
  }
}
