// What an endpoint's hours come to together, in words. Pure.
import type { ShownFigures } from '../../../src/servers/console/webhook-schemas.ts'

type Hour = ShownFigures['hours'][number]

/** In whole percent of what has ended; undefined while nothing has. Rounded down: only all is 100. */
export function successOf(hours: readonly Pick<Hour, 'delivered' | 'dead'>[]): number | undefined {
  const [delivered, dead] = [sum(hours, 'delivered'), sum(hours, 'dead')]
  return delivered + dead === 0 ? undefined : Math.floor((delivered * 100) / (delivered + dead))
}

const sum = (hours: readonly Pick<Hour, 'delivered' | 'dead'>[], name: 'delivered' | 'dead'): number =>
  hours.reduce((total, hour) => total + hour[name], 0)

/** `31 ms`, `1.2 s` */
export function msInWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Number((ms / 1_000).toFixed(1))} s`
}
