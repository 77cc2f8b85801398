// Opens connections that can lead to given addresses only. Knows nothing of how those were judged.
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'

/** Why a connection did not come about. `kind` tells the network from what speaks there. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure'
  readonly kind: 'network' | 'tls' | 'timeout'

  constructor(kind: ConnectFailure['kind'], detail: string) {
    super(detail)
    this.kind = kind
  }
}

/**
 * A connector for undici that dials `addresses` in turn until one answers (RFC 8305) and never asks DNS. The name
 * stays what it was: TLS offers and checks it. Gives up after `timeoutMs`, TLS handshake included.
 */
export function pinnedConnector(addresses: readonly string[], timeoutMs: number): buildConnector.connector {
  const lookup = lookupAmong(addresses)
  // One session ticket is enough: every connection of this connector goes to the same receiver.
  let session: Buffer | undefined

  return ({ hostname, protocol, port }, callback) => {
    const encrypted = protocol === 'https:'
    const options = { host: hostname, lookup, autoSelectFamily: true, noDelay: true }
    // A literal hostname is dialled without any look-up: it is the address that was judged.
    const socket: Socket = encrypted
      ? connectTls({
          ...options,
          port: Number(port) || 443,
          servername: isIP(hostname) === 0 ? hostname : '',
          session,
          ALPNProtocols: ['http/1.1'],
        }).on('session', (ticket: Buffer) => {
          session = ticket
        })
      : connectTcp({ ...options, port: Number(port) || 80 })

    let stage: 'network' | 'tls' = 'network'
    let pending = true
    const timer = setTimeout(() => {
      socket.destroy(new ConnectFailure('timeout', `no connection within ${timeoutMs} ms`))
    }, timeoutMs)
    const finish = (failure: ConnectFailure | null) => {
      if (!pending) return
      pending = false
      clearTimeout(timer)
      if (failure) callback(failure, null)
      else callback(null, socket)
    }

    socket
      .once('connect', () => {
        stage = 'tls'
      })
      .once(encrypted ? 'secureConnect' : 'connect', () => finish(null))
      .on('error', (error) => finish(failureFrom(error, stage)))
      .once('close', () => finish(new ConnectFailure(stage, 'the connection was closed')))
  }
}

function lookupAmong(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first] = all
  return (_hostname, options, callback) => {
    if (options.all) callback(null, all)
    else callback(null, first?.address ?? '', first?.family)
  }
}

function failureFrom(error: NodeJS.ErrnoException, stage: 'network' | 'tls'): ConnectFailure {
  if (error instanceof ConnectFailure) return error
  const code = error.code ?? error.name
  return new ConnectFailure(stage, stage === 'tls' ? `the TLS handshake failed (${code})` : `no connection (${code})`)
}
