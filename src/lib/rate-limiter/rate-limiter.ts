// Says when a subject has had as many requests as a fixed window of UTC allows. Knows whom it counts, and nothing of
// HTTP or of how processes share a limit. specification.md#request-limits
import { createRateLedger, type RateLedger, type Windows } from './rate-ledger.ts'
import type { Bound, Standing } from './rate-share.ts'

/** What is counted, each kind by itself: `signed` and `report` are addresses too, where the IP guard does not
 * count; `image`: those of others, that a user has fetched; `user`: what a mailbox user sends. */
export type LimitKind = 'ip' | 'signed' | 'report' | 'key' | 'tenant' | 'session' | 'image' | 'user'

export interface Limit extends Bound {
  kind: LimitKind
  /** Whose requests are counted. */
  subject: string
}

export interface RateLimiter {
  /** Counts one request, unless the limit is reached. A promise only where it takes a reservation to know. */
  take(limit: Limit): Standing | Promise<Standing>
  /** Gives back what is held, and stops. */
  stop(): Promise<void>
}

/** `mostSubjects`: how many of each kind are known at a time. */
export function createRateLimiter(
  windows: Windows,
  onError: (error: unknown) => void,
  mostSubjects?: number,
): RateLimiter {
  // One for each kind, so that a flood of one neither pushes another out of memory nor stands before it in a queue.
  const ledger = (kind: LimitKind) => createRateLedger({ windows, kind, onError, mostSubjects })
  const ledgers: Record<LimitKind, RateLedger> = {
    ip: ledger('ip'),
    signed: ledger('signed'),
    report: ledger('report'),
    key: ledger('key'),
    tenant: ledger('tenant'),
    session: ledger('session'),
    image: ledger('image'),
    user: ledger('user'),
  }

  return {
    take: (limit) => ledgers[limit.kind].take(limit.subject, limit),
    async stop() {
      await Promise.all(Object.values(ledgers).map((each) => each.stop()))
    },
  }
}
