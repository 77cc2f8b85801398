// Amounts of a plan, as people read them. Pure.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const STEP = 1024

/** `1.5 GiB`; whole below 1 KiB. */
export function bytesInWords(bytes: number): string {
  let [amount, unit] = [bytes, 0]
  while (amount >= STEP && unit < UNITS.length - 1) {
    amount /= STEP
    unit++
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : Number(amount.toFixed(1))} ${UNITS[unit]}`
}

/** In whole percent, 0 without a limit. Rounded down: what is not used up is not said to be. */
export function shareOf(used: number, limit: number | null): number {
  return limit === null || limit === 0 ? 0 : Math.min(100, Math.floor((used * 100) / limit))
}
