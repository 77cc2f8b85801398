// Requests that no honest client sends: each gets a clear refusal in our form, costs little, and leaves the service as
// it was.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { parseNetwork } from '../../src/lib/network.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { TEST_REPORT_SECRET } from '../support/role-parts.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database } = await createTestDatabase()
const api = await startTestApi(database)
const tenant = await createTestTenant(database)
const port = Number(new URL(api.url).port)
const MIB = 1024 * 1024

interface RawAnswer {
  status: number
  head: string
  body: { code?: string; requestId?: string; details?: { fields: { path: string; code: string }[] } }
}

/** Sends octets and reads one answer, or what has come of it when the connection ends. */
function raw(octets: string | Buffer, { end = false } = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () =>
      end ? socket.end(octets) : socket.write(octets),
    )
    let received = ''
    const settle = () => {
      const [head = '', rest = ''] = received.split('\r\n\r\n')
      const body = rest.slice(0, Number(/content-length: (\d+)/i.exec(head)?.[1]))
      resolve({ status: Number(head.split(' ')[1]), head, body: body ? JSON.parse(body) : {} })
      socket.destroy()
    }
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk
      const head = received.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
      if (head >= 0 && received.length >= head + 4 + length) settle()
    })
    socket.on('end', settle)
    socket.on('error', (error) => (received === '' ? reject(error) : settle()))
  })
}

const sendRaw = (body: string | Buffer, headers: string[] = []) => {
  const octets = Buffer.from(body as string)
  const lines = [
    'POST /v1/messages HTTP/1.1',
    'host: api.test',
    `authorization: Bearer ${tenant.key}`,
    'idempotency-key: hostile-1',
    'content-type: application/json',
    `content-length: ${octets.length}`,
    // A later line of the same name takes the place of an earlier one.
  ].filter((line) => !headers.some((other) => other.split(':')[0] === line.split(':')[0]))
  return raw(Buffer.concat([Buffer.from(`${[...lines, ...headers].join('\r\n')}\r\n\r\n`), octets]))
}

const body = JSON.stringify({ fromMailboxId: tenant.mailboxId, to: ['a@example.test'], text: 'x' })

const MADE_UP_SIGNATURE = `relay-report-timestamp: 1\r\nrelay-report-signature: v1=${'0'.repeat(64)}\r\n`

// Begun first, because they take their time.
const beganAtMs = performance.now()
const slowReport = raw(
  'POST /v1/relay-reports HTTP/1.1\r\nhost: api.test\r\ncontent-type: application/json\r\n' +
    `${MADE_UP_SIGNATURE}content-length: 9\r\n\r\n{`,
).then((answer) => ({ ...answer, afterMs: performance.now() - beganAtMs }))
const slowHeaders = raw('GET /v1/mailboxes HTTP/1.1\r\nhost: api.test\r\nx-slow: ')

test('bodies that are not what they say are refused', async () => {
  for (const [name, octets, headers, status, code] of [
    ['twice the same member', body.replace('{', '{"text":"y",'), [], 400, 'invalid_json'],
    ['not JSON', `${body}x`, [], 400, 'invalid_json'],
    ['not UTF-8', Buffer.from('{"text":"\xff"}', 'latin1'), [], 400, 'invalid_json'],
    ['nothing', '', [], 400, 'invalid_json'],
    ['packed', gzipSync(body), ['content-encoding: gzip'], 415, 'unsupported_media_type'],
    ['a bomb', gzipSync(Buffer.alloc(50_000_000)), ['content-encoding: gzip'], 415, 'unsupported_media_type'],
    ['a charset', body, ['content-type: application/json; charset=utf-16'], 415, 'unsupported_media_type'],
    ['a form', 'a=b', ['content-type: application/x-www-form-urlencoded'], 415, 'unsupported_media_type'],
    ['no type', body, ['content-type:'], 415, 'unsupported_media_type'],
    ['36 MiB and more', '{', [`content-length: ${36 * 1024 * 1024 + 1}`], 413, 'payload_too_large'],
    ['100 MB', '{', ['content-length: 104857600'], 413, 'payload_too_large'],
    ['two lengths', body, ['content-length: 5', 'content-length: 6'], 400, 'bad_request'],
    ['a length and chunks', body, ['transfer-encoding: chunked'], 400, 'bad_request'],
  ] as const) {
    const answer = await sendRaw(octets as string, [...headers])
    assert.deepEqual([answer.status, answer.body.code], [status, code], name)
    assert.match(answer.head, /x-request-id: [0-9a-f-]{36}/, name)
  }
})

test('a client that sends far too much hears so, whatever it wants of its connection', async () => {
  const size = 100_000_000
  const piece = Buffer.alloc(100_000)
  const authorization = `host: x\r\nauthorization: Bearer ${tenant.key}\r\n`
  for (const [connection, next, answers] of [
    ['keep-alive', `GET /v1/mailboxes HTTP/1.1\r\n${authorization}connection: close\r\n\r\n`, ['413', '200']],
    ['close', '', ['413']],
  ] as const) {
    const socket = createConnection({ port, host: '127.0.0.1' })
    const received = text(socket)
    socket.write(
      `POST /v1/messages HTTP/1.1\r\n${authorization}connection: ${connection}\r\nidempotency-key: too-large\r\n` +
        `content-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
    )
    for (let sent = 0; sent < size; sent += piece.length) if (!socket.write(piece)) await once(socket, 'drain')
    socket.write(next)
    const statuses = (await received).matchAll(/HTTP\/1.1 (\d+)/g)
    assert.deepEqual(
      [...statuses].map(([, status]) => status),
      answers,
      connection,
    )
  }
})

/** The head of a send of so many octets, or of chunks. */
function headOf({ key }: { key: string }, length?: number): string {
  const framing = length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`
  return (
    `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\nidempotency-key: ${newId()}\r\n` +
    `content-type: application/json\r\n${framing}\r\n\r\n`
  )
}

/** Sends so many octets of a body and holds back what would end it, or not. */
const FRAMINGS: [string, (by: { key: string }, sent: number, held: number) => string][] = [
  ['a length', (by, sent, held) => headOf(by, sent + held) + 'x'.repeat(sent)],
  [
    'chunks',
    (by, sent, held) => `${headOf(by)}${sent.toString(16)}\r\n${'x'.repeat(sent)}\r\n${held ? '' : '0\r\n\r\n'}`,
  ],
]

for (const [framing, octetsOf] of FRAMINGS) {
  test(`bodies with ${framing} that are held back take up their tenant’s share of the memory and no more`, async () => {
    const [holder, other] = [await createTestTenant(database), await createTestTenant(database)]
    const hold = () => {
      const socket = createConnection({ port, host: '127.0.0.1' })
      socket.on('error', () => {})
      // Refused, when what asks for room below came before it.
      socket.once('data', () => socket.destroy())
      socket.write(octetsOf(holder, 19 * MIB, 1))
      return socket
    }
    let held = Array.from({ length: 6 }, hold)
    const large = (by: typeof holder) => raw(octetsOf(by, 15 * MIB, 0))
    const refused = await until('all are held', async () => {
      held = held.map((socket) => (socket.destroyed ? hold() : socket))
      const answer = await large(holder)
      return answer.status === 503 && answer
    })
    assert.equal(refused.body.code, 'service_unavailable')
    assert.match(refused.head, /^retry-after: 1$/m)
    assert.equal((await large(other)).status, 400, 'of another tenant it is read')
    assert.equal((await call(api.url, 'GET', '/v1/mailboxes', { key: holder.key })).status, 200)
    assert.equal((await large(holder)).status, 503)
    held.pop()?.destroy()
    await until('there is room', async () => (await large(holder)).status === 400)
    for (const socket of held) socket.destroy()
  })
}

test('bodies that are announced and do not come keep nobody’s out', async () => {
  const idle: Socket[] = []
  for (const holder of [await createTestTenant(database), await createTestTenant(database)]) {
    // As much as a tenant may have, as far as it is announced.
    for (const octets of [...Array(6).fill(20 * MIB), 8 * MIB]) {
      const socket = createConnection({ port, host: '127.0.0.1' })
      idle.push(socket.on('error', () => {}))
      socket.write(`${headOf(holder, octets)}x`)
    }
  }
  // Those before have been read once this one is answered.
  assert.equal((await call(api.url, 'GET', '/v1/mailboxes', { key: tenant.key })).status, 200)
  const other = await createTestTenant(database)
  const [, octetsOf] = FRAMINGS[0] as (typeof FRAMINGS)[number]
  assert.equal((await raw(octetsOf(other, 15 * MIB, 0))).status, 400, 'it is read, and is no JSON')
  for (const socket of idle) socket.destroy()
})

test('relay reports get through beside any number of slow ones', async () => {
  const slow = (lines: string) =>
    `POST /v1/relay-reports HTTP/1.1\r\nhost: x\r\n${lines}content-length: ${MIB}\r\n\r\n{`
  // Without a signature of the right form nothing of the body is waited for.
  for (const lines of [
    '',
    'relay-report-timestamp: 1\r\n',
    'relay-report-timestamp: 1\r\nrelay-report-signature: v1=00\r\n',
  ]) {
    const answer = await raw(slow(`content-type: application/json\r\n${lines}`))
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_signature'])
  }
  const sockets = Array.from({ length: 40 }, () => {
    const socket = createConnection({ port, host: '127.0.0.1' }).on('error', () => {})
    socket.write(slow(`content-type: application/json\r\n${MADE_UP_SIGNATURE}`))
    return socket
  })
  assert.equal((await call(api.url, 'GET', '/v1/mailboxes', { key: tenant.key })).status, 200)
  const text = JSON.stringify({ reports: [{ messageId: newId(), recipient: 'a@example.test', outcome: 'delivered' }] })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const digest = createHmac('sha256', TEST_REPORT_SECRET).update(`${timestamp}.${text}`).digest('hex')
  const answer = await call(api.url, 'POST', '/v1/relay-reports', {
    body: text,
    headers: { 'relay-report-timestamp': timestamp, 'relay-report-signature': `v1=${digest}` },
  })
  assert.deepEqual([answer.status, answer.body], [200, { applied: 0, ignored: 1 }])
  for (const socket of sockets) socket.destroy()
})

test('what a stranger goes on sending after he was refused is not read, and his connection ends', async () => {
  const socket = createConnection({ port, host: '127.0.0.1' })
  let answer = ''
  socket
    .on('error', () => {})
    .on('data', (octets) => {
      answer += octets
    })
  const ended = new Promise<false>((resolve) => socket.once('close', () => resolve(false)))
  const size = 100_000_000
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
  )
  const piece = Buffer.alloc(100_000)
  let sent = 0
  for (let open = true; open && sent < size; sent += piece.length) {
    if (socket.write(piece)) continue
    const drained = new Promise<true>((resolve) => socket.once('drain', () => resolve(true)))
    open = await Promise.race([drained, ended])
  }
  assert(sent < size / 2, `${sent} octets went into it`)
  await ended
  assert.match(answer, /^HTTP\/1.1 401 /)
})

test('a stranger whose body is small is answered, and his connection goes on', async () => {
  const body = 'x'.repeat(60_000)
  const first = `POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const socket = createConnection({ port, host: '127.0.0.1' })
  const answers = text(socket)
  socket.write(`${first}GET /v1/mailboxes HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
  assert.deepEqual(
    [...(await answers).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status),
    ['401', '401'],
  )
})

test('a body that comes with GET is passed over, and the connection goes on', async () => {
  const size = 2_000_000
  const octets = 'x'.repeat(size)
  const chunked = `transfer-encoding: chunked\r\n\r\n${size.toString(16)}\r\n${octets}\r\n0\r\n\r\n`
  for (const body of [`content-length: ${size}\r\n\r\n${octets}`, chunked]) {
    for (const key of ['', `authorization: Bearer ${tenant.key}\r\n`]) {
      const path = key ? '/v1/mailboxes' : '/openapi.yaml'
      const socket = createConnection({ port, host: '127.0.0.1' })
      const answers = text(socket)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${key}${body}`)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${key}connection: close\r\n\r\n`)
      assert.equal([...(await answers).matchAll(/HTTP\/1.1 200/g)].length, 2)
    }
  }
})

test('many small bodies in chunks are taken at once', async () => {
  const many = await createTestTenant(database)
  const text = JSON.stringify({ fromMailboxId: many.mailboxId, to: ['a@example.test'], text: 'x' })
  const sent = await Promise.all(
    Array.from({ length: 40 }, () => raw(`${headOf(many)}${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`)),
  )
  assert.deepEqual(
    sent.map(({ status }) => status),
    Array(40).fill(202),
  )
})

test('a body that never ends is cut off', async () => {
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const socket = createConnection({ port, host: '127.0.0.1' })
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tenant.key}\r\nidempotency-key: endless-1\r\n` +
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  let answer = ''
  let sent = 0
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  await new Promise<void>((resolve) => {
    socket.on('close', resolve).on('error', () => {})
    const more = () => {
      while (!socket.destroyed && sent < 400_000_000) {
        sent += 0x10000
        if (!socket.write(chunk)) return void socket.once('drain', more)
      }
      socket.destroy()
    }
    more()
  })
  assert(sent < 300_000_000, `${sent} octets were taken`)
  assert.match(answer, /^HTTP\/1.1 413 /)
})

test('an empty body is none where none is asked for, whatever it is said to be', async () => {
  const path = `/v1/attachments/uploads/${newId()}/complete`
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'application/octet-stream']) {
    const answer = await call(api.url, 'POST', path, { key: tenant.key, body: '', headers: { 'content-type': type } })
    assert.equal(answer.status, 404, type)
  }
  for (const [type, status] of [
    ['text/plain', 415],
    ['application/json', 400],
  ] as const) {
    const answer = await call(api.url, 'POST', path, { key: tenant.key, body: 'x', headers: { 'content-type': type } })
    assert.equal(answer.status, status, type)
  }
})

test('what JSON can say and nobody means is a fault of a field', async () => {
  const fields = async (text: string) => {
    const answer = await sendRaw(text)
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_error'], text.slice(0, 80))
    return answer.body.details?.fields.map(({ path, code }) => `${path} ${code}`)
  }
  const withMember = (member: string) => body.replace('{', `{${member},`)
  assert.deepEqual(await fields(withMember('"subject":"a\\u0000b"')), ['subject invalid_text'])
  assert.deepEqual(await fields(withMember('"subject":"\\ud800"')), ['subject invalid_text'])
  assert.deepEqual(await fields(withMember('"__proto__":{"tenantId":"x"}')), ['__proto__ unknown_field'])
  assert.deepEqual(await fields(withMember('"constructor":{"prototype":{}}')), ['constructor unknown_field'])
  assert.deepEqual(await fields(withMember(`"tenantId":"${tenant.tenantId}"`)), ['tenantId unknown_field'])
  assert.deepEqual(await fields(withMember('"subject":1e999')), ['subject wrong_type'])
  assert.deepEqual(await fields(withMember(`"subject":${'9'.repeat(100_000)}`)), ['subject wrong_type'])
  assert.deepEqual(await fields(`${'['.repeat(1_000_000)}`), [' too_deep'])
  assert.deepEqual(await fields(`{"to":[${'0,'.repeat(5_000_000)}0]}`), [' too_many'])
  const many = await fields(`{"to":[${'0,'.repeat(5_000)}0]}`)
  assert(many?.includes('to too_many') && many.length <= 1_000)
})

test('numbers in a query are digits', async () => {
  for (const [text, status] of [
    ['1', 200],
    ['100', 200],
    ['0', 400],
    ['101', 400],
    ['-1', 400],
    ['1e1', 400],
    ['0x10', 400],
    ['5.0', 400],
    ['%2B5', 400],
    ['%205', 400],
    ['', 400],
    ['9'.repeat(30), 400],
    ['5&limit=6', 400],
  ] as const) {
    const answer = await call(api.url, 'GET', `/v1/messages?limit=${text}`, { key: tenant.key })
    assert.equal(answer.status, status, text)
  }
})

test('broken HTTP is answered in our form', async () => {
  const host = 'host: api.test\r\n'
  for (const [octets, status, code] of [
    ['\x16\x03\x01\x02\x00\x01\x00\x01', 400, 'bad_request'],
    ['GET /v1/mailboxes HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    [`GET /v1/mail boxes HTTP/1.1\r\n${host}\r\n`, 400, 'bad_request'],
    [`NOSUCH /v1/mailboxes HTTP/1.1\r\n${host}\r\n`, 400, 'bad_request'],
    [`GET /v1/mailboxes HTTP/1.1\r\n${host}bad header: x\r\n\r\n`, 400, 'bad_request'],
    [`GET /v1/mailboxes HTTP/1.1\r\n${host}x: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [`GET /v1/mailboxes HTTP/1.1\r\n${host}${'a: b\r\n'.repeat(5_000)}\r\n`, 431, 'headers_too_large'],
    [`GET /v1/messages/%zz HTTP/1.1\r\n${host}\r\n`, 404, 'not_found'],
    [`GET /v1/messages/${'a'.repeat(3_000)} HTTP/1.1\r\n${host}\r\n`, 404, 'not_found'],
    [`GET /v1/messages/%00 HTTP/1.1\r\n${host}authorization: Bearer ${tenant.key}\r\n\r\n`, 404, 'not_found'],
    [`QUERY /v1/mailboxes HTTP/1.1\r\n${host}\r\n`, 405, 'method_not_allowed'],
    [`POST /v1/nothing HTTP/1.1\r\n${host}content-length: 3\r\n\r\n{{{`, 404, 'not_found'],
    [`GET /v1/mailboxes HTTP/1.1\r\n${host}expect: the-unexpected\r\n\r\n`, 401, 'invalid_api_key'],
  ] as const) {
    const answer = await raw(Buffer.from(octets, 'latin1'))
    assert.deepEqual([answer.status, answer.body.code], [status, code], octets.slice(0, 60))
    assert.equal(answer.body.requestId, /x-request-id: (\S+)/.exec(answer.head)?.[1])
  }
})

test('a client that goes away in the middle of its body is no fault of ours', async () => {
  const lines = `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tenant.key}\r\nidempotency-key: gone-away-1\r\n`
  const answer = await raw(`${lines}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"to`, { end: true })
  assert.deepEqual([answer.status, answer.body.code], [400, 'bad_request'])
})

test('a header that may come once is refused when it comes twice, and no other', async () => {
  const authorization = `authorization: Bearer ${tenant.key}`
  const get = (...lines: string[]) => raw(`GET /v1/mailboxes HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  for (const [lines, header] of [
    [['host: x', authorization, authorization], 'authorization'],
    [['host: x', authorization, 'Authorization: Bearer mdk_test_x'], 'authorization'],
    [['host: x', 'HOST: y', authorization], 'host'],
    [['host: x', authorization, 'range: bytes=0-1', 'range: bytes=2-3'], 'range'],
    [['host: x', authorization, 'if-modified-since: x', 'If-Modified-Since: y'], 'if-modified-since'],
  ] as const) {
    const answer = await get(...lines)
    assert.deepEqual([answer.status, answer.body.code, answer.body.details], [400, 'bad_request', { header }])
  }
  const lists = [
    'accept: a',
    'accept: b',
    'x-forwarded-for: 192.0.2.1',
    'x-forwarded-for: 192.0.2.2',
    'if-match: "a"',
    'if-match: "b"',
  ]
  assert.equal((await get('host: x', authorization, ...lists)).status, 200)
  for (const more of ['idempotency-key: hostile-2', 'content-type: application/json']) {
    const head = `POST /v1/messages HTTP/1.1\r\nhost: x\r\n${authorization}\r\nidempotency-key: hostile-1\r\n`
    const rest = `content-type: application/json\r\ncontent-length: ${body.length}\r\n${more}\r\n\r\n${body}`
    const answer = await raw(head + rest)
    assert.deepEqual([answer.status, answer.body.code], [400, 'bad_request'], more)
  }
})

test('methods that a path does not take are refused with those that it takes', async () => {
  for (const [method, path, allow] of [
    ['OPTIONS', '/v1/messages', 'GET, HEAD, POST'],
    ['DELETE', '/v1/mailboxes', 'GET, HEAD'],
    ['PUT', `/v1/messages/${tenant.tenantId}`, 'GET, HEAD, PATCH'],
  ] as const) {
    const answer = await call(api.url, method, path)
    assert.deepEqual([answer.status, answer.body.code], [405, 'method_not_allowed'])
    assert.equal(answer.headers.get('allow'), allow)
  }
  const head = (headers: Record<string, string>) => fetch(`${api.url}/v1/mailboxes`, { method: 'HEAD', headers })
  assert.equal((await head({ authorization: `Bearer ${tenant.key}` })).status, 200)
  assert.equal((await head({})).status, 401)
})

test('a key in a URL is refused, also beside a good one, however it is encoded and wherever it stands', async () => {
  const once = tenant.key.replaceAll('_', '%5f')
  const wholly = Buffer.from(tenant.key).toString('hex').replace(/../g, '%$&')
  for (const text of [tenant.key, once, wholly, wholly.toUpperCase(), wholly.replaceAll('%', '%25')]) {
    const id = newId()
    for (const path of [
      `/v1/mailboxes?api_key=${text}`,
      `/v1/messages?${text}`,
      `/v1/messages/${text}`,
      `/v1/messages/${id}#${text}`,
    ]) {
      for (const lines of ['', `authorization: Bearer ${tenant.key}\r\n`]) {
        const answer = await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\n${lines}\r\n`)
        assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_api_key'], path)
      }
    }
  }
})

test('what the framework refuses by itself counts for its address', async () => {
  const limited = await startTestApi(database, {
    config: { ipPerMinute: 2, trustedProxies: [parseNetwork('127.0.0.0/8')] },
  })
  const statuses = []
  for (const path of ['/v1/messages/%zz', `/v1/messages/${'a'.repeat(600)}`, '/v1/messages/%zz']) {
    statuses.push((await fetch(limited.url + path, { headers: { 'x-forwarded-for': '198.51.100.77' } })).status)
  }
  // The third comes in the next minute at worst, when the first two did not.
  assert(statuses.join() === '404,404,429' || new Date().getSeconds() < 5, statuses.join())
  // An address that is none is one of those that are not known.
  const odd = await fetch(`${limited.url}/v1/mailboxes`, { headers: { 'x-forwarded-for': 'not an address' } })
  assert.equal(odd.status, 401)
  await limited.stop()
})

test('a client that is slow with its headers is answered and cut off', async () => {
  const answer = await slowHeaders
  assert.deepEqual([answer.status, answer.body.code], [408, 'request_timeout'])
})

test('a body that comes without a key is there in 20 seconds or given up', async () => {
  const answer = await slowReport
  assert.deepEqual([answer.status, answer.body.code], [408, 'request_timeout'])
  // Others have two minutes.
  assert(answer.afterMs >= 20_000 && answer.afterMs < 100_000, `${answer.afterMs} ms`)
})

test('after all of it the service sends mail as before', async () => {
  assert.equal((await send(api.url, tenant.key, JSON.parse(body))).status, 202)
})
