// mdk killed in the middle of uploads, at every step that one has: each is whole afterwards or not there at all, can be
// carried on, and nothing of it stays behind.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { after, test } from 'node:test'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type pg from 'pg'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { openS3Store } from '../../src/lib/object-store/s3.ts'
import { readS3Location, type S3Location } from '../../src/lib/object-store/s3-location.ts'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { type Answer, call } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { S3_CREDENTIALS, startS3 } from '../support/s3.ts'
import { startService, type TestService } from '../support/service.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

interface Upload {
  id: string
  bytes: Buffer
  idempotencyKey: string
  target: { url: string; headers: Record<string, string> }
}

const SIZE = 300_000
/** What a busy machine may take for anything. */
const BUSY_MS = 60_000
const skip = skipWithout('swift', 'swift-proxy', 'swift-account', 'swift-container', 'swift-object')
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

// One after the other, as starting the S3 server holds up everything else in this process.
const folder = await temporaryFolder('uploads-test-')
after(() => rm(folder, { recursive: true, force: true }))
const onFiles = await startSetting(`file:${join(folder, 'objects')}`)
const s3 = skip ? undefined : await startS3Behind()

test('on local files: whatever an upload is at when mdk is killed, it is whole or not there, and goes on', async () => {
  const { api, locker, tenant, database } = onFiles
  const incoming = join(folder, 'objects/incoming')
  // Each is named after what it is at: half put, whole and not noted yet, put, waiting for its turn, about to be kept, done.
  const halfPut = await api.prepared()
  const written = await api.prepared()
  const put = await api.prepared()
  const turning = await api.prepared()
  const kept = await api.prepared()
  const ended = await api.prepared()
  const keys = { prepare: newId(), json: newId() }
  const storedKey = newId()
  for (const upload of [put, turning, kept, ended]) await api.put(upload)
  api.ok(await api.complete(ended))

  await locker.query('begin')
  // Before anything is done a key that another transaction holds is waited for; in the end, the attachment's row.
  for (const key of Object.values(keys)) await holdKey(locker, tenant, key)
  await locker.query('select from uploads where id = any ($1) for update', [[written.id, turning.id]])
  await locker.query('lock table attachments in share mode')
  const interrupted = [
    api.prepare(randomBytes(SIZE), keys.prepare),
    api.uploadJson(randomBytes(SIZE), keys.json),
    api.uploadJson(randomBytes(SIZE), storedKey),
    api.put(written),
    api.complete(turning),
    api.complete(kept),
  ].map(ending)
  await waiting(database, interrupted.length)
  const socket = putHalf(halfPut)
  await until(
    'half of a file is there',
    async () => {
      const files = (await readdir(incoming)).map((name) => stat(join(incoming, name)))
      return (await Promise.all(files)).some(({ size }) => size === SIZE / 2)
    },
    BUSY_MS,
  )

  await onFiles.service.kill()
  assert.deepEqual(
    await Promise.all(interrupted),
    interrupted.map(() => 'broken off'),
  )
  socket.destroy()
  await forgetWaiting(locker)
  assert.equal((await readdir(incoming)).length, 1)
  await onFiles.startAgain()

  await until('no temporary file survives the sweep', async () => (await readdir(incoming)).length === 0, BUSY_MS)
  for (const upload of [halfPut, written]) {
    assert.equal((await api.complete(upload)).body.code, 'upload_missing')
    assert.equal((await api.download(upload)).status, 404)
    await api.put(upload)
  }
  for (const upload of [put, turning, kept]) assert.equal((await api.download(upload)).status, 404)
  await carryOnPending(onFiles, [storedKey])
  await carryOn(onFiles, [halfPut, written, put, turning, kept, ended], keys)
  await nothingIsLeft(onFiles, await openFileStore(join(folder, 'objects')), keysOfFiles)
})

test('on an S3-compatible server: whatever an upload is at when mdk is killed, it is whole or not there, and goes on', {
  skip,
}, async () => {
  const { proxy, location, setting } = s3 as NonNullable<typeof s3>
  const { api, locker, tenant, database } = setting
  // Looked at, read for its digest, asked to be copied, copied and not heard of, waiting its turn, about to be kept, done.
  const looked = await api.prepared()
  const read = await api.prepared()
  const asked = await api.prepared()
  const copied = await api.prepared()
  const turning = await api.prepared()
  const kept = await api.prepared()
  const ended = await api.prepared()
  const uploads = [looked, read, asked, copied, turning, kept, ended]
  const keys = { prepare: newId(), json: newId() }
  const halfJsonKey = newId()
  const storedKey = newId()
  for (const upload of uploads) await api.put(upload)
  api.ok(await api.complete(ended))

  await locker.query('begin')
  for (const key of Object.values(keys)) await holdKey(locker, tenant, key)
  await locker.query('select from uploads where id = $1 for update', [turning.id])
  await locker.query('lock table attachments in share mode')
  const locked = [
    api.prepare(randomBytes(SIZE), keys.prepare),
    api.uploadJson(randomBytes(SIZE), keys.json),
    api.uploadJson(randomBytes(SIZE), storedKey),
    api.complete(turning),
    api.complete(kept),
  ].map(ending)
  await waiting(database, locked.length)
  const held = [
    proxy.holdAt(new RegExp(`^HEAD .*/uploads/[^/]+/${looked.id}`)),
    proxy.holdAt(new RegExp(`^GET .*/uploads/[^/]+/${read.id}`)),
    proxy.holdAt(new RegExp(`^PUT .*/attachments/[^/]+/${asked.id}`)),
    proxy.holdAt(new RegExp(`^PUT .*/attachments/[^/]+/${copied.id}`), 'answer'),
  ]
  const storing = [looked, read, asked, copied].map((upload) => ending(api.complete(upload)))
  await Promise.all(held)
  // The one object whose id nobody knows yet.
  const putting = proxy.holdAt(/^PUT .*\/attachments\//)
  storing.push(ending(api.uploadJson(randomBytes(SIZE), halfJsonKey)))
  await putting

  await setting.service.kill()
  const ends = await Promise.all([...locked, ...storing])
  assert.deepEqual(
    ends,
    ends.map(() => 'broken off'),
  )
  proxy.cut()
  await forgetWaiting(locker)
  await setting.startAgain()

  for (const upload of uploads) assert.equal((await api.download(upload)).status, upload === ended ? 200 : 404)
  await carryOnPending(setting, [halfJsonKey, storedKey])
  await carryOn(setting, uploads, keys)
  await nothingIsLeft(setting, await openS3Store(location), () => keysOfBucket(location))
})

interface Setting {
  service: TestService
  startAgain(): Promise<void>
  database: Database
  /** A connection that holds what others wait for. */
  locker: pg.Client
  tenant: TestTenant
  api: ReturnType<typeof client>
}

/** A service over a database and an object store of its own, whose process can be replaced. */
async function startSetting(objectStore: string): Promise<Setting> {
  const { url, database } = await createTestDatabase()
  const tenant = await createTestTenant(database)
  const locker = await database.connect('locks of a test')
  after(() => locker.end())
  const env = {
    ...S3_CREDENTIALS,
    MDK_DATABASE_URL: url,
    MDK_DATA_DIR: folder,
    MDK_OBJECT_STORE: objectStore,
    MDK_SWEEP: '100ms',
  }
  const start = (roles: string) => startService(env, ['serve', '--roles', roles])
  const setting: Setting = {
    database,
    locker,
    tenant,
    // Sweeps would wait for the same locks.
    service: await start('api'),
    async startAgain() {
      setting.service = await start('api,retention')
    },
    api: client(() => setting.service.url, tenant),
  }
  return setting
}

/** A setting that reaches its S3 server through a proxy. */
async function startS3Behind() {
  const url = (await startS3()).urlOf('bucket')
  const endpoint = readS3Location(url).endpoint as string
  const proxy = await startTcpProxy(Number(new URL(endpoint).port))
  const setting = await startSetting(url.replace(endpoint, `http://127.0.0.1:${proxy.port}`))
  return { proxy, setting, location: readS3Location(url) }
}

/** What an integrator does, whichever process answers. */
function client(url: () => string, tenant: TestTenant) {
  const ok = (answer: Answer, status = 200) => {
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }
  const post = (path: string, idempotencyKey: string, body: object) =>
    call(url(), 'POST', path, {
      key: tenant.key,
      headers: { 'idempotency-key': idempotencyKey },
      body: { mailboxId: tenant.mailboxId, filename: 'f', mediaType: 'application/octet-stream', ...body },
    })
  const prepare = (bytes: Buffer, idempotencyKey: string) =>
    post('/v1/attachments/uploads', idempotencyKey, { sizeBytes: bytes.length, sha256: digestOf(bytes) })
  const prepared = async (): Promise<Upload> => {
    const bytes = randomBytes(SIZE)
    const idempotencyKey = newId()
    const { uploadId, upload } = ok(await prepare(bytes, idempotencyKey), 201)
    return { id: uploadId, bytes, idempotencyKey, target: upload }
  }
  return {
    ok,
    prepare,
    prepared,
    uploadJson: (bytes: Buffer, idempotencyKey: string) =>
      post('/v1/attachments', idempotencyKey, { contentBase64: bytes.toString('base64') }),
    /** The URL as a retry of the prepare gives it: a process that is started again has another port. */
    async put({ bytes, idempotencyKey }: Upload): Promise<void> {
      const { upload } = ok(await prepare(bytes, idempotencyKey), 201)
      const body = bytes as Uint8Array<ArrayBuffer>
      const answer = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body })
      assert(answer.ok, `${answer.status} ${await answer.text()}`)
    },
    complete: ({ id }: Upload) => call(url(), 'POST', `/v1/attachments/uploads/${id}/complete`, { key: tenant.key }),
    download: ({ id }: { id: string }) => call(url(), 'GET', `/v1/attachments/${id}/download`, { key: tenant.key }),
  }
}

/** How a request ends that should get no answer. */
const ending = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    () => 'broken off',
  )

/** Reserves a key in a transaction that stays open. */
async function holdKey(locker: pg.Client, tenant: TestTenant, key: string): Promise<void> {
  await locker.query(
    `insert into idempotency_keys (tenant_id, author_id, key, operation, target, request_hash, reserved_at, expires_at)
     values ($1, $2, $3, 'x', '', sha256(''), clock_timestamp(), clock_timestamp())`,
    [tenant.tenantId, tenant.appId, key],
  )
}

/** Waits until so many statements wait for locks of others. */
async function waiting(database: Database, count: number): Promise<void> {
  await until(
    `${count} statements wait`,
    async () => {
      const row = await database.first(sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return row?.n === count
    },
    BUSY_MS,
  )
}

/** Ends what waits, as a killed process's last statement would be carried out by the server still; and the waiting. */
async function forgetWaiting(locker: pg.Client): Promise<void> {
  await locker.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  await locker.query('rollback')
}

/** Puts the first half of a file and goes silent. */
function putHalf({ target, bytes }: Upload) {
  const { hostname, port, pathname } = new URL(target.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const headers = Object.entries(target.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`PUT ${pathname} HTTP/1.1\r\nhost: x\r\n${headers.join('')}content-length: ${bytes.length}\r\n\r\n`)
  socket.write(bytes.subarray(0, SIZE / 2))
  return socket
}

/** What was begun when its key was noted goes through as soon as the lease of who was killed has run out. */
async function carryOnPending({ api }: Setting, keys: string[]): Promise<void> {
  for (const key of keys) {
    const answer = await until('the key is free', async () => {
      const tried = await api.uploadJson(randomBytes(SIZE), key)
      return tried.body.code !== 'idempotency_pending' && tried
    })
    api.ok(answer, 201)
  }
}

/** A client that tries again gets everything done, once. */
async function carryOn(
  { api, database }: Setting,
  uploads: Upload[],
  keys: { prepare: string; json: string },
): Promise<void> {
  const bytes = randomBytes(SIZE)
  const { attachment } = api.ok(await api.uploadJson(bytes, keys.json), 201)
  assert.deepEqual(api.ok(await api.uploadJson(bytes, keys.json), 201).attachment, attachment)
  assert.equal(api.ok(await api.prepare(bytes, keys.prepare), 201).attachment, null)
  for (const upload of uploads) {
    const completed = api.ok(await api.complete(upload)).attachment
    assert.deepEqual([completed.id, completed.sha256], [upload.id, digestOf(upload.bytes)])
    assert.deepEqual(api.ok(await api.complete(upload)).attachment, completed)
  }
  for (const one of [...uploads, { id: attachment.id, bytes }]) {
    assert.equal(api.ok(await api.download(one)).contentBase64, one.bytes.toString('base64'))
  }
  const acts = await database.rows(sql<{ id: string }>`
    select resource_id as id from audit_log where operation = 'completeAttachmentUpload'`)
  assert.deepEqual(acts.map((act) => act.id).sort(), uploads.map((upload) => upload.id).sort(), 'each completed once')
}

/** When the time of everything that was not completed has passed, the store has what attachments need and nothing else. */
async function nothingIsLeft({ database }: Setting, store: ObjectStore, keys: () => Promise<string[]>): Promise<void> {
  const noted = await database.rows(sql`
    update object_removals set due_at = clock_timestamp() returning object_key`)
  assert(noted.length > 0)
  await until(
    'everything is swept',
    async () => {
      const row = await database.first(sql<{ n: number }>`select count(*) as n from object_removals`)
      return row?.n === 0
    },
    BUSY_MS,
  )
  const attachments = await database.rows(sql<{ key: string }>`select object_key as key from attachments`)
  assert.deepEqual((await keys()).sort(), attachments.map((row) => row.key).sort())
  for (const check of await checkInvariants(database, store)) assert.equal(check.result, 'ok', JSON.stringify(check))
}

/** Of every file there is below a store's folder: `attachments/<xx>/<tenant>.<id>`. */
async function keysOfFiles(): Promise<string[]> {
  const root = join(folder, 'objects')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((file) => `${relative(root, dirname(file.parentPath))}/${file.name.replace('.', '/')}`)
}

async function keysOfBucket({ bucket, endpoint, region }: S3Location): Promise<string[]> {
  const s3 = new S3Client({ region, forcePathStyle: true, ...(endpoint === undefined ? {} : { endpoint }) })
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }))
  return Contents.map((object) => object.Key ?? '')
}
