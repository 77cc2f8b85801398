// Opens the service's database – the one MDK_DATABASE_URL names, or the embedded server of the data folder – and
// brings it to this version's schema.
import type { Logger } from 'pino'
import { type Config, ConfigError } from './config.ts'
import { DATABASE_SCHEMA } from './database-schema.ts'
import { keepFeedEpoch } from './events/epoch.ts'
import { startEmbeddedPostgres } from './lib/embedded-postgres.ts'
import { migrate } from './lib/migrate.ts'
import { proveFirstWrite } from './lib/prove-write.ts'
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
  /** The names of the files that were applied now. */
  applied: string[]
  close(): Promise<void>
}

export interface ServiceDatabaseOptions {
  config: Pick<Config, 'databaseUrl' | 'dataDir'>
  log: Logger
  /** How long the embedded server is to live: as long as this process, or as long as anyone uses it. */
  hold: 'service' | 'command'
}

/** @throws ConfigError behind a pooler that breaks sessions, WritesFail, MigrationError, pg.DatabaseError, or Error with the embedded server's words */
export async function openServiceDatabase({ config, log, hold }: ServiceDatabaseOptions): Promise<ServiceDatabase> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({
          dataDir: config.dataDir,
          hold,
          log: { info: (message) => log.info(message), error: (message) => log.error(message) },
        })
      : undefined
  const database = openDatabase({
    url: config.databaseUrl ?? (embedded?.url as string),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS[hold],
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
    onConnect: keepFeedEpoch,
  })
  const close = async () => {
    await database.end()
    await embedded?.stop()
  }
  try {
    if (await sharesSessions(database)) throw new ConfigError([`MDK_DATABASE_URL: ${SHARED_SESSIONS}`])
    await proveFirstWrite(database, WRITE_WITHIN_MS)
    const applied = await migrate(database, DATABASE_SCHEMA)
    return { database, applied, close }
  } catch (error) {
    await close()
    throw error
  }
}
