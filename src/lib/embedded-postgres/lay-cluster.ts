// Lays a copied database into a data folder, as this machine's server runs it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { findPackage, locateBinaries } from './binaries.ts'
import { type Cluster, findCluster, makeCluster, syncCluster, writeAccess } from './cluster.ts'
import { chooseServerUser, isRoot, runAs, SYSTEM_FOLDER } from './server-user.ts'

/**
 * Lets `fill` write the files into a folder, and puts it in its place. The server that is started on it next recovers first.
 * `label`: what PostgreSQL said at the end of the copy. @throws Error of `fill`, or for another version of PostgreSQL
 */
export async function layCluster(
  dataDir: string,
  major: string,
  label: string,
  fill: (folder: string) => Promise<void>,
): Promise<Cluster> {
  await makeFolder(dataDir, isRoot() ? 0o711 : 0o700)
  const user = await chooseServerUser()
  const binaries = await locateBinaries(findPackage(), isRoot() ? SYSTEM_FOLDER : dataDir, user)
  if (binaries.major !== major) {
    throw new Error(
      `the backup is of PostgreSQL ${major}, and this mdk brings ${binaries.major}: restore it with the mdk that made it`,
    )
  }
  await makeCluster(dataDir, SYSTEM_FOLDER, user, async (folder) => {
    await fill(folder)
    await writeFile(join(folder, 'backup_label'), label)
    await writeFile(join(folder, 'recovery.signal'), '')
    await writeAccess(folder)
    if (user.identity) await runAs({}, 'chown', ['-R', `${user.identity.uid}:${user.identity.gid}`, folder])
    await syncCluster(folder, binaries, user)
  })
  const cluster = await findCluster(dataDir)
  if (!cluster) throw new Error(`the database in ${dataDir} disappeared while it was being restored`)
  return cluster
}
