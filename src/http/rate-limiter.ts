// Says when a subject has had as many requests as a fixed window of UTC allows. Knows whom it counts, and nothing of
// HTTP or of how processes add up. DECISIONS "Limits".
import { type Counts, createRateLedger, type Entry, type RateLedger } from './rate-ledger.ts'

/** What is counted, each kind by itself: `signed` and `report` are addresses too, where the IP guard does not count. */
export type LimitKind = 'ip' | 'signed' | 'report' | 'key' | 'tenant'

export interface Limit {
  kind: LimitKind
  /** Whose requests are counted. */
  subject: string
  /** Requests in a window. */
  most: number
  windowMs: number
}

/** Where a subject stands after its request was counted, or refused. */
export interface Standing {
  limit: number
  remaining: number
  /** Until the window ends; whole seconds, at least 1. */
  resetSeconds: number
  refused: boolean
}

export interface RateLimiter {
  /** Counts one request, unless the limit is reached. A promise only when the window's sum is not known yet. */
  take(limit: Limit): Standing | Promise<Standing>
  /** Adds up what is not added yet, and stops. */
  stop(): Promise<void>
}

/** Addresses are as many as an attacker likes: nobody waits for the database on their account. */
const WAITS_FOR_SUM: Record<LimitKind, boolean> = { ip: false, signed: false, report: false, key: true, tenant: true }

/** `mostSubjects`: how many of each kind are known at a time. */
export function createRateLimiter(
  counts: Counts,
  onError: (error: unknown) => void,
  mostSubjects?: number,
): RateLimiter {
  /** What the database's clock said when this process's monotonic clock began. */
  let beganAtMs = performance.timeOrigin
  const onClock = (nowMs: number) => {
    beganAtMs = nowMs - performance.now()
  }
  // One for each kind, so that a flood of one neither pushes another out of memory nor stands before it in a queue.
  const ledger = (kind: LimitKind) =>
    createRateLedger({ counts, kind, waitsForSum: WAITS_FOR_SUM[kind], onClock, onError, mostSubjects })
  const ledgers: Record<LimitKind, RateLedger> = {
    ip: ledger('ip'),
    signed: ledger('signed'),
    report: ledger('report'),
    key: ledger('key'),
    tenant: ledger('tenant'),
  }

  return {
    take(limit) {
      const { kind, subject, windowMs } = limit
      const nowMs = beganAtMs + performance.now()
      const entry = ledgers[kind].entryOf(subject, nowMs - (nowMs % windowMs))
      if (!entry.loading) return count(ledgers[kind], entry, limit, nowMs)
      return entry.loading.then(() => count(ledgers[kind], entry, limit, nowMs))
    },
    async stop() {
      await Promise.all(Object.values(ledgers).map((each) => each.stop()))
    },
  }
}

function count(ledger: RateLedger, entry: Entry, { most, windowMs }: Limit, nowMs: number): Standing {
  const resetSeconds = Math.max(1, Math.ceil((entry.windowStartMs + windowMs - nowMs) / 1000))
  const used = entry.known + entry.fresh
  if (used >= most) return { limit: most, remaining: 0, resetSeconds, refused: true }
  ledger.add(entry)
  return { limit: most, remaining: most - used - 1, resetSeconds, refused: false }
}
