// Ends a claim: what came of a job. A result is written only by whoever names the claim that holds the job.
import { sql, type Tx } from '../sql.ts'
import type { Job } from './job.ts'

export type JobSettlement =
  | { kind: 'done' }
  /**
   * Due again after a while. `keepReceptions`: the budget goes on counting; otherwise it begins anew. `resumableInMs`: it
   * waits for something that others wait for too, and may go on from then on when that is back (`resumeJobs`).
   */
  | {
      kind: 'putBack'
      dueInMs: number
      keepReceptions: boolean
      payload?: Record<string, unknown>
      resumableInMs?: number
    }
  /** Untouched: due now unless it says when, and this reception does not count. */
  | { kind: 'giveBack'; dueInMs?: number }
  | { kind: 'deadLetter'; reason: string }

/** What a job came to: how it is settled, and whatever its consumer records of it. */
export interface JobResult {
  job: Job
  how: JobSettlement
}

/**
 * Settles jobs; what is due at once is signalled. Gives the ids of those whose claim still held; the others' results must
 * not be recorded.
 */
export async function settleJobs(tx: Tx, settlements: readonly JobResult[]): Promise<Set<number>> {
  const rows = await tx.rows(sql<{ id: number }>`select settle_jobs(${settlementsAsJson(settlements)}) as id`)
  const settled = new Set(rows.map((row) => row.id))
  for (const { job, how } of settlements) if (settled.has(job.id) && isDueAtOnce(how)) tx.signal(job.queue)
  return settled
}

function isDueAtOnce(how: JobSettlement): boolean {
  return how.kind === 'putBack' || how.kind === 'giveBack' ? !how.dueInMs : false
}

/** What the database's `settle_jobs` takes, for a function that settles and records in one. */
export function settlementsAsJson(settlements: readonly JobResult[]): string {
  return JSON.stringify(settlements.map(settlementRow))
}

function settlementRow({ job, how }: JobResult): Record<string, unknown> {
  const row = { tenant_id: job.tenantId, id: job.id, claim: job.claim, kind: how.kind }
  switch (how.kind) {
    case 'putBack':
      return {
        ...row,
        due_in_ms: Math.round(how.dueInMs),
        keep_receptions: how.keepReceptions,
        payload: how.payload,
        resumable_in_ms: how.resumableInMs,
      }
    case 'giveBack':
      return { ...row, due_in_ms: Math.ceil(how.dueInMs ?? 0) }
    case 'deadLetter':
      return { ...row, reason: how.reason }
    default:
      return row
  }
}
