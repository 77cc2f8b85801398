// Lets what waits for a relay that was away go on once it answers again, instead of at the end of each message's own wait
// (ADR 40). Every process looks for itself, at what all of them have put off.
import { setTimeout as delay } from 'node:timers/promises'
import { NO_LANE } from '../../lib/queue/claim-jobs.ts'
import { awaitResumption, resumeJobs } from '../../lib/queue/resume-jobs.ts'
import { type Database, isUnavailable } from '../../lib/sql.ts'
import type { Relay } from '../../mail/smtp/relay.ts'

export interface ResumerOptions {
  database: Database
  relay: Pick<Relay, 'answers'>
  queue: string
  /** The first wait of a message that could not be submitted. */
  firstWaitMs: number
  /** How soon after some went on others follow. */
  pollMs: number
  onError(error: unknown): void
}

export interface Resumer {
  /** Ends when the relay is closed that is asked at this moment. */
  stop(): Promise<void>
}

/** So many are due at once: no more than these ask a relay that came back for a moment only. */
const WAVE = 500

/** However long a first wait is set. */
const MOST_BETWEEN_LOOKS_MS = 5_000

/** How often to look whether anything waits, and to ask the relay then. */
export function lookEveryMs({ firstWaitMs, pollMs }: Pick<ResumerOptions, 'firstWaitMs' | 'pollMs'>): number {
  return Math.max(pollMs, Math.min(firstWaitMs, MOST_BETWEEN_LOOKS_MS))
}

export function startResumer(options: ResumerOptions): Resumer {
  const { database, relay, queue, pollMs } = options
  const everyMs = lookEveryMs(options)
  const stopping = new AbortController()
  const { signal } = stopping
  let after = NO_LANE

  /** Gives when to look again. */
  async function look(): Promise<number> {
    if (!(await awaitResumption(database, queue)) || !(await relay.answers())) return everyMs
    const resumed = await resumeJobs(database, queue, WAVE, after)
    after = resumed.after
    return pollMs
  }

  const loop = (async () => {
    while (!signal.aborted) {
      // That the database is away the worker reports.
      const waitMs = await look().catch((error) => {
        if (!isUnavailable(error)) options.onError(error)
        return everyMs
      })
      await delay(waitMs, undefined, { signal }).catch(() => {})
    }
  })()

  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
