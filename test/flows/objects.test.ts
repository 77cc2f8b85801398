// What the database names and the store does not hold, and the other way round, as a recovery to an earlier time leaves
// them: it is reported, and one command ends it.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { insertAttachments } from '../../src/attachments/insert-attachments.ts'
import { keepObjects, removeLater } from '../../src/lib/object-removals.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { type ObjectKey, objectKey } from '../../src/lib/object-store.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { checkObjects, repairObjects } from '../../src/ops/repair-objects.ts'
import { call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { mdk } from '../support/mdk.ts'
import { operator } from '../support/operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const HOUR_MS = 3_600_000
const first = await createTestDatabase()
/** An id as it was made so long ago (RFC 9562 5.7). */
const idOf = (agoMs: number) => {
  const time = (Date.now() - agoMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-${newId().slice(14)}`
}

async function startStore() {
  const folder = await temporaryFolder('objects-')
  after(() => rm(folder, { recursive: true, force: true }))
  return { folder, store: await openFileStore(folder) }
}

async function upload(url: string, { key, mailboxId }: TestTenant, text: string): Promise<string> {
  const contentBase64 = Buffer.from(text).toString('base64')
  const body = { mailboxId, filename: 'a.txt', mediaType: 'text/plain', contentBase64 }
  const answer = await call(url, 'POST', '/v1/attachments', { key, body, headers: { 'idempotency-key': newId() } })
  assert.equal(answer.status, 201)
  return answer.body.attachment.id
}

test('messages without bytes and objects without a name are found, answered 404, and ended by one command', async () => {
  const { database, url: databaseUrl } = first
  const tenant = await createTestTenant(database, { environment: 'sandbox' })
  const { folder, store } = await startStore()
  const { url } = await startTestApi(database, { store })
  const worker = await startTestOutbound(database, { relayUrl: 'smtp://127.0.0.1:9', store })
  const ask = (path: string) => call(url, 'GET', path, { key: tenant.key })
  const send = async (subject: string) => {
    const body = { fromMailboxId: tenant.mailboxId, to: ['someone@example.net'], subject, text: 'x' }
    const headers = { 'idempotency-key': newId() }
    const { body: sent } = await call(url, 'POST', '/v1/messages', { key: tenant.key, body, headers })
    await until(
      'it is delivered',
      async () => (await ask(`/v1/messages/${sent.id}`)).body.message?.status === 'delivered',
    )
    return sent.id as string
  }
  const [lost, whole, held] = [await send('lost'), await send('whole'), await send('held')]
  await worker.stop()
  await database.rows(sql`update messages set held = true where id = ${held}`)
  const [lostFile, file] = [await upload(url, tenant, 'lost'), await upload(url, tenant, 'whole')]
  const inMessages = (id: string) => objectKey('messages', tenant.tenantId, id)
  const inAttachments = (id: string) => objectKey('attachments', tenant.tenantId, id)
  for (const key of [inMessages(lost), inMessages(held), inAttachments(lostFile)]) await store.delete(key)

  const old = [
    inMessages(idOf(2 * HOUR_MS)),
    inAttachments(idOf(2 * HOUR_MS)),
    objectKey('uploads', tenant.tenantId, idOf(2 * HOUR_MS)),
  ]
  const [young, noted] = [inMessages(newId()), inMessages(idOf(2 * HOUR_MS))]
  await removeLater(database, [noted], HOUR_MS)
  for (const key of [...old, young, noted]) await store.put(key, Buffer.from('x'))

  for (const path of [`/v1/messages/${lost}/raw`, `/v1/attachments/${lostFile}/download`]) {
    const answer = await ask(path)
    assert.equal(answer.status, 404, path)
    assert.equal(answer.body.message, 'Its bytes are no longer stored.')
  }
  const link = (await ask(`/v1/attachments/${lostFile}/download-url`)).body.url as string
  assert.equal((await fetch(link)).status, 404)

  const broken = (await checkInvariants(database, store))
    .filter(({ result }) => result !== 'ok')
    .map(({ name }) => name)
  assert.deepEqual(broken, [
    'every stored message has its bytes',
    'every attachment has its bytes',
    'every object is named',
  ])
  const env = { MDK_DATABASE_URL: databaseUrl, MDK_DATA_DIR: folder, MDK_OBJECT_STORE: `file:${folder}` }
  const check = await mdk(env, 'objects', 'check')
  assert.equal(check.status, 1, check.stderr)
  const { agrees, missing, named, unnamed, held: inStore, examples } = check.json
  assert.deepEqual([agrees, missing, named, unnamed, inStore], [false, 3, 5, 3, 7])
  assert.deepEqual(examples.missing.map(({ id }: { id: string }) => id).sort(), [lost, held, lostFile].sort())
  assert.deepEqual(examples.unnamed.sort(), old.sort())

  const repair = await mdk(env, 'objects', 'repair')
  assert.deepEqual(repair.json, { messages: 1, attachments: 1, objects: 3, left: 1 }, repair.stderr)
  assert.equal((await ask(`/v1/messages/${lost}`)).status, 404)
  assert.equal((await ask(`/v1/attachments/${lostFile}/download`)).status, 404)
  await feedCaughtUp(database)
  const events = (await ask('/v1/events?limit=100')).body.items as { type: string; data: { id: string } }[]
  const deleted = events.filter(({ type }) => type === 'message.deleted').map(({ data }) => data.id)
  assert.deepEqual(deleted, [lost])
  assert.equal((await ask(`/v1/messages/${whole}/raw`)).status, 200)
  assert.equal((await ask(`/v1/attachments/${file}/download`)).status, 200)
  assert.equal((await ask(`/v1/messages/${held}`)).status, 200, 'what is held is left')
  for (const key of old) assert.equal(await store.head(key), undefined)
  for (const key of [young, noted]) assert(await store.head(key))
  const again = await mdk(env, 'objects', 'repair')
  assert.deepEqual(again.json, { messages: 0, attachments: 0, objects: 0, left: 1 }, again.stderr)
})

test('a store and a database that have nothing in common are left alone', async () => {
  const { database, url: databaseUrl } = await createTestDatabase()
  const tenant = await createTestTenant(database)
  const { folder, store } = await startStore()
  const { url } = await startTestApi(database, { store })
  const id = await upload(url, tenant, 'mine')
  const other = await startStore()
  const stranger = objectKey('attachments', newId(), idOf(2 * HOUR_MS))
  await other.store.put(stranger, Buffer.from('x'))
  const env = { MDK_DATABASE_URL: databaseUrl, MDK_DATA_DIR: folder, MDK_OBJECT_STORE: `file:${other.folder}` }
  const repair = await mdk(env, 'objects', 'repair')
  assert.equal(repair.status, 1)
  assert.match(repair.stderr, /is this the store of this database/)
  assert((await other.store.head(stranger)) && (await database.first(sql`select id from attachments where id = ${id}`)))
})

test('what is being put while others repair is whole afterwards', async () => {
  const { database } = await createTestDatabase()
  const tenant = await createTestTenant(database)
  const { store } = await startStore()
  const bytes = Buffer.from('x')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  // Old enough that only its note protects it.
  const put = async () => {
    const id = idOf(2 * HOUR_MS)
    const key: ObjectKey = objectKey('attachments', tenant.tenantId, id)
    await removeLater(database, [key], HOUR_MS)
    await store.put(key, bytes)
    await database.transaction(async (tx) => {
      await keepObjects(tx, [key])
      const { tenantId, mailboxId } = tenant
      const content = { sizeBytes: 1, sha256, filename: 'x', mediaType: 'text/plain', contentId: null } as const
      await insertAttachments(tx, [
        { id, tenantId, environmentId: tenantId, mailboxId, disposition: 'attachment', ...content },
      ])
    })
  }
  let putting = true
  const repairs = [1, 2].map(async () => {
    for (let n = 0; putting || n < 2; n++) await repairObjects(database, store, operator)
  })
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let n = 0; n < 25; n++) await put()
    }),
  )
  putting = false
  await Promise.all(repairs)
  const { named, missing, held, unnamed } = await checkObjects(database, store)
  assert.deepEqual({ named, missing, held, unnamed }, { named: 200, missing: 0, held: 200, unnamed: 0 })
})
