// Lets work that keeps the process busy for a while be done in pieces, and only one piece between two looks at everything
// else that waits.
import { setImmediate } from 'node:timers/promises'

/** Resolves when it is the caller's turn, each time for one piece of work, which must not wait for anything. */
export type TakeTurn = () => Promise<void>

export function createTurns(): TakeTurn {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
