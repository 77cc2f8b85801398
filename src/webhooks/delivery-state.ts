// What happens to a delivery: what its next reception and an attempt's outcome mean for it and for its endpoint.
// Pure: chance comes in, and times go out as durations, because the database's clock decides when something is due.
// specification.md#attempts-of-a-delivery; docs/states.md shows the tables.
import type { Outcome } from '../lib/public-fetch.ts'

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

/** The fifth failure makes it dead. Counted anew in each cycle. specification.md#attempts-of-a-delivery */
export const MAX_ATTEMPTS = 5
/** Counted anew in each cycle. specification.md#receptions-of-a-delivery */
export const MAX_RECEPTIONS = 5
/** Failed attempts in a row that disable an endpoint. specification.md#disabling-an-endpoint */
export const MAX_CONSECUTIVE_FAILURES = 10

/** Lower bounds of the four waits, in seconds; each wait lies between its bound and twice that (MDK_WEBHOOK_BACKOFF). */
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

export interface Transition<State extends string> {
  /** `none`: it does not exist yet. */
  readonly from: State | 'none'
  readonly by: string
  readonly to: State
  readonly also: string
}

/** Every way a delivery goes. A `pending` one whose time lies ahead is what the specification calls retry scheduled. */
export const DELIVERY_TRANSITIONS: readonly Transition<DeliveryStatus>[] = [
  { from: 'none', by: 'an event the endpoint listens to', to: 'pending', also: 'in the event’s own transaction' },
  {
    from: 'none',
    by: 'an event, while the endpoint is disabled',
    to: 'dead',
    also: '`endpoint_disabled`; can be replayed once it is enabled',
  },
  {
    from: 'pending',
    by: 'a 2xx answer within the deadline',
    to: 'delivered',
    also: 'the endpoint’s counter goes to 0, and its wait ends',
  },
  {
    from: 'pending',
    by: 'the first to fourth failed attempt',
    to: 'pending',
    also: 'due after the next wait; a failure of its endpoint',
  },
  {
    from: 'pending',
    by: 'the fifth failed attempt',
    to: 'dead',
    also: 'with that attempt’s error; a failure of its endpoint; a dead letter is kept',
  },
  {
    from: 'pending',
    by: 'the fifth reception used up without a fifth attempt',
    to: 'dead',
    also: '`receptions_exhausted`; a dead letter is kept',
  },
  { from: 'pending', by: 'its endpoint disabled', to: 'dead', also: '`endpoint_disabled`' },
  { from: 'pending', by: 'given back at shutdown', to: 'pending', also: 'costs no reception' },
  {
    from: 'pending',
    by: 'handed out before it is due, as the database’s clock went back',
    to: 'pending',
    also: 'waits until it is; costs no reception',
  },
  {
    from: 'pending',
    by: 'handed out before its endpoint began to wait',
    to: 'pending',
    also: 'waits with the others; costs no reception',
  },
  {
    from: 'dead',
    by: 'a 2xx answer to an attempt that was under way when its endpoint was disabled',
    to: 'delivered',
    also: 'the endpoint’s counter stays',
  },
  { from: 'pending', by: 'a replay', to: 'pending', also: 'new cycle with a new budget; due at once' },
  { from: 'delivered', by: 'a replay', to: 'pending', also: 'new cycle with a new budget; due at once' },
  { from: 'dead', by: 'a replay', to: 'pending', also: 'new cycle with a new budget; due at once' },
]

export const ENDPOINT_STATES = ['enabled', 'disabled'] as const
export type EndpointState = (typeof ENDPOINT_STATES)[number]

/**
 * Every way an endpoint goes. Its counter, `consecutiveFailures`, counts failed attempts of current cycles, and what was
 * in flight together once: an attempt that began before the latest counted failure does not count.
 */
export const ENDPOINT_TRANSITIONS: readonly Transition<EndpointState>[] = [
  { from: 'none', by: 'creation whose handshake succeeds', to: 'enabled', also: 'the secret is returned once' },
  { from: 'enabled', by: 'a delivery', to: 'enabled', also: 'the counter goes to 0; its wait ends' },
  {
    from: 'enabled',
    by: 'the first to ninth failure in a row',
    to: 'enabled',
    also: 'the counter goes up; nothing is posted to it for the wait of so many failures, and then one at a time',
  },
  {
    from: 'enabled',
    by: 'a failed attempt that began before its latest failure',
    to: 'enabled',
    also: 'the counter stays; its wait goes on',
  },
  {
    from: 'enabled',
    by: 'a new URL that passes the handshake',
    to: 'enabled',
    also: 'the counter stays; its wait ends',
  },
  {
    from: 'enabled',
    by: 'the tenth failure in a row',
    to: 'disabled',
    also: '`disabledAt` is set; pending deliveries become dead',
  },
  {
    from: 'enabled',
    by: 'being disabled on purpose',
    to: 'disabled',
    also: '`disabledAt` is set; pending deliveries become dead',
  },
  { from: 'enabled', by: 'being enabled again', to: 'enabled', also: 'the counter goes to 0; its wait ends' },
  { from: 'disabled', by: 'being enabled', to: 'enabled', also: 'the counter goes to 0; `disabledAt` is emptied' },
]
