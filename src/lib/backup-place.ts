// Where backups lie: files by name, in a folder or a bucket that others look after. A file is there whole or not at all.
// Knows nothing of what they hold.
import { isAbsolute, resolve } from 'node:path'
import { openFolderPlace } from './backup-place/folder.ts'
import { readS3Location } from './object-store/s3-location.ts'

export interface BackupPlace {
  /** Durable when it resolves; replaces what was there. @throws StoreUnavailable, or whatever the source throws */
  put(name: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /** Undefined when there is no such file. @throws StoreUnavailable */
  get(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** @throws StoreUnavailable */
  has(name: string): Promise<boolean>
  /** The names below a folder (`wal/`), each with it in front, in no order. @throws StoreUnavailable */
  list(folder: string): AsyncIterable<string>
  /** An absent one is fine. @throws StoreUnavailable */
  delete(name: string): Promise<void>
}

/** `s3://…` as MDK_OBJECT_STORE has it, or the path of a folder, also as `file:PATH`. @throws RangeError that says what is wrong */
export function readPlace(text: string): string {
  if (text.startsWith('s3://')) {
    readS3Location(text)
    return text
  }
  const path = text.replace(/^file:/, '')
  if (path === '' || /^[a-z0-9]+:\/\//i.test(path))
    throw new RangeError('it must be the path of a folder or s3://bucket/prefix')
  return isAbsolute(path) ? path : resolve(path)
}

/** Opens the place that `readPlace` gave. Nothing is made before something is put. */
export async function openBackupPlace(location: string): Promise<BackupPlace> {
  if (!location.startsWith('s3://')) return openFolderPlace(location)
  // Its library is large: loaded when it is used.
  const { openS3Place } = await import('./backup-place/s3.ts')
  return openS3Place(readS3Location(location))
}
