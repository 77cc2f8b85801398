// Tries everything the service stands on, as it is configured, and says what it found and how to mend it.
import { type Config, ConfigError, readConfig } from '../config.ts'
import { MIGRATIONS } from '../database.ts'
import { startEmbeddedPostgres } from '../lib/embedded-postgres.ts'
import { pendingMigrations } from '../lib/migrate.ts'
import { type Database, openDatabase, sql } from '../lib/sql.ts'
import { openObjectStore } from '../object-store.ts'
import type { Check } from './check.ts'
import { examineNetwork } from './doctor-network.ts'
import { checkSecretKeys } from './doctor-secrets.ts'

const MOST_CLOCK_SKEW_MS = 2_000
/** PostgreSQL 15 to 18. */
const LEAST_VERSION = 150_000
const MOST_VERSION = 190_000

/** Runs every check, as far as the configuration can be read; none keeps another from being run. */
export async function examine(environment: NodeJS.ProcessEnv): Promise<Check[]> {
  try {
    const config = readConfig(environment)
    const local = [checkConfiguration(config), ...(await checkDatabase(config)), await checkObjectStore(config)]
    return [...local, ...(await examineNetwork(config))]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults.map((found) => ({ name: 'configuration', result: 'fail', found, mend: 'see docs/operate.md' }))
  }
}

function checkConfiguration(config: Config): Check {
  const name = 'configuration'
  if (config.unknown.length === 0) return { name, result: 'ok', found: 'every variable is understood' }
  return { name, result: 'warn', found: `not known: ${config.unknown.join(', ')}`, mend: 'check the spelling' }
}

async function checkDatabase(config: Config): Promise<Check[]> {
  const log = { info: () => {}, error: () => {} }
  const stops: (() => Promise<void>)[] = []
  try {
    let url = config.databaseUrl
    if (url === undefined) {
      const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, hold: 'command', log })
      stops.push(embedded.stop)
      url = embedded.url
    }
    const database = openDatabase({ url, connections: 1 })
    stops.unshift(database.end)
    const checks = [await checkServer(database), await checkMigrations(database)]
    const current = checks.at(-1)?.result === 'ok'
    return current ? [...checks, await checkSecretKeys(config, database)] : checks
  } catch (error) {
    const mend =
      config.databaseUrl === undefined
        ? `check MDK_DATA_DIR, and look into ${config.dataDir}/postgres.log`
        : 'check MDK_DATABASE_URL, and that the server lets this machine in'
    return [{ name: 'database', result: 'fail', found: (error as Error).message, mend }]
  } finally {
    for (const stop of stops) await stop()
  }
}

async function checkServer(database: Database): Promise<Check> {
  const name = 'database'
  const [row] = await database.rows(sql<{ version: number; text: string; now: string; unsafe: string[] }>`
    select current_setting('server_version_num')::integer as version, current_setting('server_version') as text,
      clock_timestamp() as now,
      (select coalesce(array_agg(name), '{}') from pg_settings
       where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off') as unsafe`)
  if (!row) return { name, result: 'fail', found: 'it answers nothing' }
  if (row.version < LEAST_VERSION || row.version >= MOST_VERSION) {
    return { name, result: 'fail', found: `PostgreSQL ${row.text}`, mend: 'use PostgreSQL 15 to 18' }
  }
  if (row.unsafe.length > 0) {
    const found = `off: ${row.unsafe.join(', ')}`
    return { name, result: 'fail', found, mend: 'turn them on: a crash would lose mail that was accepted' }
  }
  const skewMs = Math.abs(Date.parse(row.now) - Date.now())
  if (skewMs > MOST_CLOCK_SKEW_MS) {
    const found = `its clock is ${Math.round(skewMs / 1000)} s from this machine's`
    return { name, result: 'warn', found, mend: 'let NTP set both' }
  }
  return { name, result: 'ok', found: `PostgreSQL ${row.text}` }
}

async function checkMigrations(database: Database): Promise<Check> {
  const name = 'migrations'
  try {
    const pending = await pendingMigrations(database, MIGRATIONS)
    if (pending.length === 0) return { name, result: 'ok', found: 'current' }
    return { name, result: 'warn', found: `${pending.length} not applied`, mend: 'mdk migrate, or start the service' }
  } catch (error) {
    return { name, result: 'fail', found: (error as Error).message }
  }
}

async function checkObjectStore(config: Config): Promise<Check> {
  const name = 'object store'
  try {
    const { store } = await openObjectStore(config)
    await store.check()
    return { name, result: 'ok', found: `${config.objectStore} can be written` }
  } catch (error) {
    return { name, result: 'fail', found: (error as Error).message, mend: 'check MDK_OBJECT_STORE, space and rights' }
  }
}
