// When a call is worth another attempt, and how long to wait before it. Pure: chance is an argument.

/** What came of one attempt. */
export type Attempt =
  | { kind: 'no_answer' }
  | { kind: 'answer'; status: number; code: string; retryAfter: string | null }

const FIRST_WAIT_MS = 500
const MOST_WAIT_MS = 30_000
/** The service was not there or not able to; nothing speaks against asking again. */
const PASSING = new Set([500, 502, 503, 504])

/**
 * How long to wait before the next attempt, in milliseconds; undefined when there should be none.
 *
 * @param attempt what came of the last one
 * @param made how many attempts there have been
 * @param repeatable whether the operation may be carried out twice without harm: it reads, or is idempotent
 * @param random in [0, 1), for the jitter that keeps clients from coming back all at once
 */
export function retryWaitMs(attempt: Attempt, made: number, repeatable: boolean, random: number): number | undefined {
  const growing = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** (made - 1)) * (0.5 + random / 2)
  if (attempt.kind === 'no_answer') return repeatable ? growing : undefined
  const asked = secondsOf(attempt.retryAfter)
  const wait = asked === undefined ? growing : asked * 1000 + random * FIRST_WAIT_MS
  // Refused at the gate, so not carried out.
  if (attempt.status === 429) return wait
  if (attempt.status === 409 && attempt.code === 'idempotency_pending') return wait
  return repeatable && PASSING.has(attempt.status) ? wait : undefined
}

/** Retry-After in seconds (RFC 9110 §10.2.3); the service never sends a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
}
