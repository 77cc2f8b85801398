// Reads the file by which a running PostgreSQL holds its data directory. It is never written or removed here: only
// the server itself can tell whether it is stale.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The process that `postmaster.pid` names; `undefined` when no server holds the directory, or one is just taking it. */
export async function readServerPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  // The first line (PostgreSQL, miscadmin.h).
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : undefined
}
