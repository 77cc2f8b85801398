// Attachments: bytes go in as they were announced or not at all, come out only to who may have them, and go out with
// mail.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import PostalMime from 'postal-mime'
import { setAppStatus } from '../../src/apps/set-app-status.ts'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { attachmentKey } from '../../src/attachments/attachment-key.ts'
import { sweepRemovals } from '../../src/lib/object-removals.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { makeDkimKey, sealDkimKey } from '../../src/mailboxes/dkim-key.ts'
import { setMailboxStatus } from '../../src/mailboxes/set-mailbox-status.ts'
import { endMessages } from '../../src/messages/end-messages.ts'
import { type Answer, call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { TEST_SECRET_KEYS } from '../support/role-parts.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const folder = await temporaryFolder('attachments-test-')
after(() => rm(folder, { recursive: true, force: true }))
const store = await openFileStore(folder)
const incoming = async () => (await readdir(join(folder, 'incoming'))).length
const { url } = await startTestApi(database, { store })
const MIB = 1024 * 1024

function ok(answer: Answer, status = 200) {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function prepare(tenant: TestTenant, bytes: Uint8Array, more: object = {}, key = newId()): Promise<Answer> {
  return call(url, 'POST', '/v1/attachments/uploads', {
    key: tenant.key,
    headers: { 'idempotency-key': key },
    body: {
      mailboxId: tenant.mailboxId,
      filename: 'file.bin',
      mediaType: 'application/octet-stream',
      sizeBytes: bytes.length,
      sha256: digestOf(bytes),
      ...more,
    },
  })
}

const put = (upload: { url: string; headers: Record<string, string> }, bytes: Uint8Array, headers = {}) =>
  fetch(upload.url, {
    method: 'PUT',
    headers: { ...upload.headers, ...headers },
    body: bytes as Uint8Array<ArrayBuffer>,
  })

const complete = (tenant: TestTenant, uploadId: string) =>
  call(url, 'POST', `/v1/attachments/uploads/${uploadId}/complete`, { key: tenant.key })

async function upload(tenant: TestTenant, bytes: Uint8Array, more: object = {}) {
  const prepared = ok(await prepare(tenant, bytes, more), 201)
  assert.equal((await put(prepared.upload, bytes)).status, 200)
  return ok(await complete(tenant, prepared.uploadId)).attachment
}

const uploadJson = (tenant: TestTenant, contentBase64: string, key = newId()) =>
  call(url, 'POST', '/v1/attachments', {
    key: tenant.key,
    headers: { 'idempotency-key': key },
    body: { mailboxId: tenant.mailboxId, filename: 'a.txt', mediaType: 'text/plain', contentBase64 },
  })

const downloadUrl = (tenant: TestTenant, id: string) =>
  call(url, 'GET', `/v1/attachments/${id}/download-url`, { key: tenant.key })

test('a file goes up, is completed once and for all, and comes down as it was', async () => {
  const tenant = await createTestTenant(database)
  const bytes = randomBytes(100_000)
  const key = newId()
  const name = { filename: 'Bericht "ü" 📎.pdf', mediaType: 'application/pdf; version=1' }
  const prepared = ok(await prepare(tenant, bytes, name, key), 201)
  assert.equal(prepared.attachment, null)
  assert.equal(prepared.upload.method, 'PUT')
  const again = await prepare(tenant, bytes, name, key)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual([again.body.uploadId, again.body.upload.expiresAt], [prepared.uploadId, prepared.upload.expiresAt])
  assert.equal((await prepare(tenant, bytes, {}, key)).body.code, 'idempotency_conflict')
  assert.equal((await put(again.body.upload, bytes)).status, 200)
  const completed = await Promise.all(Array.from({ length: 20 }, () => complete(tenant, prepared.uploadId)))
  for (const answer of completed) assert.deepEqual(ok(answer), completed[0]?.body)
  const { createdAt, id, ...record } = ok(completed[0] as Answer).attachment
  assert(createdAt)
  const expected = { ...name, sizeBytes: bytes.length, sha256: digestOf(bytes) }
  assert.deepEqual(record, {
    ...expected,
    mailboxId: tenant.mailboxId,
    messageId: null,
    disposition: 'attachment',
    contentId: null,
  })
  const replayed = ok(await prepare(tenant, bytes, name, key), 201)
  assert.deepEqual([replayed.upload, replayed.attachment.id], [null, id])

  const { url: link, expiresAt, ...download } = ok(await downloadUrl(tenant, id))
  assert.deepEqual(download, expected)
  assert(Date.parse(expiresAt) - Date.now() < 61_000)
  const response = await fetch(link)
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes)
  assert.equal(response.headers.get('content-type'), name.mediaType)
  assert.equal(response.headers.get('content-length'), String(bytes.length))
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; .*filename\*=UTF-8''Bericht/)
  const part = await fetch(link, { headers: { range: 'bytes=10-19' } })
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 10-19/${bytes.length}`])
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 20))
  const ifRange = async (of: string) =>
    (await fetch(link, { headers: { range: 'bytes=10-19', 'if-range': of } })).status
  assert.equal(await ifRange(part.headers.get('etag') as string), 206)
  assert.equal(await ifRange('"another"'), 200)
  assert.equal(await ifRange('Sun, 01 Mar 2026 00:00:00 GMT'), 200)
  assert.equal((await fetch(link, { method: 'PUT', body: 'x' })).status, 404)
  assert.equal((await fetch(`${link.slice(0, -2)}xx`)).status, 404)
})

test('whatever a signed URL is refused for is said in the form of every error, and nothing of the file', async () => {
  const tenant = await createTestTenant(database)
  const bytes = randomBytes(1000)
  const prepared = ok(await prepare(tenant, bytes), 201)
  const putting = new URL(prepared.upload.url).pathname
  const { id } = await upload(tenant, bytes)
  const getting = new URL(ok(await downloadUrl(tenant, id)).url).pathname
  const lost = await upload(tenant, bytes)
  const losing = new URL(ok(await downloadUrl(tenant, lost.id)).url).pathname
  await store.delete(attachmentKey(tenant.tenantId, lost.id))
  for (const [method, path, headers, status, code, details] of [
    ['GET', getting, { range: 'bytes=1000-' }, 416, 'range_not_satisfiable', { sizeBytes: 1000 }],
    ['GET', getting, { range: 'bytes=-0' }, 416, 'range_not_satisfiable', { sizeBytes: 1000 }],
    ['GET', putting, {}, 404, 'not_found', undefined],
    ['GET', losing, {}, 404, 'not_found', undefined],
    ['GET', '/v1/blobs/nothing', {}, 404, 'not_found', undefined],
    ['PUT', getting, {}, 404, 'not_found', undefined],
    ['PUT', putting, { 'content-type': 'text/odd' }, 422, 'upload_mismatch', { mismatch: ['mediaType'] }],
    ['POST', getting, {}, 405, 'method_not_allowed', undefined],
  ] as const) {
    const answer = await call(url, method, path, { headers, ...(method === 'PUT' ? { body: bytes } : {}) })
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.details],
      [status, code, details],
      `${method} ${code}`,
    )
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    for (const name of ['content-disposition', 'etag', 'accept-ranges'])
      assert.equal(answer.headers.get(name), null, name)
    assert.equal(answer.headers.get('content-range'), status === 416 ? 'bytes */1000' : null)
    assert.doesNotMatch(answer.body.message, /credentials/)
  }
  const last = await call(url, 'GET', getting, { headers: { range: 'bytes=999-' } })
  assert.deepEqual([last.status, last.headers.get('content-range')], [206, 'bytes 999-999/1000'])
})

test('what is put is what was announced, or is refused, and a later right PUT completes', async () => {
  const tenant = await createTestTenant(database)
  const bytes = randomBytes(1000)
  const { uploadId, upload: target } = ok(await prepare(tenant, bytes), 201)
  const state = async () => {
    const { status, body } = await complete(tenant, uploadId)
    return [status, body.code, body.details?.mismatch]
  }
  assert.deepEqual(await state(), [422, 'upload_missing', undefined])
  const refusals: [string, Uint8Array, object][] = [
    ['sha256', randomBytes(1000), {}],
    ['size', bytes.subarray(1), {}],
    ['size', Buffer.concat([bytes, bytes]), {}],
    ['size', Buffer.alloc(20 * MIB), {}],
    ['mediaType', bytes, { 'content-type': 'text/html' }],
  ]
  for (const [what, wrong, headers] of refusals) {
    const answer = await put(target, wrong, headers)
    assert.equal(answer.status, 422)
    assert.deepEqual(await state(), [422, 'upload_mismatch', [what]])
  }
  const endless = new Blob([Buffer.alloc(20 * MIB)]).stream()
  const answer = await fetch(target.url, { method: 'PUT', headers: target.headers, body: endless, duplex: 'half' })
  assert.equal(answer.status, 422, 'whoever says no length is answered so as well')
  assert.equal((await put(target, bytes)).status, 200)
  assert.equal((await state())[0], 200)
})

test('a connection that breaks leaves nothing', async () => {
  const tenant = await createTestTenant(database)
  const bytes = randomBytes(1_000_000)
  const { uploadId, upload: target } = ok(await prepare(tenant, bytes), 201)
  const { hostname, port, pathname } = new URL(target.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `PUT ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000000\r\n\r\n`,
  )
  socket.write(bytes.subarray(0, 500_000))
  await until('some of it is written', async () => (await incoming()) > 0)
  socket.destroy()
  await until('it is taken away', async () => (await incoming()) === 0)
  assert.equal((await complete(tenant, uploadId)).body.code, 'upload_missing')
})

test('the bounds of an upload hold on both sides', async () => {
  const tenant = await createTestTenant(database)
  const bytes = randomBytes(10)
  const refusal = async (more: object) => {
    const { status, body } = await prepare(tenant, bytes, more)
    return [status, body.code, body.details?.fields?.[0]?.path ?? body.details?.field]
  }
  assert.equal((await prepare(tenant, bytes, { sizeBytes: 25 * MIB })).status, 201)
  assert.deepEqual(await refusal({ sizeBytes: 25 * MIB + 1 }), [413, 'attachment_too_large', undefined])
  assert.deepEqual(await refusal({ sizeBytes: 0 }), [400, 'validation_error', 'sizeBytes'])
  assert.deepEqual(await refusal({ sizeBytes: 1.5 }), [400, 'validation_error', 'sizeBytes'])
  assert.equal((await prepare(tenant, bytes, { filename: 'x'.repeat(255) })).status, 201)
  assert.deepEqual(await refusal({ filename: 'x'.repeat(256) }), [400, 'validation_error', 'filename'])
  assert.deepEqual(await refusal({ filename: '' }), [400, 'validation_error', 'filename'])
  assert.equal((await prepare(tenant, bytes, { mediaType: `a/${'x'.repeat(253)}` })).status, 201)
  assert.deepEqual(await refusal({ mediaType: `a/${'x'.repeat(254)}` }), [400, 'validation_error', 'mediaType'])
  for (const mediaType of ['text', 'text/', '/plain', 'text/plain;', 'a/b\r\nX: y', 'ü/x']) {
    assert.deepEqual(await refusal({ mediaType }), [400, 'validation_error', 'mediaType'])
  }
  assert.deepEqual(await refusal({ sha256: 'A'.repeat(64) }), [400, 'validation_error', 'sha256'])
  assert.deepEqual(await refusal({ mailboxId: newId() }), [404, 'not_found', 'mailboxId'])
  await setMailboxStatus(database, operatorOf(tenant.tenantId), tenant.mailboxId, 'suspended')
  assert.deepEqual(await refusal({}), [403, 'mailbox_suspended', undefined])
})

test('an upload whose time has passed is gone, and a new key begins anew', async () => {
  const tenant = await createTestTenant(database)
  const bytes = randomBytes(10)
  const key = newId()
  const { uploadId, upload: target } = ok(await prepare(tenant, bytes, {}, key), 201)
  await database.pool.query(`update uploads set expires_at = clock_timestamp() where id = $1`, [uploadId])
  assert.equal((await put(target, bytes)).status, 410)
  assert.deepEqual(ok(await complete(tenant, uploadId), 410).code, 'upload_expired')
  assert.equal((await prepare(tenant, bytes, {}, key)).status, 410)
  assert.equal((await prepare(tenant, bytes)).status, 201)
})

test('bytes that come too late are not kept, and those of an upload that is not completed go', async () => {
  const tenant = await createTestTenant(database)
  const bytes = randomBytes(1_000_000)
  const late = ok(await prepare(tenant, bytes), 201)
  const { hostname, port, pathname } = new URL(late.upload.url)
  const socket = connect(Number(port), hostname)
  socket.write(`PUT ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n`)
  socket.write('Content-Length: 1000000\r\n\r\n')
  socket.write(bytes.subarray(0, 500_000))
  await until('some of it is written', async () => (await incoming()) > 0)
  await database.pool.query(`update uploads set expires_at = clock_timestamp() where id = $1`, [late.uploadId])
  socket.write(bytes.subarray(500_000))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 410 /)
  socket.destroy()
  const forgotten = ok(await prepare(tenant, bytes), 201)
  assert.equal((await put(forgotten.upload, bytes)).status, 200)
  const stored = ({ uploadId }: { uploadId: string }) => store.head(attachmentKey(tenant.tenantId, uploadId))
  assert.deepEqual([await stored(late), await stored(forgotten)], [undefined, { sizeBytes: bytes.length }])
  const { rows } = await database.pool.query(
    `select extract(epoch from r.due_at - u.expires_at) as after from uploads u
     join object_removals r on r.object_key like '%' || u.id where u.id = $1`,
    [forgotten.uploadId],
  )
  assert(Number(rows[0].after) > 50 && Number(rows[0].after) < 61)
  await database.pool.query('update object_removals set due_at = clock_timestamp()')
  await sweepRemovals(database, store, 1_000)
  assert.equal(await stored(forgotten), undefined)
  // It was as good as completed when the sweep took it.
  assert.equal((await complete(tenant, forgotten.uploadId)).body.code, 'upload_missing')
})

test('a PUT that is repeated when the attachment has come and gone leaves nothing', async () => {
  const tenant = await createTestTenant(database)
  const bytes = randomBytes(1_000)
  const { uploadId, upload: target } = ok(await prepare(tenant, bytes), 201)
  assert.equal((await put(target, bytes)).status, 200)
  assert.equal((await put(target, bytes)).status, 200)
  ok(await complete(tenant, uploadId))
  const key = attachmentKey(tenant.tenantId, uploadId)
  await database.pool.query('delete from attachments where id = $1', [uploadId])
  await store.delete(key)
  assert.equal((await put(target, bytes)).status, 200)
  assert.equal((await put(target, randomBytes(1_000))).status, 422)
  assert.equal(await store.head(key), undefined)
})

test('a purged attachment does not come back when its upload is completed again', async () => {
  const tenant = await createTestTenant(database)
  const { tenantId } = tenant
  const { id: attachmentId } = await upload(tenant, randomBytes(1_000))
  const mail = { fromMailboxId: tenant.mailboxId, to: ['you@example.test'], text: 'x', attachmentIds: [attachmentId] }
  const { id } = ok(await send(url, tenant.key, mail), 202)
  assert.equal(ok(await complete(tenant, attachmentId)).attachment.messageId, id)
  await database.transaction((tx) => endMessages(tx, [{ tenantId, id }], 'purged'))
  const answers = await Promise.all(Array.from({ length: 5 }, () => complete(tenant, attachmentId)))
  for (const { status, body } of answers) assert.deepEqual([status, body.code], [404, 'not_found'])
  await sweepRemovals(database, store, 1_000)
  assert.equal(await store.head(attachmentKey(tenantId, attachmentId)), undefined)
  await database.pool.query('update uploads set expires_at = clock_timestamp() where id = $1', [attachmentId])
  assert.equal((await complete(tenant, attachmentId)).status, 404)
  assert.equal((await downloadUrl(tenant, attachmentId)).status, 404)
})

test('preparing again gives the attachment and no URL, also when it is gone or the time of the upload is over', async () => {
  const tenant = await createTestTenant(database)
  const { tenantId } = tenant
  const bytes = randomBytes(1_000)
  const key = newId()
  const { uploadId, upload: target } = ok(await prepare(tenant, bytes, {}, key), 201)
  assert.equal((await put(target, bytes)).status, 200)
  const { attachment } = ok(await complete(tenant, uploadId))
  const replay = async () => {
    const answer = await prepare(tenant, bytes, {}, key)
    assert.equal(answer.headers.get('idempotent-replayed'), 'true')
    return ok(answer, 201)
  }
  assert.deepEqual(await replay(), { uploadId, attachment, upload: null })
  const mail = { fromMailboxId: tenant.mailboxId, to: ['you@example.test'], text: 'x', attachmentIds: [uploadId] }
  const { id } = ok(await send(url, tenant.key, mail), 202)
  await database.transaction((tx) => endMessages(tx, [{ tenantId, id }], 'purged'))
  assert.deepEqual(await replay(), { uploadId, attachment, upload: null })
  await database.pool.query('update uploads set expires_at = clock_timestamp() where id = $1', [uploadId])
  assert.deepEqual(await replay(), { uploadId, attachment, upload: null })
  assert.equal((await downloadUrl(tenant, uploadId)).status, 404)
  assert.equal((await prepare(tenant, bytes, { filename: 'other' }, key)).body.code, 'idempotency_conflict')
})

test('small files go as JSON, to 3 MiB and strictly encoded', async () => {
  const tenant = await createTestTenant(database)
  const key = newId()
  const answers = await Promise.all(Array.from({ length: 10 }, () => uploadJson(tenant, 'aGVsbG8=', key)))
  const { attachment } = ok(await uploadJson(tenant, 'aGVsbG8=', key), 201)
  // Those who came while the first was running were answered so.
  for (const { status, body } of answers) {
    if (status === 201) assert.deepEqual(body, { attachment })
    else assert.deepEqual([status, body.code], [409, 'idempotency_pending'])
  }
  assert(answers.some(({ status }) => status === 201))
  assert.equal(attachment.sha256, digestOf(Buffer.from('hello')))
  const download = await call(url, 'GET', `/v1/attachments/${attachment.id}/download`, { key: tenant.key })
  assert.deepEqual(ok(download), { filename: 'a.txt', mediaType: 'text/plain', contentBase64: 'aGVsbG8=' })
  for (const wrong of ['aGVsbG8', 'aGVsbG8=\n', 'aGVs bG8=', 'aGVsbG9=', '_-8=', '====', '']) {
    assert.equal((await uploadJson(tenant, wrong)).body.code, 'validation_error', wrong)
  }
  const allWrong = await call(url, 'POST', '/v1/attachments', {
    key: tenant.key,
    headers: { 'idempotency-key': newId() },
    body: { mailboxId: tenant.mailboxId, filename: '', mediaType: 'text/plain', contentBase64: '%%%' },
  })
  assert.deepEqual(
    ok(allWrong, 400).details.fields.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
    ['filename too_short', 'contentBase64 invalid_base64'],
  )
  assert.equal((await uploadJson(tenant, randomBytes(3 * MIB).toString('base64'))).status, 201)
  const large = await uploadJson(tenant, randomBytes(3 * MIB + 1).toString('base64'))
  assert.deepEqual([large.status, large.body.code], [413, 'attachment_too_large'])
  assert.match(large.body.message, /direct upload/)
  const freed = newId()
  const larger = await uploadJson(tenant, randomBytes(4 * MIB).toString('base64'), freed)
  assert.deepEqual([larger.status, larger.body.code], [413, 'payload_too_large'])
  assert.match(larger.body.message, /direct upload/)
  assert.equal((await uploadJson(tenant, 'aGVsbG8=', freed)).status, 201)
})

test('HEAD shows what may be downloaded, without a look at its bytes', async () => {
  const opened: string[] = []
  const watched: ObjectStore = {
    ...store,
    get(key, range) {
      opened.push(key)
      return store.get(key, range)
    },
  }
  const watching = await startTestApi(database, { store: watched })
  const tenant = await createTestTenant(database)
  const { id } = await upload(tenant, randomBytes(100_000))
  const { id: messageId } = ok(
    await send(url, tenant.key, { fromMailboxId: tenant.mailboxId, to: ['a@example.test'], text: 'x' }),
    202,
  )
  const sink = await startSmtpSink()
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  const message = `/v1/messages/${messageId}`
  await until('it is sent', async () => {
    return ok(await call(url, 'GET', message, { key: tenant.key })).message.status === 'sent'
  })
  await outbound.stop()
  await sink.stop()
  const link = ok(await call(watching.url, 'GET', `/v1/attachments/${id}/download-url`, { key: tenant.key })).url
  const paths = [new URL(link).pathname, `/v1/attachments/${id}/download`, `${message}/raw`]
  const headers = { authorization: `Bearer ${tenant.key}` }
  const shown = (answer: Response) =>
    ['content-type', 'content-disposition', 'etag', 'accept-ranges'].map((name) => answer.headers.get(name))
  for (const path of paths) {
    const head = await fetch(watching.url + path, { method: 'HEAD', headers: { ...headers, range: 'bytes=1-2' } })
    assert.deepEqual([head.status, await head.text(), opened], [200, '', []], path)
    const get = await fetch(watching.url + path, { headers })
    assert.equal(opened.splice(0).length, 1, path)
    const { length } = await get.bytes()
    assert.deepEqual(shown(head), shown(get))
    if (!path.endsWith('/download')) assert.equal(Number(head.headers.get('content-length')), length, path)
  }
  await store.delete(attachmentKey(tenant.tenantId, id))
  assert.equal((await fetch(watching.url + paths[0], { method: 'HEAD' })).status, 404)
  for (const path of paths.slice(1)) {
    const nowhere = path.replace(/[0-9a-f-]{36}/, newId())
    assert.equal((await fetch(watching.url + nowhere, { method: 'HEAD', headers })).status, 404)
  }
})

test('mail goes out with its files, named in any script, and inline where the html shows them', async () => {
  const tenant = await createTestTenant(database)
  const [image, report] = [randomBytes(70_000), randomBytes(57 * 1024)]
  const shown = await upload(tenant, image, { filename: 'bild.png', mediaType: 'image/png' })
  const named = await upload(tenant, report, { filename: 'Отчёт 報告 📎.pdf', mediaType: 'application/pdf' })
  const sink = await startSmtpSink()
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  const { id } = ok(
    await send(url, tenant.key, {
      fromMailboxId: tenant.mailboxId,
      to: ['you@example.test'],
      text: 'See',
      html: `<img src="cid:${shown.id}">`,
      attachmentIds: [named.id, shown.id],
    }),
    202,
  )
  const [mail] = await sink.received(1)
  const parsed = await PostalMime.parse(mail?.bytes ?? '')
  const [first, second] = parsed.attachments
  assert.deepEqual(
    [first?.filename, first?.mimeType, first?.disposition, first?.contentId],
    ['bild.png', 'image/png', 'inline', `<${shown.id}>`],
  )
  assert.deepEqual(Buffer.from(first?.content as ArrayBuffer), image)
  assert.deepEqual([second?.filename, second?.disposition], ['Отчёт 報告 📎.pdf', 'attachment'])
  assert.deepEqual(Buffer.from(second?.content as ArrayBuffer), report)
  assert.equal(parsed.text?.trim(), 'See')

  const message = await until('it is recorded', async () => {
    const { message } = ok(await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key }))
    return message.status === 'sent' && message
  })
  await outbound.stop()
  await sink.stop()
  assert.equal(message.sizeBytes, mail?.bytes.length)
  assert.deepEqual([message.hasAttachments, message.attachmentCount], [true, 2])
  assert.deepEqual(
    message.attachments.map((attachment: { id: string; messageId: string }) => [attachment.id, attachment.messageId]),
    [
      [named.id, id],
      [shown.id, id],
    ],
  )
  const [alternative, file] = message.mime.parts
  assert.equal(message.mime.contentType, 'multipart/mixed')
  assert.equal(file.attachmentId, named.id)
  assert.equal(alternative.parts[1].contentType, 'multipart/related')
  assert.equal(alternative.parts[1].parts[1].attachmentId, shown.id)
  assert.equal(ok(await downloadUrl(tenant, shown.id)).filename, 'bild.png')
})

for (const signed of [false, true]) {
  test(`a whole message of 25 MiB arrives byte for byte, ${signed ? 'signed' : 'unsigned'}; one octet more is refused`, async () => {
    const dkim = { key: await makeDkimKey(), secretBox: createSecretBox(TEST_SECRET_KEYS) }
    const tenant = await createTestTenant(database, signed ? { dkim } : {})
    const file = randomBytes(Math.floor((25 * MIB * 57) / 78) - 2_000)
    const { id: fileId } = await upload(tenant, file)
    const sink = await startSmtpSink({ server: { size: 30 * MIB } })
    const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
    const sendText = (length: number) =>
      send(url, tenant.key, {
        fromMailboxId: tenant.mailboxId,
        to: ['you@example.test'],
        // A line of text takes as many octets as it has characters.
        text: `${'x'.repeat(62)}\n`.repeat(length / 64) + 'x'.repeat(length % 64),
        attachmentIds: [fileId],
      })
    ok(await sendText(64), 202)
    const [first] = await sink.received(1)
    const room = 25 * MIB - (first?.bytes.length ?? 0)
    const refused = await sendText(64 + room + 1)
    assert.deepEqual([refused.status, refused.body.code], [413, 'message_too_large'])
    ok(await sendText(64 + room), 202)
    const mail = (await sink.received(2))[1]
    await outbound.stop()
    await sink.stop()
    assert.equal(mail?.bytes.length, 25 * MIB)
    assert.equal(mail?.bytes.toString('latin1').startsWith('DKIM-Signature:'), signed)
    const parsed = await PostalMime.parse(mail?.bytes ?? '')
    assert.equal(digestOf(new Uint8Array(parsed.attachments[0]?.content as ArrayBuffer)), digestOf(file))
  })
}

test('a message whose domain gets a key after it was accepted goes out signed, beyond 25 MiB by its signature', async () => {
  const tenant = await createTestTenant(database)
  const message = { fromMailboxId: tenant.mailboxId, to: ['you@example.test'], text: 'x' }
  const { id: fileId } = await upload(tenant, randomBytes(Math.floor((25 * MIB * 57) / 78) - 700))
  ok(await send(url, tenant.key, { ...message, attachmentIds: [fileId] }), 202)
  const dkim = { key: await makeDkimKey(), secretBox: createSecretBox(TEST_SECRET_KEYS) }
  const [domain] = await database.rows(sql<{ id: Uuid }>`select id from domains where tenant_id = ${tenant.tenantId}`)
  const owner = { tenantId: tenant.tenantId, id: (domain as { id: Uuid }).id }
  const domainKey = sealDkimKey(dkim.secretBox, owner, dkim.key)
  await database.pool.query(
    'update domains set dkim_selector = $2, dkim_public_key = $3, dkim_private_key = $4 where tenant_id = $1',
    [tenant.tenantId, domainKey.selector, domainKey.publicKey, domainKey.sealed],
  )
  const sink = await startSmtpSink({ server: { size: 30 * MIB } })
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  const [mail] = await sink.received(1)
  await outbound.stop()
  await sink.stop()
  assert((mail?.bytes.length ?? 0) > 25 * MIB)
  assert(mail?.bytes.toString('latin1', 0, 15) === 'DKIM-Signature:')
})

test('only what was completed here may be sent: not unknown, foreign, of another environment, or twice', async () => {
  const tenant = await createTestTenant(database)
  const own = await upload(tenant, randomBytes(10))
  const foreign = await upload(await createTestTenant(database), randomBytes(10))
  const pending = ok(await prepare(tenant, randomBytes(10)), 201)
  const message = { fromMailboxId: tenant.mailboxId, to: ['you@example.test'], text: 'x' }
  for (const id of [newId(), foreign.id, pending.uploadId]) {
    const { status, body } = await send(url, tenant.key, { ...message, attachmentIds: [own.id, id] })
    assert.deepEqual([status, body.code, body.details.field], [404, 'not_found', 'attachmentIds[1]'])
  }
  assert.equal((await send(url, tenant.key, { ...message, attachmentIds: [own.id, own.id] })).status, 400)
  const key = newId()
  const first = ok(await send(url, tenant.key, { ...message, attachmentIds: [own.id] }, key), 202)
  // A retry is answered although the attachment is gone since.
  await database.pool.query('delete from attachments where id = $1', [own.id])
  assert.deepEqual(ok(await send(url, tenant.key, { ...message, attachmentIds: [own.id] }, key), 202), first)
})

test('attachments are visible where they belong, and with a message that is', async () => {
  const tenant = await createTestTenant(database)
  const { id } = await upload(tenant, randomBytes(10))
  const strangers = [await createTestTenant(database), await createTestTenant(database, { environment: 'sandbox' })]
  for (const stranger of strangers) {
    assert.equal((await downloadUrl(stranger, id)).status, 404)
    assert.equal((await call(url, 'GET', `/v1/attachments/${id}/download`, { key: stranger.key })).status, 404)
    assert.equal((await complete(stranger, id)).status, 404)
  }
  const sent = ok(
    await send(url, tenant.key, {
      fromMailboxId: tenant.mailboxId,
      to: ['a@example.test'],
      text: 'x',
      attachmentIds: [id],
    }),
    202,
  )
  const link = ok(await downloadUrl(tenant, id)).url
  assert.equal((await fetch(link)).status, 200)
  await database.pool.query(`update messages set gone = 'purged', gone_at = clock_timestamp() where id = $1`, [sent.id])
  assert.equal((await downloadUrl(tenant, id)).status, 404)
  assert.equal((await fetch(link)).status, 404)
})

test('signed URLs end with the key that they were given to, its application and its tenant', async () => {
  const tenant = await createTestTenant(database)
  const { id } = await upload(tenant, randomBytes(10))
  const bytes = randomBytes(20)
  const { upload: target } = ok(await prepare(tenant, bytes), 201)
  const link = ok(await downloadUrl(tenant, id)).url
  const both = async () => [(await fetch(link)).status, (await put(target, bytes)).status]
  assert.deepEqual(await both(), [200, 200])
  for (const set of [
    (status: 'active' | 'suspended') => setAppStatus(database, operatorOf(tenant.tenantId), tenant.appId, status),
    (status: 'active' | 'suspended') => setTenantStatus(database, operator, tenant.tenantId, status),
  ]) {
    await set('suspended')
    assert.deepEqual(await both(), [404, 404])
    await set('active')
    assert.deepEqual(await both(), [200, 200])
  }
  for (const ended of ['expires_at', 'revoked_at']) {
    await database.pool.query(`update api_keys set ${ended} = clock_timestamp() where app_id = $1`, [tenant.appId])
    assert.deepEqual(await both(), [404, 404], ended)
  }
})

test('stored bytes are counted, and a plan bounds them', async () => {
  const tenant = await createTestTenant(database)
  const other = await createMailbox(database, operatorOf(tenant.tenantId), {
    address: `o@${tenant.address.split('@')[1]}`,
    displayName: 'O',
  })
  assert(other)
  await upload(tenant, randomBytes(MIB / 2))
  const { rows } = await database.pool.query('select stored_bytes from tenant_storage where tenant_id = $1', [
    tenant.tenantId,
  ])
  assert.equal(Number(rows[0].stored_bytes), MIB / 2)
  await database.pool.query(
    `insert into plans (name, key_per_minute, tenant_per_day, messages_per_month, stored_mib, retention_days)
     values ('tiny', 0, 0, 0, 1, 0) on conflict do nothing`,
  )
  await database.pool.query(`update tenants set plan = 'tiny' where id = $1`, [tenant.tenantId])
  assert.equal((await prepare(tenant, randomBytes(MIB / 2))).status, 201)
  const { status, body } = await prepare(tenant, randomBytes(MIB / 2 + 1))
  assert.deepEqual(
    [status, body.code, body.details],
    [402, 'plan_capacity_exceeded', { resource: 'storage', limit: MIB, used: MIB / 2, resetsAt: null }],
  )
  const key = newId()
  const mail = { fromMailboxId: tenant.mailboxId, to: ['you@example.test'], text: 'x' }
  assert.equal((await send(url, tenant.key, mail, key)).status, 202)
  // Each of them had room when it was announced; all at once they have not.
  const files = Array.from({ length: 4 }, () => randomBytes(MIB / 4))
  const uploads = await Promise.all(files.map(async (bytes) => ok(await prepare(tenant, bytes), 201)))
  await Promise.all(uploads.map((each, i) => put(each.upload, files[i] as Buffer)))
  const answers = await Promise.all([
    ...uploads.slice(0, 2).map(({ uploadId }) => complete(tenant, uploadId)),
    ...files.slice(2).map((bytes) => uploadJson(tenant, bytes.toString('base64'))),
  ])
  const statuses = answers.map((answer) => answer.status)
  assert.deepEqual(
    [statuses.filter((each) => each < 300).length, statuses.filter((each) => each === 402).length],
    [2, 2],
  )
  const late = await complete(tenant, uploads[2].uploadId)
  assert.deepEqual(
    [late.status, late.body.details],
    [402, { resource: 'storage', limit: MIB, used: MIB, resetsAt: null }],
  )
  const full = await send(url, tenant.key, mail)
  assert.deepEqual([full.status, full.body.details], [402, late.body.details])
  assert.equal((await send(url, tenant.key, mail, key)).status, 202)
})

test('an upload is not completed while its mailbox is suspended', async () => {
  const tenant = await createTestTenant(database)
  const bytes = randomBytes(100)
  const { uploadId, upload } = ok(await prepare(tenant, bytes), 201)
  assert.equal((await put(upload, bytes)).status, 200)
  await setMailboxStatus(database, operatorOf(tenant.tenantId), tenant.mailboxId, 'suspended')
  const refused = await complete(tenant, uploadId)
  assert.deepEqual([refused.status, refused.body.code], [403, 'mailbox_suspended'])
  await setMailboxStatus(database, operatorOf(tenant.tenantId), tenant.mailboxId, 'active')
  const { attachment } = ok(await complete(tenant, uploadId))
  // What is complete can be read.
  await setMailboxStatus(database, operatorOf(tenant.tenantId), tenant.mailboxId, 'suspended')
  assert.deepEqual(ok(await complete(tenant, uploadId)), { attachment })
})
