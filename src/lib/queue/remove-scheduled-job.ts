// Takes a job out of its queue whose time has not come, as what it was for is not to be done any more.
import { sql, type Timestamp, type Tx } from '../sql.ts'
import type { Job } from './job.ts'

/** Between the time for which a job was made, and the one that it is due at. */
const SOON_SECONDS = 10

/**
 * `dueAt`: for which it was made. Found by its time, as no index of jobs has their subject. One that is due by now, or that a
 * worker has, stays: it has to look whether it is wanted.
 */
export async function removeScheduledJob(
  tx: Tx,
  { tenantId, queue, subjectId, dueAt }: Pick<Job, 'tenantId' | 'queue' | 'subjectId'> & { dueAt: Timestamp },
): Promise<void> {
  await tx.rows(sql`
    delete from jobs
    where queue = ${queue} and state = 'scheduled' and due_at >= ${dueAt}::timestamptz
      and due_at < ${dueAt}::timestamptz + make_interval(secs => ${SOON_SECONDS})
      and tenant_id = ${tenantId} and subject_id = ${subjectId}`)
}
