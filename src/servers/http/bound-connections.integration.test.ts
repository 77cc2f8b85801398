import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { parseNetwork } from '../../lib/network.ts'
import { boundConnections, boundElsewhere, type ConnectionBounds } from './bound-connections.ts'

const BOUNDS: ConnectionBounds = { most: 8, uncounted: [], requestMs: 60_000 }

async function start(bounds: Partial<ConnectionBounds>, answer: RequestListener = (_, response) => response.end('x')) {
  const server = createServer(answer)
  boundConnections(server, { ...BOUNDS, ...bounds })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  /** Asks over a new connection. Gives it when it was answered, undefined when it was ended. */
  return async (localAddress = '127.0.0.1'): Promise<Socket | undefined> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    sockets.push(socket)
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    const answered = new Promise<Socket>((resolve) => socket.once('data', () => resolve(socket)))
    return Promise.race([answered, new Promise<undefined>((resolve) => socket.once('close', () => resolve(undefined)))])
  }
}

test('one address has half of the connections, and others have the rest', async () => {
  const ask = await start({})
  const held = [await ask(), await ask(), await ask(), await ask()]
  assert(held.every(Boolean))
  assert.equal(await ask(), undefined)
  for (let i = 0; i < 4; i++) assert(await ask('127.0.0.2'))
  assert.equal(await ask('127.0.0.3'), undefined, 'all are taken')
  held[0]?.destroy()
  await once(held[0] as Socket, 'close')
  // The server hears of it when it looks at this one.
  while (!(await ask()));
  assert.equal(await ask(), undefined)
})

test('a proxy in front has all of them', async () => {
  const ask = await start({ uncounted: [parseNetwork('127.0.0.0/30')] })
  for (let i = 0; i < 8; i++) assert(await ask())
  assert.equal(await ask(), undefined)
})

test('one connection is always had', async () => {
  const ask = await start({ most: 1 })
  assert(await ask())
})

test('a client that does not read its answer is cut off when its time is over', async () => {
  const cut = Promise.withResolvers<void>()
  const ask = await start({ requestMs: 50 }, (request, response) => {
    request.socket.once('close', () => cut.resolve())
    // More than the system takes for a client that does not read.
    response.end(Buffer.alloc(64 * 1024 * 1024))
  })
  const socket = await ask()
  socket?.pause()
  await cut.promise
})

test('an answer whose writer ends it himself outlives the others', async () => {
  const ends: (() => void)[] = []
  const ask = await start({ requestMs: 50 }, (_, response) => {
    if (ends.length === 0) boundElsewhere(response)
    ends.push(() => response.end('the end'))
    response.write('x')
  })
  const kept = (await ask()) as Socket
  const bounded = (await ask()) as Socket
  await once(bounded, 'close')
  assert(!kept.destroyed)
  ends[0]?.()
  const [last] = await once(kept, 'data')
  assert.match(String(last), /the end/)
})

test('the time is of each request by itself: one that is answered goes on', async () => {
  const ask = await start({ requestMs: 1_000 })
  const socket = (await ask()) as Socket
  let ended = false
  socket.once('close', () => {
    ended = true
  })
  const began = performance.now()
  while (performance.now() - began < 1_500) {
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'data')
  }
  assert(!ended)
})
