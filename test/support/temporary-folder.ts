// Folders for data that is thrown away.
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * An empty folder that other users may pass through: as root the database's server runs as another user, and would
 * otherwise keep its data elsewhere, where nobody removes it.
 */
export async function temporaryFolder(prefix: string, within = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(within, prefix))
  await chmod(folder, 0o711)
  return folder
}
