// Octets, as people read them. Pure.

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
