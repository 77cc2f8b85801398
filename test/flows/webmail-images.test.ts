// Images of messages in the webmail: those within a message by links that hold for whom they were made and no longer, and those that
// somebody else has through this service, which believes nothing that it is answered.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestInbound } from '../support/inbound.ts'
import { operatorOf } from '../support/operator.ts'
import type { TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { until } from '../support/until.ts'
import {
  authenticated,
  HEAD,
  makePlace,
  moveTo,
  type Place,
  PNG,
  part,
  receive,
  withFiles,
} from '../support/webmail-mail.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const inbound = await startTestInbound(database, { store })
const api = await startTestApi(database, { store })
const [site, another] = await Promise.all([1, 2].map(() => startTestSite('webmail', database, { store })))
assert(site && another)
const MIB = 1024 * 1024

const ask = (user: TestUser, path: string, method = 'GET', body?: unknown) =>
  site.ask(method, path, { session: user.session, body })
/** As the frame does, which has no session. */
const load = (path: string, from = site) =>
  fetch(`${from.listensAt}${path}`, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' } })

const inline = (id: string, type: string, bytes: Buffer | string) =>
  part(`Content-Type: ${type}\r\nContent-ID: <${id}>\r\nContent-Disposition: inline; filename=${id}`, bytes)

const IMAGES: readonly (readonly [name: string, type: string, bytes: Buffer])[] = [
  ['png', 'image/png', PNG],
  ['jpeg', 'image/jpeg', Buffer.from('ffd8ffe000104a4649460001', 'hex')],
  ['gif', 'image/gif', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1')],
  ['webp', 'image/webp', Buffer.from('RIFF\x1a\0\0\0WEBPVP8L', 'latin1')],
  ['avif', 'image/avif', Buffer.from('\0\0\0\x1cftypavif\0\0\0\0', 'latin1')],
  ['bmp', 'image/bmp', Buffer.from(`BM${'\0'.repeat(12)}\x28\0\0\0`, 'latin1')],
  ['large', 'image/png', Buffer.concat([PNG, Buffer.alloc(3 * MIB, 7)])],
]

async function linksOf(user: TestUser, id: Uuid): Promise<Record<string, string>> {
  return (await ask(user, `/data/messages/${id}`)).body.inline
}

test('an image within a message is given by what it is, and is nothing but an image', async () => {
  const place = await makePlace(database)
  const html = IMAGES.map(([name]) => `<img src="cid:${name}">`).join('')
  // What it says of itself is not asked.
  const files = IMAGES.map(([name, , bytes]) => inline(name, 'image/x-odd', bytes))
  const id = await receive(database, inbound.port, place, withFiles(html, ...files))
  const links = await linksOf(place.user, id)
  assert.equal(Object.keys(links).length, IMAGES.length)
  for (const [name, type, bytes] of IMAGES) {
    for (const from of [site, another]) {
      const answer = await load(links[name] as string, from)
      assert.equal(answer.status, 200, name)
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes, name)
      const said = Object.fromEntries(answer.headers)
      assert.deepEqual(
        {
          ...{ type: said['content-type'], policy: said['content-security-policy'], cache: said['cache-control'] },
          ...{ sniff: said['x-content-type-options'], by: said['cross-origin-resource-policy'] },
          ...{ length: said['content-length'], cookie: said['set-cookie'] },
        },
        {
          ...{ type, policy: "sandbox; default-src 'none'", cache: 'private, no-store' },
          ...{ sniff: 'nosniff', by: 'cross-origin', length: String(bytes.length), cookie: undefined },
        },
      )
    }
  }
})

test('what only says that it is an image is none, and a link that was not made here leads nowhere', async () => {
  const place = await makePlace(database)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  const others = ['a', 'b', 'c', 'd']
  const html = others.map((name) => `<img src="cid:${name}">`).join('')
  const page = '<html><script>alert(1)</script>'
  const files = [
    inline('a', 'image/svg+xml', svg),
    inline('b', 'image/png', page),
    inline('c', 'image/gif', '%PDF-1.7'),
  ]
  const id = await receive(database, inbound.port, place, withFiles(html, ...files, inline('d', 'image/png', '')))
  const links = await linksOf(place.user, id)
  for (const [name, link] of Object.entries(links)) {
    const answer = await load(link)
    assert.equal(answer.status, 404, name)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  }
  const good = links.a as string
  const remote = good.replace('/inline/', '/image/')
  for (const link of ['/inline/', '/inline/x', `${good}A`, `${good.slice(0, -2)}AA`, `${good}/x`, remote, '/image/']) {
    assert.equal((await load(link)).status, 404, link)
  }
  assert.equal((await site.ask('POST', good)).status, 404)
})

test('a link ends with the session, with the access to the mailbox and with the message', async () => {
  const place = await makePlace(database)
  const operator = operatorOf(place.tenant.tenantId)
  const address = `second@${place.tenant.address.split('@')[1]}`
  const second = await createMailbox(database, operator, { address, displayName: 'Second' })
  await addMailboxUser(database, operator, { mailboxId: second.id, login: place.user.login, access: 'read' })
  const mail = withFiles('<img src="cid:a">', inline('a', 'image/png', PNG))
  const [first, ofBoth] = [
    await receive(database, inbound.port, place, mail),
    await receive(database, inbound.port, place, mail, [place.tenant.address, address]),
  ]
  const links = [(await linksOf(place.user, first)).a, (await linksOf(place.user, ofBoth)).a] as [string, string]
  const statuses = () => Promise.all(links.map(async (link) => (await load(link, another)).status))
  assert.deepEqual(await statuses(), [200, 200])
  await removeMailboxUser(database, operator, { mailboxId: place.tenant.mailboxId, userId: place.user.id })
  assert.deepEqual(await statuses(), [404, 200])
  await site.ask('POST', '/sign-out', {
    session: place.user.session,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.deepEqual(await statuses(), [404, 404])
})

interface Stranger {
  url: string
  /** What was asked for, with its headers. */
  asked: IncomingMessage[]
  /** Requests under way, and the most there ever were. */
  open: number
  mostOpen: number
}

/** A server of somebody else's. */
async function startStranger(answer: (path: string, response: ServerResponse) => void): Promise<Stranger> {
  const stranger: Stranger = { url: '', asked: [], open: 0, mostOpen: 0 }
  const server = createServer((request, response) => {
    stranger.asked.push(request)
    stranger.mostOpen = Math.max(stranger.mostOpen, ++stranger.open)
    response.once('close', () => stranger.open--)
    response.on('error', () => {})
    answer(request.url ?? '', response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  stranger.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return stranger
}

const ofType = (response: ServerResponse, type = 'image/png', more = {}) =>
  response.writeHead(200, { 'content-type': type, ...more })

/** Has links made for images of a message. */
async function showImages(place: Place, id: Uuid, urls: readonly string[]): Promise<Record<string, string>> {
  const answer = await ask(place.user, `/data/messages/${id}/images`, 'POST', { urls })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.images
}

async function messageOf(place: Place): Promise<Uuid> {
  return receive(database, inbound.port, place, `${HEAD}\r\nWords`)
}

test('an image of somebody else’s comes through this service, which tells nothing of the reader and passes nothing on', async () => {
  const place = await makePlace(database)
  const exact = Buffer.concat([PNG, Buffer.alloc(5 * MIB - PNG.length)])
  const stranger = await startStranger((path, response) => {
    if (path === '/moved') return void response.writeHead(302, { location: '/a.png?b=c' }).end()
    const hostile = {
      'set-cookie': 'a=b',
      ...{ link: '</x>; rel=preload', refresh: '0;url=http://evil.test', 'cache-control': 'public', 'x-own': '1' },
    }
    ofType(response, 'text/html', hostile).end(path === '/exact' ? exact : PNG)
  })
  const urls = ['/a.png?b=c', '/moved', '/exact'].map((path) => stranger.url + path)
  const links = await showImages(place, await messageOf(place), urls)
  for (const url of urls) {
    const answer = await load(links[url] as string)
    assert.equal(answer.status, 200, url)
    assert.equal(answer.headers.get('content-type'), 'image/png')
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    for (const name of ['set-cookie', 'link', 'refresh', 'x-own']) assert.equal(answer.headers.get(name), null)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), url.endsWith('exact') ? exact : PNG)
  }
  assert.deepEqual(
    stranger.asked.map(({ method, url }) => `${method} ${url}`),
    ['GET /a.png?b=c', 'GET /moved', 'GET /a.png?b=c', 'GET /exact'],
  )
  for (const { headers } of stranger.asked) {
    assert.deepEqual(Object.keys(headers).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
    assert.equal(headers['accept-encoding'], 'identity')
  }
})

test('what is answered otherwise than by an image within its bounds is none', async () => {
  const place = await makePlace(database)
  const dialled: string[] = []
  const forbidden = createTcpServer((socket) => {
    dialled.push('a connection')
    socket.destroy()
  })
  forbidden.listen(0, '::1')
  await once(forbidden, 'listening')
  after(() => forbidden.close())
  const elsewhere = `http://[::1]:${(forbidden.address() as AddressInfo).port}/`
  const bomb = gzipSync(Buffer.concat([PNG, Buffer.alloc(200 * MIB)]))
  const HOSTILE: Record<string, (response: ServerResponse) => void> = {
    slow: (response) => ofType(response).write(PNG.subarray(0, 20)),
    silent: () => {},
    dribble(response) {
      ofType(response).write(PNG)
      const timer = setInterval(() => response.write('x'), 50)
      response.once('close', () => clearInterval(timer))
    },
    endless(response) {
      ofType(response).write(PNG)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    },
    sixMebibytes: (response) => ofType(response).end(Buffer.concat([PNG, Buffer.alloc(6 * MIB)])),
    oneOctetMore: (response) => ofType(response).end(Buffer.concat([PNG, Buffer.alloc(5 * MIB + 1 - PNG.length)])),
    html: (response) => ofType(response).end('<script>alert(1)</script>'),
    svg: (response) => ofType(response, 'image/svg+xml').end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    nothing: (response) => ofType(response).end(),
    absent: (response) => response.writeHead(404, { 'content-type': 'image/png' }).end(PNG),
    part: (response) => response.writeHead(206, { 'content-type': 'image/png' }).end(PNG),
    compressed: (response) => ofType(response, 'image/png', { 'content-encoding': 'gzip' }).end(bomb),
    broken(response) {
      ofType(response, 'image/png', { 'content-length': '5000' }).write(PNG)
      setImmediate(() => response.destroy())
    },
    loop: (response) => response.writeHead(302, { location: '/loop' }).end(),
    farther: (response) => response.writeHead(302, { location: '/farther' }).end(),
    inside: (response) => response.writeHead(302, { location: elsewhere }).end(),
    private: (response) => response.writeHead(301, { location: 'http://10.0.0.1/a.png' }).end(),
    metadata: (response) => response.writeHead(307, { location: 'http://169.254.169.254/latest/' }).end(),
    file: (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    data: (response) => response.writeHead(302, { location: `data:image/png;base64,${PNG.toString('base64')}` }).end(),
    nowhere: (response) => response.writeHead(302).end(),
  }
  const stranger = await startStranger((path, response) => HOSTILE[path.slice(1)]?.(response))
  const urls = [...Object.keys(HOSTILE).map((name) => `${stranger.url}/${name}`)]
  const links = await showImages(place, await messageOf(place), urls)
  assert.equal(Object.keys(links).length, urls.length)
  const before = process.memoryUsage.rss()
  await Promise.all(
    Object.entries(links).map(async ([url, link]) => {
      const started = performance.now()
      const answer = await load(link)
      assert.equal(answer.status, 404, url)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, url)
      // Its own five seconds, behind others of the same user's.
      assert(performance.now() - started < 30_000, url)
    }),
  )
  assert(process.memoryUsage.rss() - before < 150 * MIB)
  assert.equal(stranger.asked.filter(({ url }) => url === '/loop').length, 6)
  assert.deepEqual(dialled, [])
})

test('what is no image of the web is not fetched, and only so many are asked for', async () => {
  const place = await makePlace(database)
  const id = await messageOf(place)
  const others = [
    ...['http://10.0.0.1/a.png', 'http://[::1]/a.png', 'https://localhost.:8080/', 'http://2130706433/', 'x', ''],
    ...['file:///etc/passwd', 'ftp://shop.example/a', 'https://a:b@shop.example/', '/data/session', 'http://a b/'],
    ...['http://127.0.0.1:6379/', 'https://shop.example:22/'],
  ]
  const good = ['https://shop.example/a.png', 'http://shop.example/a.png']
  assert.deepEqual(Object.keys(await showImages(place, id, [...others, ...good])), good)
  const many = (count: number) => Array.from({ length: count }, (_, i) => `https://shop.example/${i}`)
  const post = (body: unknown) => ask(place.user, `/data/messages/${id}/images`, 'POST', body)
  assert.equal((await post({ urls: many(200) })).status, 200)
  for (const body of [
    { urls: many(201) },
    { urls: [] },
    {},
    { urls: 'x' },
    { urls: [`https://a.test/${'a'.repeat(2_040)}`] },
  ]) {
    assert.equal((await post(body)).status, 400, JSON.stringify(body).slice(0, 60))
  }
})

test('nothing within the operator’s networks is asked for that the operator has not named', async () => {
  const strict = await startTestSite('webmail', database, { store, config: { images: { allow: [] } } })
  const place = await makePlace(database)
  const stranger = await startStranger((_path, response) => ofType(response).end(PNG))
  const url = `${stranger.url}/a.png`
  const id = await messageOf(place)
  const body = { urls: [url, 'http://localhost/a.png', 'http://10.1.2.3/a.png', 'http://shop.example/a.png'] }
  const answer = await strict.ask('POST', `/data/messages/${id}/images`, { session: place.user.session, body })
  assert.deepEqual(Object.keys(answer.body.images), ['http://shop.example/a.png'])
  // Made where it is allowed, and asked for where it is not.
  const { [url]: link = '' } = await showImages(place, id, [url])
  assert.equal((await load(link, strict)).status, 404)
  assert.equal((await load(link)).status, 200)
  assert.equal(stranger.asked.length, 1)
})

test('images of spam, and of what failed DMARC, are refused with the reason, also by a link that was made before', async () => {
  const place = await makePlace(database)
  const stranger = await startStranger((_path, response) => ofType(response).end(PNG))
  const url = `${stranger.url}/a.png`
  const id = await messageOf(place)
  const { [url]: link = '' } = await showImages(place, id, [url])
  const refused = async (why: RegExp) => {
    const answer = await ask(place.user, `/data/messages/${id}/images`, 'POST', { urls: [url] })
    assert.deepEqual([answer.status, answer.body.code], [403, 'not_allowed'])
    assert.match(answer.body.message, why)
    assert.equal((await load(link)).status, 403)
  }
  await moveTo(api.url, place, id, 'spam')
  await refused(/spam/)
  await moveTo(api.url, place, id, 'inbox')
  assert.equal((await load(link)).status, 200)
  await authenticated(database, place, id, 'fail')
  await refused(/pretends/)
  assert.equal(stranger.asked.length, 1)
  const other = await makePlace(database)
  assert.equal((await ask(other.user, `/data/messages/${id}/images`, 'POST', { urls: [url] })).status, 404)
})

test('a user has 50 images a minute fetched, over processes, and four at once in each', async () => {
  await until('a minute with time left', () => Date.now() % 60_000 < 40_000, 25_000)
  const place = await makePlace(database)
  const held: ServerResponse[] = []
  let holds = true
  const stranger = await startStranger((_path, response) => {
    if (holds) held.push(response)
    else ofType(response).end(PNG)
  })
  const urls = Array.from({ length: 60 }, (_, i) => `${stranger.url}/${i}.png`)
  const links = Object.values(await showImages(place, await messageOf(place), urls))
  const first = links.slice(0, 12).map((link) => load(link))
  await until('four are asked for', () => held.length === 4)
  holds = false
  for (const response of held) ofType(response).end(PNG)
  for (const answer of await Promise.all(first)) assert.equal(answer.status, 200)
  const rest = await Promise.all(links.slice(12).map((link, i) => load(link, i % 2 === 0 ? site : another)))
  const counts = Map.groupBy(rest, ({ status }) => status)
  assert.deepEqual([counts.get(200)?.length, counts.get(429)?.length], [38, 10])
  assert(Number(counts.get(429)?.[0]?.headers.get('retry-after')) > 0)
  assert.equal(stranger.asked.length, 50)
  assert(stranger.mostOpen <= 8, `${stranger.mostOpen} at once`)
  // Another user has a minute of their own.
  const other = await makePlace(database)
  const [url] = urls as [string]
  const { [url]: link = '' } = await showImages(other, await messageOf(other), [url])
  assert.equal((await load(link)).status, 200)
})
