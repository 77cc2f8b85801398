// Runs what removes the expired, again and again, in batches so small that nothing else waits for them. Knows
// nothing of what they remove.
import { setTimeout as delay } from 'node:timers/promises'

export interface Sweep {
  /** As the metrics and the log call it. */
  name: string
  /**
   * Removes so many at most and gives how many it removed. Safe beside the same sweep in another process. What is over
   * is found by `statement_timestamp()`: an index cannot be entered by `clock_timestamp()`, which moves meanwhile.
   */
  run(limit: number): Promise<number>
}

export interface SweeperOptions {
  sweeps: readonly Sweep[]
  everyMs: number
  /** Called with every batch that removed something. */
  onSwept(name: string, count: number): void
  onError(error: unknown, name: string): void
}

const BATCH = 100

/** Starts at once and goes on until it is stopped. A sweep that fails holds up none of the others. */
export function startSweeper(options: SweeperOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function sweepAll(): Promise<void> {
    for (const { name, run } of options.sweeps) {
      try {
        for (let count = BATCH; count >= BATCH && !signal.aborted; ) {
          count = await run(BATCH)
          if (count > 0) options.onSwept(name, count)
        }
      } catch (error) {
        options.onError(error, name)
      }
    }
  }

  const loop = (async () => {
    while (!signal.aborted) {
      await sweepAll()
      await delay(options.everyMs, undefined, { signal }).catch(() => {})
    }
  })()

  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
