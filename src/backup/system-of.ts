// Which database this is, wherever it lies: copies of it and those that were restored of it have the same number.
import { type Db, sql } from '../lib/sql.ts'

/** PostgreSQL's system identifier. */
export async function systemOf(db: Db): Promise<string> {
  const row = await db.first(sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`)
  return row?.id as string
}
