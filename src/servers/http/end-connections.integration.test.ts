import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { endConnections } from './end-connections.ts'

const NEVER = { silentMs: 600_000, withinMs: 600_000 }
const REQUEST = 'GET / HTTP/1.1\r\nhost: test\r\n\r\n'
const answer: RequestListener = (_request, response) => void response.end('done')

/** A server, and clients of it that read until their connection ends. */
async function serve(t: TestContext, listener: RequestListener, options = NEVER) {
  const server = createServer({ keepAliveTimeout: 600_000 }, listener)
  endConnections(server, options)
  t.after(() => server.closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const closed = once(server, 'close')
  return {
    closed,
    async open(said: string): Promise<{ socket: Socket; all: Promise<string> }> {
      const accepted = once(server, 'connection')
      const socket = connect(port, '127.0.0.1')
      await accepted
      let read = ''
      socket.on('data', (bytes) => {
        read += bytes
      })
      socket.write(said)
      // One that is cut may be reset.
      socket.on('error', () => {})
      return { socket, all: new Promise((resolve) => socket.once('close', () => resolve(read))) }
    },
    stop: () => void server.close(),
  }
}

test('an answer that is not begun when the server stops says so to its client, and ends the connection', async (t) => {
  const asked = Promise.withResolvers<ServerResponse>()
  const { open, stop, closed } = await serve(t, (_request, response) => asked.resolve(response))
  const { all } = await open(REQUEST)
  const response = await asked.promise
  stop()
  response.end('done')
  assert.match(await all, /connection: close\r\n.*done$/is)
  await closed
})

test('an answer that is under way when the server stops comes whole, and its connection ends', async (t) => {
  const asked = Promise.withResolvers<ServerResponse>()
  const { open, stop, closed } = await serve(t, (_request, response) => {
    response.write('begun, ')
    asked.resolve(response)
  })
  const { all } = await open(REQUEST)
  const response = await asked.promise
  stop()
  response.end('done')
  const read = await all
  assert.match(read, /begun, \r\n4\r\ndone\r\n0\r\n\r\n$/)
  assert.doesNotMatch(read, /connection: close/i)
  await closed
})

test('a request that comes before its connection ends is answered', async (t) => {
  const { open, stop, closed } = await serve(t, answer)
  const { socket, all } = await open('')
  stop()
  socket.write(REQUEST)
  assert.match(await all, /done$/)
  await closed
})

test('a body that still comes after its answer is read to the end', async (t) => {
  const { open, stop, closed } = await serve(t, (request, response) => {
    request.resume()
    response.end('no')
  })
  const { socket, all } = await open('POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 4\r\n\r\nha')
  await once(socket, 'data')
  stop()
  socket.write('lf')
  assert.match(await all, /no$/)
  assert.equal(socket.errored, null)
  await closed
})

test('several requests that were sent at once on one connection are all answered', async (t) => {
  const asked: ServerResponse[] = []
  const second = Promise.withResolvers<void>()
  const { open, stop, closed } = await serve(t, (_request, response) => {
    if (asked.push(response) === 2) second.resolve()
  })
  const { all } = await open(REQUEST + REQUEST)
  await second.promise
  stop()
  asked[0]?.end('first')
  asked[1]?.end('second')
  assert.match(await all, /first.*second$/s)
  await closed
})

test('whoever connects and says nothing, or half of a request, does not keep the server', async (t) => {
  const { open, stop, closed } = await serve(t, answer, { ...NEVER, silentMs: 50 })
  await open('')
  await open('GET / HTTP')
  stop()
  await closed
})

test('a request that does not end does not keep the server', async (t) => {
  const { open, stop, closed } = await serve(t, () => {}, { silentMs: 25, withinMs: 50 })
  const { all } = await open(REQUEST)
  await open('POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 4\r\n\r\nha')
  stop()
  await closed
  await all
})

test('an answer that is written and not yet read comes whole', async (t) => {
  const bytes = 16 * 1024 * 1024
  const asked = Promise.withResolvers<void>()
  const { open, stop, closed } = await serve(t, (_request, response) => {
    response.end('.'.repeat(bytes))
    asked.resolve()
  })
  const { socket, all } = await open(REQUEST)
  socket.pause()
  await asked.promise
  stop()
  socket.resume()
  assert((await all).length > bytes)
  await closed
})

test('a connection that waits for its next request ends at once', async (t) => {
  const { open, stop, closed } = await serve(t, answer)
  const { socket, all } = await open(REQUEST)
  await once(socket, 'data')
  stop()
  assert.match(await all, /done$/)
  await closed
})
