// How many images of strangers a process fetches and holds at once: each is held whole, until its reader has it or has gone. While
// others wait, who has been reading for longest gives way.
import pLimit, { type LimitFunction } from 'p-limit'

/** specification.md#images-of-messages */
const MOST_AT_ONCE = 32
const MOST_OF_USER = 4
const GIVES_WAY_AFTER_MS = 5_000

/**
 * Does some work when it is its turn: a user's own wait for one another, and all for the process. The work says when it has come
 * to its reader, and how that one is cut off.
 */
export type ImageTurns = <T>(userId: string, work: (isRead: (cutOff: () => void) => void) => Promise<T>) => Promise<T>

export function createImageTurns(mostAtOnce = MOST_AT_ONCE, givesWayAfterMs = GIVES_WAY_AFTER_MS): ImageTurns {
  const all = pLimit(mostAtOnce)
  const users = new Map<string, LimitFunction>()
  /** In the order in which they began. */
  const readers = new Set<{ sinceMs: number; cutOff(): void }>()
  let looking: NodeJS.Timeout | undefined

  /** One is cut off for each that waits, and none that has only begun. */
  function giveWay(): void {
    clearTimeout(looking)
    let waiting = all.pendingCount
    for (const reader of readers) {
      if (waiting === 0) return
      const leftMs = givesWayAfterMs - (performance.now() - reader.sinceMs)
      if (leftMs > 0) {
        looking = setTimeout(giveWay, leftMs).unref()
        return
      }
      readers.delete(reader)
      reader.cutOff()
      waiting -= 1
    }
  }

  async function inTurn<T>(work: (isRead: (cutOff: () => void) => void) => Promise<T>): Promise<T> {
    let reader: { sinceMs: number; cutOff(): void } | undefined
    try {
      return await work((cutOff) => {
        reader = { sinceMs: performance.now(), cutOff }
        readers.add(reader)
        giveWay()
      })
    } finally {
      if (reader) readers.delete(reader)
    }
  }

  return async (userId, work) => {
    const own = users.get(userId) ?? pLimit(MOST_OF_USER)
    users.set(userId, own)
    try {
      return await own(() => {
        const done = all(() => inTurn(work))
        giveWay()
        return done
      })
    } finally {
      // Its own turn is given back a moment later.
      if (own.activeCount + own.pendingCount <= 1) users.delete(userId)
    }
  }
}
