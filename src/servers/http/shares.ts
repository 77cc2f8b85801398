// One quantity that many share, none of whom is known before he comes. Pure but for what it counts.

export interface Shares {
  /** True when the holder may have so much more now. */
  fits(holder: string, amount: number): boolean
  /** Gives it to him, and true; or nothing, and false. */
  take(holder: string, amount: number): boolean
  /** Takes back what he was given. */
  giveBack(holder: string, amount: number): void
}

/**
 * Shares out so much that nobody ever holds more than is left for all others: one alone has half at most, two a third
 * each, and whoever comes next always finds as much free as the largest holds.
 */
export function createShares(most: number): Shares {
  const held = new Map<string, number>()
  let sum = 0

  const fits = (holder: string, amount: number) => (held.get(holder) ?? 0) + amount <= most - sum - amount

  function add(holder: string, amount: number): void {
    sum += amount
    const now = (held.get(holder) ?? 0) + amount
    if (now > 0) held.set(holder, now)
    else held.delete(holder)
  }

  return {
    fits,
    take(holder, amount) {
      if (!fits(holder, amount)) return false
      add(holder, amount)
      return true
    },
    giveBack: (holder, amount) => add(holder, -amount),
  }
}
