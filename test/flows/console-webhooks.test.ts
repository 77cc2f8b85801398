// The data of the console's pages of webhooks: who may do what, what is shown of a delivery, and who asks at the same time.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createApp } from '../../src/apps/create-app.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson, type TestUser } from '../support/people.ts'
import { type Receiver, type ReceiverBehaviour, startReceiver } from '../support/receiver.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { emit } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database } = await createTestDatabase()
const console_ = await startTestSite('console', database)
startTestWebhooks(database)

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

const ask = ({ session }: TestUser, method: string, path: string, body?: unknown) =>
  console_.ask(method, path, { session, body })

async function given(by: TestUser, method: string, path: string, body?: unknown, status = 200) {
  const answer = await ask(by, method, path, body)
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

/** Adds an endpoint as the Owner of a tenant, and gives its id. */
async function addEndpoint({ owner, tenant }: Place, receiver: Pick<Receiver, 'url'>, eventTypes = ['*']) {
  const input = { appId: tenant.appId, url: receiver.url, eventTypes }
  const { id, secret } = await given(owner, 'POST', '/data/webhooks', input, 201)
  assert.match(secret, /^whsec_/)
  return id as Uuid
}

const deliveriesOf = async (by: TestUser, query = '') => (await given(by, 'GET', `/data/deliveries${query}`)).items

/** Waits until all deliveries of an endpoint, of which there are so many, have a status. */
const allAre = (by: TestUser, endpointId: Uuid, status: string, count: number) =>
  until(`${count} deliveries are ${status}`, async () => {
    const items = await deliveriesOf(by, `?endpointId=${endpointId}`)
    return items.length === count && items.every((each: { status: string }) => each.status === status) && items
  })

/** Fails until it is told to work. */
function broken(words: string) {
  const state = { works: false }
  const behaviour: ReceiverBehaviour = {
    answer(_delivered, response: ServerResponse) {
      if (state.works) response.end()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(words)
    },
  }
  return { state, behaviour }
}

test('an Owner adds an endpoint, and its secret shows in no later answer', async () => {
  const place = await makePlace()
  const { owner, admin, tenant } = place
  const receiver = await startReceiver()
  const { id, secret } = await given(
    ...([owner, 'POST', '/data/webhooks'] as const),
    { appId: tenant.appId, url: receiver.url, eventTypes: ['message.sent'], description: 'Orders' },
    201,
  )
  for (const person of [owner, admin]) {
    const { items, apps } = await given(person, 'GET', '/data/webhooks')
    assert.deepEqual(apps, [{ id: tenant.appId, name: 'Example' }])
    assert.equal(items.length, 1)
    assert.deepEqual(items[0], await given(person, 'GET', `/data/webhooks/${id}`))
    const { createdAt, ...shown } = items[0]
    assert.deepEqual(shown, {
      ...{ id, appId: tenant.appId, appName: 'Example', url: receiver.url, description: 'Orders' },
      ...{ eventTypes: ['message.sent'], enabled: true, consecutiveFailures: 0, failureLimit: 10 },
      ...{ failingSince: null, lastFailingSince: null, disabledAt: null, disabledReason: null },
    })
    assert(createdAt)
  }
  const rotated = await given(owner, 'POST', `/data/webhooks/${id}/secret`)
  assert.notEqual(rotated.secret, secret)
  const overlap = Date.parse(rotated.previousUntil) - Date.now()
  assert(overlap > 23 * 3_600_000 && overlap < 25 * 3_600_000, rotated.previousUntil)
})

test('a receiver that does not pass is told of with what it answered, and nothing is stored', async () => {
  const { owner, tenant } = await makePlace()
  const refusals: [ReceiverBehaviour['handshake'], object][] = [
    [
      (_challenge, response) =>
        void response.writeHead(500, { 'content-type': 'text/plain' }).end('no <b>database</b>'),
      { reason: 'http_status', statusCode: 500, answer: 'no <b>database</b>' },
    ],
    [(_challenge, response) => void response.end('ok'), { reason: 'invalid_json', statusCode: 200, answer: 'ok' }],
    [
      (_challenge, response) => void response.writeHead(302, { location: '/elsewhere' }).end('this way'),
      { reason: 'redirect', statusCode: 302, answer: 'this way' },
    ],
    [(_challenge, response) => void response.destroy(), { reason: 'network', statusCode: null, answer: null }],
  ]
  for (const [handshake, details] of refusals) {
    const { url } = await startReceiver({ ...(handshake ? { handshake } : {}) })
    const { status, body } = await ask(owner, 'POST', '/data/webhooks', {
      ...{ appId: tenant.appId, url, eventTypes: ['*'] },
    })
    assert.deepEqual([status, body.code], [400, 'webhook_verification_failed'])
    assert.deepEqual(body.details, details)
  }
  assert.deepEqual((await given(owner, 'GET', '/data/webhooks')).items, [])
})

test('an Admin looks and replays; what is the Owner’s is refused, and what is elsewhere is absent', async () => {
  const place = await makePlace()
  const { owner, admin, tenant } = place
  const receiver = await startReceiver()
  const id = await addEndpoint(place, receiver)
  await emit(database, tenant)
  const [{ id: deliveryId, cycle }] = await allAre(admin, id, 'delivered', 1)
  const { id: replayId } = await given(owner, 'POST', `/data/webhooks/${id}/replays`, { since: '2026-01-01' }, 202)
  const stranger = (await makePlace()).owner
  const sandbox = await createApp(database, operatorOf(tenant.tenantId), { name: 'Shop', environment: 'sandbox' })
  const since = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())

  const looks: [method: string, path: string, body?: unknown][] = [
    ['GET', `/data/webhooks/${id}`],
    ['GET', `/data/figures/${id}?since=${since}`],
    ['GET', `/data/webhooks/${id}/replays`],
    ['GET', `/data/deliveries?endpointId=${id}`],
    ['GET', `/data/deliveries/${deliveryId}`],
    ['POST', `/data/deliveries/${deliveryId}/replay`, { cycle }],
    ['POST', `/data/replays/${replayId}/stop`],
  ]
  const ownersAlone: [method: string, path: string, body?: unknown][] = [
    ['PATCH', `/data/webhooks/${id}`, { description: 'x' }],
    ['POST', `/data/webhooks/${id}/test`],
    ['POST', `/data/webhooks/${id}/secret`],
    ['POST', `/data/webhooks/${id}/disable`],
    ['POST', `/data/webhooks/${id}/enable`],
    ['DELETE', `/data/webhooks/${id}`],
  ]
  for (const [method, path, body] of [...looks, ...ownersAlone]) {
    const what = `${method} ${path}`
    const elsewhere = `${path}${path.includes('?') ? '&' : '?'}environment=sandbox:${sandbox.id}`
    assert.equal((await ask(stranger, method, path, body)).status, 404, what)
    assert.equal((await ask(owner, method, elsewhere, body)).status, 404, what)
  }
  for (const [method, path, body] of ownersAlone) {
    const { status, body: refusal } = await ask(admin, method, path, body)
    assert.deepEqual([status, refusal.code], [403, 'not_allowed'], `${method} ${path}`)
  }
  const input = { appId: tenant.appId, url: receiver.url, eventTypes: ['*'] }
  assert.equal((await ask(admin, 'POST', '/data/webhooks', input)).body.code, 'not_allowed')
  for (const [method, path, body] of looks) {
    assert((await ask(admin, method, path, body)).status < 300, `${method} ${path}`)
  }
  const another = await given(admin, 'POST', `/data/webhooks/${id}/replays`, { since: '2026-01-01' }, 202)
  assert.equal(another.askedBy, 'person')

  // Signed in a while ago: secrets are shown once that is proven anew, and nothing else waits for it.
  await database.pool.query(`update sessions set proven_at = proven_at - interval '11 min' where user_id = $1`, [
    owner.id,
  ])
  for (const [path, body] of [['/data/webhooks', input] as const, [`/data/webhooks/${id}/secret`] as const]) {
    assert.equal((await ask(owner, 'POST', path, body)).body.code, 'sign_in_again', path)
  }
  for (const [method, path, body] of ownersAlone) {
    if (!path.endsWith('/secret')) assert((await ask(owner, method, path, body)).status < 300, `${method} ${path}`)
  }
  assert.deepEqual(await deliveriesOf(owner), [])
})

test('a delivery shows what its receiver got, octet by octet, and what it answered to each attempt', async () => {
  const place = await makePlace()
  const { admin, tenant } = place
  const { state, behaviour } = broken('{"fault": "no such table"} \u{1F4CE}')
  const receiver = await startReceiver(behaviour)
  const endpointId = await addEndpoint(place, receiver)
  const [eventId] = await emit(database, tenant)
  const [{ id, cycle }] = await allAre(admin, endpointId, 'dead', 1)
  state.works = true
  await given(admin, 'POST', `/data/deliveries/${id}/replay`, { cycle }, 204)
  await allAre(admin, endpointId, 'delivered', 1)

  const { delivery, endpoint, request, attempts } = await given(admin, 'GET', `/data/deliveries/${id}`)
  assert.deepEqual(endpoint, { id: endpointId, url: receiver.url, enabled: true })
  assert.deepEqual([delivery.eventId, delivery.cycle], [eventId, 2])
  const [got] = receiver.delivered
  assert(got)
  assert.equal(request.body, got.body.toString())
  assert.equal(request.url, receiver.url)
  assert.deepEqual([request.resourceType, request.resourceId], ['message', got.event.data.id])
  for (const { name, value } of request.headers) {
    const sent: unknown = got.headers[name.toLowerCase()]
    assert(sent, name)
    const isOfAttempt = /timestamp|signature/i.test(name)
    assert.equal(value, isOfAttempt ? null : sent, name)
  }
  assert.deepEqual(
    Object.keys(got.headers).filter((name) => /webhook/.test(name)),
    request.headers
      .map(({ name }: { name: string }) => name.toLowerCase())
      .filter((name: string) => /webhook/.test(name)),
  )
  assert.deepEqual(
    attempts.map(({ at: _at, durationMs: _durationMs, ...attempt }: Record<string, unknown>) => attempt),
    [
      ...[1, 2, 3, 4, 5].map((number) => ({
        ...{ cycle: 1, number, outcome: 'failed', statusCode: 500, error: 'http_status' },
        answer: '{"fault": "no such table"} \u{1F4CE}',
      })),
      { cycle: 2, number: 1, outcome: 'accepted', statusCode: 200, error: null, answer: null },
    ],
  )
  // Its figures are those of its deliveries.
  const { hours } = await given(admin, 'GET', `/data/figures/${endpointId}?since=2026-01-01`)
  assert.deepEqual(
    hours.map(({ delivered, dead, pending }: Record<string, number>) => [delivered, dead, pending]),
    [[1, 0, 0]],
  )
})

test('several people who replay one delivery at once have it posted once more', async () => {
  const place = await makePlace()
  const { owner, admin, tenant } = place
  const receiver = await startReceiver()
  const endpointId = await addEndpoint(place, receiver)
  await emit(database, tenant)
  const [{ id, cycle }] = await allAre(owner, endpointId, 'delivered', 1)
  const replays = [owner, admin, owner, admin].map((person) =>
    ask(person, 'POST', `/data/deliveries/${id}/replay`, { cycle }),
  )
  for (const { status } of await Promise.all(replays)) assert.equal(status, 204)
  const [after] = await allAre(owner, endpointId, 'delivered', 1)
  assert.equal(after.cycle, cycle + 1)
  assert.equal(receiver.delivered.length, 2)
  const { rows } = await database.pool.query(
    `select count(*)::integer as count from audit_log where operation = 'replayWebhookDelivery' and resource_id = $1`,
    [id],
  )
  assert.equal(rows[0].count, 1)
})

test('since when an endpoint has failed is known also after it has been enabled', async () => {
  const place = await makePlace()
  const { owner, tenant } = place
  const { state, behaviour } = broken('broken')
  const receiver = await startReceiver(behaviour)
  const id = await addEndpoint(place, receiver)
  const current = () => given(owner, 'GET', `/data/webhooks/${id}`)
  await emit(database, tenant, 3)
  await until('the endpoint is disabled', async () => !(await current()).enabled)
  const { failingSince, disabledReason } = await current()
  assert(failingSince)
  assert.equal(disabledReason, 'consecutive failed attempts')
  await given(owner, 'POST', `/data/webhooks/${id}/enable`, undefined, 204)
  const enabled = await current()
  assert.deepEqual([enabled.enabled, enabled.failingSince, enabled.lastFailingSince], [true, null, failingSince])
  // What enabling finds enabled leaves what is known of it.
  await given(owner, 'POST', `/data/webhooks/${id}/enable`, undefined, 204)
  assert.equal((await current()).lastFailingSince, failingSince)
  // By somebody's hand it is since then.
  state.works = true
  await given(owner, 'POST', `/data/webhooks/${id}/disable`, undefined, 204)
  const { disabledAt } = await current()
  await given(owner, 'POST', `/data/webhooks/${id}/enable`, undefined, 204)
  assert.equal((await current()).lastFailingSince, disabledAt)
})

test('two people who replay what died at once have all of it posted, each once', async () => {
  const place = await makePlace()
  const { owner, admin, tenant } = place
  const { state, behaviour } = broken('broken')
  const receiver = await startReceiver(behaviour)
  const id = await addEndpoint(place, receiver)
  await emit(database, tenant, 12)
  await allAre(owner, id, 'dead', 12)
  const { failingSince: since } = await given(owner, 'GET', `/data/webhooks/${id}`)
  state.works = true
  receiver.delivered.length = 0
  const path = `/data/webhooks/${id}/replays`
  assert.equal((await ask(admin, 'POST', path, { since })).body.code, 'endpoint_disabled')
  await given(owner, 'POST', `/data/webhooks/${id}/enable`, undefined, 204)
  const answers = await Promise.all([owner, admin].map((person) => ask(person, 'POST', path, { since })))
  for (const { status, body } of answers) {
    if (status !== 202) assert.deepEqual([status, body.code], [409, 'replay_running'])
  }
  assert(answers.some(({ status }) => status === 202))
  await allAre(admin, id, 'delivered', 12)
  assert.equal(new Set(receiver.delivered.map(({ event }) => event.id)).size, 12)
  assert.equal(receiver.delivered.length, 12)
  const ended = await until('the replays have ended', async () => {
    const { items } = await given(admin, 'GET', path)
    return items.every(({ status }: { status: string }) => status === 'done') && items
  })
  assert.equal(
    ended.reduce((sum: number, { replayed }: { replayed: number }) => sum + replayed, 0),
    12,
  )
})
