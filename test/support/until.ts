// Waits for something that gives no signal, by looking again and again, and no longer than it may take.
import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_PAUSE_MS = 10
/** Looking costs too, most of all on a machine that is busy: what has taken long may take a little longer. */
const PAUSE_OF_WAITED = 0.05
const LONGEST_PAUSE_MS = 250
/** Beyond any wait, on a machine that is busy with other work as well. */
export const LONG_MS = 60_000

/** Resolves with the first value that is not undefined or false. @throws Error that names what did not come about */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = LONG_MS,
): Promise<T> {
  const began = performance.now()
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    const waited = performance.now() - began
    if (waited > withinMs) throw new Error(`did not come about within ${withinMs} ms: ${what}`)
    await sleep(Math.min(Math.max(FIRST_PAUSE_MS, waited * PAUSE_OF_WAITED), LONGEST_PAUSE_MS))
  }
}
