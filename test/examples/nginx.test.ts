// The service behind Debian's nginx as examples/nginx.conf has it: each way in works, and clients are who they are.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { askHttps, beginHttps } from '../support/https.ts'
import { startNginx } from '../support/nginx.ts'
import { createTestPerson, PASSWORD } from '../support/people.ts'
import { TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const skip = skipWithout('nginx')
const [http, https, api, console, webmail] = [
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
]
const { database, url } = await createTestDatabase()
const tenant = await createTestTenant(database)
const urlOf = (name: string) => `https://${name}.example.com:${https}`
if (!skip) {
  const env = {
    MDK_DATABASE_URL: url,
    MDK_DATA_DIR: await temporaryFolder('mdk-behind-nginx-'),
    MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT,
    MDK_PORT: String(api),
    MDK_CONSOLE_PORT: String(console),
    MDK_WEBMAIL_PORT: String(webmail),
    MDK_PUBLIC_URL: urlOf('api'),
    MDK_CONSOLE_URL: urlOf('console'),
    MDK_WEBMAIL_URL: urlOf('webmail'),
    MDK_TRUSTED_PROXIES: '127.0.0.1',
  }
  await startService(env, ['serve', '--roles', 'api,console,webmail'])
  await startNginx({ http, https, api, console, webmail })
}

interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: Uint8Array | string
  localAddress?: string
}

/** As a client that has looked the name up. */
const ask = (origin: string, path: string, { headers, ...asked }: Asked = {}) =>
  askHttps(https, path, {
    ...asked,
    servername: new URL(origin).hostname,
    headers: { host: new URL(origin).host, ...headers },
  })
const callApi = (method: string, path: string, body?: unknown, more: Asked = {}) =>
  ask(urlOf('api'), path, {
    ...more,
    method,
    headers: {
      authorization: `Bearer ${tenant.key}`,
      'content-type': 'application/json',
      'idempotency-key': newId(),
      ...more.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const mail = { fromMailboxId: tenant.mailboxId, to: ['a@b.test'], subject: 'Hello', text: 'Hello' }

async function signIn(): Promise<string> {
  const { login } = await createTestPerson(database, tenant.tenantId, 'owner')
  const answer = await ask(urlOf('console'), '/sign-in', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      origin: urlOf('console'),
    },
    body: new URLSearchParams({ login, password: PASSWORD, to: '/' }).toString(),
    localAddress: '127.0.0.9',
  })
  assert.equal(answer.status, 303, answer.body)
  const [cookie = ''] = answer.headers['set-cookie'] ?? []
  assert.match(cookie, /^__Host-mdk_console=[^;]+;.*Secure/)
  return cookie.split(';')[0] as string
}

test('the API answers behind it, and counts and records clients by their own addresses', { skip }, async () => {
  const sent = await callApi('POST', '/v1/messages', mail)
  assert.equal(sent.status, 202, sent.body)
  assert.equal(sent.headers['strict-transport-security'], 'max-age=31536000')
  const forged = { localAddress: '127.0.0.8', headers: { 'x-forwarded-for': '203.0.113.7' } }
  const created = await callApi('POST', '/v1/messages', mail, forged)
  assert.equal(created.status, 202)
  const cookie = await signIn()
  const audit = await ask(urlOf('console'), '/data/audit', { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  assert.equal(audit.status, 200, audit.body)
  assert.ok(audit.body.includes('127.0.0.9'), 'who signed in')
  const { rows } = await database.pool.query('select e::text as event from events e where tenant_id = $1', [
    tenant.tenantId,
  ])
  const events = rows.map(({ event }) => event).join()
  assert.deepEqual([events.includes('127.0.0.8'), events.includes('203.0.113.7')], [true, false])
})

test('somebody signs in to the console, and hears what is new while it happens', { skip }, async () => {
  const cookie = await signIn()
  const headers = { cookie, host: new URL(urlOf('console')).host, 'sec-fetch-site': 'same-origin' }
  const stream = await beginHttps(https, '/changes', { servername: 'console.example.com', headers })
  assert.equal(stream.statusCode, 200)
  let heard = ''
  stream.setEncoding('utf8').on('data', (text) => {
    heard += text
  })
  await until('the stream has begun', () => heard.length > 0)
  const sent = await callApi('POST', '/v1/messages', mail)
  const { id } = JSON.parse(sent.body)
  await until('the send is heard of', () => heard.includes(id))
  stream.destroy()
})

test('a file of 25 MiB is uploaded and comes back', { skip }, async () => {
  const bytes = randomBytes(25 * 1024 * 1024)
  const begun = await callApi('POST', '/v1/attachments/uploads', {
    mailboxId: tenant.mailboxId,
    filename: 'a.bin',
    mediaType: 'application/octet-stream',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  const { uploadId, upload } = JSON.parse(begun.body)
  assert.equal(new URL(upload.url).origin, urlOf('api'))
  const put = await ask(urlOf('api'), upload.url.slice(urlOf('api').length), {
    method: 'PUT',
    headers: { ...upload.headers, 'content-length': String(bytes.length) },
    body: bytes,
  })
  assert.ok(put.status < 300, put.body)
  const completed = await callApi('POST', `/v1/attachments/uploads/${uploadId}/complete`)
  assert.ok(completed.status < 300, completed.body)
  const { url: download } = JSON.parse((await callApi('GET', `/v1/attachments/${uploadId}/download-url`)).body)
  const host = new URL(urlOf('api')).host
  const back = await beginHttps(https, download.slice(urlOf('api').length), {
    servername: 'api.example.com',
    headers: { host },
  })
  const hash = createHash('sha256')
  for await (const chunk of back) hash.update(chunk)
  assert.equal(hash.digest('hex'), createHash('sha256').update(bytes).digest('hex'))
})

test('plain HTTP leads to HTTPS, and the webmail is there', { skip }, async () => {
  const host = 'webmail.example.com'
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: http, path: '/a?b=c', headers: { host } }, resolve)
    asked.on('error', reject).end()
  })
  answer.resume()
  assert.deepEqual([answer.statusCode, answer.headers.location], [301, `https://${host}/a?b=c`])
  assert.equal((await ask(urlOf('webmail'), '/sign-in')).status, 200)
})
