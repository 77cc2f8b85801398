// Reads the file by which a running PostgreSQL holds its data directory. It is never written or removed here: only
// the server itself can tell whether it is stale.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface PidFile {
  /** The process that holds, or held, the data directory. */
  readonly pid: number
  /** Where its socket is; absent until it listens. */
  readonly socketFolder: string | undefined
}

/** What `postmaster.pid` says; `undefined` when no server holds the directory, or one is just taking it. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  // Lines: pid, data directory, start time, port, first socket directory, … (PostgreSQL, miscadmin.h).
  const [pid, , , , socketFolder] = text.split('\n')
  return Number(pid) > 0 ? { pid: Number(pid), socketFolder: socketFolder || undefined } : undefined
}
