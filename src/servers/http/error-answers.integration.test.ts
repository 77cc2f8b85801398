import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createConnection } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import pino from 'pino'
import { buildServer } from './server.ts'

const app = buildServer({ log: pino({ level: 'silent' }), onAnswer: () => {} })
const streamed = new PassThrough()
app.get('/streamed', { config: { auth: 'open' } }, async () => streamed)
app.post('/x', { config: { auth: 'open' } }, async () => 'x')
await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())
const { port } = app.server.address() as AddressInfo

const host = 'host: x\r\n'
const post = (headers: string, body = '') => `POST /x HTTP/1.1\r\n${host}${headers}\r\n\r\n${body}`

for (const [octets, says] of [
  ['\x16\x03\x01\x02\x00\x01\x00\x01', /TLS/],
  ['get /x HTTP/1.1\r\n\r\n', /no method in capitals/],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /HTTP\/2/],
  [`GET /a b HTTP/1.1\r\n${host}\r\n`, /first line is malformed/],
  [`GET x HTTP/1.1\r\n${host}\r\n`, /begin with a slash/],
  [`GET /x HTTP/9.9\r\n${host}\r\n`, /HTTP\/1\.1/],
  [`GET /x HTTP/1.1\r\n folded: x\r\n${host}\r\n`, /begins with a blank/],
  [`GET /x HTTP/1.1\r\n${host}bad header: x\r\n\r\n`, /character that headers cannot have/],
  [post('content-length: -1'), /Content-Length is no number/],
  [post('content-length: 5\r\ncontent-length: 6'), /beside another one/],
  [post('transfer-encoding: gzip'), /not chunked/],
  [post('content-type: application/json\r\ntransfer-encoding: chunked', 'zz\r\n'), /size of a chunk/],
  [post('content-type: application/json\r\ncontent-length: 9', '{'), /ended too soon/],
  ['CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', /no proxy/],
] as const) {
  test(`${JSON.stringify(octets.slice(0, 40))} is told what is wrong with it, in the form of every error`, async () => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.end(octets, 'latin1'))
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 400 /)
    const { code, error, message, requestId, ...rest } = JSON.parse(body)
    assert.deepEqual([code, error, rest], ['bad_request', 'bad_request', {}])
    assert.match(message, says)
    assert.equal(requestId, /^x-request-id: (\S+)/m.exec(head)?.[1])
  })
}

test('nothing is put into an answer that is on its way: its connection ends', async () => {
  const socket = createConnection({ port, host: '127.0.0.1' })
  socket.setEncoding('latin1').write(`GET /streamed HTTP/1.1\r\n${host}\r\n`)
  streamed.write('the beginning of it')
  let received = ''
  socket.on('data', (octets) => {
    received += octets
    if (received.includes('beginning')) socket.write('GARBAGE\r\n\r\n')
  })
  await once(socket, 'close')
  assert.match(received, /^HTTP\/1\.1 200 /)
  assert.doesNotMatch(received, /bad_request/)
})
