import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import dns2 from 'dns2'
import { parseNetwork } from './network.ts'
import { createPublicFetch, type PublicFetch } from './public-fetch.ts'

/** Where it must not run out, however busy the machine is. */
const PATIENT_MS = 20_000
/** Where it must. */
const TIMEOUT_MS = 1_000
const BODY = Buffer.from('{"id":"event"}')
const REQUEST = { headers: { 'content-type': 'application/json' }, body: BODY }
const testdata = (name: string) => readFileSync(new URL(`public-fetch/testdata/${name}`, import.meta.url), 'utf8')

test('a POST carries its headers and octets, and the answer comes back as status and body', async (t) => {
  const receiver = await startReceiver(t, async (request, response) => {
    const octets = await bodyOf(request)
    const { method, url, headers } = request
    response.writeHead(201).end(JSON.stringify({ method, url, headers, body: octets.toString() }))
  })
  const outcome = await fetcher(t).post(`${receiver.url}/hook?x=1`, {
    headers: { 'content-type': 'application/json', 'user-agent': 'Service-Webhooks/1.0' },
    body: BODY,
  })
  assert.ok(outcome.kind === 'response' && outcome.status === 201)
  assert.ok(Number.isInteger(outcome.durationMs) && outcome.durationMs < PATIENT_MS)
  const { headers, ...rest } = JSON.parse(Buffer.from(outcome.body).toString())
  assert.deepEqual(rest, { method: 'POST', url: '/hook?x=1', body: BODY.toString() })
  assert.equal(headers.host, new URL(receiver.url).host)
  assert.equal(headers['user-agent'], 'Service-Webhooks/1.0')
  assert.equal(headers['content-length'], String(BODY.length))
})

test('a GET reads what is there, with the same guard', async (t) => {
  const receiver = await startReceiver(t, async (request, response) => {
    const octets = await bodyOf(request)
    response.end(JSON.stringify({ method: request.method, url: request.url, accept: request.headers.accept, octets }))
  })
  const fetch = fetcher(t)
  const outcome = await fetch.get(`${receiver.url}/keys?x=1`, { accept: 'application/json' })
  assert.ok(outcome.kind === 'response')
  assert.deepEqual(JSON.parse(Buffer.from(outcome.body).toString()), {
    ...{ method: 'GET', url: '/keys?x=1', accept: 'application/json' },
    octets: { type: 'Buffer', data: [] },
  })
  const refused = await fetch.get('https://10.0.0.1/', {})
  assert.equal(refused.kind, 'unsafe_address')
})

for (const status of [200, 204, 400, 404, 410, 429, 500, 503]) {
  test(`an answer with status ${status} is a response`, async (t) => {
    const receiver = await startReceiver(t, (_request, response) => response.writeHead(status).end())
    const outcome = await fetcher(t).post(receiver.url, REQUEST)
    assert.equal(outcome.kind === 'response' && outcome.status, status)
  })
}

for (const status of [300, 301, 302, 303, 307, 308]) {
  test(`a redirect with status ${status} is reported and not followed`, async (t) => {
    const elsewhere = await startReceiver(t, (_request, response) => response.end())
    const receiver = await startReceiver(t, (_request, response) => {
      response.writeHead(status, { location: `${elsewhere.url}/` }).end()
    })
    const outcome = await fetcher(t).post(receiver.url, REQUEST)
    assert.equal(outcome.kind === 'redirect' && outcome.status, status)
    assert.equal(receiver.requests, 1)
    assert.equal(elsewhere.connections, 0)
  })
}

test('informational answers are passed over', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeHead(200).end('final')
  })
  const outcome = await fetcher(t).post(receiver.url, REQUEST)
  assert.equal(outcome.kind === 'response' && Buffer.from(outcome.body).toString(), 'final')
})

test('an endless body is read to 64 KiB, and then the connection is closed', async (t) => {
  const closed = signal()
  const receiver = await startReceiver(t, (_request, response) => {
    response.on('close', closed.fire)
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(10_000, 'x')));
      response.once('drain', write)
    }
    write()
  })
  const outcome = await fetcher(t).post(receiver.url, REQUEST)
  assert.ok(outcome.kind === 'response' && outcome.status === 200)
  assert.ok(outcome.body.length > 60 * 1024 && outcome.body.length < 64 * 1024)
  await closed.fired
})

const MOST_BYTES = 64 * 1024

/** An answer of so many octets in all. */
function answerOf(bytes: number): { text: string; bodyBytes: number } {
  const head = (length: number) => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`
  const bodyBytes = bytes - head(bytes).length
  return { text: head(bodyBytes) + 'x'.repeat(bodyBytes), bodyBytes }
}

test('an answer of 64 KiB in all is whole, and its connection is used again', async (t) => {
  const { text, bodyBytes } = answerOf(MOST_BYTES)
  let connections = 0
  const port = await startRaw(t, (socket) => {
    connections++
    socket.on('data', () => socket.write(text))
  })
  const publicFetch = fetcher(t)
  for (let i = 0; i < 3; i++) {
    const outcome = await publicFetch.post(`http://127.0.0.1:${port}/`, REQUEST)
    assert.equal(outcome.kind === 'response' && outcome.body.length, bodyBytes)
    await nextTurn()
  }
  assert.equal(connections, 1)
})

for (const [what, header, count] of [
  ['many short headers', 'x:y\r\n', 13_000],
  ['one long header', `x:${'y'.repeat(65_000)}\r\n`, 1],
] as const) {
  test(`an answer of ${what} is within the bound`, async (t) => {
    const port = await startRaw(t, (socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 204 No Content\r\n${header.repeat(count)}\r\n`))
    })
    const outcome = await fetcher(t).post(`http://127.0.0.1:${port}/`, REQUEST)
    assert.equal(outcome.kind === 'response' && outcome.status, 204)
  })
}

test('of an answer that is an octet longer the status counts, and its connection is closed', async (t) => {
  const { text, bodyBytes } = answerOf(MOST_BYTES + 1)
  const closed = signal()
  const port = await startRaw(t, (socket) => {
    socket.on('close', closed.fire).once('data', () => socket.write(text))
  })
  const outcome = await fetcher(t).post(`http://127.0.0.1:${port}/`, REQUEST)
  assert.equal(outcome.kind === 'response' && outcome.body.length, bodyBytes - 1)
  await soon(closed.fired)
})

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
for (const [what, start, more, kind] of [
  ['a status line', 'HTTP/1.1 200 ', 'x'.repeat(4096), 'network'],
  ['headers', 'HTTP/1.1 200 OK\r\n', `x: ${'y'.repeat(4096)}\r\n`, 'network'],
  ['informational answers', '', `HTTP/1.1 103 Early Hints\r\nlink: ${'y'.repeat(1024)}\r\n\r\n`, 'network'],
  ['short informational answers', '', 'HTTP/1.1 103 \r\n\r\n', 'network'],
  ['empty lines before an answer', '', '\r\n'.repeat(1024), 'network'],
  ['the extension of a chunk', `${CHUNKED}1;`, 'x'.repeat(4096), 'response'],
  ['chunks of one octet', CHUNKED, '1\r\nx\r\n'.repeat(512), 'response'],
  ['trailers', `${CHUNKED}0\r\n`, `x: ${'y'.repeat(4096)}\r\n`, 'response'],
  ['short headers', 'HTTP/1.1 200 OK\r\n', 'x:y\r\n'.repeat(4096), 'network'],
  ['short trailers', `${CHUNKED}0\r\n`, 'x:y\r\n'.repeat(4096), 'response'],
] as const) {
  test(`${what} without end cost no more than the bound, and no time`, async (t) => {
    const closed = signal()
    const port = await startRaw(t, (socket) => {
      socket.once('close', closed.fire).once('data', () => {
        const write = () => {
          if (!socket.destroyed) socket.write(more, write)
        }
        socket.write(start || more, write)
      })
    })
    const connected: Socket[] = []
    const onConnected = (message: unknown) => connected.push((message as { socket: Socket }).socket)
    diagnostics.subscribe('undici:client:connected', onConnected)
    t.after(() => diagnostics.unsubscribe('undici:client:connected', onConnected))
    const outcome = await fetcher(t, { timeoutMs: 60_000 }).post(`http://127.0.0.1:${port}/`, REQUEST)
    assert.equal(outcome.kind, kind, JSON.stringify(outcome).slice(0, 200))
    await closed.fired
    const [socket] = connected
    // What came with the last piece is in memory, and nobody looks at it: one read takes 64 KiB at most, and one is ahead.
    assert.ok(socket && socket.bytesRead <= 4 * MOST_BYTES, `${socket?.bytesRead} octets were read`)
  })
}

test('what comes over a kept connection between two exchanges is bounded like an answer', async (t) => {
  const closed = signal()
  const port = await startRaw(t, (socket) => {
    socket.once('close', closed.fire).once('data', () => {
      socket.write('HTTP/1.1 204 No Content\r\n\r\n')
      const write = () => {
        if (!socket.destroyed) socket.write('\r\n'.repeat(1024), write)
      }
      write()
    })
  })
  const outcome = await fetcher(t).post(`http://127.0.0.1:${port}/`, REQUEST)
  assert.ok(outcome.kind === 'response' && outcome.status === 204)
  await soon(closed.fired)
})

test('a receiver that never answers costs the deadline and no more, and its connection is closed', async (t) => {
  const closed = signal()
  const receiver = await startReceiver(t, (request) => void request.socket.on('close', closed.fire))
  const outcome = await fetcher(t, { timeoutMs: TIMEOUT_MS }).post(receiver.url, REQUEST)
  assertTimeout(outcome, /waiting for the answer/)
  await closed.fired
})

test('a body that drips past the deadline is a timeout', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(drip))
  })
  assertTimeout(await fetcher(t, { timeoutMs: TIMEOUT_MS }).post(receiver.url, REQUEST), /reading the answer/)
})

test('headers that drip past the deadline are a timeout', async (t) => {
  const port = await startRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => socket.write('x: y\r\n'), 20)
    socket.on('close', () => clearInterval(drip))
  })
  assertTimeout(
    await fetcher(t, { timeoutMs: TIMEOUT_MS }).post(`http://127.0.0.1:${port}/`, REQUEST),
    /waiting for the answer/,
  )
})

test('a TLS handshake that hangs is a timeout', async (t) => {
  const port = await startRaw(t, () => undefined)
  assertTimeout(await fetcher(t, { timeoutMs: TIMEOUT_MS }).post(`https://127.0.0.1:${port}/`, REQUEST), /connecting/)
})

test('a POST whose deadline passes before its connection stands is not sent over it afterwards', async (t) => {
  trustTestAuthority(t)
  const receiver = await startTlsReceiver(t, (_request, response) => response.end())
  const late = signal()
  const closed = signal()
  // The name takes most of the time, so that the connection may still come about after the deadline.
  const resolver = await startDns(t, () => ({ A: ['127.0.0.1'], delayMs: 800 }))
  const port = await startRaw(t, (socket) => {
    socket.on('close', closed.fire)
    void late.fired.then(() => socket.pipe(connect(receiver.port, '127.0.0.1')).pipe(socket))
  })
  const publicFetch = fetcher(t, { dns: resolver, timeoutMs: 1_000 })
  assert.equal((await publicFetch.post(`https://hooks.example.com:${port}/`, REQUEST)).kind, 'timeout')
  late.fire()
  await publicFetch.close()
  await soon(closed.fired)
  assert.equal(receiver.requests, 0)
})

const BROKEN: readonly [name: string, react: (socket: Socket) => void][] = [
  ['closes at once', (socket) => socket.destroy()],
  ['closes when the request has come', (socket) => socket.once('data', () => socket.end())],
  ['resets when the request has come', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['resets amid the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nx', () => socket.resetAndDestroy())],
  [
    'closes amid the body',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')),
  ],
  ['answers in another protocol', (socket) => socket.write('220 mail.example.com ESMTP\r\n')],
  ['sends endless headers', (socket) => sendForever(socket, `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(4096)}`)],
  ['sends a header of 100 kB', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)],
  [
    'upgrades to another protocol',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
]
for (const [name, react] of BROKEN) {
  test(`a receiver that ${name} is a network failure, and is asked once`, async (t) => {
    let connections = 0
    const port = await startRaw(t, (socket) => {
      connections++
      react(socket)
    })
    const outcome = await fetcher(t).post(`http://127.0.0.1:${port}/`, REQUEST)
    assert.equal(outcome.kind, 'network', JSON.stringify(outcome))
    assert.equal(connections, 1)
  })
}

test('a closed port is a network failure', async (t) => {
  const port = await closedPort()
  const outcome = await fetcher(t).post(`http://127.0.0.1:${port}/`, REQUEST)
  assert.ok(outcome.kind === 'network' && /ECONNREFUSED/.test(outcome.detail), JSON.stringify(outcome))
})

test('a kept connection that breaks while a POST is on it fails that POST and sends no second one', async (t) => {
  const receiver = await startReceiver(t, async (request, response) => {
    await bodyOf(request)
    if (receiver.requests === 2) request.socket.destroy()
    else response.end()
  })
  const publicFetch = fetcher(t)
  const kinds: string[] = []
  for (let i = 0; i < 3; i++) {
    kinds.push((await publicFetch.post(receiver.url, REQUEST)).kind)
    await nextTurn()
  }
  assert.deepEqual(kinds, ['response', 'network', 'response'])
  assert.equal(receiver.requests, 3)
  assert.equal(receiver.connections, 2)
})

test('an address that is not allowed is never connected to', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => response.end())
  const publicFetch = fetcher(t, { allow: ['127.0.0.2'] })
  const port = new URL(receiver.url).port
  const forms = ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '127.1', '0x7f.1', 'localhost', '0', '[::]']
  for (const scheme of ['http', 'https']) {
    for (const host of forms) {
      const outcome = await publicFetch.post(`${scheme}://${host}:${port}/`, REQUEST)
      assert.equal(outcome.kind, 'unsafe_address', `${scheme} ${host}`)
    }
  }
  assert.equal(receiver.connections, 0)
})

test('localhost reaches the loopback address at which something listens', async (t) => {
  for (const address of ['127.0.0.1', '::1']) {
    const receiver = await startReceiver(t, (_request, response) => response.end(), address)
    const outcome = await fetcher(t).post(`http://localhost:${new URL(receiver.url).port}/`, REQUEST)
    assert.equal(outcome.kind, 'response', `${address} ${JSON.stringify(outcome)}`)
  }
})

test('a name leads to its address, and the receiver hears the name as Host', async (t) => {
  let host: string | undefined
  const receiver = await startReceiver(t, (request, response) => {
    host = request.headers.host
    response.end()
  })
  const resolver = await startDns(t, () => ({ A: ['127.0.0.1'] }))
  const port = new URL(receiver.url).port
  const outcome = await fetcher(t, { dns: resolver }).post(`http://hooks.example.com:${port}/`, REQUEST)
  assert.equal(outcome.kind, 'response', JSON.stringify(outcome))
  assert.equal(host, `hooks.example.com:${port}`)
})

test('two hundred POSTs at once ask for the name once', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => response.end())
  const resolver = await startDns(t, () => ({ A: ['127.0.0.1'] }))
  const publicFetch = fetcher(t, { dns: resolver, timeoutMs: 5_000 })
  const url = `http://hooks.example.com:${new URL(receiver.url).port}/`
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => publicFetch.post(url, REQUEST)))
  assert.ok(outcomes.every(({ kind }) => kind === 'response'))
  assert.deepEqual(resolver.asked, { A: 1, AAAA: 1 })
})

test('one private answer beside a fit one refuses the name, in either family', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => response.end())
  const port = new URL(receiver.url).port
  const answers: readonly DnsAnswer[] = [
    { A: ['127.0.0.1', '10.0.0.1'] },
    { A: ['10.0.0.1', '127.0.0.1'] },
    { A: ['127.0.0.1'], AAAA: ['fd00::1'] },
    { A: ['127.0.0.1'], AAAA: ['::ffff:127.0.0.1'] },
    { A: ['127.0.0.1', '8.8.8.8'] }, // Public, and yet not over plain http.
  ]
  for (const answer of answers) {
    const resolver = await startDns(t, () => answer)
    const outcome = await fetcher(t, { dns: resolver }).post(`http://hooks.example.com:${port}/`, REQUEST)
    assert.equal(outcome.kind, 'unsafe_address', JSON.stringify(answer))
  }
  assert.equal(receiver.connections, 0)
})

test('a name that is rebound between check and connection leads to what was checked', async (t) => {
  const fit = await startReceiver(t, (_request, response) => response.end())
  const port = Number(new URL(fit.url).port)
  const victim = await startReceiver(t, (_request, response) => response.end(), '127.0.0.2', port)
  // The first answer passes, and every later one leads to the victim.
  const resolver = await startDns(t, (asked) => ({ A: [asked === 1 ? '127.0.0.1' : '127.0.0.2'], ttl: 0 }))
  const publicFetch = fetcher(t, { dns: resolver, allow: ['127.0.0.1'] })
  const url = `http://hooks.example.com:${port}/`

  assert.equal((await publicFetch.post(url, REQUEST)).kind, 'response')
  assert.equal(resolver.asked.A, 1)
  await nextTurn()
  publicFetch.advance(999)
  assert.equal((await publicFetch.post(url, REQUEST)).kind, 'response')
  assert.equal(resolver.asked.A, 1)
  publicFetch.advance(1)
  assert.equal((await publicFetch.post(url, REQUEST)).kind, 'unsafe_address')
  assert.equal(fit.connections, 1)
  assert.equal(victim.connections, 0)
})

test('a check holds for five seconds at most, whatever the record says', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => response.end())
  const resolver = await startDns(t, () => ({ A: ['127.0.0.1'], ttl: 86_400 }))
  const publicFetch = fetcher(t, { dns: resolver })
  const url = `http://hooks.example.com:${new URL(receiver.url).port}/`
  for (const [step, asked] of [
    [0, 1],
    [4_999, 1],
    [1, 2],
  ] as const) {
    publicFetch.advance(step)
    assert.equal((await publicFetch.post(url, REQUEST)).kind, 'response')
    assert.equal(resolver.asked.A, asked)
    await nextTurn()
  }
  // The second check found the same address, so the connection that goes there has stayed.
  assert.equal(receiver.connections, 1)
})

test('when a check finds another address, no later POST uses a connection to the old one', async (t) => {
  const old = await startReceiver(t, (_request, response) => response.end())
  const port = Number(new URL(old.url).port)
  const moved = await startReceiver(t, (_request, response) => response.end(), '127.0.0.2', port)
  let address = '127.0.0.1'
  const resolver = await startDns(t, () => ({ A: [address] }))
  const publicFetch = fetcher(t, { dns: resolver })
  const url = `http://hooks.example.com:${port}/`
  const idleClosed = new Promise((resolve) => old.server.once('connection', (socket) => socket.on('close', resolve)))
  await publicFetch.post(url, REQUEST)
  address = '127.0.0.2'
  publicFetch.advance(5_000)
  await publicFetch.post(url, REQUEST)
  assert.deepEqual([old.requests, moved.requests], [1, 1])
  await soon(idleClosed)
})

test('when a check finds nothing fit, the connections to what passed before are closed', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => response.end())
  let address = '127.0.0.1'
  const resolver = await startDns(t, () => ({ A: [address] }))
  const publicFetch = fetcher(t, { dns: resolver })
  const url = `http://hooks.example.com:${new URL(receiver.url).port}/`
  const closed = new Promise((resolve) => receiver.server.once('connection', (socket) => socket.on('close', resolve)))
  await publicFetch.post(url, REQUEST)
  address = '10.0.0.1'
  publicFetch.advance(5_000)
  assert.equal((await publicFetch.post(url, REQUEST)).kind, 'unsafe_address')
  await soon(closed)
})

const DNS_FAILURES: readonly [name: string, answer: DnsAnswer, detail: RegExp][] = [
  ['SERVFAIL', { rcode: 2 }, /ESERVFAIL/],
  ['REFUSED', { rcode: 5 }, /EREFUSED/],
  ['that the name does not exist', { rcode: 3 }, /has no address/],
  ['no address', {}, /has no address/],
]
for (const [name, answer, detail] of DNS_FAILURES) {
  test(`a resolver that answers ${name} is a dns failure`, async (t) => {
    const resolver = await startDns(t, () => answer)
    const outcome = await fetcher(t, { dns: resolver, timeoutMs: 5_000 }).post('https://hooks.example.com/', REQUEST)
    assert.ok(outcome.kind === 'dns' && detail.test(outcome.detail), JSON.stringify(outcome))
  })
}

test('a resolver that is silent is a timeout when the deadline comes first', async (t) => {
  const resolver = await startDns(t, () => 'silence')
  const outcome = await fetcher(t, { dns: resolver, timeoutMs: TIMEOUT_MS }).post('https://hooks.example.com/', REQUEST)
  assertTimeout(outcome, /resolving/)
})

test('a resolver that is silent is a dns failure within the default deadline', async (t) => {
  const resolver = await startDns(t, () => 'silence')
  const outcome = await fetcher(t, { dns: resolver, timeoutMs: 5_000 }).post('https://hooks.example.com/', REQUEST)
  assert.ok(outcome.kind === 'dns' && /ETIMEOUT/.test(outcome.detail), JSON.stringify(outcome))
})

test('a name whose IPv6 records cannot be had is reached by IPv4', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => response.end())
  const resolver = await startDns(t, (_asked, type) => (type === 'A' ? { A: ['127.0.0.1'] } : { rcode: 2 }))
  const url = `http://hooks.example.com:${new URL(receiver.url).port}/`
  const outcome = await fetcher(t, { dns: resolver, timeoutMs: 5_000 }).post(url, REQUEST)
  assert.equal(outcome.kind, 'response', JSON.stringify(outcome))
})

test('an address that does not answer does not keep a name’s other address from being reached', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => response.end(), '127.0.0.3')
  const resolver = await startDns(t, () => ({ A: ['127.0.0.2', '127.0.0.3'] }))
  const url = `http://hooks.example.com:${new URL(receiver.url).port}/`
  const outcome = await fetcher(t, { dns: resolver }).post(url, REQUEST)
  assert.equal(outcome.kind, 'response', JSON.stringify(outcome))
})

test('TLS offers and checks the name, and a trusted receiver is reached', async (t) => {
  trustTestAuthority(t)
  let seen: unknown
  const receiver = await startTlsReceiver(t, (request, response) => {
    seen = [(request.socket as TLSSocket).servername, request.headers.host]
    response.end()
  })
  const resolver = await startDns(t, () => ({ A: ['127.0.0.1'] }))
  const outcome = await fetcher(t, { dns: resolver }).post(`https://hooks.example.com:${receiver.port}/`, REQUEST)
  assert.equal(outcome.kind, 'response', JSON.stringify(outcome))
  assert.deepEqual(seen, ['hooks.example.com', `hooks.example.com:${receiver.port}`])
})

test('a certificate for another name, or of an unknown authority, is a tls failure, and nothing is sent', async (t) => {
  const receiver = await startTlsReceiver(t, (_request, response) => response.end())
  const resolver = await startDns(t, () => ({ A: ['127.0.0.1'] }))
  const unknown = await fetcher(t, { dns: resolver }).post(`https://hooks.example.com:${receiver.port}/`, REQUEST)
  assert.equal(unknown.kind, 'tls', JSON.stringify(unknown))
  trustTestAuthority(t)
  const misnamed = await fetcher(t, { dns: resolver }).post(`https://other.example.com:${receiver.port}/`, REQUEST)
  assert.ok(misnamed.kind === 'tls' && /ALTNAME/.test(misnamed.detail), JSON.stringify(misnamed))
  const literal = await fetcher(t).post(`https://127.0.0.1:${receiver.port}/`, REQUEST)
  assert.equal(literal.kind, 'tls', JSON.stringify(literal))
  assert.equal(receiver.requests, 0)
})

test('plain http behind an https URL is a tls failure', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => response.end())
  const outcome = await fetcher(t).post(receiver.url.replace('http:', 'https:'), REQUEST)
  assert.equal(outcome.kind, 'tls', JSON.stringify(outcome))
})

test('proxies of the environment are not used', async (t) => {
  const proxy = await startReceiver(t, (_request, response) => response.end())
  const receiver = await startReceiver(t, (_request, response) => response.writeHead(202).end())
  const program = `
    const { createPublicFetch } = await import(process.argv[1])
    const { parseNetwork } = await import(new URL('network.ts', process.argv[1]))
    const publicFetch = createPublicFetch({ allow: ['127.0.0.1'].map(parseNetwork), dnsServers: [], timeoutMs: 2000 })
    const { status } = await publicFetch.post(process.argv[2], { headers: {}, body: Buffer.from('{}') })
    await publicFetch.close()
    process.stdout.write(String(status))`
  const variables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']
  const env = {
    ...Object.fromEntries(variables.map((name) => [name, proxy.url])),
    NODE_USE_ENV_PROXY: '1',
    NO_PROXY: '',
  }
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, import.meta.resolve('./public-fetch.ts'), receiver.url],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const output = (await child.stdout.toArray()).join('')
  assert.equal(output, '202')
  assert.deepEqual([receiver.requests, proxy.connections], [1, 0])
})

test('closing lets what is under way finish and closes kept connections', async (t) => {
  const arrived = signal()
  const release = signal()
  const receiver = await startReceiver(t, async (_request, response) => {
    arrived.fire()
    await release.fired
    response.end()
  })
  const closed = new Promise((resolve) => receiver.server.once('connection', (socket) => socket.on('close', resolve)))
  const publicFetch = fetcher(t)
  const outcome = publicFetch.post(receiver.url, REQUEST)
  await arrived.fired
  const closing = publicFetch.close()
  release.fire()
  assert.equal((await outcome).kind, 'response')
  await closing
  await soon(closed)
})

interface FetcherOptions {
  allow?: readonly string[]
  dns?: { server: string }
  timeoutMs?: number
}

/** A fetcher that may reach loopback, whose checks grow old only when `advance` says so. */
function fetcher(t: TestContext, options: FetcherOptions = {}): PublicFetch & { advance(ms: number): void } {
  let clock = 0
  const publicFetch = createPublicFetch({
    allow: (options.allow ?? ['127.0.0.0/8', '::1']).map(parseNetwork),
    dnsServers: options.dns ? [options.dns.server] : [],
    timeoutMs: options.timeoutMs ?? PATIENT_MS,
    now: () => clock,
  })
  t.after(() => publicFetch.close())
  const advance = (ms: number) => {
    clock += ms
  }
  return { ...publicFetch, advance }
}

function assertTimeout(outcome: Awaited<ReturnType<PublicFetch['post']>>, stage: RegExp): void {
  assert.ok(outcome.kind === 'timeout' && stage.test(outcome.detail), JSON.stringify(outcome))
  assert.ok(outcome.durationMs >= TIMEOUT_MS - 5 && outcome.durationMs < PATIENT_MS, `${outcome.durationMs} ms`)
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

interface Receiver {
  server: Server
  url: string
  port: number
  requests: number
  connections: number
}

async function startReceiver(t: TestContext, handler: Handler, address = '127.0.0.1', port = 0): Promise<Receiver> {
  return listen(t, createServer(handler), 'http', address, port)
}

async function startTlsReceiver(t: TestContext, handler: Handler): Promise<Receiver> {
  const server = createTlsServer({ key: testdata('receiver.key'), cert: testdata('receiver.pem') }, handler)
  return listen(t, server, 'https', '127.0.0.1', 0)
}

async function listen(
  t: TestContext,
  server: Server,
  scheme: string,
  address: string,
  port: number,
): Promise<Receiver> {
  const receiver: Receiver = { server, url: '', port: 0, requests: 0, connections: 0 }
  server.prependListener('request', () => {
    receiver.requests++
  })
  server.on('connection', () => {
    receiver.connections++
  })
  server.on('tlsClientError', () => undefined)
  server.listen(port, address)
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `${scheme}://${address.includes(':') ? `[${address}]` : address}:${receiver.port}`
  return receiver
}

/** A TCP server that does as `react` says, whatever comes. */
async function startRaw(t: TestContext, react: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    react(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function closedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type DnsAnswer = 'silence' | { A?: string[]; AAAA?: string[]; ttl?: number; rcode?: number; delayMs?: number }

/** A DNS server on loopback that answers as `answer` says, given how often this type has been asked for. */
async function startDns(t: TestContext, answer: (asked: number, type: 'A' | 'AAAA') => DnsAnswer) {
  const asked = { A: 0, AAAA: 0 }
  const server = dns2.createUDPServer((request, send) => {
    const question = request.questions[0]
    assert.ok(question)
    const type = question.type === dns2.Packet.TYPE.A ? 'A' : 'AAAA'
    asked[type]++
    const given = answer(asked[type], type)
    if (given === 'silence') return
    const response = dns2.Packet.createResponseFromRequest(request)
    response.header.rcode = given.rcode ?? 0
    for (const address of given[type] ?? []) {
      response.answers.push(dns2.Packet.createResourceFromQuestion(question, { ttl: given.ttl ?? 300, address }))
    }
    if (given.delayMs) setTimeout(() => void send(response), given.delayMs)
    else void send(response)
  })
  await server.listen(0, '127.0.0.1')
  t.after(() => server.close())
  return { server: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function trustTestAuthority(t: TestContext): void {
  const before = getCACertificates()
  setDefaultCACertificates([...before, testdata('ca.pem')])
  t.after(() => setDefaultCACertificates(before))
}

function signal(): { fire: () => void; fired: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { fire: () => resolve(), fired: promise }
}

/** Fails long before an idle connection would have been closed anyway. */
async function soon(event: Promise<unknown>): Promise<void> {
  const seen = await Promise.race([event.then(() => true), delay(1_000, false, { ref: false })])
  assert.ok(seen, 'not seen within a second')
}

function sendForever(socket: Socket, start: string): void {
  const write = (text: string) => {
    if (!socket.destroyed) socket.write(text, () => write(`\r\nx: ${'y'.repeat(4096)}`))
  }
  write(start)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await request.toArray())
}
