// Keeps what was said at tries to submit messages (record-tries.sql).
import { sql, type Tx } from '../lib/sql.ts'
import type { SubmissionTry } from './submission-try.ts'

/** Rows of a message: where more is said, the first and the latest. specification.md#retries-of-a-submission */
export const MOST_TRIES_KEPT = 100

/** In the transaction that records what the tries came to. Of a message that is there twice the later counts. */
export async function recordTries(tx: Tx, tries: readonly SubmissionTry[]): Promise<void> {
  if (tries.length === 0) return
  const rows = new Map(
    tries.map(({ tenantId, messageId, result, answers, nextAttemptInMs }) => [
      messageId,
      { tenant_id: tenantId, message_id: messageId, result, answers, next_in_ms: nextAttemptInMs },
    ]),
  )
  await tx.rows(sql`select record_tries(${JSON.stringify([...rows.values()])}, ${MOST_TRIES_KEPT})`)
}
