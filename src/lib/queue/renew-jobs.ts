// Keeps what a worker holds in its hands, for as long as it works on it.
import { type Db, sql } from '../sql.ts'
import type { Job } from './job.ts'

/** Begins the leases of these jobs anew. Gives those that are still held; the others were lost meanwhile. */
export async function renewJobs(db: Db, jobs: readonly Job[], leaseMs: number): Promise<Set<number>> {
  const claims = jobs.map(({ tenantId, id, claim }) => ({ tenant_id: tenantId, id, claim }))
  const rows = await db.rows(sql<{ id: number }>`
    select renew_jobs(${JSON.stringify(claims)}, make_interval(secs => ${leaseMs / 1000})) as id`)
  return new Set(rows.map((row) => row.id))
}
