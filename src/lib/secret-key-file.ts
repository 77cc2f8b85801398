// Keeps the service's own key in a file of the data directory when none is configured. Knows nothing of what the
// key seals.
import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'
import { parseSecretKeys, type SecretKeys, secretKeysText } from './secret-box.ts'

/**
 * The keys kept at `path`, made there first when the file is absent (mode 0600, in the form of MDK_SECRET_KEYS).
 * Processes that start at once agree: the file appears whole or not at all, and the first to place it wins.
 * @throws Error naming the file when it holds no keys, or when the file system refuses.
 */
export async function loadOrCreateSecretKeys(path: string): Promise<SecretKeys> {
  return parse(path, (await readIfPresent(path)) ?? (await place(path, `1:${randomBytes(32).toString('base64')}\n`)))
}

/** The keys kept at `path`; undefined when there is no such file. @throws Error naming the file when it holds no keys */
export async function loadSecretKeyFile(path: string): Promise<SecretKeys | undefined> {
  const text = await readIfPresent(path)
  return text === undefined ? undefined : parse(path, text)
}

/** Keeps keys at `path`; what lies there already stays. @throws Error naming the file when the file system refuses */
export async function placeSecretKeyFile(path: string, keys: SecretKeys): Promise<void> {
  await place(path, `${secretKeysText(keys)}\n`)
}

/** Keeps these at `path` in place of what lies there: whole, or not at all. @throws Error naming the file when the file system refuses */
export async function replaceSecretKeyFile(path: string, keys: SecretKeys): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}`
  try {
    await place(temporary, `${secretKeysText(keys)}\n`)
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } finally {
    await rm(temporary, { force: true })
  }
}

function parse(path: string, text: string): SecretKeys {
  try {
    return parseSecretKeys(text.trim())
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : 'holds no keys'}`)
  }
}

/** Gives what lies at `path` afterwards, which another process may have placed. */
async function place(path: string, text: string): Promise<string> {
  const folder = dirname(path)
  await makeFolder(folder)
  const temporary = `${path}.${randomBytes(8).toString('hex')}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    // A link never replaces what is there, as a rename would.
    await link(temporary, path).catch(ignoreExisting)
    await syncFolder(folder)
  } finally {
    await rm(temporary, { force: true })
  }
  return readFile(path, 'utf8')
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Until the folder is synced a crash may forget the name, and with it everything the key has sealed. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
