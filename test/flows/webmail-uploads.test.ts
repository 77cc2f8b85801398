// Files that a user of the webmail is about to send: they come whole and as announced or not at all, from the webmail's own pages, and
// are there for who may send them.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { setMailboxAccess } from '../../src/mailboxes/set-mailbox-access.ts'
import { setMailboxStatus } from '../../src/mailboxes/set-mailbox-status.ts'
import { createTestDatabase } from '../support/database.ts'
import { draftOf, draftsOf } from '../support/drafts.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, type TestUser } from '../support/people.ts'
import { startTestSite, type TestAnswer } from '../support/site.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { makePlace, type Place, PNG } from '../support/webmail-mail.ts'

const { database } = await createTestDatabase()
const folder = await temporaryFolder('webmail-uploads-')
after(() => rm(folder, { recursive: true, force: true }))
const store = await openFileStore(folder)
const site = await startTestSite('webmail', database, { store })
const incoming = async () => (await readdir(join(folder, 'incoming'))).length
const MIB = 1024 * 1024

const cookieOf = (user: TestUser) => `__Host-mdk_webmail=${user.session.cookie}`
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Announced {
  filename?: string
  mediaType?: string
  sizeBytes?: number
  sha256?: string
  key?: string
  mailboxId?: Uuid
}

function begin({ user, tenant }: Place, bytes: Uint8Array, more: Announced = {}): Promise<TestAnswer> {
  const body = {
    ...{ key: newId(), mailboxId: tenant.mailboxId, filename: 'plan.pdf', mediaType: 'application/pdf' },
    ...{ sizeBytes: bytes.length, sha256: digestOf(bytes), ...more },
  }
  return site.ask('POST', '/data/uploads', { session: user.session, body })
}

async function begun(place: Place, bytes: Uint8Array, more: Announced = {}): Promise<Uuid> {
  const { status, body } = await begin(place, bytes, more)
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.attachment, null)
  return body.uploadId
}

const headersOf = (user: TestUser, type = 'application/pdf') => ({
  cookie: cookieOf(user),
  'sec-fetch-site': 'same-origin',
  'content-type': type,
})

async function put(
  user: TestUser,
  id: Uuid,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: string | undefined; details: unknown }> {
  const answer = await fetch(`${site.listensAt}/data/uploads/${id}/content`, {
    method: 'PUT',
    headers: { ...headersOf(user), ...headers },
    body: Buffer.from(bytes),
  })
  const text = await answer.text()
  const { code, details } = text ? JSON.parse(text) : {}
  return { status: answer.status, code, details }
}

const complete = (user: TestUser, id: Uuid) =>
  site.ask('POST', `/data/uploads/${id}/complete`, { session: user.session })

async function octetsOf(user: TestUser, id: Uuid): Promise<{ answer: Response; octets: Buffer }> {
  const answer = await fetch(`${site.listensAt}/data/attachments/${id}/content`, { headers: headersOf(user) })
  return { answer, octets: Buffer.from(await answer.arrayBuffer()) }
}

/** Announced and put and completed. */
async function uploaded(place: Place, bytes: Uint8Array, mediaType = 'application/pdf'): Promise<Uuid> {
  const id = await begun(place, bytes, { mediaType })
  assert.equal((await put(place.user, id, bytes, { 'content-type': mediaType })).status, 204)
  assert.equal((await complete(place.user, id)).status, 200)
  return id
}

/** Begins to send so many bytes, and sends half of them. */
function putHalf(user: TestUser, id: Uuid, bytes: Buffer): ClientRequest {
  const sending = request(`${site.listensAt}/data/uploads/${id}/content`, {
    method: 'PUT',
    headers: { ...headersOf(user), 'content-length': bytes.length },
  })
  sending.on('error', () => {})
  sending.write(bytes.subarray(0, bytes.length / 2))
  return sending
}

test('a file is announced, put and completed, each once or again, and is one attachment', async () => {
  const place = await makePlace(database)
  const bytes = randomBytes(100_000)
  const key = newId()
  const id = await begun(place, bytes, { key, filename: 'Größe 山.pdf' })
  assert.equal((await begin(place, bytes, { key, filename: 'Größe 山.pdf' })).body.uploadId, id)
  assert.equal((await complete(place.user, id)).body.code, 'upload_missing')
  for (let i = 0; i < 2; i += 1) assert.equal((await put(place.user, id, bytes)).status, 204)
  const expected = { id, filename: 'Größe 山.pdf', mediaType: 'application/pdf', sizeBytes: 100_000 }
  for (let i = 0; i < 2; i += 1) assert.deepEqual((await complete(place.user, id)).body, expected)
  assert.deepEqual((await begin(place, bytes, { key, filename: 'Größe 山.pdf' })).body, {
    uploadId: id,
    attachment: expected,
  })
  const other = await begin(place, bytes, { key, filename: 'other.pdf' })
  assert.deepEqual([other.status, other.body.code], [409, 'idempotency_conflict'])
  assert.deepEqual((await octetsOf(place.user, id)).octets, bytes)
  const { rows } = await database.pool.query(
    'select operation, mailbox_user_id, app_id from audit_log where resource_id = $1 order by at',
    [id],
  )
  assert.deepEqual(
    rows.map((row) => row.operation),
    ['prepareAttachmentUpload', 'completeAttachmentUpload'],
  )
  for (const row of rows) assert.deepEqual([row.mailbox_user_id, row.app_id], [place.user.id, null])
})

test('what is not as announced is refused, leaves nothing behind, and can be put again', async () => {
  const place = await makePlace(database)
  const { user } = place
  const bytes = randomBytes(50_000)
  const id = await begun(place, bytes)
  const wrong: [Uint8Array, string, Record<string, string>?][] = [
    [randomBytes(50_000), 'sha256'],
    [bytes.subarray(1), 'size'],
    [Buffer.concat([bytes, Buffer.from('x')]), 'size'],
    [bytes, 'mediaType', { 'content-type': 'text/html' }],
  ]
  for (const [octets, of, headers] of wrong) {
    const { status, code, details } = await put(user, id, octets, headers)
    assert.deepEqual([status, code, details], [422, 'upload_mismatch', { mismatch: [of] }])
    assert.equal((await complete(user, id)).body.code, 'upload_mismatch')
    assert.equal((await octetsOf(user, id)).answer.status, 404)
  }
  assert.equal(await incoming(), 0)
  assert.equal((await put(user, id, bytes)).status, 204)
  assert.equal((await complete(user, id)).status, 200)
})

test('a file has 25 MiB at most, and all that is said of it its form', async () => {
  const place = await makePlace(database)
  const largest = Buffer.alloc(25 * MIB, 7)
  const id = await uploaded(place, largest)
  assert.equal((await octetsOf(place.user, id)).octets.length, 25 * MIB)
  const larger = await begin(place, largest, { sizeBytes: 25 * MIB + 1 })
  assert.deepEqual([larger.status, larger.body.code], [413, 'attachment_too_large'])
  const bad: Announced[] = [
    { sizeBytes: 0 },
    { sha256: 'x' },
    { filename: '' },
    { filename: 'x'.repeat(256) },
    { mediaType: 'pdf' },
    { key: 'short' },
  ]
  for (const more of bad) assert.equal((await begin(place, PNG, more)).status, 400, JSON.stringify(more))
  await begun(place, PNG, { filename: 'x'.repeat(255) })
})

test('a client that breaks off in the middle costs nothing that lasts, and begins again', async () => {
  const place = await makePlace(database)
  const bytes = randomBytes(2 * MIB)
  const id = await begun(place, bytes)
  const sending = putHalf(place.user, id, bytes)
  await until('half of it has come', async () => (await incoming()) === 1)
  sending.destroy()
  await until('nothing of it is left', async () => (await incoming()) === 0)
  assert.equal((await complete(place.user, id)).body.code, 'upload_missing')
  assert.equal((await put(place.user, id, bytes)).status, 204)
  assert.equal((await complete(place.user, id)).status, 200)
})

test('a user has four files on their way at once, whatever others do', async () => {
  const place = await makePlace(database)
  const other = await makePlace(database)
  const bytes = randomBytes(MIB)
  const ids = await Promise.all([0, 1, 2, 3, 4].map(() => begun(place, bytes)))
  const fifth = ids[4] as Uuid
  const sending = ids.slice(0, 4).map((id) => putHalf(place.user, id, bytes))
  await until('four are coming', async () => (await incoming()) === 4)
  assert.deepEqual(await put(place.user, fifth, bytes), {
    status: 429,
    code: 'rate_limited',
    details: { limit: 'uploads' },
  })
  await uploaded(other, bytes)
  const [first, ...rest] = sending
  const answered = once(first as ClientRequest, 'response')
  first?.end(bytes.subarray(bytes.length / 2))
  assert.equal((await answered)[0].statusCode, 204)
  assert.equal((await put(place.user, fifth, bytes)).status, 204)
  for (const one of rest) one.destroy()
  await until('nothing of them is left', async () => (await incoming()) === 0)
})

test('bytes come from the webmail’s own pages alone, by who is signed in', async () => {
  const place = await makePlace(database)
  const id = await begun(place, PNG)
  for (const from of ['same-site', 'cross-site']) {
    const { status, code } = await put(place.user, id, PNG, { 'sec-fetch-site': from })
    assert.deepEqual([status, code], [403, 'cross_site_refused'])
  }
  const { status, code } = await put(place.user, id, PNG, { cookie: '__Host-mdk_webmail=x' })
  assert.deepEqual([status, code], [401, 'not_signed_in'])
  assert.equal((await complete(place.user, id)).body.code, 'upload_missing')
})

test('uploads for a mailbox are there for who may write from it, and for nobody else', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const by = operatorOf(tenant.tenantId)
  const { id: mailboxId } = await createMailbox(database, by, {
    address: `b-${newId()}@${tenant.address.split('@')[1]}`,
    displayName: 'B',
  })
  const ofB = await createTestMailboxUser(database, tenant.tenantId, mailboxId)
  const reader = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  await setMailboxAccess(database, by, { mailboxId: tenant.mailboxId, userId: reader.id, access: 'read' })
  const stranger = await makePlace(database)
  const open = await begun(place, PNG)
  const whole = await uploaded(place, PNG)
  const askedBy = async (who: TestUser) => [
    (await put(who, open, PNG)).status,
    (await complete(who, open)).status,
    (await complete(who, whole)).status,
    (await octetsOf(who, whole)).answer.status,
    (await begin({ tenant, user: who }, PNG)).status,
  ]
  assert.deepEqual(await askedBy(ofB), [404, 404, 404, 404, 404])
  assert.deepEqual(await askedBy(stranger.user), [404, 404, 404, 404, 404])
  // The mailbox is there for who may only read it, what is being written in it is not.
  assert.deepEqual(await askedBy(reader), [404, 404, 404, 404, 403])
  await removeMailboxUser(database, by, { mailboxId: tenant.mailboxId, userId: reader.id })
  assert.equal((await octetsOf(reader, whole)).answer.status, 401)
  assert.deepEqual(await askedBy(user), [204, 200, 200, 200, 201])
})

test('a file that a draft holds is there for whoever sees the draft, wherever it came from', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const by = operatorOf(tenant.tenantId)
  const address = `b-${newId()}@${tenant.address.split('@')[1]}`
  const { id: mailboxId } = await createMailbox(database, by, { address, displayName: 'B' })
  await addMailboxUser(database, by, { mailboxId, login: user.login, access: 'write' })
  const colleague = await createTestMailboxUser(database, tenant.tenantId, mailboxId)
  const id = await uploaded(place, PNG)
  assert.equal((await octetsOf(colleague, id)).answer.status, 404)
  await draftsOf(site).saved(user, draftOf(mailboxId, { attachmentIds: [id] }))
  assert.deepEqual((await octetsOf(colleague, id)).octets, PNG)
})

test('a suspended mailbox takes no file, and neither does a tenant whose room is used up', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const id = await begun(place, PNG)
  assert.equal((await put(user, id, PNG)).status, 204)
  await setMailboxStatus(database, operatorOf(tenant.tenantId), tenant.mailboxId, 'suspended')
  for (const { status, body } of [await begin(place, PNG), await complete(user, id)]) {
    assert.deepEqual([status, body.code], [403, 'mailbox_suspended'])
  }
  await setMailboxStatus(database, operatorOf(tenant.tenantId), tenant.mailboxId, 'active')
  const plan = `plan-${newId()}`
  await database.rows(sql`
    insert into plans (name, key_per_minute, tenant_per_day, messages_per_month, stored_mib, retention_days)
    values (${plan}, 0, 0, 0, 1, 0)`)
  await database.rows(sql`update tenants set plan = ${plan} where id = ${tenant.tenantId}`)
  const { status, body } = await begin(place, PNG, { sizeBytes: MIB + 1 })
  assert.deepEqual([status, body.code, body.details.resource], [402, 'plan_capacity_exceeded', 'storage'])
  await begun(place, PNG, { sizeBytes: MIB })
})

test('an image is shown as what its octets are, and nothing else is shown at all', async () => {
  const place = await makePlace(database)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const cases: [Buffer, string, string][] = [
    [PNG, 'text/html', 'image/png'],
    [svg, 'image/svg+xml', 'image/svg+xml'],
    [Buffer.from('<script>'), 'image/png', 'image/png'],
  ]
  for (const [bytes, said, shown] of cases) {
    const { answer, octets } = await octetsOf(place.user, await uploaded(place, bytes, said))
    assert.deepEqual(octets, bytes)
    assert.equal(answer.headers.get('content-type'), shown)
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="plan.pdf"/)
    assert.equal(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'")
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin')
  }
})
