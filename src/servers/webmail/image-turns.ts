// How many images of strangers a process fetches and holds at once: each is held whole, until its reader has it or has gone.
import pLimit, { type LimitFunction } from 'p-limit'

/** specification.md#images-of-messages */
const MOST_AT_ONCE = 32
const MOST_OF_USER = 4

/** Does some work when it is its turn: a user's own wait for one another, and all for the process. */
export type ImageTurns = <T>(userId: string, work: () => Promise<T>) => Promise<T>

export function createImageTurns(): ImageTurns {
  const all = pLimit(MOST_AT_ONCE)
  const users = new Map<string, LimitFunction>()
  return async (userId, work) => {
    const own = users.get(userId) ?? pLimit(MOST_OF_USER)
    users.set(userId, own)
    try {
      return await own(() => all(work))
    } finally {
      // Its own turn is given back a moment later.
      if (own.activeCount + own.pendingCount <= 1) users.delete(userId)
    }
  }
}
