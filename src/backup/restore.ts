// Restores a backup into an empty data folder: database, keys and objects, and sees that they belong together. The database takes
// its place last: until then nothing starts on it, and a restore that was cut off can be begun again.
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Operator } from '../access/actor.ts'
import { recordAct } from '../audit/record.ts'
import type { Config } from '../config.ts'
import { openServiceDatabase } from '../database.ts'
import { RESTORING } from '../lib/embedded-postgres/unfinished-restore.ts'
import { makeFolder } from '../lib/make-folder.ts'
import type { ObjectStore } from '../lib/object-store.ts'
import { parseSecretKeys, type SecretKeys } from '../lib/secret-box.ts'
import { placeSecretKeyFile } from '../lib/secret-key-file.ts'
import type { Database } from '../lib/sql.ts'
import { findSecretKeys } from '../secret-keys.ts'
import { chooseBackup } from './choose-backup.ts'
import { secretKeysName } from './manifest.ts'
import { type Recovered, type RecoveryTarget, recoverCluster } from './recover-cluster.ts'
import { type ObjectsRestored, restoreObjects } from './restore-objects.ts'
import { systemOf } from './system-of.ts'
import type { Vault } from './vault.ts'

export interface RestoreDeps {
  vault: Vault
  config: Pick<Config, 'dataDir' | 'secretKeys'>
  openStore(): Promise<ObjectStore>
  operator: Operator
  log: Logger
  onProgress(progress: { databaseBytes: number; objects: number }): void
}

export interface Restored extends Recovered, ObjectsRestored {
  id: string
}

/** `id`: which backup; without one the newest from which the target can be reached. @throws Error that says what is in the way */
export async function restore(deps: RestoreDeps, target: RecoveryTarget, id?: string): Promise<Restored> {
  const { vault, config } = deps
  const { dataDir } = config
  await refuseData(dataDir)
  const manifest = await chooseBackup(vault, target, id)
  const { cluster } = manifest
  if (!cluster) {
    throw new Error(
      `backup ${manifest.id} has no database: restore that first, then run "mdk restore --without-database"`,
    )
  }
  const room = join(dataDir, RESTORING)
  await rm(room, { recursive: true, force: true })
  await makeFolder(room, 0o711)
  const progress = { databaseBytes: 0, objects: 0 }
  const recovered = await recoverCluster(vault, manifest.id, cluster, room, target, (bytes) => {
    progress.databaseBytes += bytes
    deps.onProgress(progress)
  })
  await placeKeys(vault, manifest.id, config)
  const objects = await restoreRest(deps, room, manifest.id, (count) => {
    progress.objects = count
    deps.onProgress(progress)
  })
  await rename(join(room, 'postgres'), join(dataDir, 'postgres'))
  await syncFolder(dataDir)
  await rm(room, { recursive: true, force: true })
  return { id: manifest.id, ...recovered, ...objects }
}

/**
 * The keys and the objects alone, for a database that was restored by others: what it names and the store lacks.
 * @throws ConfigError when the keys are not those of the database, Error when the backups are of another database
 */
export async function restoreBeside(
  deps: Omit<RestoreDeps, 'log'>,
  database: Database,
  id?: string,
): Promise<ObjectsRestored & { id: string }> {
  const { vault, config } = deps
  const system = await systemOf(database)
  if (system !== vault.database) {
    throw new Error(`the backups there are of another database (${vault.database}, and this is ${system})`)
  }
  const manifest = await chooseBackup(vault, { kind: 'end' }, id)
  await placeKeys(vault, manifest.id, config)
  await findSecretKeys(config, database)
  const onObject = (objects: number) => deps.onProgress({ databaseBytes: 0, objects })
  return { id: manifest.id, ...(await restoreObjects(database, await deps.openStore(), vault, onObject)) }
}

/** What is there must be nothing, or what a restore left that was cut off. */
async function refuseData(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  if (names.length === 0 || (names.includes(RESTORING) && !names.includes('postgres'))) return
  throw new Error(`${dataDir} is not empty: name an empty folder in MDK_DATA_DIR, or move away what is there`)
}

async function placeKeys(vault: Vault, id: string, { dataDir, secretKeys }: RestoreDeps['config']): Promise<void> {
  if (secretKeys) return
  await placeSecretKeyFile(join(dataDir, 'secret-keys'), await keysOf(vault, id))
}

async function keysOf(vault: Vault, id: string): Promise<SecretKeys> {
  return parseSecretKeys((await vault.read(secretKeysName(id))).toString('utf8').trim())
}

async function restoreRest(
  { config, openStore, vault, log, operator }: RestoreDeps,
  room: string,
  id: string,
  onObject: (count: number) => void,
): Promise<ObjectsRestored> {
  const { database, close } = await openServiceDatabase({
    config: { databaseUrl: undefined, dataDir: room },
    log,
    hold: 'command',
  })
  try {
    // Refuses keys with which this database was not written.
    await findSecretKeys(config, database)
    const objects = await restoreObjects(database, await openStore(), vault, onObject)
    await database.transaction((tx) =>
      recordAct(tx, operator, {
        operation: 'backup.restore',
        resourceType: 'backup',
        resourceId: null,
        details: { id },
      }),
    )
    return objects
  } finally {
    await close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
