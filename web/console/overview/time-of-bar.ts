// How the time of a bar is written, by the clocks of its zone: an hour, or a day. Pure.
import type { Period } from './period.ts'

/** `14:00`, with the zone where the clock shows it twice; or `Mon 23 Nov`. */
export function timeOfBar({ since }: { since: string }, period: Period, timeZone: string): string {
  const at = new Date(since)
  if (period === 'days') {
    return new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(at)
  }
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  const isTwice = [-HOUR_MS, HOUR_MS].some((ms) => hour.format(new Date(at.getTime() + ms)) === hour.format(at))
  if (!isTwice) return hour.format(at)
  const zoned = { timeZone, hour: '2-digit', minute: '2-digit', timeZoneName: 'shortOffset' } as const
  return new Intl.DateTimeFormat('en-GB', zoned).format(at)
}

const HOUR_MS = 3_600_000
