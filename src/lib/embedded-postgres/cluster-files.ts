// Which files of a data directory a copy needs (PostgreSQL's documentation, "Making a Base Backup Using the Low Level API"),
// and how they are read while the server writes to them.
import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ClusterFiles {
  folders: string[]
  files: string[]
}

/** The server makes what is in them anew. */
const EMPTY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  'backup_label.old',
  'backup_manifest',
  'tablespace_map',
  'recovery.signal',
  'standby.signal',
  'current_logfiles',
])
/** Temporary files, caches and the socket. */
const PASSING = /(?:^|\/)(?:pgsql_tmp|pg_internal\.init|\.s\.PGSQL\.)/
/** Says how far the log is replayed: read last, so that it is no older than the rest. */
const CONTROL_FILE = 'global/pg_control'
const READ_BYTES = 256 * 1024

/** Relative paths, the control file last. @throws Error when data lies in another place */
export async function listClusterFiles(cluster: string): Promise<ClusterFiles> {
  const found: ClusterFiles = { folders: [], files: [] }
  await walk(cluster, '', found)
  found.files.push(CONTROL_FILE)
  return found
}

async function walk(cluster: string, folder: string, found: ClusterFiles): Promise<void> {
  for (const entry of await readdir(join(cluster, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isSymbolicLink()) throw new Error(`${join(cluster, path)} leads elsewhere: such data cannot be copied`)
    if (LEFT_OUT.has(path) || PASSING.test(path) || path === CONTROL_FILE) continue
    if (entry.isFile()) found.files.push(path)
    if (!entry.isDirectory()) continue
    found.folders.push(path)
    if (!EMPTY.has(path)) await walk(cluster, path, found)
  }
}

/** The bytes of a file; none of one that has gone meanwhile, as the log ends it too. */
export async function* readClusterFile(cluster: string, path: string): AsyncGenerator<Buffer> {
  if (path === CONTROL_FILE) {
    yield await readSteady(join(cluster, path))
    return
  }
  const file = await open(join(cluster, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!file) return
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Nothing else repairs it: read until two looks agree, so that none is caught in the middle of a write. */
async function readSteady(path: string): Promise<Buffer> {
  for (let before = await readFile(path); ; ) {
    const now = await readFile(path)
    if (now.equals(before)) return now
    before = now
  }
}
