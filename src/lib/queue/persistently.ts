// Does a job's work with the database again while that is away or takes too long: what a worker has done must not be
// forgotten for it. Knows nothing of what the work is.
import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable, ranOutOfTime } from '../sql.ts'
import type { Lease } from './lease.ts'

/** While the database is away it is asked this often. */
const TRY_AGAIN_MS = 250
/** What takes too long waits twice as long each time, so that it does not fill the database with attempts. */
const MOST_WAIT_MS = 30_000

/**
 * Tries until it succeeds or the job is no longer ours. `onOutOfTime` is called each time that the attempt took the
 * database too long. @throws what the last attempt failed with, at once when the database is not to blame
 */
export async function persistently<T>(
  lease: Pick<Lease, 'lost'>,
  onOutOfTime: (error: Error) => void,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let waitMs = TRY_AGAIN_MS; ; ) {
    try {
      return await attempt()
    } catch (error) {
      if (!isUnavailable(error) || lease.lost.aborted) throw error
      if (ranOutOfTime(error)) onOutOfTime(error)
      waitMs = nextWaitMs(error, waitMs)
      await sleep(waitMs, undefined, { signal: lease.lost }).catch(() => {})
    }
  }
}

/** How long to wait after this failure, when it was so long after the one before. */
export function nextWaitMs(error: unknown, waitedMs: number): number {
  return ranOutOfTime(error) ? Math.min(2 * waitedMs, MOST_WAIT_MS) : TRY_AGAIN_MS
}
