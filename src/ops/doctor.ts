// Tries everything the service stands on, as it is configured, and says what it found and how to repair it.
import { type Config, ConfigError, readConfig } from '../config.ts'
import { SHARED_SESSIONS } from '../database.ts'
import { startEmbeddedPostgres } from '../lib/embedded-postgres.ts'
import { sharesSessions } from '../lib/shared-sessions.ts'
import { openDatabase } from '../lib/sql.ts'
import { openObjectStore } from '../object-store.ts'
import type { Check } from './check.ts'
import { checkCertificates } from './doctor-certificates.ts'
import { checkActivity, checkMigrations, checkServer, checkSettings, checkWrites } from './doctor-database.ts'
import { checkDkimTurns } from './doctor-dkim.ts'
import { examineNetwork } from './doctor-network.ts'
import { checkNotices } from './doctor-notices.ts'
import { checkOrigins } from './doctor-origins.ts'
import { checkSecretKeys } from './doctor-secrets.ts'

/** Runs every check, as far as the configuration can be read; none keeps another from being run. */
export async function examine(environment: NodeJS.ProcessEnv): Promise<Check[]> {
  try {
    const config = readConfig(environment)
    const local = [
      checkConfiguration(config),
      checkOrigins(config),
      ...(await checkCertificates(config, Date.now())),
      ...(await checkDatabase(config)),
      await checkObjectStore(config),
    ]
    return [...local, ...(await examineNetwork(config))]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults.map((found) => ({
      name: 'configuration',
      result: 'fail',
      found,
      repair: 'see docs/operate.md',
    }))
  }
}

function checkConfiguration(config: Config): Check {
  const name = 'configuration'
  if (config.unknown.length === 0) return { name, result: 'ok', found: 'every variable is understood' }
  return { name, result: 'warn', found: `not known: ${config.unknown.join(', ')}`, repair: 'check the spelling' }
}

async function checkDatabase(config: Config): Promise<Check[]> {
  const log = { info: () => {}, error: () => {} }
  const stops: (() => Promise<void>)[] = []
  try {
    let url = config.databaseUrl
    if (url === undefined) {
      const embedded = await startEmbeddedPostgres({
        dataDir: config.dataDir,
        hold: 'command',
        log,
        archive: config.backup.to !== undefined,
      })
      stops.push(embedded.stop)
      url = embedded.url
    }
    const database = openDatabase({ url, connections: 1 })
    stops.unshift(database.end)
    // Nothing else can be asked then.
    if (await sharesSessions(database)) {
      return [{ name: 'database', result: 'fail', found: SHARED_SESSIONS, repair: 'let the pooler lend by session' }]
    }
    const checks = [
      await checkServer(database),
      await checkSettings(database),
      await checkWrites(database),
      await checkMigrations(database),
    ]
    const current = checks.at(-1)?.result === 'ok'
    if (!current) return checks
    return [
      ...checks,
      await checkSecretKeys(config, database),
      await checkDkimTurns(database),
      await checkActivity(database),
      await checkNotices(config, database),
    ]
  } catch (error) {
    const repair =
      config.databaseUrl === undefined
        ? `check MDK_DATA_DIR, and look into ${config.dataDir}/postgres.log`
        : 'check MDK_DATABASE_URL, and that the server lets this machine in'
    return [{ name: 'database', result: 'fail', found: (error as Error).message, repair }]
  } finally {
    for (const stop of stops) await stop()
  }
}

async function checkObjectStore(config: Config): Promise<Check> {
  const name = 'object store'
  try {
    const { store } = await openObjectStore(config)
    await store.check()
    return { name, result: 'ok', found: `${config.objectStore} can be written` }
  } catch (error) {
    return { name, result: 'fail', found: (error as Error).message, repair: 'check MDK_OBJECT_STORE, space and rights' }
  }
}
