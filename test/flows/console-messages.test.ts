// The data of the console's pages of messages: who may read and do what, what a look leaves behind, and how files are given.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '../../src/apps/create-app.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { readApp } from '../../src/apps/read-app.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { followAll } from '../support/activity.ts'
import { call, openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, createTestPerson, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const console_ = await startTestSite('console', database, { store })
const api = await startTestApi(database, { store })

interface Place {
  tenant: TestTenant
  owner: TestUser
  admin: TestUser
}

async function makePlace(): Promise<Place> {
  const tenant = await createTestTenant(database)
  const [owner, admin] = await Promise.all([
    createTestPerson(database, tenant.tenantId, 'owner'),
    createTestPerson(database, tenant.tenantId, 'admin'),
  ])
  return { tenant, owner, admin }
}

const ask = ({ session }: TestUser, method: string, path: string) => console_.ask(method, path, { session })

async function given(by: TestUser, method: string, path: string, status = 200) {
  const answer = await ask(by, method, path)
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

async function post(key: string, path: string, body: unknown) {
  const answer = await call(api.url, 'POST', path, { key, body, headers: { 'idempotency-key': newId() } })
  assert(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

async function send({ key, mailboxId }: TestTenant, more: object = {}): Promise<Uuid> {
  const body = { fromMailboxId: mailboxId, to: ['ada@example.test'], subject: 'Hello', text: 'x', ...more }
  return (await post(key, '/v1/messages', body)).id
}

async function upload({ key, mailboxId }: TestTenant, filename: string, mediaType: string, bytes: Buffer) {
  const file = { mailboxId, filename, mediaType, contentBase64: bytes.toString('base64') }
  return (await post(key, '/v1/attachments', file)).attachment.id as Uuid
}

/** What people did. */
const actsOn = async (resourceId: Uuid) => {
  const { rows } = await database.pool.query(
    'select operation, person_id, client_address from audit_log where resource_id = $1 and person_id is not null order by at, id',
    [resourceId],
  )
  return rows as { operation: string; person_id: Uuid; client_address: string | null }[]
}

test('messages are found by what they have in common, and are nobody’s elsewhere', async () => {
  const { tenant, owner, admin } = await makePlace()
  const stranger = await makePlace()
  const first = await send(tenant, { to: ['ada@example.test', 'grace@example.test'], subject: 'Invoice seven' })
  const second = await send(tenant, { to: ['linus@example.test'], subject: 'Reminder' })
  await followAll(database)
  const idsOf = async (query: string, by = owner) =>
    (await given(by, 'GET', `/data/messages${query}`)).items.map(({ id }: { id: Uuid }) => id)
  assert.deepEqual(await idsOf('', admin), [second, first])
  assert.deepEqual(await idsOf('?recipient=GRACE@example.test'), [first])
  assert.deepEqual(await idsOf('?q=invoice'), [first])
  assert.deepEqual(await idsOf(`?q=${second}`), [second])
  assert.deepEqual(await idsOf('?subject=reminder'), [second])
  assert.deepEqual(await idsOf('?status=queued&direction=outbound'), [second, first])
  assert.deepEqual(await idsOf('?status=bounced'), [])
  assert.deepEqual(await idsOf(`?app=${tenant.appId}`), [second, first])
  assert.deepEqual(await idsOf(`?app=${newId()}`), [])
  assert.deepEqual(await idsOf(`?mailbox=${tenant.mailboxId}`), [second, first])
  assert.deepEqual(await idsOf('?until=2026-01-01'), [])
  await given(owner, 'GET', '/data/messages?recipient=ada', 400)
  for (const words of ['q=a%00@b', 'subject=a%00']) await given(owner, 'GET', `/data/messages?${words}`, 400)

  for (const path of ['', '/events', '/content', '/source', '/raw', `/attachments/${newId()}`]) {
    await given(stranger.owner, 'GET', `/data/messages/${first}${path}`, 404)
    assert.equal((await console_.ask('GET', `/data/messages/${first}${path}`)).status, 401)
  }
  const { id: sandbox } = await createApp(database, operatorOf(tenant.tenantId), { name: 'S', environment: 'sandbox' })
  await given(owner, 'GET', `/data/messages/${first}?environment=sandbox:${sandbox}`, 404)
  assert.deepEqual(await idsOf(`?environment=sandbox:${sandbox}`), [])
})

test('both try a message that waits, and the Owner alone holds, cancels and ends it', async () => {
  const { tenant, owner, admin } = await makePlace()
  const id = await send(tenant)
  const path = `/data/messages/${id}`
  const { timeline, recipients } = await given(admin, 'GET', path)
  assert.equal(timeline.waiting.for, 'turn')
  assert.equal(timeline.items[0].kind, 'accepted')
  assert.equal(recipients[0].address, 'ada@example.test')
  assert.deepEqual(await given(admin, 'POST', `${path}/try-now`), { state: 'due' })

  const ofOwners = [
    ...['cancel', 'hold', 'release', 'purge'].map((verb) => ['POST', `${path}/${verb}`]),
    ['DELETE', path],
  ]
  for (const [method = '', at = ''] of ofOwners) await given(admin, method, at, 403)
  const stranger = await makePlace()
  for (const [method = '', at = ''] of ofOwners) await given(stranger.owner, method, at, 404)

  await given(owner, 'POST', `${path}/hold`, 204)
  assert.equal((await given(owner, 'GET', path)).timeline.isHeld, true)
  await given(owner, 'POST', `${path}/release`, 204)
  await given(owner, 'POST', `${path}/cancel`, 204)
  const cancelled = await given(owner, 'GET', path)
  assert.equal(cancelled.status, 'failed')
  assert.equal(cancelled.timeline.waiting, null)
  const { items } = await given(owner, 'GET', '/data/messages?status=failed')
  assert.equal(items[0].reason.diagnostic, 'cancelled')
  await given(owner, 'POST', `${path}/try-now`, 409)
  const { items: events } = await given(admin, 'GET', `${path}/events`)
  assert.deepEqual(
    events.map(({ type }: { type: string }) => type),
    ['message.queued', 'message.failed'],
  )
  await given(owner, 'POST', `${path}/purge`, 204)
  await given(owner, 'GET', path, 404)

  const other = await send(tenant)
  await given(owner, 'POST', `/data/messages/${other}/cancel`, 204)
  await given(owner, 'DELETE', `/data/messages/${other}`, 204)
  await given(owner, 'GET', `/data/messages/${other}`, 404)
})

test('a message of the list says who sent it: an application, or somebody in the webmail, also when they are gone', async () => {
  const { tenant, owner } = await makePlace()
  const by = operatorOf(tenant.tenantId)
  const user = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  const byApp = await send(tenant)
  const byUser = await send(tenant)
  // As the accepting statement leaves what was a draft.
  await database.pool.query('update messages set app_id = null, mailbox_user_id = $1 where id = $2', [user.id, byUser])
  const authors = async () => {
    const { items } = await given(owner, 'GET', '/data/messages')
    return Object.fromEntries(items.map(({ id, author }: { id: Uuid; author: unknown }) => [id, author]))
  }
  const app = await readApp(database, by, tenant.appId)
  const application = { kind: 'application', id: tenant.appId, name: app?.name }
  assert.deepEqual(await authors(), {
    [byApp]: application,
    [byUser]: { kind: 'mailbox_user', id: user.id, name: user.login },
  })
  const file = (await ask(owner, 'GET', '/data/exports/messages.csv')).text.split('\r\n')
  assert.match(file[0] ?? '', /,author,authorId,authorName$/)
  assert(file[1]?.endsWith(`,mailbox_user,${user.id},${user.login}`), file[1])
  assert(file[2]?.endsWith(`,application,${tenant.appId},${app?.name}`), file[2])
  await removeMailboxUser(database, by, { mailboxId: tenant.mailboxId, userId: user.id })
  assert.deepEqual(await authors(), {
    [byApp]: application,
    [byUser]: { kind: 'mailbox_user', id: user.id, name: null },
  })
})

test('each look at what is in a message leaves a record, and a look at what became of it leaves none', async () => {
  const { tenant, admin } = await makePlace()
  const file = await upload(tenant, 'a.txt', 'text/plain', Buffer.from('content'))
  const id = await send(tenant, { html: '<p>Hello', attachmentIds: [file] })
  await given(admin, 'GET', `/data/messages/${id}`)
  await given(admin, 'GET', `/data/messages/${id}/events`)
  await given(admin, 'GET', '/data/messages')
  assert.deepEqual(await actsOn(id), [])

  const content = await given(admin, 'GET', `/data/messages/${id}/content`)
  assert.equal(content.html, '<p>Hello')
  assert.deepEqual(
    content.attachments.map(({ id, filename }: { id: Uuid; filename: string }) => [id, filename]),
    [[file, 'a.txt']],
  )
  await given(admin, 'GET', `/data/messages/${id}/content`)
  await given(admin, 'GET', `/data/messages/${id}/attachments/${file}`)
  const acts = [...(await actsOn(id)), ...(await actsOn(file))]
  assert.deepEqual(
    acts.map(({ operation }) => operation),
    ['message.view', 'message.view', 'attachment.download'],
  )
  assert(acts.every(({ person_id, client_address }) => person_id === admin.id && client_address !== null))
  // Not built yet: there is nothing to be seen, and so nothing to be recorded.
  await given(admin, 'GET', `/data/messages/${id}/source`, 404)
  assert.equal((await actsOn(id)).length, 2)
})

test('files are downloads, whatever they say they are, and come whole', async () => {
  const { tenant, owner } = await makePlace()
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'a<script>')
  const name = '"é\r\n.html'
  const file = await upload(tenant, name.replace('\r\n', ''), 'text/html', bytes)
  const id = await send(tenant, { attachmentIds: [file] })
  const path = `/data/messages/${id}/attachments/${file}`
  const { status, headers, text } = await ask(owner, 'GET', path)
  assert.equal(status, 200)
  assert.equal(text, bytes.toString())
  assert.equal(headers.get('content-length'), String(bytes.length))
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename=/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'")
  assert.equal(headers.get('cache-control'), 'no-store')
  // Of a message that it is not in, it is not there.
  const other = await send(tenant)
  await given(owner, 'GET', `/data/messages/${other}/attachments/${file}`, 404)
})

test('the source of a message is shown up to a bound, and downloaded whole', async () => {
  const { tenant, owner } = await makePlace()
  const { id: appId } = await createApp(database, operatorOf(tenant.tenantId), { name: 'S', environment: 'sandbox' })
  const { key } = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
    ...{ appId, scopes: ['messages:send'] },
  })
  const worker = await startTestOutbound(database, { relayUrl: 'smtp://127.0.0.1:1', store })
  const text = 'A line of text.\n'.repeat(20_000)
  const [small, large] = [await send({ ...tenant, key }), await send({ ...tenant, key }, { text })]
  const at = (id: Uuid, path: string) => `/data/messages/${id}${path}?environment=sandbox:${appId}`
  await until('they are built', async () =>
    (await Promise.all([small, large].map((id) => given(owner, 'GET', at(id, ''))))).every(
      ({ sizeBytes }) => sizeBytes,
    ),
  )
  await worker.stop()
  const source = await given(owner, 'GET', at(small, '/source'))
  assert.match(source.text, /^Subject: Hello\r$/m)
  assert.equal(source.isCut, false)
  const beginning = await given(owner, 'GET', at(large, '/source'))
  assert.equal(beginning.isCut, true)
  assert.equal(beginning.text.length, 256 * 1024)
  const whole = await ask(owner, 'GET', at(large, '/raw'))
  assert.equal(whole.text.length, beginning.sizeBytes)
  assert.equal(whole.headers.get('content-disposition'), `attachment; filename="${large}.eml"`)
  assert.deepEqual(
    (await actsOn(large)).map(({ operation }) => operation),
    ['message.view_source', 'message.view_source'],
  )
})
