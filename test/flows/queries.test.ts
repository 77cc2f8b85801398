// A query takes what its operation declares and nothing else: a filter that is misspelt, or that there is not, must not be
// answered with everything.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '../../src/lib/uuid.ts'
import { type Answer, call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { DOCUMENT } from '../support/openapi.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const { key, mailboxId, tenantId } = await createTestTenant(database)

const faults = ({ body }: Answer) =>
  body.details.fields.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
const headers = () => ({ 'idempotency-key': newId() })

for (const [pattern, operations] of Object.entries(DOCUMENT.paths)) {
  for (const [method, { requestBody, parameters = [] }] of Object.entries(operations)) {
    test(`${method.toUpperCase()} ${pattern} names each parameter that it does not have`, async () => {
      const path = pattern.replace(/\{\w+\}/, newId())
      const body = requestBody?.content['application/json']?.example
      const answer = await call(url, method.toUpperCase(), `${path}?tenantId=${tenantId}&colour=red&__proto__=1`, {
        key,
        body,
        headers: headers(),
      })
      assert.deepEqual([answer.status, answer.body.code], [400, 'validation_error'])
      assert.deepEqual(faults(answer), ['tenantId unknown_field', 'colour unknown_field', '__proto__ unknown_field'])
      // What it has in another spelling it has not.
      for (const { name } of parameters.filter((parameter) => parameter.in === 'query')) {
        const other = await call(url, 'GET', `${path}?${name.toUpperCase()}=1`, { key })
        assert.deepEqual(faults(other), [`${name.toUpperCase()} unknown_field`])
      }
    })
  }
}

test('unknown parameters are named beside what is wrong with the known ones', async () => {
  const answer = await call(url, 'GET', '/v1/messages?limit=0&statuss=failed&mailboxId=1', { key })
  assert.deepEqual(faults(answer).sort(), ['limit too_small', 'mailboxId invalid_uuid', 'statuss unknown_field'])
})

test('HEAD is refused like GET', async () => {
  const authorization = `Bearer ${key}`
  const head = (query: string) => fetch(`${url}/v1/mailboxes${query}`, { method: 'HEAD', headers: { authorization } })
  assert.deepEqual([(await head('?x=1')).status, (await head('')).status, (await head('?')).status], [400, 200, 200])
})

test('who may ask is looked at before what is asked', async () => {
  assert.equal((await call(url, 'GET', '/v1/messages?colour=red')).status, 401)
  const poor = await createTestTenant(database, { scopes: ['mailboxes:read'] })
  assert.equal((await call(url, 'GET', '/v1/messages?colour=red', { key: poor.key })).status, 403)
})

test('a send that is refused for its query sends nothing, and its idempotency key is free', async () => {
  const body = { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' }
  const same = headers()
  assert.equal((await call(url, 'POST', '/v1/messages?dryRun=true', { key, headers: same, body })).status, 400)
  assert.deepEqual((await call(url, 'GET', '/v1/messages', { key })).body.items, [])
  const sent = await call(url, 'POST', '/v1/messages', { key, headers: same, body })
  assert.deepEqual([sent.status, sent.headers.get('idempotent-replayed')], [202, null])
})

test('a signed URL takes nothing beside its token, and is as good as before', async () => {
  const bytes = randomBytes(5_000_000)
  const file = { mailboxId, filename: 'a.bin', mediaType: 'application/octet-stream', sizeBytes: bytes.length }
  const body = { ...file, sha256: createHash('sha256').update(bytes).digest('hex') }
  const prepared = await call(url, 'POST', '/v1/attachments/uploads', { key, headers: headers(), body })
  const { uploadId, upload } = prepared.body
  const put = (query: string) => fetch(upload.url + query, { method: 'PUT', headers: upload.headers, body: bytes })
  assert.equal((await put('?overwrite=1')).status, 400)
  assert.equal((await put('')).status, 200)
  const { attachment } = (await call(url, 'POST', `/v1/attachments/uploads/${uploadId}/complete`, { key })).body
  const link = await call(url, 'GET', `/v1/attachments/${attachment.id}/download-url`, { key })
  const refused = await fetch(`${link.body.url}?download=1`)
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /"path":"download"/)
  assert.deepEqual(Buffer.from(await (await fetch(link.body.url)).arrayBuffer()), bytes)
})

test('pages of the documentation ignore what they do not know', async () => {
  for (const path of ['/openapi.yaml?v=1', '/docs?utm_source=x', '/docs/search?q=send&x=1']) {
    assert.equal((await fetch(url + path)).status, 200, path)
  }
})
