// Under which origin browsers on this machine know a listener that has no public address.
import type { Scheme } from '../config.ts'
import { isLoopbackHost } from '../lib/network.ts'

/** An address that all interfaces listen at is no place to go to. */
const ANYWHERE = new Set(['0.0.0.0', '::'])

/** Under the name that this machine has for itself, as passkeys belong to names. */
export function localOrigin({ scheme = 'http', host }: Scheme & { host: string }, port: number | string): string {
  if (isLoopbackHost(host) || ANYWHERE.has(host)) return `${scheme}://localhost:${port}`
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
