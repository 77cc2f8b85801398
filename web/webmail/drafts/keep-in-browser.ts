// Keeps what is not saved in the browser's own database, under who wrote it and in which tab, so that it outlives the page and the
// browser's end. A write that is asked for is on its way to the disk within a moment; while one is under way the newest waits.
import { apart } from './apart.ts'
import type { Keeper, Kept } from './draft-parts.ts'

const DATABASE = 'webmail'
const STORE = 'unsaved'
/** Of a user who did not come back to this browser. */
const OTHERS_KEPT_MS = 30 * 24 * 3_600_000

/** Whose it is, and which tab wrote it. */
export interface KeptBy {
  userId: string
  tabId: string
}
type Row = Kept & KeptBy

const requested = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const completed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })

let database: Promise<IDBDatabase> | undefined

function opened(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: ['userId', 'draftId', 'tabId'] })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return database
}

const rowsOf = (userId: string): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []])

/** What this tab keeps. A browser that keeps nothing, as some do in private windows, is no reason not to write. */
export function keeperOf({ userId, tabId }: KeptBy): Keeper {
  /** The newest of each draft that is not written; undefined: it is to be forgotten. */
  const waiting = new Map<string, Kept | undefined>()
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    const from = await opened()
    while (waiting.size > 0) {
      const transaction = from.transaction(STORE, 'readwrite')
      const store = transaction.objectStore(STORE)
      for (const [draftId, kept] of waiting) {
        if (kept) store.put({ ...kept, userId, tabId })
        else store.delete([userId, draftId, tabId])
      }
      waiting.clear()
      transaction.commit()
      await completed(transaction)
    }
  }

  function ask(draftId: string, kept: Kept | undefined): void {
    waiting.set(draftId, kept)
    writing ??= write()
      .catch(() => waiting.clear())
      .finally(() => {
        writing = undefined
      })
  }

  return {
    keep: (kept) => ask(kept.draftId, kept),
    forget: (draftId) => ask(draftId, undefined),
    done: async () => writing,
  }
}

/**
 * Takes over what tabs have left that are no longer there, newest first. Two tabs that begin at once do not both get it. What
 * others left here long ago goes.
 */
export async function takeOver({ userId, tabId }: KeptBy, isAlive: (tabId: string) => boolean): Promise<Kept[]> {
  const from = await opened()
  const transaction = from.transaction(STORE, 'readwrite')
  const store = transaction.objectStore(STORE)
  const rows = (await requested(store.getAll())) as Row[]
  const left = rows.filter((row) => row.userId === userId && !isAlive(row.tabId))
  const longAgo = Date.now() - OTHERS_KEPT_MS
  const old = rows.filter((row) => row.userId !== userId && row.keptAtMs < longAgo)
  for (const row of [...left, ...old]) store.delete([row.userId, row.draftId, row.tabId])
  // Under this tab's name, in the same transaction.
  const taken = apart(left.toSorted((one, other) => other.keptAtMs - one.keptAtMs))
  for (const kept of taken) store.put({ ...kept, userId, tabId })
  await completed(transaction)
  return taken
}

export async function isAnythingKept(userId: string): Promise<boolean> {
  const from = await opened()
  return (await requested(from.transaction(STORE).objectStore(STORE).count(rowsOf(userId)))) > 0
}

export async function forgetKept(userId: string): Promise<void> {
  const from = await opened()
  const transaction = from.transaction(STORE, 'readwrite')
  transaction.objectStore(STORE).delete(rowsOf(userId))
  await completed(transaction)
}
