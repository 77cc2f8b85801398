// How long a message waits for its next attempt. Pure: chance comes in.

export interface OutboundBackoff {
  firstMs: number
  mostMs: number
}

/** Doubles from the first wait to the longest; up to a half more by chance, so that a crowd does not come back at once. */
export function retryWait(backoff: OutboundBackoff, attempt: number, random: number): number {
  const doubled = backoff.firstMs * 2 ** Math.min(attempt, 30)
  return Math.round(Math.min(doubled, backoff.mostMs) * (1 + random / 2))
}
