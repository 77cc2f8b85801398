// Decides under which user the database server runs, and what that user can reach. PostgreSQL refuses to run as
// root. Knows nothing of databases.
import { execFile } from 'node:child_process'
import { chmod, mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The user a program of the server runs as. Without `identity`: the one this process runs as. */
export interface ServerUser {
  readonly identity?: { readonly uid: number; readonly gid: number }
}

/** Where root keeps what the server's user must reach when the data folder is closed to that user. */
export const SYSTEM_FOLDER = '/var/lib/mdk'

/** Whether this process has to put another user in its place. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * The user for a new database: this one, or for root `postgres`, or `nobody` where there is none.
 * @throws Error when root finds neither
 */
export async function chooseServerUser(): Promise<ServerUser> {
  if (!isRoot()) return {}
  const identity = (await identityOf('postgres')) ?? (await identityOf('nobody'))
  if (!identity) throw new Error('as root, the embedded PostgreSQL needs a user "postgres" or "nobody" to run as')
  return { identity }
}

async function identityOf(name: string): Promise<ServerUser['identity']> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

/**
 * Runs a program to its end as the server's user and gives what it printed. Its environment is almost empty: the
 * server's user could read ours in /proc, and PG* variables would change what the programs do.
 * @throws Error with the program's own words in one line
 */
export async function runAs(user: ServerUser, file: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(file, args, { ...user.identity, cwd: '/', env: serverEnvironment() })
    return stdout
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(stderr?.trim().replace(/\s*\n\s*/g, '; ') || message, { cause: error })
  }
}

/** The environment of every program of the server. */
export function serverEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }
}

/** Whether the user may enter a folder, as the system itself sees it: permissions of every parent, ACLs and all. */
export async function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  try {
    await runAs(user, 'sh', ['-c', 'test -x "$0"', folder])
    return true
  } catch {
    return false
  }
}

/** Makes a folder that every user may enter, whatever the umask. One that exists stays as it is. */
export async function makeReachableFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true })
  if (made) await chmod(folder, 0o755)
}
