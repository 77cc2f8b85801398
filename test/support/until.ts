// Waits for something that gives no signal, by looking again and again, and no longer than it may take.
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 20
/** Beyond any wait, on a machine that is busy with other work as well. */
const LONG_MS = 60_000

/** Resolves with the first value that is not undefined or false. @throws Error that names what did not come about */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = LONG_MS,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`did not come about within ${withinMs} ms: ${what}`)
    await sleep(LOOK_EVERY_MS)
  }
}
