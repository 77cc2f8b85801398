// The life of attachments and mail over a real S3-compatible server.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readlink, rm } from 'node:fs/promises'
import { describe, test } from 'node:test'
import PostalMime from 'postal-mime'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { sweepRemovals } from '../../src/lib/object-removals.ts'
import { openS3Store, type S3Store } from '../../src/lib/object-store/s3.ts'
import { readS3Location } from '../../src/lib/object-store/s3-location.ts'
import { objectKey } from '../../src/lib/object-store.ts'
import { newId } from '../../src/lib/uuid.ts'
import { endMessages } from '../../src/messages/end-messages.ts'
import { setHeld } from '../../src/messages/set-held.ts'
import { type Answer, call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { type S3Server, startS3 } from '../support/s3.ts'
import { startTestSite } from '../support/site.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { makePlace } from '../support/webmail-mail.ts'
import { uploadsTo } from '../support/webmail-uploads.ts'
import { startTestOutbound } from '../support/workers.ts'

const skip = skipWithout('swift', 'swift-proxy', 'swift-account', 'swift-container', 'swift-object')
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('an S3 store', { skip }, async () => {
  if (skip) return
  const server: S3Server = await startS3()
  const store: S3Store = await openS3Store(readS3Location(server.urlOf('mail')))
  const { database } = await createTestDatabase()
  const { url } = await startTestApi(database, { store, s3: store })

  const ok = (answer: Answer, status = 200) => {
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }

  test('what is spooled on its way has no name, so that a killed process leaves nothing', async (t) => {
    const folder = await temporaryFolder('spool-test-')
    const before = process.env.TMPDIR
    process.env.TMPDIR = folder
    t.after(async () => {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
      await rm(folder, { recursive: true })
    })
    async function* watched() {
      for (let i = 0; i < 3; i++) {
        assert.deepEqual(await readdir(folder), [])
        // Held by its descriptor alone: proc(5).
        const open = await Promise.all(
          (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
        )
        assert(open.some((path) => path.startsWith(folder) && path.endsWith('(deleted)')))
        yield randomBytes(1_000)
      }
    }
    assert.equal((await store.put(objectKey('messages', newId(), newId()), watched())).sizeBytes, 3_000)
  })

  const prepare = (tenant: TestTenant, bytes: Uint8Array) =>
    call(url, 'POST', '/v1/attachments/uploads', {
      key: tenant.key,
      headers: { 'idempotency-key': newId() },
      body: {
        mailboxId: tenant.mailboxId,
        filename: 'Überblick 📎.pdf',
        mediaType: 'application/pdf',
        sizeBytes: bytes.length,
        sha256: digestOf(bytes),
      },
    })
  const put = (upload: { url: string; headers: Record<string, string> }, bytes: Uint8Array, headers = {}) =>
    fetch(upload.url, {
      method: 'PUT',
      headers: { ...upload.headers, ...headers },
      body: bytes as Uint8Array<ArrayBuffer>,
    })
  const complete = (tenant: TestTenant, id: string) =>
    call(url, 'POST', `/v1/attachments/uploads/${id}/complete`, { key: tenant.key })

  test('a file goes up by a URL of the store, is verified, sent, and comes down by another', async () => {
    const tenant = await createTestTenant(database)
    const bytes = randomBytes(200_000)
    const { uploadId, upload } = ok(await prepare(tenant, bytes), 201)
    assert.match(upload.headers['x-amz-checksum-sha256'], /^[A-Za-z0-9+/]{43}=$/)
    assert.equal((await complete(tenant, uploadId)).body.code, 'upload_missing')
    // Signed are the length and the type; the digest is looked at when the upload is completed.
    assert.equal((await put(upload, bytes.subarray(1))).status, 403)
    assert.equal((await put(upload, bytes, { 'content-type': 'text/html' })).status, 403)
    assert((await put(upload, randomBytes(bytes.length))).ok)
    assert.deepEqual((await complete(tenant, uploadId)).body.details, { mismatch: ['sha256'] })
    assert((await put(upload, bytes)).ok)
    const completed = await Promise.all(Array.from({ length: 10 }, () => complete(tenant, uploadId)))
    for (const answer of completed) assert.deepEqual(ok(answer), completed[0]?.body)
    // The URL lives on and can change nothing any more.
    assert((await put(upload, randomBytes(bytes.length))).ok)

    const link = ok(await call(url, 'GET', `/v1/attachments/${uploadId}/download-url`, { key: tenant.key }))
    const download = await fetch(link.url)
    assert.deepEqual(Buffer.from(await download.arrayBuffer()), bytes)
    assert.equal(download.headers.get('content-type'), 'application/pdf')
    assert.match(download.headers.get('content-disposition') ?? '', /^attachment;/)

    const message = { fromMailboxId: tenant.mailboxId, to: ['you@example.test'], text: 'x', attachmentIds: [uploadId] }
    const { id } = ok(await send(url, tenant.key, message), 202)
    const sink = await startSmtpSink()
    const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
    const [mail] = await sink.received(1)
    await until('it is recorded', async () => {
      const read = await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key })
      return ok(read).message.status === 'sent'
    })
    await outbound.stop()
    await sink.stop()
    const parsed = await PostalMime.parse(mail?.bytes ?? '')
    assert.deepEqual(Buffer.from(parsed.attachments[0]?.content as ArrayBuffer), bytes)
    const raw = await fetch(`${url}/v1/messages/${id}/raw`, { headers: { authorization: `Bearer ${tenant.key}` } })
    assert.deepEqual(Buffer.from(await raw.arrayBuffer()), mail?.bytes)
  })

  test('a file comes through the webmail as it was announced or not at all, and is completed there', async () => {
    const { tenant, user } = await makePlace(database)
    const site = await startTestSite('webmail', database, { store })
    const { begin, put, complete } = uploadsTo(site)
    const bytes = randomBytes(300_000)
    const mediaType = 'application/pdf'
    const id = await begin(user, { mailboxId: tenant.mailboxId, filename: 'plan.pdf', mediaType, bytes })
    assert.equal((await put(user, id, randomBytes(bytes.length), mediaType)).status, 422)
    assert.equal(await store.head(objectKey('attachments', tenant.tenantId, id)), undefined)
    assert.equal((await complete(user, id)).body.code, 'upload_mismatch')
    assert.equal((await put(user, id, bytes, mediaType)).status, 204)
    // What comes later changes nothing any more.
    assert.equal((await put(user, id, randomBytes(bytes.length), mediaType)).status, 422)
    assert.equal((await put(user, id, bytes, mediaType)).status, 204)
    const expected = { id, filename: 'plan.pdf', mediaType, sizeBytes: bytes.length }
    for (let i = 0; i < 2; i += 1) assert.deepEqual((await complete(user, id)).body, expected)
    const { text } = await site.ask('GET', `/data/attachments/${id}/content`, { session: user.session })
    assert.equal(text, new TextDecoder().decode(bytes))
    await site.stop()
  })

  /** When the signature of a URL ends, in milliseconds: its date, which has whole seconds, and how long it lasts. */
  function endOf(signed: string): number {
    const { searchParams } = new URL(signed)
    const date = searchParams.get('X-Amz-Date')?.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5') ?? ''
    return Date.parse(date) + Number(searchParams.get('X-Amz-Expires')) * 1000
  }

  test('no URL ends before the answer says so, nor a second later, also of an upload that is asked for again', async () => {
    const tenant = await createTestTenant(database)
    const bytes = randomBytes(1_000)
    const { uploadId, upload } = ok(await prepare(tenant, bytes), 201)
    assert((await put(upload, bytes)).ok)
    ok(await complete(tenant, uploadId))
    const signed: { url: string; expiresAt: string }[] = []
    // At whatever part of a second they are asked for.
    for (let i = 0; i < 20; i++) {
      const headers = { 'idempotency-key': `again-${tenant.tenantId}` }
      const file = { mailboxId: tenant.mailboxId, filename: 'a', mediaType: 'text/plain' }
      const body = { ...file, sizeBytes: bytes.length, sha256: digestOf(bytes) }
      const again = await call(url, 'POST', '/v1/attachments/uploads', { key: tenant.key, headers, body })
      signed.push(ok(again, 201).upload)
      signed.push(ok(await call(url, 'GET', `/v1/attachments/${uploadId}/download-url`, { key: tenant.key })))
    }
    for (const { url: to, expiresAt } of signed) {
      // A timestamp's microseconds are cut off here.
      const left = endOf(to) - Date.parse(expiresAt)
      assert(left > 0 && left <= 1_000, `the signature ends ${left} ms after ${expiresAt}`)
    }
  })

  /** Completed, sent, and its message purged; what is due to go has gone. */
  async function endInMessage(tenant: TestTenant, uploadId: string, held: boolean) {
    ok(await complete(tenant, uploadId))
    const message = { fromMailboxId: tenant.mailboxId, to: ['you@example.test'], text: 'x', attachmentIds: [uploadId] }
    const { id } = ok(await send(url, tenant.key, message), 202)
    const { tenantId } = tenant
    await database.transaction(async (tx) => {
      await setHeld(tx, { tenantId, id }, held)
      await endMessages(tx, [{ tenantId, id }], 'purged')
    })
    await sweepRemovals(database, store, 100)
  }

  test('an attachment that is gone is not put back by completing its upload again', async () => {
    const tenant = await createTestTenant(database)
    const bytes = randomBytes(1_000)
    const { uploadId, upload } = ok(await prepare(tenant, bytes), 201)
    assert((await put(upload, bytes)).ok)
    await endInMessage(tenant, uploadId, false)
    const again = await complete(tenant, uploadId)
    assert.deepEqual([again.status, again.body.code], [404, 'not_found'])
    assert.equal(await store.head(objectKey('attachments', tenant.tenantId, uploadId)), undefined)
  })

  for (const held of [false, true]) {
    test(`a second completion sees the attachment come and go${held ? ', held' : ''}: its copy is not left behind`, async () => {
      const tenant = await createTestTenant(database)
      const bytes = randomBytes(1_000)
      const { uploadId, upload } = ok(await prepare(tenant, bytes), 201)
      assert((await put(upload, bytes)).ok)
      const looking = Promise.withResolvers<void>()
      const gone = Promise.withResolvers<void>()
      const slow: S3Store = {
        ...store,
        async copy(...whatAndWhere) {
          looking.resolve()
          await gone.promise
          return store.copy(...whatAndWhere)
        },
      }
      const second = await startTestApi(database, { store, s3: slow })
      const answer = call(second.url, 'POST', `/v1/attachments/uploads/${uploadId}/complete`, { key: tenant.key })
      try {
        await looking.promise
        await endInMessage(tenant, uploadId, held)
      } finally {
        gone.resolve()
      }
      const { status, body } = await answer
      assert.deepEqual([status, body.code], [404, 'not_found'])
      await sweepRemovals(database, store, 100)
      const object = objectKey('attachments', tenant.tenantId, uploadId)
      assert.deepEqual(await store.head(object), held ? { sizeBytes: bytes.length } : undefined)
    })
  }

  test('a store that goes away is 503, and what was put is there when it comes back', async () => {
    const tenant = await createTestTenant(database)
    const bytes = randomBytes(1_000)
    const { uploadId, upload } = ok(await prepare(tenant, bytes), 201)
    assert((await put(upload, bytes)).ok)
    await server.stop()
    const answer = await complete(tenant, uploadId)
    assert.deepEqual([answer.status, answer.body.code], [503, 'service_unavailable'])
    assert(Number(answer.headers.get('retry-after')) >= 1)
  })
})
