// The retention role: removes what has expired.
import { sweepRemovals } from '../lib/object-removals.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { startSweeper } from '../retention/sweeper.ts'
import { sweepDisabled } from '../webhooks/bury-deliveries.ts'
import { resealSecrets, sweepDeletedEndpoints, sweepOldDeliveries } from '../webhooks/sweep-webhooks.ts'
import type { Parts } from './parts.ts'

/** Gives what stops it. */
export function startRetention(parts: Parts): () => Promise<void> {
  const { config, log, database, store } = parts
  const box = createSecretBox(parts.secretKeys)
  const sweeper = startSweeper({
    everyMs: config.sweepMs,
    sweeps: [
      { name: 'objects', run: (limit) => sweepRemovals(database, store, limit) },
      { name: 'webhook_endpoints', run: (limit) => sweepDeletedEndpoints(database, limit) },
      { name: 'webhook_deliveries', run: (limit) => sweepOldDeliveries(database, limit) },
      { name: 'disabled_endpoints', run: (limit) => sweepDisabled(database, limit) },
      { name: 'webhook_secrets', run: (limit) => resealSecrets(database, box, parts.secretKeys[0].version, limit) },
    ],
    onSwept: (sweep, count) => log.debug({ sweep, count }, 'swept'),
    onError: (error, sweep) => log.error({ err: error, sweep }, 'a sweep failed'),
  })
  return sweeper.stop
}
