// A data folder with its embedded database, a place for its backups, and what commands need to know of both.
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { temporaryFolder } from './temporary-folder.ts'

export interface BackupGround {
  /** Empty at first. */
  dataDir: string
  /** The folder of the backups, which is not there yet. */
  place: string
  env: Record<string, string>
  /** An empty data folder, and what a command needs to restore into it. */
  another(): Promise<{ dataDir: string; env: Record<string, string> }>
}

export const PASSPHRASE = 'correct horse battery staple'

export async function prepareBackups(more: Record<string, string> = {}): Promise<BackupGround> {
  const folder = await temporaryFolder('mdk-backup-')
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  const keyFile = join(folder, 'passphrase')
  await writeFile(keyFile, `${PASSPHRASE}\n`, { mode: 0o600 })
  const env = (dataDir: string) => ({ MDK_DATA_DIR: dataDir, MDK_BACKUP_KEY_FILE: keyFile, ...more })
  const dataDir = join(folder, 'data')
  let others = 0
  return {
    dataDir,
    place: join(folder, 'place'),
    env: env(dataDir),
    async another() {
      const empty = join(folder, `restored-${++others}`)
      return { dataDir: empty, env: env(empty) }
    },
  }
}

/** The paths of the files below a folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
