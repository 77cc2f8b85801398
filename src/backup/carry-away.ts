// Carries to the place of the backups what came since the last of them: objects as they are put, and each file of the log when it
// is full. An object is there before the log that names it. So the database can be restored to any moment.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PutNotes } from '../lib/object-store/note-puts.ts'
import type { ObjectStore } from '../lib/object-store.ts'
import { isTimelineHistory, isWalSegment } from '../lib/wal-names.ts'
import { copyObject } from './copy-objects.ts'
import { walName } from './manifest.ts'
import type { Vault } from './vault.ts'

export interface Carried {
  objects: number
  segments: number
}

/** Two databases leave their log in one place, which would be that of neither. */
class OtherLog extends Error {
  override name = 'OtherLog'
}

/**
 * One round. `archive`: where the log waits; undefined where others see to it. @throws StoreUnavailable, or OtherLog when the place has
 * another file of that name
 */
export async function carryAway(
  vault: Vault,
  store: ObjectStore,
  notes: PutNotes,
  archive: string | undefined,
): Promise<Carried> {
  // Looked for before the objects: what these files name has been noted by now.
  const waiting = archive === undefined ? [] : (await readdir(archive).catch(noneWhereAbsent)).sort()
  let objects = 0
  for await (const { key, old } of notes.list()) {
    // Whatever lies there: a message that was put and not recorded may be built again before it is.
    const copied = await copyObject(store, vault, key)
    if (!copied && !old) continue
    await notes.forget(key)
    objects++
  }
  let segments = 0
  for (const name of waiting) {
    const path = join(archive as string, name)
    if (isWalSegment(name) || isTimelineHistory(name)) {
      await carryFile(vault, name, path)
      segments++
    }
    if (!name.endsWith('.part')) await rm(path, { force: true })
  }
  return { objects, segments }
}

/** The histories that the server wrote while nobody archived, as at the end of a restore. */
export async function carryHistories(vault: Vault, cluster: string): Promise<void> {
  const folder = join(cluster, 'pg_wal')
  for (const name of (await readdir(folder)).filter(isTimelineHistory)) {
    await carryFile(vault, name, join(folder, name))
  }
}

async function carryFile(vault: Vault, name: string, path: string): Promise<void> {
  if (!(await vault.has(walName(name)))) return vault.put(walName(name), createReadStream(path))
  const [there, here] = await Promise.all([digestOf(vault.get(walName(name))), digestOf(createReadStream(path))])
  if (there === here) return
  throw new OtherLog(
    `the place of the backups has another ${name}: a second database, such as one restored of the same backup, leaves its log there. Give one of them a place of its own`,
  )
}

async function digestOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of source) digest.update(chunk)
  return digest.digest('hex')
}

/** The server was started by somebody who does not archive. */
function noneWhereAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code !== 'ENOENT') throw error
  return []
}
