// How a refused request is told of.
import type { ShownRequest } from '../../../src/servers/console/request-schemas.ts'
import type { Tone } from '../../ui/badge.tsx'

/** What is a fault of the service stands out. */
export const toneOfStatus = (status: number): Tone => (status >= 500 ? 'bad' : 'warn')

/** Its name, or what it begins with. */
export const keyInWords = ({ keyName, keyStart }: Pick<ShownRequest, 'keyName' | 'keyStart'>): string =>
  keyName ?? `${keyStart}…`

/** `12 ms`, `1.5 s` */
export const durationInWords = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)
