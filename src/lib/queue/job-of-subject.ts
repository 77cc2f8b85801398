// The one job of a subject, for whoever looks at it or has it go on before its time. What a worker has in hands is the worker's.
import { type Db, sql, type Timestamp, type Tx } from '../sql.ts'
import type { Job } from './job.ts'

export type JobState = 'scheduled' | 'ready' | 'leased' | 'held'

/** What a job is found by. */
export interface JobOfSubject extends Pick<Job, 'tenantId' | 'queue' | 'lane' | 'subjectId'> {
  /** No later than when it was enqueued; where not long before, it is found soon. */
  since: Timestamp
}

export interface JobNow {
  id: number
  state: JobState
  dueAt: Timestamp
  /** It waits for something that others wait for too, and goes on as soon as that is back. */
  isResumable: boolean
}

/** As it is at this moment; undefined when there is none. */
export function readJob(
  db: Db,
  { tenantId, queue, lane, subjectId, since }: JobOfSubject,
): Promise<JobNow | undefined> {
  return db.first(sql<JobNow>`
    select j.id, j.state, j.due_at as "dueAt", j.state = 'scheduled' and j.resumable_at is not null as "isResumable"
    from jobs j
    where j.tenant_id = ${tenantId} and j.id = (
      select find_job(${queue}, ${tenantId}, ${lane}, ${subjectId}, ${since}::timestamptz))
    limit 1`)
}

/**
 * No worker claims it from then on, until the transaction ends: one that waits is passed over, and of one that is in a
 * worker's hands the end is waited for only where it is being recorded. Undefined when there is none, or none any more.
 */
export function lockJob(
  tx: Tx,
  { tenantId, queue, lane, subjectId, since }: JobOfSubject,
): Promise<JobNow | undefined> {
  return tx.first(sql<JobNow>`
    select j.id, j.state, j.due_at as "dueAt", j.state = 'scheduled' and j.resumable_at is not null as "isResumable"
    from jobs j
    where j.tenant_id = ${tenantId} and j.id = (
      select find_job(${queue}, ${tenantId}, ${lane}, ${subjectId}, ${since}::timestamptz))
    limit 1 for update`)
}

/** Makes a job due that was locked and waits. Its commit wakes the queue's workers. */
export async function makeDue(tx: Tx, { tenantId, queue }: JobOfSubject, { id, state }: JobNow): Promise<void> {
  if (state === 'leased') throw new Error('a job in the hands of a worker is not made due')
  if (state !== 'ready') {
    await tx.rows(sql`
      update jobs set state = 'ready', due_at = clock_timestamp(), resumable_at = null
      where tenant_id = ${tenantId} and id = ${id} and claim is null`)
  }
  tx.signal(queue)
}

/** Takes a job out of its queue that was locked and waits: nobody does it. */
export async function removeJob(tx: Tx, { tenantId }: JobOfSubject, { id, state }: JobNow): Promise<void> {
  if (state === 'leased') throw new Error('a job in the hands of a worker is not removed')
  await tx.rows(sql`delete from jobs where tenant_id = ${tenantId} and id = ${id} and claim is null`)
}
