// What an endpoint's hours come to together, in words. Pure.
import type { ShownFigures } from '../../../src/servers/console/webhook-schemas.ts'

export type Hour = ShownFigures['hours'][number]

/** In whole percent of what has ended; undefined while nothing has. Rounded down: only all is 100. */
export function successOf(hours: readonly Pick<Hour, 'delivered' | 'dead'>[]): number | undefined {
  const [delivered, dead] = [sum(hours, 'delivered'), sum(hours, 'dead')]
  return delivered + dead === 0 ? undefined : Math.floor((delivered * 100) / (delivered + dead))
}

const sum = (hours: readonly Pick<Hour, 'delivered' | 'dead'>[], name: 'delivered' | 'dead'): number =>
  hours.reduce((total, hour) => total + hour[name], 0)

/** Deliveries of the hour that has the most. */
export const mostOf = (hours: readonly Pick<Hour, 'delivered' | 'dead' | 'pending'>[]): number =>
  Math.max(0, ...hours.map(({ delivered, dead, pending }) => delivered + dead + pending))

/** Of the slowest hour, in which 95 % were accepted, in milliseconds; 0 without one. */
export const slowestOf = (hours: readonly Pick<Hour, 'p95Ms'>[]): number =>
  Math.max(0, ...hours.map(({ p95Ms }) => p95Ms ?? 0))

const HOUR_MS = 60 * 60 * 1000

/** The hours of a span that ends now, and the instant at which the first begins. `nowMs`: Unix time. */
export function spanOf(hours: number, nowMs: number): { sinceMs: number; starts: number[] } {
  const sinceMs = (Math.floor(nowMs / HOUR_MS) - hours + 1) * HOUR_MS
  return { sinceMs, starts: Array.from({ length: hours }, (_, i) => sinceMs + i * HOUR_MS) }
}

/** Each hour of a span, also those of which nothing is given. */
export function everyHour(starts: readonly number[], given: readonly Hour[]): Hour[] {
  const known = new Map(given.map((hour) => [Date.parse(hour.hour), hour]))
  return starts.map(
    (start) =>
      known.get(start) ?? {
        ...{ hour: new Date(start).toISOString(), delivered: 0, dead: 0, pending: 0, p50Ms: null, p95Ms: null },
      },
  )
}

/** `31 ms`, `1.2 s` */
export function msInWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Number((ms / 1_000).toFixed(1))} s`
}
