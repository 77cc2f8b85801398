// The self-signed certificate, as Node.js reads it and as a TLS client meets it.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connect, createServer } from 'node:tls'
import { makeSelfSignedCertificate } from './self-signed-certificate.ts'

test('names the host, signs itself, and holds for ten years from the day before', () => {
  const { cert, key } = makeSelfSignedCertificate('mail.example.test', new Date('2026-01-02T03:04:05.678Z'))
  const read = new X509Certificate(cert)
  assert.equal(read.subject, 'CN=mail.example.test')
  assert.equal(read.issuer, read.subject)
  assert.ok(read.verify(read.publicKey))
  assert.match(key, /^-----BEGIN PRIVATE KEY-----/)
  assert.equal(read.validFrom, 'Jan  1 03:04:05 2026 GMT')
  assert.equal(read.validTo, 'Dec 31 03:04:05 2035 GMT')
})

test('a name as long as names get and years of four digits are written right', () => {
  const host = `${'a'.repeat(60)}.`.repeat(4).slice(0, 200)
  const read = new X509Certificate(makeSelfSignedCertificate(host, new Date('2049-06-01T00:00:00Z')).cert)
  assert.equal(read.subject, `CN=${host}`)
  assert.equal(read.validTo, 'May 30 00:00:00 2059 GMT')
})

test('no two certificates share a serial number or a key', () => {
  const [one, other] = [0, 1].map(() => new X509Certificate(makeSelfSignedCertificate('localhost', new Date()).cert))
  assert.notEqual(one?.serialNumber, other?.serialNumber)
  assert.notEqual(one?.fingerprint256, other?.fingerprint256)
})

test('a client that trusts it connects', async (t) => {
  const { cert, key } = makeSelfSignedCertificate('localhost', new Date())
  const server = createServer({ cert, key }, (socket) => socket.end('hello'))
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: cert })
  t.after(() => socket.destroy())
  await once(socket, 'secureConnect')
  assert.ok(socket.authorized)
})
