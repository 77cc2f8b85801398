// Whether a request was meant for this machine. A page of a stranger's site has its own name lead here (DNS rebinding) to
// read what only this machine should: the browser then still names that site.
import type { IncomingMessage } from 'node:http'
import { isLoopbackHost, isWithin, parseAddress, parseNetwork } from '../lib/network.ts'

/** True when Host is a name of loopback, the address that was asked, or the host that the listener was given. */
export function isOwnHost(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  listensOn: string,
): boolean {
  const name = hostOf(headers)
  if (isLoopbackHost(name)) return true
  if (name === listensOn.toLowerCase()) return true
  const asked = socket.localAddress
  return asked !== undefined && parseAddress(name) !== undefined && isWithin(asked, [parseNetwork(name)])
}

/**
 * True for a request of somebody at this machine: it came over loopback, by a name of loopback, and no proxy handed it on
 * for somebody else.
 */
export function isAtThisMachine({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined || headers.via !== undefined)
    return false
  return isLoopbackHost(socket.remoteAddress ?? '') && isLoopbackHost(hostOf(headers))
}

function hostOf({ host = '' }: IncomingMessage['headers']): string {
  const name = /^(\[.+\]|[^:]+)(?::\d{1,5})?$/.exec(host.toLowerCase())?.[1] ?? ''
  return name.replace(/^\[(.*)\]$/, '$1')
}
