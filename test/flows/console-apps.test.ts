// Applications and keys, as the console makes and ends them: in two processes of it at once, beside an API over the same
// database.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SCOPES } from '../../src/access/permissions.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { listAudit } from '../../src/audit/list-audit.ts'
import { openDatabase } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson, type TestUser } from '../support/people.ts'
import { isRefusedWithinASecond } from '../support/refusal.ts'
import { startTestSite, type TestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database, url } = await createTestDatabase()
const second = openDatabase({ url })
after(() => second.end())
const api = await startTestApi(database)
const one = await startTestSite('console', database)
const two = await startTestSite('console', second)

const tenant = await createTestTenant(database)
const { tenantId, appId } = tenant
const [ada, grace, joe] = await Promise.all([
  createTestPerson(database, tenantId, 'owner'),
  createTestPerson(database, tenantId, 'owner'),
  createTestPerson(database, tenantId, 'admin'),
])
const stranger = await createTestTenant(database)

const as =
  ({ session }: TestUser, site: TestSite = one) =>
  (method: string, path: string, body?: unknown) =>
    site.ask(method, path, { session, body })
const status = async (key: string, path = '/v1/messages') => (await call(api.url, 'GET', path, { key })).status
const makeKey = async (request: object = {}) => {
  const answer = await as(ada)('POST', `/data/apps/${appId}/keys`, {
    ...{ name: 'reports', scopes: ['messages:read'] },
    ...request,
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body as { id: string; key: string }
}
const listed = async (id: string) => {
  const { body } = await as(joe)('GET', `/data/apps/${appId}`)
  return body.keys.find((key: { id: string }) => key.id === id)
}

test('an application is made for production or a sandbox, shows in every environment, and leads to its sandbox', async () => {
  const made = await as(ada)('POST', '/data/apps', { name: 'Trial', environment: 'sandbox' })
  assert.equal(made.status, 201)
  const { id } = made.body
  const here = await as(joe)('GET', '/data/apps')
  const there = await as(joe, two)('GET', `/data/apps?environment=sandbox:${id}`)
  assert.deepEqual(here.body, there.body)
  assert.deepEqual(
    here.body.items.map((app: { name: string; environment: string; keys: number }) => [
      app.name,
      app.environment,
      app.keys,
    ]),
    [
      ['Example', 'production', 1],
      ['Trial', 'sandbox', 0],
    ],
  )
  const around = await as(joe)('GET', '/data/surroundings')
  assert.deepEqual(around.body.sandboxes, [{ id, name: 'Trial' }])
  for (const name of ['', ' ', 'a\u0000b', 'x'.repeat(256)]) {
    assert.equal((await as(ada)('POST', '/data/apps', { name, environment: 'sandbox' })).status, 400)
  }
  assert.equal((await as(ada)('POST', '/data/apps', { name: 'Elsewhere', environment: 'staging' })).status, 400)
})

test('the hundredth application is made, and no other, by whichever of two who ask at once', async () => {
  const full = await createTestTenant(database)
  const owner = await createTestPerson(database, full.tenantId, 'owner')
  await database.pool.query(
    `insert into apps (tenant_id, id, name, environment, status)
    select $1, gen_random_uuid(), 'n' || n, 'production', 'suspended' from generate_series(1, 98) n`,
    [full.tenantId],
  )
  const body = { name: 'The last', environment: 'sandbox' }
  const answers = await Promise.all([one, two].map((site) => as(owner, site)('POST', '/data/apps', body)))
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 402])
  const { details } = answers.find((answer) => answer.status === 402)?.body ?? {}
  assert.deepEqual(details, { resource: 'applications', limit: 100, used: 100, resetsAt: null })
  await createApp(database, operatorOf(full.tenantId), { name: 'The operator’s', environment: 'production' })
})

test('a key that one console makes is good at once at the API, for what it may and nothing else, and is never shown again', async () => {
  const { id, key } = await makeKey({ expiresIn: '90d' })
  assert.match(key, /^mdk_live_[0-9A-Za-z]{71}$/)
  assert.equal(await status(key), 200)
  const refused = await call(api.url, 'GET', '/v1/mailboxes', { key })
  assert.deepEqual([refused.status, refused.body.details], [403, { required: ['mailboxes:read'] }])

  const { createdAt, expiresAt, lastUsedAt: _, requests, ...shown } = await listed(id)
  assert.deepEqual(shown, {
    ...{ id, name: 'reports', prefix: key.slice(0, 15), scopes: ['messages:read'], revokedAt: null, replaces: null },
    madeBy: { kind: 'person', name: ada.login },
  })
  assert.equal(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000), 90)
  assert.equal(requests.length, 7)
  const page = await as(ada)('GET', `/data/apps/${appId}`)
  assert(!page.text.includes(key.slice(31)), 'nothing of the secret')
  assert.deepEqual(page.body.mailbox, { id: tenant.mailboxId, address: tenant.address })
  const [operators] = page.body.keys.slice(-1)
  assert.deepEqual(operators.madeBy, { kind: 'operator', name: null })
})

test('a key without a name, without scopes, with an unknown one, or for no time at all is refused beside what is wrong', async () => {
  for (const [request, path] of [
    [{ name: ' ' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['messages:all'] }, 'scopes[0]'],
    [{ expiresIn: '0d' }, 'expiresIn'],
    [{ expiresIn: 'soon' }, 'expiresIn'],
    [{ expiresIn: '36501d' }, 'expiresIn'],
  ] as const) {
    const body = { name: 'reports', scopes: ['messages:read'], ...request }
    const answer = await as(ada)('POST', `/data/apps/${appId}/keys`, body)
    assert.equal(answer.status, 400, path)
    assert.equal(answer.body.details.fields[0].path, path)
  }
  assert.equal((await makeKey({ expiresIn: '36500d', scopes: SCOPES })).key.length, 80)
})

test('a key that is revoked, twice at once and in two processes, is refused within a second', async () => {
  const { id, key } = await makeKey()
  assert.equal(await status(key), 200)
  const revoked = await Promise.all([as(ada), as(grace, two)].map((ask) => ask('DELETE', `/data/keys/${id}`)))
  assert.deepEqual(
    revoked.map((answer) => answer.status),
    [204, 204],
  )
  const endedAt = performance.now()
  const at = (await listed(id)).revokedAt
  await isRefusedWithinASecond(() => status(key), endedAt)
  assert.equal((await as(ada)('DELETE', `/data/keys/${id}`)).status, 204)
  assert.equal((await listed(id)).revokedAt, at)
})

test('of two Owners who replace a key at once one has a new key, beside the old one and like it', async () => {
  const { id, key } = await makeKey({ expiresIn: '1d', scopes: ['messages:read', 'mailboxes:read'] })
  const answers = await Promise.all([as(ada), as(grace, two)].map((ask) => ask('POST', `/data/keys/${id}/replace`)))
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 403])
  const made = answers.find((answer) => answer.status === 201)?.body
  assert.match(answers.find((answer) => answer.status === 403)?.body.message, /has been replaced already/)
  assert.deepEqual([await status(key), await status(made.key)], [200, 200])
  const [before, next] = [await listed(id), await listed(made.id)]
  assert.equal(next.replaces, id)
  assert.deepEqual([next.name, next.scopes], [before.name, before.scopes])
  const lifetime = ({ createdAt, expiresAt }: typeof next) => Date.parse(expiresAt) - Date.parse(createdAt)
  assert(Math.abs(lifetime(next) - lifetime(before)) < 1_000)

  // One that was lost is revoked, and the former replaced anew.
  await as(ada)('DELETE', `/data/keys/${made.id}`)
  assert.equal((await as(ada)('POST', `/data/keys/${id}/replace`)).status, 201)
  await as(ada)('DELETE', `/data/keys/${id}`)
  const late = await as(ada)('POST', `/data/keys/${id}/replace`)
  assert.deepEqual([late.status, late.body.message], [403, 'This key is revoked. Make a new one.'])
})

test('an application that is suspended has no good key within a second, and has them back when it is resumed', async () => {
  const app = await createApp(database, operatorOf(tenantId), { name: 'Shop', environment: 'production' })
  const { body } = await as(ada)('POST', `/data/apps/${app.id}/keys`, { name: 'a', scopes: ['messages:read'] })
  for (const [state, code] of [
    ['suspended', 401],
    ['active', 200],
  ] as const) {
    assert.equal((await as(ada)('PUT', `/data/apps/${app.id}/status`, { status: state })).status, 204)
    await until(`it answers ${code}`, async () => (await status(body.key)) === code)
  }
})

test('an Admin sees all of it and changes none; what is another tenant’s is not there', async () => {
  const { id } = await makeKey()
  const changes = [
    ['POST', '/data/apps', { name: 'A', environment: 'sandbox' }],
    ['PUT', `/data/apps/${appId}/status`, { status: 'suspended' }],
    ['POST', `/data/apps/${appId}/keys`, { name: 'A', scopes: ['messages:read'] }],
    ['POST', `/data/keys/${id}/replace`, undefined],
    ['DELETE', `/data/keys/${id}`, undefined],
  ] as const
  for (const [method, path, body] of changes) {
    const answer = await as(joe)(method, path, body)
    assert.deepEqual([answer.status, answer.body.code], [403, 'not_allowed'], path)
  }
  assert.equal((await listed(id)).revokedAt, null)
  const theirs = stranger.appId
  for (const path of [`/data/apps/${theirs}`, `/data/apps/${newId()}`]) {
    assert.equal((await as(ada)('GET', path)).status, 404)
  }
  assert.equal((await as(ada)('PUT', `/data/apps/${theirs}/status`, { status: 'suspended' })).status, 404)
})

test('making a key wants a fresh sign-in, revoking one does not, and each leaves its record', async () => {
  const { id } = await makeKey({ name: 'old hand' })
  await database.pool.query(`update sessions set proven_at = proven_at - interval '11 minutes' where user_id = $1`, [
    grace.id,
  ])
  for (const [method, path] of [
    ['POST', `/data/apps/${appId}/keys`],
    ['POST', `/data/keys/${id}/replace`],
  ] as const) {
    const body = path.endsWith('replace') ? undefined : { name: 'x', scopes: ['messages:read'] }
    const answer = await as(grace)(method, path, body)
    assert.deepEqual([answer.status, answer.body.code], [403, 'sign_in_again'])
  }
  assert.equal((await as(grace)('DELETE', `/data/keys/${id}`)).status, 204)
  const acts = await listAudit(database, operatorOf(tenantId), 100)
  const ofKey = acts.filter(({ resourceId }) => resourceId === id)
  assert.deepEqual(ofKey.map(({ operation, personId }) => [operation, personId]).reverse(), [
    ['key.create', ada.id],
    ['key.revoke', grace.id],
  ])
  assert(acts.some(({ operation, personId }) => operation === 'key.replace' && personId !== null))
})

test('an Owner sends a synthetic event to a sandbox, and never to production', async () => {
  const { id } = await createApp(database, operatorOf(tenantId), { name: 'Bench', environment: 'sandbox' })
  const inSandbox = `/data/events?environment=sandbox:${id}`
  const body = { type: 'message.received', data: { subject: 'Invoice 7' } }
  const sent = await as(ada)('POST', inSandbox, body)
  assert.equal(sent.status, 201, sent.text)
  const { items } = (await as(joe, two)('GET', inSandbox)).body
  assert.deepEqual(
    items.map((event: { id: string; type: string; data: Record<string, unknown> }) => [
      event.id,
      event.type,
      event.data.subject,
      event.data.demo,
    ]),
    [[sent.body.id, 'message.received', 'Invoice 7', true]],
  )
  assert.equal((await as(ada)('POST', inSandbox, { type: 'mailbox.created' })).status, 201)
  for (const [path, by, given, code] of [
    ['/data/events', ada, body, 400],
    [inSandbox, joe, body, 403],
    [inSandbox, ada, { type: 'message.vanished' }, 400],
    [inSandbox, ada, { type: 'message.sent', data: [] }, 400],
    [inSandbox, ada, { type: 'message.sent', data: { id: 'x' } }, 400],
  ] as const) {
    assert.equal((await as(by)('POST', path, given)).status, code, JSON.stringify(given))
  }
})

test('an application has a hundred good keys at most that people make, whoever makes one at once; those that ended count for nothing', async () => {
  const { body: app } = await as(ada)('POST', '/data/apps', { name: 'Full', environment: 'sandbox' })
  const make = (by: ReturnType<typeof as>) =>
    by('POST', `/data/apps/${app.id}/keys`, { name: 'k', scopes: ['messages:read'] })
  const model = await make(as(ada))
  // As many as there may be but one, and 60 that have ended.
  await database.pool.query(
    `insert into api_keys (tenant_id, id, app_id, name, public_id, secret_hash, secret_tag, scopes, revoked_at, expires_at)
     select k.tenant_id, gen_random_uuid(), k.app_id, k.name, lpad(n || left(md5(k.id::text), 12), 22, '0'), k.secret_hash,
       k.secret_tag, k.scopes, case when n > 98 and n % 2 = 0 then clock_timestamp() end,
       case when n > 98 and n % 2 = 1 then clock_timestamp() end
     from api_keys k, generate_series(1, 158) n where k.id = $1`,
    [model.body.id],
  )
  const made = await Promise.all([make(as(ada)), make(as(ada, two)), make(as(ada)), make(as(ada, two))])
  assert.deepEqual(made.map((answer) => answer.status).sort(), [201, 402, 402, 402])
  const refused = made.find((answer) => answer.status === 402)
  assert.deepEqual(refused?.body.details, { resource: 'keys', limit: 100, used: 100, resetsAt: null })
  assert.equal((await as(ada)('POST', `/data/keys/${model.body.id}/replace`)).status, 402)
  const { body: shown } = await as(joe)('GET', `/data/apps/${app.id}`)
  assert.equal(shown.app.keys, 100)
  assert.equal(shown.keys.length, 150)
  assert.equal((await as(ada)('DELETE', `/data/keys/${model.body.id}`)).status, 204)
  assert.equal((await make(as(ada, two))).status, 201)
})
