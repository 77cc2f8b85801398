// An object store that works and is slow: what needs it takes its time, and that is all. Nothing is refused, lost or
// doubled, and what needs no object is answered at once.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { openS3Store } from '../../src/lib/object-store/s3.ts'
import { readS3Location } from '../../src/lib/object-store/s3-location.ts'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call, send } from '../support/api.ts'
import { handIn } from '../support/inbound.ts'
import { S3_CREDENTIALS, startS3 } from '../support/s3.ts'
import { startService, type TestService } from '../support/service.ts'
import { prepareService, type UnderFault } from '../support/service-under-fault.ts'
import { startSlowProxy } from '../support/slow-proxy.ts'
import { allSent, checkStory, sendSteadily } from '../support/steady-sends.ts'
import { tamperSyncs } from '../support/tamper-syncs.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { assertWhole } from '../support/whole.ts'

const SENDS = 60
const TOGETHER = 8
/** With the store below it takes longer than a lease to read it, to write the message, and to read that. */
const FILE_BYTES = 192 * 1024
const LEASE = '12s'
/** More than lies in buffers between a store and a client. */
const LARGE_BYTES = 8 * 1024 * 1024
const READERS = 60
const SLOWNESS = { thinkMs: [500, 1_000, 1_500, 2_000], bytesPerSecond: 48 * 1024 }

// Apart, because a database knows one store.
const [withFiles, withS3] = [await prepareService(), await prepareService()]
const file = randomBytes(FILE_BYTES)
const sha256 = createHash('sha256').update(file).digest('hex')

const together = <T>(work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: TOGETHER }, (_, n) => work(n)))

/** A file goes up by a signed URL, is sent, and comes down again, as does the message. Gives the message's id. */
async function useFile({ url }: TestService, tenant: TestTenant): Promise<string> {
  const { key, mailboxId } = tenant
  const announced = { mailboxId, filename: 'a.bin', mediaType: 'text/plain', sizeBytes: file.length, sha256 }
  const headers = { 'idempotency-key': newId() }
  const { body: prepared } = await call(url, 'POST', '/v1/attachments/uploads', { key, headers, body: announced })
  const put = await fetch(prepared.upload.url, { method: 'PUT', headers: prepared.upload.headers, body: file })
  assert(put.ok, `the upload was answered ${put.status}`)
  const completed = await call(url, 'POST', `/v1/attachments/uploads/${prepared.uploadId}/complete`, { key })
  assert.equal(completed.status, 200, JSON.stringify(completed.body))
  const { id } = completed.body.attachment
  const mail = { fromMailboxId: mailboxId, to: ['someone@example.test'], text: 'Hello', attachmentIds: [id] }
  const [sent, download] = await Promise.all([
    send(url, key, mail),
    call(url, 'GET', `/v1/attachments/${id}/download-url`, { key }),
  ])
  assert.equal(sent.status, 202)
  const bytes = Buffer.from(await (await fetch(download.body.url)).arrayBuffer())
  assert.deepEqual(bytes, file)
  return sent.body.id
}

/** A small file goes up within a request, and comes down by one. */
async function useSmallFile({ url }: TestService, { key, mailboxId }: TestTenant): Promise<void> {
  const headers = { 'idempotency-key': newId() }
  const body = { mailboxId, filename: 'a.txt', mediaType: 'text/plain', contentBase64: 'aGVsbG8=' }
  const { status, body: made } = await call(url, 'POST', '/v1/attachments', { key, headers, body })
  assert.equal(status, 201, JSON.stringify(made))
  const download = await call(url, 'GET', `/v1/attachments/${made.attachment.id}/download`, { key })
  assert.equal(download.body.contentBase64, body.contentBase64)
}

/** What is asked while eight large files are on their way to the store has its answer before any of those. */
async function assertResponsive({ url }: TestService, { key, mailboxId }: TestTenant, fresh: string): Promise<void> {
  let stored = 0
  const body = { mailboxId, filename: 'a.bin', mediaType: 'text/plain', contentBase64: file.toString('base64') }
  const uploads = together(async () => {
    const headers = { 'idempotency-key': newId() }
    const { status } = await call(url, 'POST', '/v1/attachments', { key, headers, body })
    stored++
    assert.equal(status, 201)
  })
  for (const path of ['/v1/messages', '/v1/mailboxes', '/v1/events']) {
    assert.equal((await call(url, 'GET', path, { key })).status, 200)
  }
  assert.equal((await call(url, 'GET', '/v1/mailboxes', { key: fresh })).status, 200)
  const sent = await send(url, key, { fromMailboxId: mailboxId, to: [], text: 'to nobody' })
  assert.equal(sent.status, 400)
  assert.equal(stored, 0, 'nothing waited for the store')
  await uploads
}

/** All that needs the store, at once, and a look at what has become of it. */
async function useSlowStore(under: UnderFault, service: TestService, store: () => Promise<ObjectStore>): Promise<void> {
  const { database, sink } = under
  const tenant = await createTestTenant(database)
  const sends = sendSteadily(() => service.url, tenant, SENDS)
  const beside = await createTestTenant(database)
  const fresh = await createTestTenant(database)
  const mailIn = async (n: number) => {
    const mail = `Subject: ${n}\r\nFrom: someone@example.test\r\n\r\n${'text '.repeat(1_000)}\r\n`
    const { last } = await handIn(service.smtpPort, 'someone@example.test', [beside.address], mail)
    assert.match(last, /^250/)
  }
  const [withFile] = await Promise.all([
    together(() => useFile(service, tenant)),
    together(() => useSmallFile(service, beside)),
    together(mailIn),
    assertResponsive(service, beside, fresh.key),
    sends.done,
  ])
  assert.deepEqual(sends.others, new Map(), 'what is taken needs the database alone')
  const taken = [...sends.taken, ...withFile]
  await allSent(database, tenant, taken.length)
  const raw = await call(service.url, 'GET', `/v1/messages/${withFile[0]}/raw`, { key: tenant.key })
  assert(raw.body.length > FILE_BYTES)
  const received = await database.rows(sql<{ subject: string }>`
    select subject from messages where tenant_id = ${beside.tenantId} order by subject`)
  assert.deepEqual(received, await together(async (n) => ({ subject: `${n}` })))
  assert.equal(await service.stop(), 0)
  assert.equal(await checkStory(database, tenant, taken, sink.mails), 0)
  await assertWhole(database, await store())
}

test('a disk that is slow to make bytes durable does the same', { skip: skipWithout('strace') }, async () => {
  const service = await startService({ ...withFiles.env, MDK_LEASE: LEASE })
  const end = await tamperSyncs(service.child, 'delay_enter=1000000')
  await useSlowStore(withFiles, service, () => openFileStore(join(withFiles.dataDir, 'objects')))
  await end()
})

const skip = skipWithout('swift-proxy')
describe('over S3', { skip }, async () => {
  if (skip) return
  const server = await startS3()

  test('a slow S3 store slows what needs it, and nothing is refused, lost or doubled', async () => {
    const direct = readS3Location(server.urlOf('slow'))
    const { port } = new URL(direct.endpoint as string)
    const slow = await startSlowProxy(Number(port), SLOWNESS)
    const service = await startService({
      ...withS3.env,
      ...S3_CREDENTIALS,
      MDK_LEASE: LEASE,
      MDK_OBJECT_STORE: server.urlOf('slow').replace(port, `${slow}`),
    })
    await useSlowStore(withS3, service, () => openS3Store(direct))
  })

  test('clients that do not read on what they asked for leave the store to the others', async () => {
    const tenant = await createTestTenant(withS3.database)
    const service = await startService({ ...withS3.env, ...S3_CREDENTIALS, MDK_OBJECT_STORE: server.urlOf('slow') })
    const mail = `Subject: large\r\n\r\n${`${'text '.repeat(15)}\r\n`.repeat(LARGE_BYTES / 77)}`
    assert.match((await handIn(service.smtpPort, 'someone@example.test', [tenant.address], mail)).last, /^250/)
    const [message] = await withS3.database.rows(sql<{ id: string }>`
      select id from messages where tenant_id = ${tenant.tenantId}`)
    const request = `GET /v1/messages/${message?.id}/raw HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${tenant.key}\r\n\r\n`
    const readers = await Promise.all(
      Array.from({ length: READERS }, async () => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
        socket.write(request)
        await once(socket, 'readable')
        assert.match(`${socket.read(12)}`, /200/)
        return socket
      }),
    )
    await useSmallFile(service, tenant)
    for (const socket of readers) socket.destroy()
    assert.equal(await service.stop(), 0)
  })
})
