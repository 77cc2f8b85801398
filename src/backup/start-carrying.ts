// Has a service carry away what came, again and again, beside its work: nothing waits for it, and while the place of the backups
// cannot be reached all of it waits on this machine.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { openBackupPlace } from '../lib/backup-place.ts'
import { archiveFolderOf } from '../lib/embedded-postgres/archive.ts'
import { findCluster } from '../lib/embedded-postgres/cluster.ts'
import type { PutNotes } from '../lib/object-store/note-puts.ts'
import type { ObjectStore } from '../lib/object-store.ts'
import { once } from '../lib/once.ts'
import { type Database, sql } from '../lib/sql.ts'
import { carryAway, carryHistories } from './carry-away.ts'
import { readPassphrase } from './passphrase.ts'
import { makeVault } from './vault.ts'

export interface CarryingDeps {
  config: Pick<Config, 'backup' | 'dataDir' | 'databaseUrl'>
  database: Database
  store: ObjectStore
  notes: PutNotes
  log: Logger
}

const ROUND_EVERY_MS = 5_000

/** Gives what stops it. @throws ConfigError when the passphrase cannot be read */
export async function startCarrying(deps: CarryingDeps): Promise<() => Promise<void>> {
  const { config, database, store, notes, log } = deps
  const passphrase = await readPassphrase(config.backup)
  const cluster = config.databaseUrl === undefined ? await findCluster(config.dataDir) : undefined
  if (cluster) await warnOfOther(database, log)
  const open = once(async () => {
    const place = await openBackupPlace(config.backup.to as string)
    const vault = await makeVault(place, passphrase, database)
    if (cluster) await carryHistories(vault, cluster.folder)
    return vault
  })
  const stopping = new AbortController()
  let failing = false
  const working = work()

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const archive = cluster && archiveFolderOf(cluster)
        await carryAway(await open(), store, notes, archive)
        if (failing) log.info('what came is carried to the place of the backups again')
        failing = false
      } catch (error) {
        if (!failing) log.error({ err: error }, 'what came is not carried to the place of the backups, and waits here')
        failing = true
      }
      await sleep(ROUND_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return async () => {
    stopping.abort()
    await working
  }
}

/** The settings are those of whoever started the server. */
async function warnOfOther(database: Database, log: Logger): Promise<void> {
  const row = await database.first(sql<{ on: boolean }>`select current_setting('archive_mode') = 'on' as on`)
  if (!row?.on)
    log.warn('the log is not archived: the database was started without MDK_BACKUP_TO; stop all that uses it')
}
