// The folder in which the server leaves each file of its log that is full, until it is carried away, and the settings by which it
// does so. The server's own user can write there, and nothing more: it knows no key and no bucket.
import { mkdir } from 'node:fs/promises'
import { type Cluster, giveTo } from './cluster.ts'

/** A file is left there after so long even if it is not full, when something was written at all. */
const ARCHIVE_WITHIN = '60s'

export const archiveFolderOf = (cluster: Cluster) => `${cluster.folder}-archive`

/** Makes the folder and gives the settings. @throws Error of the file system */
export async function archiveSettings(cluster: Cluster): Promise<Record<string, string>> {
  const folder = archiveFolderOf(cluster)
  const made = await mkdir(folder, { mode: 0o700, recursive: true })
  if (made !== undefined) await giveTo(cluster.user, folder)
  return { archive_mode: 'on', archive_command: commandOf(folder), archive_timeout: ARCHIVE_WITHIN }
}

/** It is there whole, and on the disk, or not at all. One that was left before is left as it is. */
function commandOf(folder: string): string {
  const quoted = `'${folder.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
  const copy = 'cp "%p" "$d/%f.part" && sync "$d/%f.part" && mv "$d/%f.part" "$d/%f" && sync "$d"'
  return `d=${quoted}; [ -e "$d/%f" ] || { ${copy}; }`
}
