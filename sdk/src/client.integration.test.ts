// The client against the real service.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { startTestApi } from '../../test/support/api.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { feedCaughtUp } from '../../test/support/feed.ts'
import { startProxy } from '../../test/support/proxy.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import { ApiError, ConnectionError, MailDeveloperApi } from './index.ts'

const { database } = await createTestDatabase()
const { url: baseUrl } = await startTestApi(database)
const tenant = await createTestTenant(database)
const api = new MailDeveloperApi({ baseUrl, apiKey: tenant.key })
const fromMailboxId = tenant.mailboxId

test('a message is sent once for its key, read, filed and found in lists', async () => {
  const input = { fromMailboxId, to: ['you@example.test'], subject: 'Hi', text: 'x' }
  const queued = await api.sendMessage(input, { idempotencyKey: 'client-test-1' })
  assert.deepEqual(await api.sendMessage(input, { idempotencyKey: 'client-test-1' }), queued)
  const ids = [queued.id]
  for (let i = 0; i < 4; i++) ids.unshift((await api.sendMessage(input)).id)
  const listed: string[] = []
  for await (const message of api.listMessages({ limit: 2 })) listed.push(message.id)
  assert.deepEqual(listed, ids)
  assert.equal((await api.listMessages({ limit: 3 })).items.length, 3)
  await api.updateMessage(queued.id, { mailboxId: fromMailboxId, isStarred: true })
  assert.equal((await api.getMessage(queued.id)).mailboxes[0]?.isStarred, true)
  assert.equal((await api.listMailboxes())[0]?.id, fromMailboxId)
  assert.equal((await api.listDomains()).length, 1)
})

test('events are read page by page with where to go on', async () => {
  await feedCaughtUp(database)
  const seen: string[] = []
  let resume = ''
  for await (const page of api.listEvents({ limit: 3 }).pages()) {
    seen.push(...page.items.map(({ id }) => id))
    resume = page.resumeCursor
  }
  assert(seen.length >= 6)
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual((await api.listEvents({ cursor: resume })).items, [])
})

test('the client has a method for every operation of the document that takes a key', async () => {
  const document = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8')
  // Signed URLs are put to and read by the methods that ask for them.
  const keyed = document.matchAll(/^ {6}operationId: (\w+)$(?:\n(?! {6}operationId).*)*?\n {6}security:$/gm)
  const operations = [...keyed].map(([, name]) => name as string)
  assert(operations.length > 20)
  assert.deepEqual(
    operations.filter((name) => !(name in MailDeveloperApi.prototype)),
    [],
  )
})

test('an upload that breaks off is put again', async () => {
  let puts = 0
  const proxy: string = await startProxy(baseUrl, async (request) => {
    if (request.method === 'PUT' && ++puts === 1) return undefined
    const answer = await request.forward()
    return { ...answer, body: answer.body.toString().replace(`${baseUrl}/v1/blobs`, `${proxy}/v1/blobs`) }
  })
  const client = new MailDeveloperApi({ baseUrl: proxy, apiKey: tenant.key })
  const file = Buffer.from('again')
  const { sizeBytes } = await client.uploadFile({ mailboxId: fromMailboxId, file, filename: 'again.txt' })
  assert.equal(sizeBytes, file.length)
  assert.equal(puts, 2)
})

test('the deadline of a call ends with its answer: a stream may be read for longer', async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'message/rfc822' }).write('first')
    continued = () => response.end(' last')
  }).listen(0, '127.0.0.1')
  let continued = () => {}
  after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const client = new MailDeveloperApi({ baseUrl: `http://127.0.0.1:${port}`, apiKey: tenant.key })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stream = await client.getRawMessage('x')
  t.mock.timers.tick(3_600_000)
  continued()
  assert.equal(await text(stream), 'first last')
})

test('a file is uploaded from a path, from bytes, from a Blob and from a stream', async () => {
  const folder = await temporaryFolder('client-test-')
  after(() => rm(folder, { recursive: true }))
  const bytes = randomBytes(50_000)
  const path = join(folder, 'invoice.pdf')
  await writeFile(path, bytes)
  const blob = new Blob([bytes], { type: 'application/pdf' })
  for (const file of [path, bytes, blob, blob.stream()]) {
    const attachment = await api.uploadFile({ mailboxId: fromMailboxId, file, filename: 'invoice.pdf' })
    assert.equal(attachment.sha256, createHash('sha256').update(bytes).digest('hex'))
    const { url } = await api.getAttachmentDownloadUrl(attachment.id)
    assert.deepEqual(Buffer.from(await (await fetch(url)).arrayBuffer()), bytes)
  }
  await assert.rejects(api.uploadFile({ mailboxId: fromMailboxId, file: bytes }), TypeError)
  await assert.rejects(api.uploadFile({ mailboxId: fromMailboxId, file: new Uint8Array(), filename: 'x' }), RangeError)
})

test('endpoints are made, tested, changed and deleted', async () => {
  const receiver = await startReceiver()
  const { endpoint, secret } = await api.createWebhookEndpoint({ url: receiver.url, eventTypes: ['*'] })
  assert.match(secret, /^whsec_/)
  assert.equal((await api.updateWebhookEndpoint(endpoint.id, { description: 'x' })).description, 'x')
  assert.notEqual((await api.rotateWebhookEndpointSecret(endpoint.id)).secret, secret)
  assert.equal((await api.testWebhookEndpoint(endpoint.id)).delivered, true)
  assert.equal((await api.listWebhookEndpoints()).length, 1)
  assert.equal((await api.getWebhookEndpoint(endpoint.id)).description, 'x')
  assert.deepEqual((await api.listWebhookDeliveries({ endpointId: endpoint.id })).items, [])
  const replay = await api.replayWebhookEndpoint(endpoint.id, { since: '2026-01-01' })
  assert.deepEqual((await api.getWebhookReplay(replay.id)).remaining, 0)
  assert.deepEqual((await api.stopWebhookReplay(replay.id)).status, 'stopped')
  await assert.rejects(api.listWebhookAttempts(replay.id), { code: 'not_found' })
  await api.deleteWebhookEndpoint(endpoint.id)
  assert.deepEqual(await api.listWebhookEndpoints(), [])
})

test('a refusal is an ApiError with its code and fields', async () => {
  const refused = api.sendMessage({ fromMailboxId, to: ['nonsense'], text: 'x' })
  await assert.rejects(refused, (error: unknown) => {
    assert(error instanceof ApiError)
    assert.deepEqual([error.status, error.code, error.fields[0]?.path], [400, 'validation_error', 'to[0]'])
    assert(error.requestId)
    assert.equal(error.message, 'to[0]: must be an email address such as name@example.com, without a display name')
    return true
  })
  await assert.rejects(new MailDeveloperApi({ baseUrl, apiKey: 'mdk_live_x' }).listMailboxes(), {
    code: 'invalid_api_key',
  })
})

test('every attempt of a call carries the same key, and waits are those that were asked for', async () => {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'])
    if (keys.length === 1) return void request.socket.destroy()
    const headers = { 'content-type': 'application/json', 'retry-after': '0' }
    if (keys.length === 2)
      return void response.writeHead(503, headers).end('{"code":"service_unavailable","message":"x"}')
    response.writeHead(202, headers).end('{"id":"x","object":"message","status":"queued"}')
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const port = (server.address() as AddressInfo).port
  const client = new MailDeveloperApi({ baseUrl: `http://127.0.0.1:${port}`, apiKey: tenant.key })
  await client.sendMessage({ fromMailboxId, to: ['you@example.test'], text: 'x' })
  assert.equal(keys.length, 3)
  assert.equal(new Set(keys).size, 1)
  await assert.rejects(
    new MailDeveloperApi({ baseUrl: 'http://127.0.0.1:9', apiKey: tenant.key, attempts: 1 }).listMailboxes(),
    ConnectionError,
  )
})

test('a browser is refused', () => {
  const place = globalThis as { window?: unknown }
  place.window = { document: {} }
  after(() => delete place.window)
  assert.throws(() => new MailDeveloperApi({ baseUrl, apiKey: tenant.key }), /for servers/)
  delete place.window
})
