// The statistics of PostgreSQL. A connection hands in what it has counted once a second at most, and so after the next thing
// that a test looks at.
import type { Database } from '../../src/lib/sql.ts'

/** Resolves when what the connections of this pool have counted until now is there to read. */
export async function flushStatistics({ pool }: Database): Promise<void> {
  const flush = () => pool.query('select pg_stat_force_next_flush()')
  await Promise.all(Array.from({ length: pool.options.max }, flush))
}
