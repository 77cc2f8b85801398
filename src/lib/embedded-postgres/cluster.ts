// Finds or makes the data directory of the embedded server. Knows nothing of running it.
import { chown, lstat, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { placeFolder } from './place-folder.ts'
import { canEnter, isRoot, makeReachableFolder, runAs, type ServerUser } from './server-user.ts'

/** Role and database of the embedded server. */
export const NAME = 'mdk'

export interface Cluster {
  /** The data directory's real path. */
  readonly folder: string
  /** Who owns it, and so who runs the server. */
  readonly user: ServerUser
}

/**
 * The data directory that `dataDir/postgres` is or points to, when there is one already.
 * @throws Error when it belongs to another user, when what is there is no data directory, or when a link leads nowhere
 */
export async function findCluster(dataDir: string): Promise<Cluster | undefined> {
  const path = join(dataDir, 'postgres')
  if (!(await lstat(path).catch(ignoreAbsent))) return undefined
  const folder = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${path} leads to a folder that is gone or closed (${error.code}): bring it back or remove the link`,
    )
  })
  const { uid, gid } = await stat(folder)
  if (!isRoot() && uid !== process.getuid?.()) {
    throw new Error(`the database in ${folder} belongs to user id ${uid}: run mdk as that user or as root`)
  }
  return { folder, user: isRoot() ? { identity: { uid, gid } } : {} }
}

/**
 * Makes a database cluster at `dataDir/postgres` by letting `fill` fill a folder that is the user's, in one step however many
 * processes try at once. When root's choice of user cannot enter `dataDir`, the cluster goes to a folder of its own in
 * `systemFolder` and `dataDir/postgres` becomes a link to it.
 * @throws Error of `fill`
 */
export async function makeCluster(
  dataDir: string,
  systemFolder: string,
  user: ServerUser,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const fillOwn = async (folder: string) => {
    await giveTo(user, folder)
    await fill(folder)
  }
  const path = join(dataDir, 'postgres')
  if (await canEnter(user, await realpath(dataDir))) {
    await placeFolder(path, fillOwn)
    return
  }
  await makeReachableFolder(systemFolder)
  const home = await mkdtemp(join(systemFolder, 'data-'))
  try {
    await giveTo(user, home)
    await writeFile(join(home, 'README'), `The database of mdk whose MDK_DATA_DIR is\n${await realpath(dataDir)}\n`)
    await placeFolder(join(home, 'postgres'), fillOwn)
    await symlink(join(home, 'postgres'), path)
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** @throws Error when the data was written by another major version of PostgreSQL, or is none of PostgreSQL's */
export async function checkVersion(cluster: Cluster, binaries: Binaries): Promise<void> {
  const version = await readFile(join(cluster.folder, 'PG_VERSION'), 'utf8').catch(ignoreAbsent)
  if (version === undefined) throw new Error(`${cluster.folder} is not a PostgreSQL data directory: move it away`)
  if (version.trim() === binaries.major) return
  throw new Error(
    `${cluster.folder} was made by PostgreSQL ${version.trim()} and this mdk brings ${binaries.major}: ` +
      'dump the data with the mdk that made it, and load it into a new data folder',
  )
}

/** Has initdb make an empty cluster in a folder. @throws Error with its words */
export async function initialise(folder: string, binaries: Binaries, user: ServerUser): Promise<void> {
  // The C.UTF-8 of PostgreSQL itself sorts the same on every machine and after every upgrade of its C library.
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8']
  const arguments_ = [
    '--pgdata',
    folder,
    '--username',
    NAME,
    '--auth=peer',
    '--no-sync',
    '--no-instructions',
    ...locale,
  ]
  await runAs(user, binaries.initdb, arguments_)
  await writeAccess(folder)
  await syncCluster(folder, binaries, user)
}

/** Lets in the users of this machine alone, whatever was there. */
export async function writeAccess(folder: string): Promise<void> {
  await writeFile(join(folder, 'pg_hba.conf'), ACCESS)
  await writeFile(join(folder, 'pg_ident.conf'), identities())
}

/** Resolves when all that lies in the folder is on the disk. */
export async function syncCluster(folder: string, binaries: Binaries, user: ServerUser): Promise<void> {
  await runAs(user, binaries.initdb, ['--pgdata', folder, '--sync-only'])
}

const ACCESS = `# Over the Unix socket only, and only for the users that pg_ident.conf names.
local all ${NAME} peer map=${NAME}
`

function identities(): string {
  const names = new Set(['root', userInfo().username])
  return [...names].map((name) => `${NAME} "${name}" ${NAME}\n`).join('')
}

export async function giveTo(user: ServerUser, folder: string): Promise<void> {
  if (user.identity) await chown(folder, user.identity.uid, user.identity.gid)
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
