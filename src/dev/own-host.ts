// Whether a request was meant for this machine. A page of a stranger's site has its own name lead here (DNS rebinding) to
// read what only this machine should: the browser then still names that site.
import type { IncomingMessage } from 'node:http'
import { isWithin, parseAddress, parseNetwork } from '../lib/network.ts'

const LOOPBACK = ['127.0.0.0/8', '::1'].map(parseNetwork)

/** True when Host is a name of loopback, the address that was asked, or the host that the listener was given. */
export function isOwnHost(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  listensOn: string,
): boolean {
  const host = /^(\[.+\]|[^:]+)(?::\d{1,5})?$/.exec(headers.host?.toLowerCase() ?? '')?.[1] ?? ''
  const name = host.replace(/^\[(.*)\]$/, '$1')
  if (name === 'localhost' || name.endsWith('.localhost') || isWithin(name, LOOPBACK)) return true
  if (name === listensOn.toLowerCase()) return true
  const asked = socket.localAddress
  return asked !== undefined && parseAddress(name) !== undefined && isWithin(asked, [parseNetwork(name)])
}
