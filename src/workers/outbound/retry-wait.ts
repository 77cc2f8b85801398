// How long a message waits for its next attempt. Pure: chance comes in.

export interface OutboundBackoff {
  firstMs: number
  mostMs: number
}

/**
 * Milliseconds, never less than the first wait nor more than the longest. Doubles, and is up to a half more by chance, so
 * that a crowd does not come back at once; near the longest as much less.
 */
export function retryWait({ firstMs, mostMs }: OutboundBackoff, attempt: number, random: number): number {
  const most = Math.min(firstMs * 2 ** Math.min(attempt, 30) * 1.5, mostMs)
  const least = Math.max(firstMs, most / 1.5)
  return Math.round(least + random * (most - least))
}
