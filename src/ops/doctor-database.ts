// The doctor's checks of the PostgreSQL server: its version, what it promises, and settings that harm.
import { readActivityLag } from '../activity/find-logs-behind.ts'
import { DATABASE_SCHEMA } from '../database-schema.ts'
import { pendingMigrations } from '../lib/migrate.ts'
import { proveFirstWrite } from '../lib/prove-write.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Check } from './check.ts'

const MOST_CLOCK_SKEW_MS = 2_000
/** PostgreSQL 15 to 18. */
const LEAST_VERSION = 150_000
const MOST_VERSION = 190_000
const WRITE_WITHIN_MS = 5_000
const MOST_ACTIVITY_LAG_SECONDS = 60
/** The pool of one process with all roles, 16, and what it opens beside it. */
const CONNECTIONS_OF_A_PROCESS = 20

export async function checkServer(database: Database): Promise<Check> {
  const name = 'database'
  const [row] = await database.rows(sql<{ version: number; text: string; now: string; unsafe: string[] }>`
    select current_setting('server_version_num')::integer as version, current_setting('server_version') as text,
      clock_timestamp() as now,
      (select coalesce(array_agg(name), '{}') from pg_settings
       where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off') as unsafe`)
  if (!row) return { name, result: 'fail', found: 'it answers nothing' }
  if (row.version < LEAST_VERSION || row.version >= MOST_VERSION) {
    return { name, result: 'fail', found: `PostgreSQL ${row.text}`, repair: 'use PostgreSQL 15 to 18' }
  }
  if (row.unsafe.length > 0) {
    const found = `off: ${row.unsafe.join(', ')}`
    return { name, result: 'fail', found, repair: 'turn them on: a crash would lose mail that was accepted' }
  }
  const skewMs = Math.abs(Date.parse(row.now) - Date.now())
  if (skewMs > MOST_CLOCK_SKEW_MS) {
    const found = `its clock is ${Math.round(skewMs / 1000)} s from this machine's`
    return { name, result: 'warn', found, repair: 'let NTP set both' }
  }
  return { name, result: 'ok', found: `PostgreSQL ${row.text}` }
}

/** Of what the operator sets: what decides how a statement is carried out, each connection sets by itself. */
export async function checkSettings(database: Database): Promise<Check> {
  const name = 'database settings'
  const [row] = await database.rows(sql<{ encoding: string; off: string[]; connections: number }>`
    select current_setting('server_encoding') as encoding,
      (select coalesce(array_agg(name), '{}') from pg_settings
       where name in ('autovacuum', 'track_counts') and setting = 'off') as off,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        as connections`)
  const faults: [found: string, repair: string][] = []
  if (row && row.encoding !== 'UTF8') {
    faults.push([`encoding ${row.encoding}`, "move to a database made with encoding 'UTF8'"])
  }
  if (row && row.off.length > 0) {
    faults.push([`off: ${row.off.join(', ')}`, 'turn autovacuum on: the queues fill with dead rows within minutes'])
  }
  if (row && row.connections < CONNECTIONS_OF_A_PROCESS) {
    const repair = `raise max_connections: a process of the service uses up to ${CONNECTIONS_OF_A_PROCESS}`
    faults.push([`${row.connections} connections at most`, repair])
  }
  if (faults.length === 0) return { name, result: 'ok', found: 'none that harms' }
  return {
    name,
    result: 'warn',
    found: faults.map(([found]) => found).join('; '),
    repair: faults.map(([, repair]) => repair).join('; '),
  }
}

export async function checkWrites(database: Database): Promise<Check> {
  const name = 'database writes'
  try {
    await proveFirstWrite(database, WRITE_WITHIN_MS)
    return { name, result: 'ok', found: 'a write commits' }
  } catch (error) {
    const repair = 'name the primary in MDK_DATABASE_URL; bring its synchronous standby back, or name none'
    return { name, result: 'fail', found: (error as Error).message, repair }
  }
}

export async function checkMigrations(database: Database): Promise<Check> {
  const name = 'migrations'
  try {
    const pending = await pendingMigrations(database, DATABASE_SCHEMA)
    if (pending.length === 0) return { name, result: 'ok', found: 'current' }
    return { name, result: 'warn', found: `${pending.length} not applied`, repair: 'mdk migrate, or start the service' }
  } catch (error) {
    return { name, result: 'fail', found: (error as Error).message }
  }
}

/** Whether what follows the event feed does. */
export async function checkActivity(database: Database): Promise<Check> {
  const name = 'activity'
  const seconds = await readActivityLag(database)
  const found = `counts and search are ${Math.round(seconds)} s behind the event feed`
  if (seconds <= MOST_ACTIVITY_LAG_SECONDS) return { name, result: 'ok', found }
  return { name, result: 'warn', found, repair: 'run `mdk serve` with the role activity in one process at least' }
}
