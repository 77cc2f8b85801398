// Makes folders and their entries durable, many callers at the price of one. Knows nothing of objects.
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface FolderSync {
  /** Resolves when a sync of the folder that began after this call has ended. @throws the file system's error */
  sync(folder: string): Promise<void>
  /** Makes a folder at or below `root` and everything between, durably. @throws the file system's error */
  ensure(root: string, folder: string): Promise<void>
  /** Forgets what `ensure` has made, so that it looks again: a folder was missing. */
  forget(): void
}

/**
 * Syncs one folder after the other, and each once for all who asked for it meanwhile. One at a time, because a sync
 * is the dearest call of all and libuv's few threads are wanted for the files: a folder that many share is synced
 * as often as the disk allows and no more.
 */
export function createFolderSync(): FolderSync {
  const due = new Map<string, PromiseWithResolvers<void>>()
  const made = new Map<string, Promise<void>>()
  let working = false

  function sync(folder: string): Promise<void> {
    let waiting = due.get(folder)
    if (!waiting) {
      waiting = Promise.withResolvers()
      due.set(folder, waiting)
    }
    if (!working) void work()
    return waiting.promise
  }

  async function work(): Promise<void> {
    working = true
    for (const [folder, waiting] of due) {
      // Out of the map before the sync begins: who comes from now on waits for the next one.
      due.delete(folder)
      await syncNow(folder).then(waiting.resolve, waiting.reject)
    }
    working = false
  }

  // A folder that is there may have been made a moment ago by another process that has not synced it yet: so
  // each process syncs every folder's parent once before it relies on it.
  function ensure(root: string, folder: string): Promise<void> {
    const known = made.get(folder)
    if (known) return known
    const making = make(root, folder)
    made.set(folder, making)
    making.catch(() => made.delete(folder))
    return making
  }

  async function make(root: string, folder: string): Promise<void> {
    if (folder === root) return
    await ensure(root, dirname(folder))
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await sync(dirname(folder))
  }

  return { sync, ensure, forget: () => made.clear() }
}

async function syncNow(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
