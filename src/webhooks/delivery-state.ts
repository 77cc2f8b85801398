// What happens to a delivery: what its next reception and an attempt's outcome mean for it and for its endpoint.
// Pure: chance comes in, and times go out as durations, because the database's clock decides when something is due.
// specification.md#attempts-of-a-delivery; docs/states.md has the tables.
import type { Outcome } from '../lib/public-fetch/exchange.ts'

/** What the queue of deliveries is called. Its lanes are endpoints, its subjects deliveries. */
export const WEBHOOK_QUEUE = 'webhooks'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why an attempt failed. */
export const ATTEMPT_ERRORS = ['timeout', 'unsafe_address', 'dns', 'redirect', 'tls', 'network', 'http_status'] as const
export type AttemptError = (typeof ATTEMPT_ERRORS)[number]

/** What a delivery record's `lastError` may say. */
export const DELIVERY_ERRORS = [...ATTEMPT_ERRORS, 'endpoint_disabled', 'receptions_exhausted'] as const
export type DeliveryError = (typeof DELIVERY_ERRORS)[number]

/** Counted anew in each cycle. specification.md#receptions-of-a-delivery */
export const MAX_RECEPTIONS = 5
/** Failed attempts in a row that disable an endpoint. specification.md#disabling-an-endpoint */
export const MAX_CONSECUTIVE_FAILURES = 10

/**
 * Lower bounds of the waits, in seconds; each wait lies between its bound and twice that (MDK_WEBHOOK_BACKOFF). There is
 * one before each retry: a failure beyond them, the fifth of a cycle, is final. specification.md#attempts-of-a-delivery
 */
export type Backoff = readonly [number, number, number, number]

/** A delivery as a worker holds it. */
export interface Delivery {
  readonly status: DeliveryStatus
  /** HTTP attempts of this cycle that have ended. */
  readonly attempts: number
  /** Receptions of this cycle, the one at hand included. */
  readonly receptions: number
}

export type Attempt = { readonly kind: 'accepted' } | { readonly kind: 'failed'; readonly error: AttemptError }

/** What to record of an attempt. */
export type Settlement =
  | { readonly status: 'delivered' }
  | { readonly status: 'pending'; readonly lastError: AttemptError; readonly dueInSeconds: number }
  | { readonly status: 'dead'; readonly lastError: AttemptError | 'receptions_exhausted' }

/**
 * How a queue record stands to its delivery's wait, by the database's clock: it is over; it is not, because the clock was
 * put back; it is not, and another record waits for its end.
 */
export type Timing = 'due' | 'early' | 'duplicate'

/** What to do with a delivery that the queue hands out: post it, put its record back until its time, end it, or nothing. */
export type Reception =
  | { readonly kind: 'attempt' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'dead'; readonly lastError: 'endpoint_disabled' | 'receptions_exhausted' }
  | { readonly kind: 'ignore' }

/** Only a 2xx accepts. A redirect is never followed, and counts as failed like everything else. */
export function attemptFrom(outcome: Outcome): Attempt {
  if (outcome.kind !== 'response') return { kind: 'failed', error: outcome.kind }
  const accepted = outcome.status >= 200 && outcome.status < 300
  return accepted ? { kind: 'accepted' } : { kind: 'failed', error: 'http_status' }
}

/**
 * Before an attempt. A duplicate of a queue record sends nothing: the delivery has been settled, or its wait is not
 * over. `timing` and `endpoint` are as the database sees them now; an endpoint is `waiting` when an attempt has failed
 * since the queue handed this delivery out.
 */
export function receive(
  delivery: Delivery,
  timing: Timing,
  endpoint: { readonly enabled: boolean; readonly waiting: boolean },
): Reception {
  if (delivery.status !== 'pending' || timing === 'duplicate') return { kind: 'ignore' }
  if (!endpoint.enabled) return { kind: 'dead', lastError: 'endpoint_disabled' }
  if (timing === 'early' || endpoint.waiting) return { kind: 'wait' }
  if (delivery.receptions > MAX_RECEPTIONS) return { kind: 'dead', lastError: 'receptions_exhausted' }
  return { kind: 'attempt' }
}

/**
 * After an attempt. `delivery` is as it was before it; `random` lies in [0, 1).
 * A failure whose retry would need a sixth reception is final at once: no wait could end in an attempt.
 */
export function settle(delivery: Delivery, attempt: Attempt, backoff: Backoff, random: number): Settlement {
  if (attempt.kind === 'accepted') return { status: 'delivered' }
  const lowerBound = backoff[delivery.attempts]
  if (lowerBound === undefined) return { status: 'dead', lastError: attempt.error }
  if (delivery.receptions >= MAX_RECEPTIONS) return { status: 'dead', lastError: 'receptions_exhausted' }
  return { status: 'pending', lastError: attempt.error, dueInSeconds: lowerBound * (1 + random) }
}

/**
 * How many seconds an endpoint waits after its latest counted failure, so many in a row: nothing is posted to it before.
 * `random` lies in [0, 1). specification.md#waits-of-an-endpoint
 */
export function endpointWaitSeconds(failuresInARow: number, backoff: Backoff, random: number): number {
  const lowerBound = backoff[Math.min(failuresInARow, backoff.length) - 1] as number
  return lowerBound * (1 + random)
}
