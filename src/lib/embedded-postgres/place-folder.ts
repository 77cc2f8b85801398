// Puts a finished folder in its place in one step, so that a crash or a second process never shows a half-made one.
// Knows nothing of what is in it.
import { mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const ABANDONED_AFTER_MS = 3_600_000

/**
 * Makes `folder` by letting `fill` fill a temporary one beside it, which is then renamed. When another process was
 * faster, its folder stays and ours is removed. Temporary folders that a crash left behind an hour ago go as well.
 * @throws whatever `fill` throws; nothing is left behind then
 */
export async function placeFolder(folder: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  const parent = dirname(folder)
  const prefix = `${basename(folder)}-unfinished-`
  await removeAbandoned(parent, prefix)
  const temporary = await mkdtemp(join(parent, prefix))
  try {
    await fill(temporary)
    await rename(temporary, folder)
    await syncFolder(parent)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!isTaken(error)) throw error
  }
}

async function removeAbandoned(parent: string, prefix: string): Promise<void> {
  const names = await readdir(parent)
  for (const path of names.filter((name) => name.startsWith(prefix)).map((name) => join(parent, name))) {
    // Another process may finish or remove it meanwhile.
    const age = await stat(path)
      .then(({ mtimeMs }) => Date.now() - mtimeMs)
      .catch(() => 0)
    if (age > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true })
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isTaken(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall === 'rename' && (code === 'ENOTEMPTY' || code === 'EEXIST')
}
