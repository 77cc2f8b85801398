// Opens the object store that MDK_OBJECT_STORE names.
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { openFileStore } from './lib/object-store/file.ts'
import { createPutNotes, notePuts, noteS3Puts, type PutNotes } from './lib/object-store/note-puts.ts'
import type { S3Store } from './lib/object-store/s3.ts'
import { readS3Location } from './lib/object-store/s3-location.ts'
import type { ObjectStore } from './lib/object-store.ts'

export interface OpenedStore {
  store: ObjectStore
  /** The same store when it has signed URLs of its own. */
  s3: S3Store | undefined
}

/** As `openObjectStore`; what is put is noted for the backups, where those go on all the time. */
export async function openServiceStore(config: Config): Promise<OpenedStore & { notes: PutNotes | undefined }> {
  const opened = await openObjectStore(config)
  if (config.backup.to === undefined) return { ...opened, notes: undefined }
  const notes = createPutNotes(join(config.dataDir, 'to-back-up'))
  if (!opened.s3) return { store: notePuts(opened.store, notes), s3: undefined, notes }
  const s3 = noteS3Puts(opened.s3, notes)
  return { store: s3, s3, notes }
}

/** @throws ConfigError, StoreUnavailable */
export async function openObjectStore({ objectStore }: Pick<Config, 'objectStore'>): Promise<OpenedStore> {
  try {
    if (objectStore.startsWith('file:')) {
      return { store: await openFileStore(objectStore.slice('file:'.length)), s3: undefined }
    }
    const location = readS3Location(objectStore)
    // Its library is large: loaded when it is used.
    const { openS3Store } = await import('./lib/object-store/s3.ts')
    const s3 = await openS3Store(location)
    return { store: s3, s3 }
  } catch (error) {
    throw new ConfigError([`MDK_OBJECT_STORE: ${(error as Error).message}`])
  }
}
