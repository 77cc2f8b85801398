// Lays a backup's database into a folder and has PostgreSQL recover it by the log: to an instant, to the end, or to where the
// backup itself ended.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { layCluster } from '../lib/embedded-postgres/lay-cluster.ts'
import { serveWal } from '../lib/embedded-postgres/serve-wal.ts'
import { startEmbeddedPostgres } from '../lib/embedded-postgres.ts'
import { DamagedBytes } from '../lib/sealed-stream.ts'
import { openDatabase, sql, type Timestamp } from '../lib/sql.ts'
import { isWalSegment } from '../lib/wal-names.ts'
import { readCluster } from './copy-cluster.ts'
import { type ClusterCopy, walName } from './manifest.ts'
import type { Vault } from './vault.ts'

export type RecoveryTarget =
  | { kind: 'end' }
  | { kind: 'backup' }
  /** What was committed until then is there, and nothing of what came later. */
  | { kind: 'time'; at: Timestamp }

export interface Recovered {
  /** When the last transaction was committed that is there; null when the log had none. */
  recoveredTo: Timestamp | null
  /** The file of the log at which the end was reached although later ones are there; null as it should be. */
  missingLog: string | null
}

/** @throws DamagedBytes, StoreUnavailable, or Error with PostgreSQL's words */
export async function recoverCluster(
  vault: Vault,
  id: string,
  copy: ClusterCopy,
  dataDir: string,
  target: RecoveryTarget,
  onBytes: (read: number) => void,
): Promise<Recovered> {
  const cluster = await layCluster(dataDir, copy.major, copy.label, (folder) => write(vault, id, copy, folder, onBytes))
  const wal = await serveWal(cluster, async (name, path) => {
    if (!(await vault.has(walName(name)))) return false
    await pipeline(vault.get(walName(name)), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return true
  })
  try {
    const settings = { ...SETTINGS, restore_command: wal.command, ...targetSettings(target) }
    const log = { info: () => {}, error: () => {} }
    const starting = startEmbeddedPostgres({
      dataDir,
      hold: 'service',
      log,
      settings,
      recoverWithinMs: Number.POSITIVE_INFINITY,
    })
    const server = await starting.catch(async (error: unknown) => {
      // What kept the log from being had says more than that it was not.
      await Promise.race([wal.failed, Promise.resolve()])
      throw target.kind === 'time' && /before configured recovery target/.test((error as Error).message)
        ? new Error(`the log there does not reach ${target.at}: restore without --to-time to have all of it`)
        : error
    })
    try {
      const missingLog = target.kind === 'end' ? await gapAfter(vault, wal.absent) : null
      return { recoveredTo: await lastCommit(server.url), missingLog }
    } finally {
      await server.stop()
    }
  } finally {
    await wal.stop()
  }
}

/** Nobody is let in before the end. */
const SETTINGS = { hot_standby: 'off', recovery_target_action: 'promote' }

function targetSettings(target: RecoveryTarget): Record<string, string> {
  // PostgreSQL takes no letter for the zone here.
  if (target.kind === 'time') return { recovery_target_time: target.at.replace('T', ' ').replace('Z', '+00') }
  // The line of the backup itself, whatever was restored from it later.
  return target.kind === 'backup' ? { recovery_target: 'immediate', recovery_target_timeline: 'current' } : {}
}

async function write(
  vault: Vault,
  id: string,
  copy: ClusterCopy,
  folder: string,
  onBytes: (read: number) => void,
): Promise<void> {
  for (const path of copy.folders) await mkdir(within(folder, path), { recursive: true, mode: 0o700 })
  for await (const { file, bytes } of readCluster(vault, id, copy)) {
    const path = within(folder, file.path)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const digest = createHash('sha256')
    async function* digested() {
      for await (const chunk of bytes) {
        digest.update(chunk)
        onBytes(chunk.length)
        yield chunk
      }
    }
    await pipeline(digested(), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    if (digest.digest('hex') !== file.sha256) throw new DamagedBytes(`${file.path} of backup ${id} is not what it was`)
  }
}

function within(folder: string, path: string): string {
  const full = normalize(join(folder, path))
  if (!full.startsWith(`${folder}/`)) throw new DamagedBytes(`a backup has no business with ${path}`)
  return full
}

async function lastCommit(url: string): Promise<Timestamp | null> {
  const database = openDatabase({ url, connections: 1 })
  try {
    const row = await database.first(sql<{ at: Timestamp | null }>`select pg_last_xact_replay_timestamp() as at`)
    return row?.at ?? null
  } finally {
    await database.end()
  }
}

/** The first segment that was missing, where later ones of its timeline are there. */
async function gapAfter(vault: Vault, absent: readonly string[]): Promise<string | null> {
  const missing = absent.filter(isWalSegment).sort()
  for (const segment of missing) {
    for await (const name of vault.list('wal/')) {
      const other = name.slice('wal/'.length)
      if (isWalSegment(other) && other.slice(0, 8) === segment.slice(0, 8) && other > segment) return segment
    }
  }
  return null
}
