// Work that was given up: kept for somebody to look at, replayed, and removed when its time is over.
import { type Db, sql, type Timestamp, type Tx } from '../sql.ts'
import type { Uuid } from '../uuid.ts'

export interface DeadLetter {
  id: number
  queue: string
  subjectId: Uuid
  reason: string
  deadAt: Timestamp
  expiresAt: Timestamp
}

/** The newest dead letters, of one queue or of all; or the one of the id. */
export function listDeadLetters(
  db: Db,
  filter: { queue?: string; id?: number; limit: number },
  ttlMs: number,
): Promise<DeadLetter[]> {
  return db.rows(sql<DeadLetter>`
    select id, queue, subject_id as "subjectId", reason, dead_at as "deadAt",
      dead_at + make_interval(secs => ${ttlMs / 1000}) as "expiresAt"
    from dead_letters
    where (${filter.queue ?? null}::text is null or queue = ${filter.queue ?? null})
      and (${filter.id ?? null}::bigint is null or id = ${filter.id ?? null})
      and dead_at > clock_timestamp() - make_interval(secs => ${ttlMs / 1000})
    order by dead_at desc, id desc limit ${filter.limit}`)
}

/** Puts a dead letter back into its queue, whose workers hear of it, with a fresh budget. Undefined when there is none. */
export async function requeueDeadLetter(
  tx: Tx,
  id: number,
): Promise<{ tenantId: Uuid; queue: string; subjectId: Uuid } | undefined> {
  const job = await tx.first(sql<{ tenantId: Uuid; queue: string; subjectId: Uuid }>`
    with removed as (
      delete from dead_letters where id = ${id} returning tenant_id, queue, lane, subject_id, payload
    )
    insert into jobs (tenant_id, queue, lane, subject_id, payload)
    select tenant_id, queue, lane, subject_id, payload from removed
    returning tenant_id as "tenantId", queue, subject_id as "subjectId"`)
  if (job) tx.signal(job.queue)
  return job
}

/** Removes dead letters past their time, so many at most. Gives how many went. */
export async function expireDeadLetters(db: Db, ttlMs: number, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: number }>`
    delete from dead_letters where id in (
      select id from dead_letters where dead_at <= clock_timestamp() - make_interval(secs => ${ttlMs / 1000})
      order by dead_at limit ${limit})
    returning id`)
  return rows.length
}
