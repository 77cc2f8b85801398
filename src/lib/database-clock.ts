// What time it is by the database's clock, for whatever others judge: a process's own may be minutes off.
import { type Db, sql } from './sql.ts'

/** To the millisecond. */
export async function databaseTime(db: Db): Promise<Date> {
  const row = await db.first(sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`)
  return new Date((row as { ms: number }).ms)
}

/** Unix time in whole seconds, as signatures carry it. */
export function unixSeconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}
