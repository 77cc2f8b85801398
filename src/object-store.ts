// Opens the object store that MDK_OBJECT_STORE names.
import { type Config, ConfigError } from './config.ts'
import { openFileStore } from './lib/object-store/file.ts'
import type { S3Store } from './lib/object-store/s3.ts'
import { readS3Location } from './lib/object-store/s3-location.ts'
import type { ObjectStore } from './lib/object-store.ts'

export interface OpenedStore {
  store: ObjectStore
  /** The same store when it has signed URLs of its own. */
  s3: S3Store | undefined
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
