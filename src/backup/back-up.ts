// Makes a backup: the database while it works, the objects that it names, and the keys that it was written with. Its last
// file says that it is whole; what has none is removed by the next.
import { createRequire } from 'node:module'
import type pg from 'pg'
import type { Operator } from '../access/actor.ts'
import { recordAct } from '../audit/record.ts'
import { findCluster } from '../lib/embedded-postgres/cluster.ts'
import { readClusterFile } from '../lib/embedded-postgres/cluster-files.ts'
import { holdRemovals } from '../lib/object-removals.ts'
import type { ObjectStore } from '../lib/object-store.ts'
import { type SecretKeys, secretKeysText } from '../lib/secret-box.ts'
import { type Database, dbOf, sql } from '../lib/sql.ts'
import { walSegments } from '../lib/wal-names.ts'
import { copyCluster } from './copy-cluster.ts'
import { copyObjects, type ObjectsCopied } from './copy-objects.ts'
import {
  backupIdOf,
  backupIds,
  type ClusterCopy,
  type Manifest,
  manifestName,
  secretKeysName,
  walName,
} from './manifest.ts'
import { bytesOf, type Vault } from './vault.ts'

export interface BackupDeps {
  database: Database
  store: ObjectStore
  vault: Vault
  secretKeys: SecretKeys
  operator: Operator
  /** Where the embedded database lies; undefined where the database is backed up by others. */
  dataDir: string | undefined
  onProgress(progress: Progress): void
}

export interface Progress {
  databaseBytes: number
  objects: number
  objectBytes: number
}

export interface Made {
  manifest: Manifest
  objectsAdded: number
}

/** Another backup of this database is being made. */
class BackupRuns extends Error {
  override name = 'BackupRuns'
}

const ONE_BACKUP = 'mdk makes a backup'

/** @throws BackupRuns, StoreUnavailable, or Error that says that the database went away */
export async function backUp(deps: BackupDeps): Promise<Made> {
  const { database, vault } = deps
  const session = await database.connect('mdk backup')
  try {
    const db = dbOf(session)
    const free = await db.first(sql<{ free: boolean; now: string }>`
      select pg_try_advisory_lock(hashtextextended(${ONE_BACKUP}, 0)) as free, clock_timestamp() as now`)
    if (!free?.free) throw new BackupRuns('another backup of this database is being made: wait until it has ended')
    // From the beginning: what the copy of the database names at its end is there until it is copied too.
    await holdRemovals(db)
    await removeBroken(vault)
    const id = backupIdOf(free.now)
    await database.transaction((tx) =>
      recordAct(tx, deps.operator, {
        operation: 'backup.make',
        resourceType: 'backup',
        resourceId: null,
        details: { id },
      }),
    )
    return await copyAll(deps, session, id, free.now)
  } catch (error) {
    if (!isLost(error)) throw error
    throw new Error('the database was stopped while it was copied: this backup counts for nothing, make another', {
      cause: error,
    })
  } finally {
    await session.end().catch(() => {})
  }
}

async function copyAll(deps: BackupDeps, session: pg.Client, id: string, startedAt: string): Promise<Made> {
  const { store, vault, secretKeys, dataDir } = deps
  const progress: Progress = { databaseBytes: 0, objects: 0, objectBytes: 0 }
  const onBytes = (read: number) => {
    progress.databaseBytes += read
    deps.onProgress(progress)
  }
  const onObject = ({ count, sizeBytes }: ObjectsCopied) => {
    Object.assign(progress, { objects: count, objectBytes: sizeBytes })
    deps.onProgress(progress)
  }
  const cluster = dataDir === undefined ? null : await copyDatabase(session, dataDir, vault, id, onBytes)
  const [{ now: finishedAt }] = (await session.query<{ now: string }>('select clock_timestamp() as now')).rows as [
    { now: string },
  ]
  const { added, ...objects } = await copyObjects(store, vault, id, onObject)
  await vault.put(secretKeysName(id), bytesOf(`${secretKeysText(secretKeys)}\n`))
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
  const manifest: Manifest = { id, version, startedAt, finishedAt, cluster, objects }
  // Whoever was cut off meanwhile held nothing any more.
  await session.query('select')
  await vault.put(manifestName(id), bytesOf(JSON.stringify(manifest)))
  return { manifest, objectsAdded: added }
}

async function copyDatabase(
  session: pg.Client,
  dataDir: string,
  vault: Vault,
  id: string,
  onBytes: (read: number) => void,
): Promise<ClusterCopy> {
  const cluster = await findCluster(dataDir)
  if (!cluster) throw new Error(`there is no database in ${dataDir}`)
  // The log stays for as long as this session lives, though nobody archives it.
  await session.query(`select pg_create_physical_replication_slot('mdk_backup_' || pg_backend_pid(), true, true)`)
  await session.query(`select pg_backup_start($1, true)`, [`mdk ${id}`])
  const copied = await copyCluster(cluster.folder, vault, id, onBytes)
  const { rows } = await session.query<{ label: string; last: string; version: number }>(`
    select s.labelfile as label, pg_walfile_name(s.lsn) as last, current_setting('server_version_num')::integer as version
    from pg_backup_stop(false) s`)
  const { label, last, version } = rows[0] as (typeof rows)[number]
  const first = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(label)?.[1]
  if (first === undefined) throw new Error(`PostgreSQL says of the copy what mdk does not understand: ${label}`)
  for (const segment of walSegments(first, last)) {
    await vault.put(walName(segment), readSegment(cluster.folder, segment))
  }
  return { ...copied, label, major: String(Math.floor(version / 10_000)), firstSegment: first, lastSegment: last }
}

async function* readSegment(cluster: string, segment: string): AsyncGenerator<Buffer> {
  let sizeBytes = 0
  for await (const chunk of readClusterFile(cluster, `pg_wal/${segment}`)) {
    sizeBytes += chunk.length
    yield chunk
  }
  if (sizeBytes === 0) throw new Error(`the log of the database lacks ${segment}`)
}

/** There is one backup at a time: what lies there without a manifest is of one that was killed. */
async function removeBroken(vault: Vault): Promise<void> {
  for (const id of (await backupIds(vault)).broken) {
    for await (const name of vault.list(`backups/${id}/`)) await vault.delete(name)
  }
}

/** 57P01, 57P02 and 57P03: the server stops, has crashed, or is not up again (PostgreSQL, Appendix A). */
function isLost(error: unknown): boolean {
  const { code, message } = error as Error & { code?: unknown }
  return /^57P0[123]$/.test(String(code)) || /Connection terminated|not queryable|Client was closed/.test(message)
}
