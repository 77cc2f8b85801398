// Removes what a crash left of objects that were being written to a store of local files.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Longer than any object takes to be written. */
const ABANDONED_MS = 24 * 60 * 60 * 1000

/** Gives how many went. */
export async function sweepIncoming(folder: string, limit: number, nowMs: number = Date.now()): Promise<number> {
  const incoming = join(folder, 'incoming')
  let removed = 0
  for (const name of await readdir(incoming)) {
    if (removed === limit) break
    const path = join(incoming, name)
    // It may have been put in its place meanwhile.
    const found = await stat(path).catch(() => undefined)
    if (!found || nowMs - found.mtimeMs < ABANDONED_MS) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}
