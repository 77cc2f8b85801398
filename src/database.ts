// Opens the service's database – the one MDK_DATABASE_URL names, or the embedded server of the data folder – and
// brings it to this version's schema, or refuses one of another.
import type { Logger } from 'pino'
import { type Config, ConfigError } from './config.ts'
import { DATABASE_SCHEMA } from './database-schema.ts'
import { keepFeedEpoch } from './events/epoch.ts'
import { hasEmbeddedPostgres, startEmbeddedPostgres } from './lib/embedded-postgres.ts'
import { migrate, pendingMigrations } from './lib/migrate.ts'
import { proveFirstWrite } from './lib/prove-write.ts'
import { MigrationError } from './lib/schema-files.ts'
import { sharesSessions } from './lib/shared-sessions.ts'
import { type Database, openDatabase } from './lib/sql.ts'

export const SHARED_SESSIONS =
  'it leads to a pooler that lends a connection for one transaction; mdk needs it for a session'

/** Whoever asks the API has an answer before a client's patience ends, though the server hangs; an operator waits. */
const STATEMENT_TIMEOUT_MS = { service: 10_000, command: 600_000 }

/** How long the start waits for a write to commit. */
const WRITE_WITHIN_MS = 5_000

export interface ServiceDatabase {
  database: Database
  close(): Promise<void>
}

export interface ServiceDatabaseOptions {
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'backup'>>
  log: Logger
  /** How long the embedded server is to live: as long as this process, or as long as anyone uses it. */
  hold: 'service' | 'command'
}

/**
 * Opens the database and brings it to this version's schema. `applied`: the names of the files that were applied now.
 * @throws ConfigError behind a pooler that breaks sessions, WritesFail, MigrationError, pg.DatabaseError, or Error with the embedded server's words
 */
export async function openServiceDatabase(
  options: ServiceDatabaseOptions,
): Promise<ServiceDatabase & { applied: string[] }> {
  const opened = await open(options)
  const { database, close } = opened
  try {
    if (await sharesSessions(database)) throw new ConfigError([`MDK_DATABASE_URL: ${SHARED_SESSIONS}`])
    await proveFirstWrite(database, WRITE_WITHIN_MS)
    return { database, close, applied: await migrate(database, DATABASE_SCHEMA) }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Opens the database as it is, and changes nothing when it is not of this version's schema, or not there yet.
 * @throws as openServiceDatabase
 */
export async function openMigratedDatabase(options: ServiceDatabaseOptions): Promise<ServiceDatabase> {
  const { databaseUrl, dataDir } = options.config
  if (databaseUrl === undefined && !(await hasEmbeddedPostgres(dataDir))) {
    throw new MigrationError(
      `there is no database in ${dataDir}: run "mdk migrate", or name its folder in MDK_DATA_DIR`,
    )
  }
  const { database, url, close } = await open(options)
  try {
    if (await sharesSessions(database)) throw new ConfigError([`MDK_DATABASE_URL: ${SHARED_SESSIONS}`])
    await refuseOtherSchema(url)
    await proveFirstWrite(database, WRITE_WITHIN_MS)
    return { database, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open({ config, log, hold }: ServiceDatabaseOptions): Promise<ServiceDatabase & { url: string }> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({
          dataDir: config.dataDir,
          hold,
          archive: config.backup?.to !== undefined,
          log: { info: (message) => log.info(message), error: (message) => log.error(message) },
        })
      : undefined
  const url = config.databaseUrl ?? (embedded?.url as string)
  const database = openDatabase({
    url,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS[hold],
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
    onConnect: keepFeedEpoch,
  })
  const close = async () => {
    await database.end()
    await embedded?.stop()
  }
  return { database, url, close }
}

/** On a connection of its own: those of the service's pool look at tables, and may write, before anything is asked of them. */
async function refuseOtherSchema(url: string): Promise<void> {
  const plain = openDatabase({ url, connections: 1 })
  try {
    const { length } = await pendingMigrations(plain, DATABASE_SCHEMA)
    if (length === 0) return
    const lacking = length === 1 ? '1 file of its schema is' : `${length} files of its schema are`
    throw new MigrationError(`the database is not of this version (${lacking} not applied): run "mdk migrate"`)
  } finally {
    await plain.end()
  }
}
