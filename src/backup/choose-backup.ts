// Which backup a restore begins with.
import { backupIds, type Manifest, readManifest } from './manifest.ts'
import type { RecoveryTarget } from './recover-cluster.ts'
import type { Vault } from './vault.ts'

/** The one that is named, or the newest that ended before the target. @throws Error that names those there are */
export async function chooseBackup(vault: Vault, target: RecoveryTarget, id?: string): Promise<Manifest> {
  const { whole } = await backupIds(vault)
  if (id !== undefined) {
    if (!whole.includes(id)) throw new Error(`there is no whole backup ${id}; there are: ${named(whole)}`)
    return checked(await readManifest(vault, id), target)
  }
  for (const candidate of whole.reverse()) {
    const manifest = await readManifest(vault, candidate)
    if (reaches(manifest, target)) return manifest
  }
  throw new Error(
    target.kind === 'time'
      ? `no whole backup ended before ${target.at}; there are: ${named(whole)}`
      : 'there is no whole backup',
  )
}

function checked(manifest: Manifest, target: RecoveryTarget): Manifest {
  if (reaches(manifest, target)) return manifest
  throw new Error(`backup ${manifest.id} ended at ${manifest.finishedAt}, and leads to no instant before`)
}

function reaches(manifest: Manifest, target: RecoveryTarget): boolean {
  return target.kind !== 'time' || manifest.finishedAt <= target.at
}

const named = (ids: readonly string[]) => (ids.length > 0 ? ids.toSorted().join(', ') : 'none')
