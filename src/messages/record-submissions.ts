// Writes what attempts to submit messages came to: the queue's jobs, the messages and their recipients, and the events.
// One transaction for many, and only for jobs whose claim still holds.
import type { JobResult } from '../lib/queue/settle-jobs.ts'
import { settleJobs } from '../lib/queue/settle-jobs.ts'
import type { Database } from '../lib/sql.ts'
import { applyOutcomes, type MessageOutcome } from './apply-outcomes.ts'
import { recordTries } from './record-tries.ts'
import type { SubmissionTry } from './submission-try.ts'

export interface SubmissionResult extends JobResult {
  /** Absent when nothing became of the message. */
  outcome?: MessageOutcome
  /** Absent when nothing is kept of the try. */
  submissionTry?: SubmissionTry
}

export async function recordSubmissions(
  database: Pick<Database, 'transaction'>,
  results: readonly SubmissionResult[],
): Promise<void> {
  await database.transaction(async (tx) => {
    const settled = await settleJobs(tx, results)
    const ours = results.filter(({ job }) => settled.has(job.id))
    const outcomes = ours.flatMap(({ outcome }) => outcome ?? [])
    await applyOutcomes(tx, outcomes)
    // Behind it, as it has locked the states: a message that is there now stays until the commit.
    await recordTries(
      tx,
      ours.flatMap(({ submissionTry }) => submissionTry ?? []),
    )
  })
}

/** How many events a result may append: one for the message that is sent, and one for each recipient's outcome. */
export function mostEvents({ outcome }: SubmissionResult): number {
  return outcome ? 1 + outcome.recipients.filter(({ status }) => status !== 'sent').length : 0
}
