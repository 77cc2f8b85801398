// Removes what a crash left of objects that were being written to a store of local files.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isGone } from '../process-mark.ts'

/** Longer than any object takes to be written: for those whose writer nobody here can look for. */
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
    if (!found) continue
    if (nowMs - found.mtimeMs < ABANDONED_MS && !isGone(name.split('.')[0] ?? '')) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}
