// The days, and the hours of a day, by the clocks of a time zone, as instants: where clocks change a day has 23 hours or 25, or
// half an hour more or less. Pure.

/** From an instant on, to before another: milliseconds since 1970, at quarters of an hour. */
export interface BarOfTime {
  sinceMs: number
  untilMs: number
}

const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** No zone is further from UTC. */
const MOST_OFFSET_MS = 15 * HOUR_MS

/** Whether there is a time zone of this name in the IANA database. */
export function isTimeZone(name: string): boolean {
  try {
    // An offset is none: it has no summer.
    return /^[A-Z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The instant at which a day begins, `2026-11-01`, or the next where clocks left it out; undefined for what is no date. */
export function beginningOfDay(date: string, timeZone: string): number | undefined {
  const midnight = Date.parse(`${date}T00:00Z`)
  // Date.parse takes the 30th of February for the 2nd of March.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(midnight) || isoDate(midnight) !== date) return undefined
  return midnight < DAY_MS ? 0 : firstQuarterOf(date, dateIn(timeZone))
}

/** The hours of the day in which an instant lies, from its first on; the last may be shorter. */
export function hoursOfDay(nowMs: number, timeZone: string): BarOfTime[] {
  const [day] = lastDays(nowMs, 1, timeZone)
  const { sinceMs, untilMs } = day as BarOfTime
  return Array.from({ length: Math.ceil((untilMs - sinceMs) / HOUR_MS) }, (_, i) => {
    const hourMs = sinceMs + i * HOUR_MS
    return { sinceMs: hourMs, untilMs: Math.min(hourMs + HOUR_MS, untilMs) }
  })
}

/** So many days up to the one in which an instant lies. */
export function lastDays(nowMs: number, count: number, timeZone: string): BarOfTime[] {
  const dateAt = dateIn(timeZone)
  const today = Date.parse(`${dateAt(nowMs)}T00:00Z`)
  const begins = Array.from({ length: count + 1 }, (_, i) => {
    return firstQuarterOf(isoDate(today + (i + 1 - count) * DAY_MS), dateAt)
  })
  return begins
    .slice(0, -1)
    .map((sinceMs, i) => ({ sinceMs, untilMs: begins[i + 1] as number }))
    .filter(({ sinceMs, untilMs }) => sinceMs < untilMs)
}

/** Halves the time in which the date can begin until a quarter of an hour is left. Offsets are whole quarters of an hour. */
function firstQuarterOf(date: string, dateAt: (ms: number) => string): number {
  const midnight = Date.parse(`${date}T00:00Z`)
  let before = (midnight - MOST_OFFSET_MS) / QUARTER_MS
  let from = (midnight + MOST_OFFSET_MS) / QUARTER_MS
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (dateAt(middle * QUARTER_MS) >= date) from = middle
    else before = middle
  }
  return from * QUARTER_MS
}

/** Gives what tells the date at an instant, `2026-03-29`. */
function dateIn(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    return `${parts.year}-${parts.month}-${parts.day}`
  }
}

const isoDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
