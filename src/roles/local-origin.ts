// Under which origin browsers on this machine know a listener that has no public address.
import { isLoopbackHost } from '../lib/network.ts'

/** An address that all interfaces listen at is no place to go to. */
const ANYWHERE = new Set(['0.0.0.0', '::'])

/** Under the name that this machine has for itself, as passkeys belong to names. */
export function localOrigin(host: string, port: number | string): string {
  if (isLoopbackHost(host) || ANYWHERE.has(host)) return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
