// An instant as somebody says it: "3 minutes ago". Pure: what time it is comes in.

/** Each with its seconds, and with how many of it are one of the next. */
const UNITS = [
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 30],
  ['month', 2_592_000, 12],
  ['year', 31_536_000, Number.POSITIVE_INFINITY],
] as const
/** What is nearer is now. */
const NOW_S = 45

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** `3 hours ago`, `yesterday`, `in 2 days`, `just now`. */
export function relativeTime(instant: string, nowMs: number): string {
  const seconds = (Date.parse(instant) - nowMs) / 1000
  const away = Math.abs(seconds)
  if (away < NOW_S) return 'just now'
  for (const [unit, size, most] of UNITS) {
    const amount = Math.round(away / size)
    if (amount < most) return words.format(Math.sign(seconds) * Math.max(amount, 1), unit)
  }
  return 'long ago'
}
