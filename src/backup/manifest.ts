// What a backup has, as its last file says: a backup without one is none.
import type { Vault } from './vault.ts'

export interface Manifest {
  id: string
  /** The version of mdk that made it. */
  version: string
  startedAt: string
  /** When it was whole; what was committed before is in it. */
  finishedAt: string
  /** Null where the database is backed up by others. */
  cluster: ClusterCopy | null
  objects: { count: number; sizeBytes: number }
}

export interface ClusterCopy {
  /** The major version of PostgreSQL. */
  major: string
  folders: string[]
  files: CopiedFile[]
  /** The files lie in so many parts, one after the other, in this order. */
  parts: number
  /** What PostgreSQL wants to find beside the files (`backup_label`). */
  label: string
  /** The log from which it is made whole, both ends inclusive. */
  firstSegment: string
  lastSegment: string
}

export interface CopiedFile {
  path: string
  sizeBytes: number
  /** Lower-case hex. */
  sha256: string
}

export const manifestName = (id: string) => `backups/${id}/manifest`
export const partName = (id: string, part: number) => `backups/${id}/cluster/${String(part).padStart(6, '0')}`
/** The list of the objects that the backup was made with: `key size` in lines. */
export const objectListName = (id: string) => `backups/${id}/objects`
export const secretKeysName = (id: string) => `backups/${id}/secret-keys`
export const walName = (segment: string) => `wal/${segment}`
/** As the folders of a store of local files, in which those of 65 seconds lie together. */
export function sealedObjectName(key: string): string {
  const [kind = '', owner = '', id = ''] = key.split('/')
  return `objects/${kind}/${id.slice(6, 8)}/${owner}.${id}`
}

/** `2026-01-01T00-00-00.000Z`: a name for files that sorts by time. */
export function backupIdOf(instant: string): string {
  return `${instant.slice(0, 23).replaceAll(':', '-')}Z`
}

/** @throws DamagedBytes, StoreUnavailable */
export async function readManifest(vault: Vault, id: string): Promise<Manifest> {
  return JSON.parse((await vault.read(manifestName(id))).toString('utf8')) as Manifest
}

/** The ids of backups that are whole, and of those that were begun and never ended; each oldest first. */
export async function backupIds(vault: Vault): Promise<{ whole: string[]; broken: string[] }> {
  const [whole, begun] = [new Set<string>(), new Set<string>()]
  for await (const name of vault.list('backups/')) {
    const [, id = '', ...rest] = name.split('/')
    begun.add(id)
    if (rest.join('/') === 'manifest') whole.add(id)
  }
  return { whole: [...whole].sort(), broken: [...begun].filter((id) => !whole.has(id)).sort() }
}
