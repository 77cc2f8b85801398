// The keys that `mdk dev` has shown, kept in a file of the data folder so that the next start shows them again. The database
// knows only their hashes.
import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../lib/make-folder.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface DevKey {
  id: Uuid
  key: string
}

export interface DevKeys {
  live: DevKey
  test: DevKey
}

/** Undefined when there is no such file, or when it does not hold keys. */
export async function readDevKeys(dataDir: string): Promise<DevKeys | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  try {
    const kept = JSON.parse(text ?? '') as Partial<DevKeys> | null
    return isKey(kept?.live) && isKey(kept?.test) ? { live: kept.live, test: kept.test } : undefined
  } catch {
    return undefined
  }
}

/** Replaces what is there, whole or not at all. Only this user may read it. */
export async function keepDevKeys(dataDir: string, { live, test }: DevKeys): Promise<void> {
  await makeFolder(dataDir, 0o711)
  const temporary = `${fileOf(dataDir)}.${randomBytes(8).toString('hex')}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify({ live, test })}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, fileOf(dataDir))
  } finally {
    await rm(temporary, { force: true })
  }
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'dev-keys')
}

function isKey(kept: Partial<DevKey> | undefined): kept is DevKey {
  return typeof kept?.id === 'string' && typeof kept.key === 'string'
}
