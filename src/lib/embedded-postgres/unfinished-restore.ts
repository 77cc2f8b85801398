// The folder in which a database is restored before it takes its place, and by which a restore that was cut off is known.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

export const RESTORING = 'restoring'

/** @throws Error when a restore into the data folder has not ended: an empty database must not take its place */
export async function refuseUnfinished(dataDir: string): Promise<void> {
  const isThere = await stat(join(dataDir, RESTORING)).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Error(`a restore into ${dataDir} has not ended: run "mdk restore" again`)
}
