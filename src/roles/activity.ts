// The activity role: follows the event feed, so that it is counted what happens and messages are found by words.
import { startFollowing } from '../workers/activity/follow-activity.ts'
import type { Parts } from './parts.ts'

/** Gives what stops it. */
export function startActivity({
  log,
  database,
  wakeUps,
}: Pick<Parts, 'log' | 'database' | 'wakeUps'>): () => Promise<void> {
  const { stop } = startFollowing({
    database,
    wakeUps,
    onAway: (error) => log.warn({ err: error }, 'the activity cannot be followed'),
    onError: (error, { tenantId, environmentId }) =>
      log.error({ err: error, tenantId, environmentId }, 'the activity of one environment cannot be followed'),
  })
  return stop
}
