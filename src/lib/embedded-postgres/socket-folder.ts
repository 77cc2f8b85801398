// Chooses the folder of the server's Unix socket. Knows nothing of the server.
import { createHash } from 'node:crypto'
import { chown, lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerUser } from './server-user.ts'

const SOCKET_NAME = '.s.PGSQL.5432'
/** `sun_path` of sockaddr_un less its closing zero: unix(7), unix(4). */
const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107

/** Whether a socket in this folder has an address that the system takes. */
export function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES
}

/**
 * The data directory itself, or, where its path is too long for a socket, a short private folder in /tmp. It
 * follows from the data's path alone, whatever TMPDIR says, so that every process finds the same.
 * @throws Error when somebody else has taken that name
 */
export async function socketFolderFor(cluster: string, user: ServerUser): Promise<string> {
  if (fitsSocket(cluster)) return cluster
  const name = `mdk-${createHash('sha256').update(cluster).digest('hex').slice(0, 20)}`
  const folder = join('/tmp', name)
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(folder)
  const owners = [process.getuid?.(), user.identity?.uid]
  if (!found.isDirectory() || !owners.includes(found.uid) || (found.mode & 0o077) !== 0) {
    throw new Error(`${folder} is needed for the database's socket and belongs to somebody else: remove it`)
  }
  if (user.identity) await chown(folder, user.identity.uid, user.identity.gid)
  return folder
}

/** A connection string for a server that listens there; `pg` and libpq understand it. */
export function socketUrl(folder: string, role: string, database: string): string {
  // Port and TLS are said, because PGPORT and PGSSLMODE would speak otherwise.
  return `postgres://${role}@${encodeURIComponent(folder)}:5432/${database}?sslmode=disable`
}
