// The retention role: removes what has expired.
import { sweepRemovals } from '../lib/object-removals.ts'
import { startSweeper } from '../retention/sweeper.ts'
import type { Parts } from './parts.ts'

/** Gives what stops it. */
export function startRetention(parts: Parts): () => Promise<void> {
  const { config, log, database, store } = parts
  const sweeper = startSweeper({
    everyMs: config.sweepMs,
    sweeps: [{ name: 'objects', run: (limit) => sweepRemovals(database, store, limit) }],
    onSwept: (sweep, count) => log.debug({ sweep, count }, 'swept'),
    onError: (error, sweep) => log.error({ err: error, sweep }, 'a sweep failed'),
  })
  return sweeper.stop
}
