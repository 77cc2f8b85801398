// Notes which objects are put, before they are, in a folder of this machine: an empty file for each, which goes when somebody has
// carried the object away. So nobody has to look through a store for what is new.
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { asObjectKey, type ObjectKey, type ObjectStore, StoreUnavailable } from '../object-store.ts'
import { once } from '../once.ts'
import { createFolderSync } from './folder-sync.ts'
import type { S3Store } from './s3.ts'

export interface PutNotes {
  note(key: ObjectKey): Promise<void>
  /** Every key that is noted, and whether it was so long ago that its object is there or will never be. */
  list(): AsyncIterable<{ key: ObjectKey; old: boolean }>
  forget(key: ObjectKey): Promise<void>
}

/** Longer than any object takes to be put. */
const OLD_MS = 24 * 60 * 60 * 1000

export function createPutNotes(folder: string): PutNotes {
  const folders = createFolderSync()
  const prepare = once(() => makeFolder(folder, 0o700))
  return {
    async note(key) {
      try {
        await prepare()
        const file = await open(join(folder, key.replaceAll('/', '.')), 'w', 0o600)
        await file.close()
        await folders.sync(folder)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        throw new StoreUnavailable(`what is to be backed up cannot be noted (${code})`, { cause: error })
      }
    },
    async *list() {
      await prepare()
      for (const name of await readdir(folder)) {
        const key = asObjectKey(name.replaceAll('.', '/'))
        const found = key && (await stat(join(folder, name)).catch(() => undefined))
        if (key && found) yield { key, old: Date.now() - found.mtimeMs > OLD_MS }
      }
    },
    forget: (key) => rm(join(folder, key.replaceAll('/', '.')), { force: true }),
  }
}

/** The same store, of which every put is noted first. */
export function notePuts(store: ObjectStore, notes: PutNotes): ObjectStore {
  return {
    ...store,
    async put(key, source, sizeBytes) {
      await notes.note(key)
      return store.put(key, source, sizeBytes)
    },
  }
}

/** As `notePuts`, with what is copied within the store. */
export function noteS3Puts(store: S3Store, notes: PutNotes): S3Store {
  return {
    ...store,
    ...notePuts(store, notes),
    async copy(from, etag, to) {
      await notes.note(to)
      return store.copy(from, etag, to)
    },
  }
}
