// A number of days, as people say it. Pure.

const HOURS = 24

const count = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** `30 days`; below one in hours; null: for ever. */
export function daysInWords(days: number | null): string {
  if (days === null) return 'For ever'
  const [amount, unit] = days < 1 ? [days * HOURS, 'hour'] : [days, 'day']
  return `${count.format(amount)} ${unit}${amount === 1 ? '' : 's'}`
}
