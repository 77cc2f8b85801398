// HTTPS of a listener: which TLS it speaks, a certificate that is exchanged while it listens, and words for whoever
// speaks plain HTTP to it.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { SecureContextOptions, Server as TlsServer } from 'node:tls'
import type { WatchedKeyPair } from '../../lib/tls/watch-key-pair.ts'

/** What is authenticated and keeps its secrets if the key is lost: RFC 9325 4.2, and the suites of TLS 1.3. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')
/** For the first octet, and then for the handshake. */
const HANDSHAKE_MS = 10_000
/** A record of a handshake (RFC 8446 5.1); no method of HTTP begins so. */
const HANDSHAKE_RECORD = 22

/** What a server is made with. */
export function tlsOptions(certificate: WatchedKeyPair) {
  return { ...contextOf(certificate.current()), ALPNProtocols: ['http/1.1'], handshakeTimeout: HANDSHAKE_MS }
}

/** To be called before the server listens, and before anybody else hears of its connections. */
export function speakTls(server: Server, certificate: WatchedKeyPair, answerPlain: (socket: Socket) => void): void {
  const tls = server as unknown as TlsServer
  certificate.onChange((pair) => tls.setSecureContext(contextOf(pair)))
  // Who scans, or trusts another authority: nothing of HTTP can be said to them.
  tls.removeAllListeners('tlsClientError')
  tls.on('tlsClientError', (_error, socket) => socket.destroy())
  const [begin] = tls.listeners('connection') as [(socket: Socket) => void]
  tls.removeListener('connection', begin)
  tls.on('connection', (socket: Socket) => {
    const fail = () => socket.destroy()
    socket.setTimeout(HANDSHAKE_MS, fail)
    socket.once('error', fail)
    socket.once('data', (octets: Buffer) => {
      socket.setTimeout(0, fail)
      socket.off('error', fail)
      if (octets[0] !== HANDSHAKE_RECORD) return answerPlain(socket)
      socket.pause()
      socket.unshift(octets)
      begin.call(tls, socket)
    })
  })
}

function contextOf({ cert, key }: { cert: string; key: string }): SecureContextOptions {
  return { cert, key, minVersion: 'TLSv1.2', ciphers: CIPHERS }
}
