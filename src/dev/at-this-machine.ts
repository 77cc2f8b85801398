// Whether somebody at this machine asks. A page of a stranger's site has its own name lead here (DNS rebinding) to read what
// only this machine should: the browser then still names that site.
import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '../lib/network.ts'

/** True for a request that came over loopback, by a name of loopback, and that no proxy handed on for somebody else. */
export function isAtThisMachine({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined || headers.via !== undefined)
    return false
  return isLoopbackHost(socket.remoteAddress ?? '') && isLoopbackHost(hostOf(headers))
}

function hostOf({ host = '' }: IncomingMessage['headers']): string {
  const name = /^(\[.+\]|[^:]+)(?::\d{1,5})?$/.exec(host.toLowerCase())?.[1] ?? ''
  return name.replace(/^\[(.*)\]$/, '$1')
}
