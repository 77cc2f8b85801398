// Removes what is no longer kept of bounces and complaints. An address that is stopped stays so.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** As long as counts of events. specification.md#retention-times */
export const BOUNCES_KEPT_DAYS = 400

/** Gives how many went. */
export async function sweepBounces(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from bounces
    where ctid = any (array(
      select b.ctid from bounces b
      where b.at < statement_timestamp() - make_interval(days => ${BOUNCES_KEPT_DAYS}) order by b.at limit ${limit}))
    returning id`)
  return rows.length
}

/** Addresses whose last one is as old. Gives how many went. */
export async function sweepBouncedAddresses(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from bounced_addresses
    where ctid = any (array(
      select a.ctid from bounced_addresses a
      where a.last_at < statement_timestamp() - make_interval(days => ${BOUNCES_KEPT_DAYS}) order by a.last_at limit ${limit}))
    returning id`)
  return rows.length
}
