// How many DKIM keys are half-way to the next, for the operator.
import { type Db, sql } from '../lib/sql.ts'

export interface DkimTurns {
  /** Made, and not found in the DNS yet. */
  prepared: number
  /** The one before may go. */
  over: number
}

export async function countDkimTurns(db: Db): Promise<DkimTurns> {
  const row = await db.first(sql<DkimTurns>`
    select (count(*) filter (where t.next_selector is not null))::integer as prepared,
      (count(*) filter (where t.previous_until <= clock_timestamp()))::integer as over
    from dkim_turns t`)
  return row ?? { prepared: 0, over: 0 }
}
