// When a message that is sent later is sent: what is offered, and what may be chosen, by the viewer's clock. Pure but for its time
// zone.

/** specification.md#drafts */
export const SOONEST_MS = 10_000
export const LATEST_MS = 365 * 24 * 3_600_000

const MORNING_HOUR = 8
const AFTERNOON_HOUR = 13
const MONDAY = 1

const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'long', day: 'numeric' })
const date = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'long', day: 'numeric' })

export interface Preset {
  words: string
  at: Date
}

/** What most people choose, soonest first; none of them twice. */
export function presetsAt(nowMs: number): Preset[] {
  const daysToMonday = (MONDAY - new Date(nowMs).getDay() + 7) % 7 || 7
  const offered: Preset[] = [
    { words: 'This afternoon', at: clockAt(nowMs, 0, AFTERNOON_HOUR) },
    { words: 'Tomorrow morning', at: clockAt(nowMs, 1, MORNING_HOUR) },
    { words: 'Tomorrow afternoon', at: clockAt(nowMs, 1, AFTERNOON_HOUR) },
    ...(daysToMonday > 1 ? [{ words: 'Monday morning', at: clockAt(nowMs, daysToMonday, MORNING_HOUR) }] : []),
  ]
  return offered.filter(({ at }) => at.getTime() - nowMs > 3_600_000)
}

/** By the clock on the wall, so that the hour is the same where clocks change between. */
function clockAt(nowMs: number, days: number, hour: number): Date {
  const now = new Date(nowMs)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
}

/** What is wrong with a time; undefined: nothing. */
export function faultOfTime(atMs: number, nowMs: number): string | undefined {
  if (Number.isNaN(atMs)) return 'Choose a day and a time.'
  if (atMs - nowMs < SOONEST_MS) return 'Choose a time that is still to come.'
  if (atMs - nowMs > LATEST_MS) return 'Choose a time within a year.'
  return undefined
}

/** `today at 14:05`, `tomorrow at 08:00`, `on Monday, March 2, at 08:00`, `on March 2, 2027, at 08:00`. */
export function timeInWords(instant: string, nowMs: number): string {
  const at = new Date(instant)
  const now = new Date(nowMs)
  const clock = time.format(at)
  if (at.toDateString() === now.toDateString()) return `today at ${clock}`
  if (at.toDateString() === clockAt(nowMs, 1, 0).toDateString()) return `tomorrow at ${clock}`
  return `on ${(at.getFullYear() === now.getFullYear() ? day : date).format(at)}, at ${clock}`
}
