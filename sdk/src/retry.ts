// When a call is worth another attempt, and how long to wait before it.
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, ConnectionError } from './errors.ts'

export interface Persistence {
  /** How often in all. */
  attempts: number
  /** Whether it may be done twice without harm: it reads, or is idempotent. */
  repeatable: boolean
  signal?: AbortSignal | undefined
}

/** Tries until it succeeds or nothing speaks for another attempt. @throws the last failure, or the signal's reason */
export async function persistently<T>(attempt: () => Promise<T>, options: Persistence): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await attempt()
    } catch (error) {
      const wait = retryWaitMs(error, made, options.repeatable, Math.random())
      if (wait === undefined || made >= options.attempts) throw error
      await delay(wait, undefined, options.signal && { signal: options.signal }).catch(() => {})
      options.signal?.throwIfAborted()
    }
  }
}

const FIRST_WAIT_MS = 500
const MOST_WAIT_MS = 30_000
/** The service was not there or not able to; nothing speaks against asking again. */
const PASSING = new Set([500, 502, 503, 504])

/**
 * How long to wait before the next attempt, in milliseconds; undefined when there should be none. Pure: chance is an
 * argument.
 *
 * @param error what the last one failed with
 * @param made how many attempts there have been
 * @param repeatable whether the operation may be carried out twice without harm
 * @param random in [0, 1), for the jitter that keeps clients from coming back all at once
 */
export function retryWaitMs(error: unknown, made: number, repeatable: boolean, random: number): number | undefined {
  const growing = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** (made - 1)) * (0.5 + random / 2)
  if (error instanceof ConnectionError) return repeatable ? growing : undefined
  if (!(error instanceof ApiError)) return undefined
  const { status, code, retryAfterSeconds } = error
  const wait = retryAfterSeconds === undefined ? growing : retryAfterSeconds * 1000 + random * FIRST_WAIT_MS
  // Refused at the gate, so not carried out.
  if (status === 429 || code === 'idempotency_pending') return wait
  return repeatable && PASSING.has(status) ? wait : undefined
}
