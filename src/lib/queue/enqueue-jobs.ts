// Puts work into the queue.
import { sql, type Tx } from '../sql.ts'
import type { Job } from './job.ts'

export interface NewJob extends Pick<Job, 'tenantId' | 'queue' | 'lane' | 'subjectId'> {
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
