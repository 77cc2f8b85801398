// Says how much waits in queues. (measure-queue.sql)
import { type Db, sql } from '../sql.ts'

export interface QueueStats {
  queue: string
  /** Waiting, due or not; counted to 100,000. */
  depth: number
  /** How long ago the oldest was made that is not done, whatever it waits for. */
  oldestSeconds: number
  /** How long the oldest of those that are due has been, held ones apart. */
  overdueSeconds: number
}

/** How much waits in each queue. Costs the same however many jobs there are. */
export function measureQueues(db: Db, queues: readonly string[]): Promise<QueueStats[]> {
  return db.rows(sql<QueueStats>`
    select q.queue, m.depth, m.oldest_seconds as "oldestSeconds", m.overdue_seconds as "overdueSeconds"
    from unnest(${queues}::text[]) as q (queue) cross join lateral measure_queue(q.queue) m`)
}
