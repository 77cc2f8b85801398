// A place for backups in a folder, such as a mounted disk. A file is written to `incoming`, synced and renamed.
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BackupPlace } from '../backup-place.ts'
import { makeFolder } from '../make-folder.ts'
import { createFolderSync } from '../object-store/folder-sync.ts'
import { sweepIncoming } from '../object-store/sweep-incoming.ts'
import { StoreUnavailable } from '../object-store.ts'
import { once } from '../once.ts'
import { ownMark } from '../process-mark.ts'

const READ_BYTES = 256 * 1024
/** What killed processes left is removed before the first put, so much at a time. */
const SWEPT_AT_ONCE = 10_000

export function openFolderPlace(root: string): BackupPlace {
  const incoming = join(root, 'incoming')
  const mark = ownMark()
  const folders = createFolderSync()
  const prepare = once(async () => {
    await makeFolder(incoming, 0o700)
    await sweepIncoming(root, SWEPT_AT_ONCE)
    await folders.sync(root)
  })

  return {
    async put(name, source) {
      const temporary = join(incoming, `${mark}.${randomUUID()}`)
      const path = join(root, name)
      await io(prepare)
      try {
        await write(temporary, source)
        await io(async () => {
          await folders.ensure(root, dirname(path))
          await rename(temporary, path)
          await folders.sync(dirname(path))
        })
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined)
        throw error
      }
    },
    async get(name) {
      const file = await unlessAbsent(() => open(join(root, name)))
      return file && read(file)
    },
    async has(name) {
      return (await unlessAbsent(() => stat(join(root, name)))) !== undefined
    },
    async *list(folder) {
      yield* filesIn(root, folder)
    },
    async delete(name) {
      await io(() => rm(join(root, name), { force: true }))
    },
  }
}

async function* filesIn(root: string, folder: string): AsyncGenerator<string> {
  const entries = (await unlessAbsent(() => readdir(join(root, folder), { withFileTypes: true }))) ?? []
  for (const entry of entries) {
    if (entry.isDirectory()) yield* filesIn(root, `${folder}${entry.name}/`)
    else yield `${folder}${entry.name}`
  }
}

async function write(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await io(() => open(path, 'wx', 0o600))
  try {
    for await (const chunk of source) await io(() => file.writeFile(chunk))
    await io(() => file.datasync())
  } finally {
    await file.close().catch(() => undefined)
  }
}

async function* read(file: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await io(() => file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES))
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close().catch(() => undefined)
  }
}

async function io<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unavailable(error)
  }
}

async function unlessAbsent<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unavailable(error)
  }
}

const WORDS: Record<string, string> = {
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left',
  EACCES: 'it may not be read or written',
  EPERM: 'it may not be read or written',
  EROFS: 'it may not be written',
  ENOTDIR: 'it is no folder',
}

function unavailable(error: unknown): Error {
  if (error instanceof StoreUnavailable) return error
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  const words = WORDS[code]
  return new StoreUnavailable(`the place of the backups: ${words ? `${words} (${code})` : code}`, { cause: error })
}
