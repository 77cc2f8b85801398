// Durations as people write them.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNITS: Record<string, number> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY }
/** More years than a timestamp has digits for are nobody's wish. */
const MOST_DURATION = 36_500 * DAY

/** `250ms`, `30s`, `10m`, `24h`, `30d` → milliseconds, a century at most */
export function parseDuration(text: string): number {
  const parts = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim())
  const unit = parts && UNITS[parts[2] as string]
  if (!parts || !unit) throw new Error(`"${text}" is not a duration such as 250ms, 30s, 10m, 24h or 30d`)
  const duration = Number(parts[1]) * unit
  if (duration <= 0) throw new Error('the duration must be more than nothing')
  if (duration > MOST_DURATION) throw new Error('the duration must be at most 36500d')
  return duration
}
