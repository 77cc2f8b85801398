// Lets jobs go on before they are due that were put off until something is back, once it is. What that is, their consumer
// knows. (await-resumption.sql, resume-jobs.sql)
import { type Database, type Db, sql } from '../sql.ts'
import type { Lane } from './job.ts'

/** Whether any job of a queue may go on before it is due, now or soon. */
export async function awaitResumption(db: Db, queue: string): Promise<boolean> {
  const row = await db.first(sql<{ waits: boolean }>`select await_resumption(${queue}) as waits`)
  return row?.waits === true
}

export interface Resumed {
  count: number
  /** The lane to begin after the next time. */
  after: Lane
}

/** Lets some go on, until so many are due; lanes have equal shares. Wakes the queue's workers. */
export async function resumeJobs(database: Database, queue: string, most: number, after: Lane): Promise<Resumed> {
  const row = (await database.first(sql<{ count: number } & Lane>`
    select resumed as count, last_tenant as "tenantId", last_lane as lane
    from resume_jobs(${queue}, ${most}, ${after.tenantId}, ${after.lane})`)) as { count: number } & Lane
  if (row.count > 0) database.signal(queue)
  return { count: row.count, after: row }
}
