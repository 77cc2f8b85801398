// What every answer says to browsers, proxies and caches, whatever it answers: the API's own, pages, files, refusals, and
// what never became a request.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { test } from 'node:test'
import { newId } from '../../src/lib/uuid.ts'
import { call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const { key, mailboxId } = await createTestTenant(database)

const bearer = { authorization: `Bearer ${key}` }
const json = { ...bearer, 'content-type': 'application/json', 'idempotency-key': newId() }
const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })

/** A file that was uploaded, by the signed URL of its download. */
async function signedDownload(): Promise<Response> {
  const bytes = Buffer.from('<script>alert(1)</script>')
  const ask = (method: string, path: string, body?: unknown) =>
    call(url, method, path, { key, body, headers: { 'idempotency-key': newId() } })
  const { uploadId, upload } = (
    await ask('POST', '/v1/attachments/uploads', {
      mailboxId,
      filename: 'a.html',
      mediaType: 'text/html',
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
  ).body
  await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: bytes })
  await ask('POST', `/v1/attachments/uploads/${uploadId}/complete`)
  return fetch((await ask('GET', `/v1/attachments/${uploadId}/download-url`)).body.url)
}

/** The answer to octets that are no HTTP. */
function broken(): Promise<Response> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'))
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const [line = '', ...headers] = head.split('\r\n')
      const pairs = headers.map((header): [string, string] => [
        header.split(': ')[0] ?? '',
        header.split(': ')[1] ?? '',
      ])
      resolve(new Response(body, { status: Number(line.split(' ')[1]), headers: pairs }))
    })
  })
}

const API_POLICY = "default-src 'none'; frame-ancestors 'none'"
const FILE_POLICY = "sandbox; default-src 'none'"

const ANSWERS: [name: string, status: number, policy: string | RegExp, ask: () => Promise<Response>][] = [
  ['a list', 200, API_POLICY, () => get('/v1/mailboxes', bearer)],
  [
    'what was accepted',
    202,
    API_POLICY,
    () =>
      fetch(`${url}/v1/messages`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' }),
      }),
  ],
  [
    'a validation error',
    400,
    API_POLICY,
    () => fetch(`${url}/v1/messages`, { method: 'POST', headers: json, body: '{}' }),
  ],
  ['no key', 401, API_POLICY, () => get('/v1/mailboxes')],
  ['no route', 404, API_POLICY, () => get('/nowhere')],
  ['no path', 404, API_POLICY, () => get('/v1/messages/%zz', bearer)],
  ['no method', 405, API_POLICY, () => fetch(`${url}/v1/mailboxes`, { method: 'DELETE', headers: bearer })],
  [
    'no type',
    415,
    API_POLICY,
    () =>
      fetch(`${url}/v1/messages`, { method: 'POST', headers: { ...json, 'content-type': 'text/plain' }, body: 'x' }),
  ],
  ['broken HTTP', 400, API_POLICY, broken],
  ['the contract', 200, API_POLICY, () => get('/openapi.yaml')],
  ['the reference', 200, /^default-src 'none';/, () => get('/docs')],
  ['a file', 200, FILE_POLICY, signedDownload],
]

for (const [name, status, policy, ask] of ANSWERS) {
  test(`${name} is not framed, guessed at, kept, or read by other sites`, async () => {
    const answer = await ask()
    assert.equal(answer.status, status)
    const { headers } = answer
    const given = headers.get('content-security-policy') ?? ''
    if (typeof policy === 'string') assert.equal(given, policy)
    else assert.match(given, policy)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    assert.match(headers.get('content-type') ?? '', /./)
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin', 'set-cookie']) {
      assert.equal(headers.get(name), null)
    }
  })
}

test('a file that a browser might run is downloaded instead', async () => {
  const answer = await signedDownload()
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/)
})

test('no other site may ask on behalf of a browser', async () => {
  const asked = { origin: 'https://elsewhere.test', 'access-control-request-method': 'POST' }
  const answer = await fetch(`${url}/v1/messages`, { method: 'OPTIONS', headers: asked })
  assert.equal(answer.status, 405)
  assert.deepEqual(
    [...answer.headers.keys()].filter((header) => header.startsWith('access-control')),
    [],
  )
})
