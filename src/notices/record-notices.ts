// Writes what became of notices, of those whose job is still held by whoever says so.
import { type JobResult, settleJobs } from '../lib/queue/settle-jobs.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface NoticeResult extends JobResult {
  /** How it ended; absent while it waits, or when it had ended before. */
  ended?: { tenantId: Uuid; id: Uuid; status: 'sent' | 'dropped' }
}

/** The token of one that has ended is forgotten. */
export async function recordNotices(database: Database, results: readonly NoticeResult[]): Promise<void> {
  await database.transaction(async (tx) => {
    const settled = await settleJobs(tx, results)
    const rows = results.flatMap(({ job, ended }) =>
      ended && settled.has(job.id) ? { tenant_id: ended.tenantId, id: ended.id, status: ended.status } : [],
    )
    if (rows.length === 0) return
    await tx.rows(sql`
      update notices n set status = r.status, sealed_token = null
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (tenant_id uuid, id uuid, status text)
      where n.tenant_id = r.tenant_id and n.id = r.id and n.status = 'waiting'`)
  })
}
