// Webhooks: an endpoint proves itself, hears its events signed, and what fails is tried again, dead-lettered and replayed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts'
import { appendEvents } from '../../src/events/append.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { newId } from '../../src/lib/uuid.ts'
import { type Answer, call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { type ReceiverBehaviour, startReceiver } from '../support/receiver.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database } = await createTestDatabase()
/** An API that gives a receiver so long for its answer. */
const startPatient = (timeoutMs: number) =>
  startTestApi(database, {
    config: { webhooks: { allow: [parseNetwork('127.0.0.0/8')], backoffSeconds: [1, 1, 1, 1], timeoutMs } },
  })
const { url } = await startPatient(20_000)

const post = (tenant: TestTenant, path: string, body?: unknown, key = newId(), at = url) =>
  call(at, 'POST', path, { key: tenant.key, body, headers: { 'idempotency-key': key } })

function ok(answer: Answer, status = 200) {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

const createEndpoint = (tenant: TestTenant, body: object, at = url) =>
  post(tenant, '/v1/webhook-endpoints', body, newId(), at)

async function subscribe(behaviour: ReceiverBehaviour = {}, eventTypes = ['*']) {
  const tenant = await createTestTenant(database)
  const receiver = await startReceiver(behaviour)
  const { endpoint, secret } = ok(await createEndpoint(tenant, { url: receiver.url, eventTypes }), 201)
  return { tenant, receiver, endpoint, secret: secret as string }
}

const emit = (tenant: TestTenant, count = 1, environmentId = tenant.tenantId) =>
  database.transaction((tx) =>
    appendEvents(
      tx,
      Array.from({ length: count }, (_, n) => ({
        tenantId: tenant.tenantId,
        environmentId,
        type: 'message.updated' as const,
        resourceType: 'message' as const,
        resourceId: newId(),
        data: { n, word: 'Grüße 📎' },
      })),
    ),
  )

const deliveriesOf = async (tenant: TestTenant, query = '') =>
  ok(await call(url, 'GET', `/v1/webhook-deliveries${query}`, { key: tenant.key })).items

const endpointOf = async (tenant: TestTenant) =>
  ok(await call(url, 'GET', '/v1/webhook-endpoints', { key: tenant.key })).items[0]

const deliveriesAre = (tenant: TestTenant, status: string) =>
  until(`all are ${status}`, async () => {
    const items = await deliveriesOf(tenant)
    return items.length > 0 && items.every((item: { status: string }) => item.status === status) && items
  })

const refuse = (code: number): ReceiverBehaviour => ({
  answer: (_, response) => void response.writeHead(code).end(),
})

test('an endpoint is stored once it has answered the challenge, and its secret is shown this once', async () => {
  const { tenant, receiver, endpoint, secret } = await subscribe({}, ['message.sent', 'message.sent', 'message.failed'])
  const { createdAt, ...rest } = endpoint
  assert(!Number.isNaN(Date.parse(createdAt)))
  assert.deepEqual(rest, {
    id: endpoint.id,
    appId: tenant.appId,
    url: receiver.url,
    description: null,
    eventTypes: ['message.sent', 'message.failed'],
    enabled: true,
    consecutiveFailures: 0,
    disabledAt: null,
  })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const [handshake] = receiver.handshakes
  assert.equal(handshake?.headers['user-agent'], 'Service-Webhooks/1.0')
  assert.equal(handshake?.headers['content-type'], 'application/json')
  assert.deepEqual(Object.keys(handshake?.event ?? {}), ['id', 'type', 'apiVersion', 'occurredAt', 'data'])
  const listed = ok(await call(url, 'GET', '/v1/webhook-endpoints', { key: tenant.key }))
  assert.deepEqual(listed, { items: [endpoint] })
  const { rows } = await database.pool.query('select secret from webhook_endpoints where id = $1', [endpoint.id])
  assert(!rows[0].secret.includes(secret.slice(6, 20)))
})

test('an endpoint that does not pass verification is not stored', async () => {
  const tenant = await createTestTenant(database)
  const echo = (challenge: unknown) => JSON.stringify({ challenge })
  const cases: [string, ReceiverBehaviour['handshake'], string, number | null][] = [
    ['another challenge', (_, r) => r.end('{"challenge":"x"}'), 'wrong_challenge', 200],
    ['no JSON', (challenge, r) => r.end(challenge), 'invalid_json', 200],
    ['no UTF-8', (challenge, r) => r.end(Buffer.from(echo(challenge), 'utf16le')), 'invalid_json', 200],
    ['nothing', (_, r) => r.writeHead(204).end(), 'invalid_json', 204],
    ['no object', (_, r) => r.end('null'), 'wrong_challenge', 200],
    ['the challenge in a list', (challenge, r) => r.end(JSON.stringify([challenge])), 'wrong_challenge', 200],
    [
      'more than 64 KiB',
      (challenge, r) => r.end(JSON.stringify({ more: 'x'.repeat(65_536), challenge })),
      'answer_too_long',
      200,
    ],
    [
      'more than 64 KiB behind what was asked for',
      (challenge, r) => r.end(echo(challenge).padEnd(66_000)),
      'answer_too_long',
      200,
    ],
    ['a refusal', (challenge, r) => r.writeHead(401).end(echo(challenge)), 'http_status', 401],
    ['a redirect', (challenge, r) => r.writeHead(302, { location: '/' }).end(echo(challenge)), 'redirect', 302],
    ['silence', () => {}, 'timeout', null],
    ['an answer without end', (challenge, r) => r.write(echo(challenge)), 'timeout', null],
    ['a broken connection', (_, r) => r.destroy(), 'network', null],
  ]
  const impatient = await startPatient(500)
  for (const [what, handshake, reason, statusCode] of cases) {
    const receiver = await startReceiver(handshake ? { handshake } : {})
    const input = { url: receiver.url, eventTypes: ['*'] }
    const { status, body } = await createEndpoint(tenant, input, reason === 'timeout' ? impatient.url : url)
    assert.deepEqual([status, body.code], [400, 'webhook_verification_failed'], what)
    const { answer, ...rest } = body.details
    assert.deepEqual(rest, { reason, statusCode }, what)
    if (what === 'another challenge') assert.equal(answer, '{"challenge":"x"}')
    if (reason === 'answer_too_long') assert.equal(answer.length, 1_000)
    if (statusCode === null || statusCode === 204) assert.equal(answer, null, what)
    if (reason === 'answer_too_long') assert.match(body.message, /longer than 64 KiB/)
    assert.equal(receiver.handshakes.length, 1, what)
    await receiver.stop()
  }
  for (const bad of ['https://10.0.0.1/', 'https://[::1]/', 'ftp://example.com/', 'https://a/', 'x']) {
    const { status, body } = await createEndpoint(tenant, { url: bad, eventTypes: ['*'] })
    assert.deepEqual([status, body.code], [400, 'webhook_url_invalid'], bad)
  }
  assert.equal(await endpointOf(tenant), undefined)
  const roomy = await startReceiver({ handshake: (challenge, r) => r.end(echo(challenge).padEnd(65_000)) })
  ok(await createEndpoint(tenant, { url: roomy.url, eventTypes: ['*'] }), 201)
})

test('the bounds of an endpoint hold on both sides', async () => {
  const tenant = await createTestTenant(database)
  const receiver = await startReceiver()
  const statusOf = async (body: object) =>
    (await createEndpoint(tenant, { url: receiver.url, eventTypes: ['*'], ...body })).status
  assert.equal(await statusOf({ eventTypes: [] }), 400)
  assert.equal(await statusOf({ eventTypes: Array(20).fill('message.sent') }), 201)
  assert.equal(await statusOf({ eventTypes: Array(21).fill('message.sent') }), 400)
  assert.equal(await statusOf({ eventTypes: ['message.read'] }), 400)
  assert.equal(await statusOf({ eventTypes: ['webhook.endpoint_verification'] }), 400)
  assert.equal(await statusOf({ description: 'x'.repeat(255) }), 201)
  assert.equal(await statusOf({ description: 'x'.repeat(256) }), 400)
  assert.equal(await statusOf({ description: null }), 201)
  assert.equal(await statusOf({ secret: 'whsec_mine' }), 400)
})

test('an application has 100 endpoints at most, over two processes at once, and makes room by deleting one', async () => {
  const tenant = await createTestTenant(database)
  const other = await startPatient(20_000)
  const receiver = await startReceiver()
  const input = { url: receiver.url, eventTypes: ['*'] }
  const create = (at = url) => call(at, 'POST', '/v1/webhook-endpoints', { key: tenant.key, body: input })
  const { endpoint } = ok(await create(), 201)
  ok(await call(url, 'PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { key: tenant.key, body: { enabled: false } }))
  for (let made = 1; made < 97; made++) ok(await create(), 201)

  // All ten are posted to before any of them is stored.
  const waiting: (() => void)[] = []
  const together = await startReceiver({
    handshake: (challenge, response) => {
      waiting.push(() => response.end(JSON.stringify({ challenge })))
      if (waiting.length === 10) for (const answer of waiting) answer()
    },
  })
  const racing = Array.from({ length: 10 }, (_, i) =>
    call(i % 2 ? url : other.url, 'POST', '/v1/webhook-endpoints', {
      key: tenant.key,
      body: { url: together.url, eventTypes: ['*'] },
    }),
  )
  const answers = await Promise.all(racing)
  assert.equal(answers.filter(({ status }) => status === 201).length, 3)
  const full = { resource: 'webhook_endpoints', limit: 100, used: 100, resetsAt: null }
  for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
    assert.deepEqual([status, body.code, body.details], [402, 'plan_capacity_exceeded', full])
  }

  const asked = receiver.handshakes.length
  assert.equal((await create()).status, 402)
  assert.equal(receiver.handshakes.length, asked, 'nothing is posted when there is no room')
  const unusable = await createEndpoint(tenant, { url: 'https://a/', eventTypes: ['*'] })
  assert.equal(unusable.body.code, 'webhook_url_invalid', 'what can never be is reported first')
  ok(await createEndpoint(await createTestTenant(database), input), 201)

  await call(url, 'DELETE', `/v1/webhook-endpoints/${endpoint.id}`, { key: tenant.key })
  ok(await create(other.url), 201)
  assert.equal((await create()).status, 402)
})

test('a change of an endpoint has the same bounds, and changes nothing when one is broken', async () => {
  const { tenant, receiver, endpoint } = await subscribe()
  const path = `/v1/webhook-endpoints/${endpoint.id}`
  const change = (body: object) => call(url, 'PATCH', path, { key: tenant.key, body })
  for (const bad of [
    {},
    { eventTypes: [] },
    { eventTypes: Array(21).fill('message.sent') },
    { eventTypes: ['message.read'] },
    { description: 'x'.repeat(256) },
    { description: 'fine', enabled: 'false' },
    { description: 'fine', enabled: null },
    { description: 'fine', url: null },
    { description: 'fine', secret: 'whsec_mine' },
    { description: 'fine', consecutiveFailures: 0 },
  ]) {
    const { status, body } = await change(bad)
    assert.deepEqual([status, body.code], [400, 'validation_error'], JSON.stringify(bad))
  }
  for (const [wrong, code] of [
    ['https://10.0.0.1/', 'webhook_url_invalid'],
    [receiver.url.replace('/hook', '/other').replace('127.0.0.1', '127.0.0.2'), 'webhook_verification_failed'],
  ]) {
    const { status, body } = await change({ description: 'fine', url: wrong })
    assert.deepEqual([status, body.code], [400, code], wrong)
  }
  assert.deepEqual(await endpointOf(tenant), endpoint)
  const most = { description: '📎'.repeat(255), eventTypes: Array(20).fill('message.sent') }
  const changed = ok(await change(most)).endpoint
  assert.deepEqual([changed.description, changed.eventTypes], [most.description, ['message.sent']])
})

test('an event reaches its endpoints once, signed for two verifiers', async () => {
  const { tenant, receiver, endpoint, secret } = await subscribe()
  const worker = startTestWebhooks(database)
  await emit(tenant)
  const [delivery] = await deliveriesAre(tenant, 'delivered')
  await worker.stop()
  assert.equal(receiver.delivered.length, 1)
  const { headers, body, event } = receiver.delivered[0] as (typeof receiver.delivered)[0]
  await feedCaughtUp(database)
  const [listed] = ok(await call(url, 'GET', '/v1/events', { key: tenant.key })).items.slice(-1)
  assert.deepEqual(event, {
    id: listed.id,
    type: listed.type,
    apiVersion: '2026-01-01',
    occurredAt: listed.occurredAt,
    data: listed.data,
  })
  assert.equal(headers['service-webhook-id'], event.id)
  assert.equal(headers['user-agent'], 'Service-Webhooks/1.0')
  assert.deepEqual(verifyWebhook({ headers, body, secret }), event)
  new Webhook(secret).verify(body.toString(), headers as Record<string, string>)
  const { lastAttemptAt, lastDurationMs, deliveredAt, createdAt, ...rest } = delivery
  assert(lastAttemptAt && deliveredAt && lastDurationMs >= 0)
  assert.equal(createdAt, listed.occurredAt)
  assert.deepEqual(rest, {
    id: delivery.id,
    object: 'webhook_delivery',
    endpointId: endpoint.id,
    eventId: event.id,
    eventType: 'message.updated',
    status: 'delivered',
    cycle: 1,
    attemptCount: 1,
    receptions: 1,
    nextAttemptAt: null,
    lastStatusCode: 200,
    lastError: null,
    deadAt: null,
  })
})

test('deliveries are listed newest first, also those of one moment', async () => {
  const { tenant, receiver } = await subscribe()
  await emit(tenant, 50)
  const items = await deliveriesOf(tenant, '?limit=50')
  const times = items.map((item: { createdAt: string }) => item.createdAt)
  assert.deepEqual(times, times.toSorted().reverse())
  assert.deepEqual(await deliveriesOf(tenant, '?limit=1'), items.slice(0, 1))
  // So that no worker of another test finds them.
  const worker = startTestWebhooks(database)
  await until('they are delivered', () => receiver.delivered.length === 50)
  await worker.stop()
})

test('a send is heard of by those who subscribed, and only in their own environment', async () => {
  const { tenant, receiver } = await subscribe({}, ['message.queued'])
  const other = await subscribe({}, ['message.sent'])
  const message = { fromMailboxId: tenant.mailboxId, to: ['you@example.test'], text: 'Hi' }
  ok(await send(url, tenant.key, message), 202)
  ok(await send(url, other.tenant.key, { ...message, fromMailboxId: other.tenant.mailboxId }), 202)
  // A sandbox of the same tenant, with events of its own.
  await emit(tenant, 1, newId())
  const worker = startTestWebhooks(database)
  await deliveriesAre(tenant, 'delivered')
  await worker.stop()
  assert.deepEqual(
    receiver.delivered.map(({ event }) => event.type),
    ['message.queued'],
  )
  assert.equal(other.receiver.delivered.length, 0)
  assert.deepEqual(await deliveriesOf(other.tenant), [])
})

test('five failed attempts make a delivery dead, two such disable the endpoint, and enabling lets it be replayed', async () => {
  let code = 500
  const { tenant, receiver, endpoint } = await subscribe({
    answer: (_, response) => void response.writeHead(code).end(),
  })
  const worker = startTestWebhooks(database)
  await emit(tenant, 3)
  const dead = await deliveriesAre(tenant, 'dead')
  // Three together: ten attempts are made, and no more.
  assert.equal(receiver.delivered.length, 10)
  assert.deepEqual(worker.disabled(), [endpoint.id])
  const disabled = await endpointOf(tenant)
  assert.deepEqual([disabled.enabled, disabled.consecutiveFailures], [false, 10])
  assert(disabled.disabledAt)
  assert(dead.some((item: { lastError: string }) => item.lastError === 'endpoint_disabled'))
  // What happens meanwhile is kept, dead, for later.
  await emit(tenant)
  const [late] = await deliveriesOf(tenant, '?limit=1')
  assert.deepEqual([late.status, late.lastError, late.attemptCount], ['dead', 'endpoint_disabled', 0])
  const refused = await post(tenant, `/v1/webhook-deliveries/${late.id}/replay`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'endpoint_disabled'])

  code = 204
  const enabled = await call(url, 'PATCH', `/v1/webhook-endpoints/${endpoint.id}`, {
    key: tenant.key,
    body: { enabled: true },
  })
  const shown = ok(enabled).endpoint
  assert.deepEqual([shown.enabled, shown.consecutiveFailures, shown.disabledAt], [true, 0, null])
  const replayed = ok(await post(tenant, `/v1/webhook-deliveries/${late.id}/replay`), 202)
  assert.deepEqual(replayed, {
    id: late.id,
    object: 'webhook_delivery',
    eventId: late.eventId,
    endpointId: endpoint.id,
    status: 'pending',
    cycle: 2,
  })
  worker.wake()
  await until('it is delivered', async () => (await deliveriesOf(tenant, '?limit=1'))[0].status === 'delivered')
  await worker.stop()
  assert.equal(receiver.delivered.at(-1)?.event.id, late.eventId)
})

test('a fifth failure of one delivery leaves a dead letter, and the endpoint enabled', async () => {
  const { tenant, receiver } = await subscribe(refuse(503))
  const worker = startTestWebhooks(database)
  await emit(tenant)
  const [delivery] = await deliveriesAre(tenant, 'dead')
  await worker.stop()
  assert.equal(receiver.delivered.length, 5)
  assert.equal(new Set(receiver.delivered.map(({ event }) => event.id)).size, 1)
  assert.deepEqual(
    [delivery.attemptCount, delivery.receptions, delivery.lastStatusCode, delivery.lastError],
    [5, 5, 503, 'http_status'],
  )
  const { rows } = await database.pool.query('select reason from dead_letters where subject_id = $1', [delivery.id])
  assert.deepEqual(rows, [{ reason: 'http_status' }])
  const endpoint = await endpointOf(tenant)
  assert.deepEqual([endpoint.enabled, endpoint.consecutiveFailures], [true, 5])
  const path = `/v1/webhook-endpoints/${endpoint.id}`
  const enabled = ok(await call(url, 'PATCH', path, { key: tenant.key, body: { enabled: true } })).endpoint
  assert.deepEqual([enabled.enabled, enabled.consecutiveFailures], [true, 0], 'though it was enabled all the time')
})

test('while attempts fail one is made at a time; a success resets the count and lets many go', async () => {
  const open: number[] = []
  const { tenant, receiver } = await subscribe({
    answer: async (_, response) => {
      open.push(receiver.open)
      const turn = open.length
      if (turn > 5) await until('another is under way', () => receiver.mostOpen > 1)
      response.writeHead(turn < 5 ? 500 : 200).end()
    },
  })
  const worker = startTestWebhooks(database)
  await emit(tenant, 30)
  await deliveriesAre(tenant, 'delivered')
  await worker.stop()
  assert.equal(receiver.delivered.length, 34)
  assert.deepEqual(open.slice(0, 5), [1, 1, 1, 1, 1])
  assert(receiver.mostOpen > 1)
  assert.equal((await endpointOf(tenant)).consecutiveFailures, 0)
})

test('a receiver that restarts under load is not disabled, however much was under way to it', async () => {
  let down = false
  const waiting: (() => void)[] = []
  const { tenant, receiver, endpoint } = await subscribe({
    answer: async (_, response) => {
      if (!down && receiver.delivered.length > 1) await new Promise<void>((resolve) => waiting.push(resolve))
      if (down) response.destroy()
      else response.end()
    },
  })
  const worker = startTestWebhooks(database, { backoff: [0.3, 0.3, 0.3, 0.3] })
  await emit(tenant)
  await deliveriesAre(tenant, 'delivered')
  await emit(tenant, 40)
  await until('many are under way', () => waiting.length === 40)
  down = true
  for (const go of waiting) go()
  await until('they have failed', async () => (await endpointOf(tenant)).consecutiveFailures > 0)
  down = false
  const free = setInterval(() => {
    for (const go of waiting.splice(0)) go()
  }, 5)
  await deliveriesAre(tenant, 'delivered')
  clearInterval(free)
  await worker.stop()
  assert.deepEqual(worker.disabled(), [])
  assert.deepEqual([(await endpointOf(tenant)).enabled, (await endpointOf(tenant)).id], [true, endpoint.id])
})

test('a replay is made once for its key, and anew for another', async () => {
  const { tenant, receiver } = await subscribe()
  const worker = startTestWebhooks(database)
  await emit(tenant, 2)
  const [first, second] = await deliveriesAre(tenant, 'delivered')
  const key = newId()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post(tenant, `/v1/webhook-deliveries/${first.id}/replay`, undefined, key)),
  )
  for (const { status, body } of answers) assert.deepEqual([status, body.cycle], [202, 2])
  assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 19)
  const other = await post(tenant, `/v1/webhook-deliveries/${second.id}/replay`, undefined, key)
  assert.deepEqual([other.status, other.body.code], [409, 'idempotency_conflict'])
  await until('it came again', () => receiver.delivered.length === 3)
  await deliveriesAre(tenant, 'delivered')
  // The same key answers alike and keeps the later progress.
  const again = await post(tenant, `/v1/webhook-deliveries/${first.id}/replay`, undefined, key)
  assert.deepEqual([again.status, again.body.status, again.body.cycle], [202, 'pending', 2])
  assert.equal((await deliveriesOf(tenant))[1].status, 'delivered')
  assert.equal(ok(await post(tenant, `/v1/webhook-deliveries/${first.id}/replay`), 202).cycle, 3)
  await until('and again', () => receiver.delivered.length === 4)
  await worker.stop()
  assert.equal(receiver.delivered.filter(({ event }) => event.id === first.eventId).length, 3)
})

for (const late of [200, 500]) {
  test(`an attempt that ends with ${late} after its delivery was replayed changes nothing of the new cycle`, async () => {
    const held: (() => void)[] = []
    const { tenant, receiver } = await subscribe({
      answer: async (_, response) => {
        const first = receiver.delivered.length === 1
        if (first) await new Promise<void>((resolve) => held.push(resolve))
        response.writeHead(first ? late : 200).end()
      },
    })
    const worker = startTestWebhooks(database)
    await emit(tenant)
    await until('the first attempt is under way', () => held.length === 1)
    const [{ id }] = await deliveriesOf(tenant)
    // A new endpoint gets one at a time: let the replay past the attempt that hangs.
    await database.pool.query('delete from lane_caps')
    ok(await post(tenant, `/v1/webhook-deliveries/${id}/replay`), 202)
    worker.wake()
    const [replayed] = await deliveriesAre(tenant, 'delivered')
    held[0]?.()
    await until('the first is settled', async () => {
      const { rows } = await database.pool.query('select from jobs where subject_id = $1', [id])
      return rows.length === 0
    })
    await worker.stop()
    assert.deepEqual(await deliveriesOf(tenant), [replayed])
    assert.deepEqual([replayed.cycle, replayed.attemptCount, replayed.lastStatusCode], [2, 1, 200])
    assert.equal((await endpointOf(tenant)).consecutiveFailures, 0)
  })
}

test('an endpoint is changed, tested, given another secret and deleted', async () => {
  let refuses = false
  const { tenant, receiver, endpoint, secret } = await subscribe()
  const path = `/v1/webhook-endpoints/${endpoint.id}`
  const change = async (body: object) => call(url, 'PATCH', path, { key: tenant.key, body })
  assert.equal((await change({})).status, 400)
  const changed = ok(await change({ description: 'ours', eventTypes: ['message.updated'] })).endpoint
  assert.deepEqual([changed.description, changed.eventTypes], ['ours', ['message.updated']])
  assert.equal(ok(await change({ description: null })).endpoint.description, null)
  assert.equal((await change({ url: 'https://127.0.0.1.example/' })).body.code, 'webhook_verification_failed')
  const moved = await startReceiver({
    answer: (_, response) => void (refuses ? response.writeHead(418).end('no tea') : response.end('tea')),
  })
  assert.equal(ok(await change({ url: moved.url })).endpoint.url, moved.url)
  assert.equal(moved.handshakes.length, 1)

  const tested = ok(await post(tenant, `${path}/test`))
  assert.deepEqual([tested.delivered, tested.statusCode, tested.error, tested.answer], [true, 200, null, null])
  refuses = true
  const failed = ok(await post(tenant, `${path}/test`))
  assert.deepEqual([failed.delivered, failed.statusCode, failed.error], [false, 418, 'http_status'])
  assert.equal(failed.answer, 'no tea')
  refuses = false
  assert.equal(moved.delivered[0]?.event.type, 'webhook.endpoint_test')

  const rotated = ok(await post(tenant, `${path}/rotate-secret`))
  assert.notEqual(rotated.secret, secret)
  const worker = startTestWebhooks(database)
  await emit(tenant)
  await deliveriesAre(tenant, 'delivered')
  const { headers, body } = moved.delivered[2] as (typeof moved.delivered)[2]
  for (const valid of [secret, rotated.secret]) {
    new Webhook(valid).verify(body.toString(), headers as Record<string, string>)
    verifyWebhook({ headers, body, secret: valid })
  }
  assert.equal(headers['webhook-signature']?.toString().split(' ').length, 2)

  assert.equal((await call(url, 'DELETE', path, { key: tenant.key })).status, 204)
  assert.equal((await call(url, 'DELETE', path, { key: tenant.key })).status, 404)
  await emit(tenant)
  assert.deepEqual(await deliveriesOf(tenant), [])
  assert.equal(await endpointOf(tenant), undefined)
  await worker.stop()
  assert.equal(receiver.delivered.length, 0)
})

test('endpoints and deliveries are seen by the application that made them, and by no other', async () => {
  const { tenant, endpoint } = await subscribe()
  await emit(tenant)
  const [delivery] = await deliveriesOf(tenant)
  const stranger = await createTestTenant(database)
  for (const [method, path, body] of [
    ['PATCH', `webhook-endpoints/${endpoint.id}`, { enabled: false }],
    ['DELETE', `webhook-endpoints/${endpoint.id}`, undefined],
    ['POST', `webhook-endpoints/${endpoint.id}/rotate-secret`, undefined],
    ['POST', `webhook-endpoints/${endpoint.id}/test`, undefined],
    ['GET', `webhook-deliveries?endpointId=${endpoint.id}`, undefined],
    ['POST', `webhook-deliveries/${delivery.id}/replay`, undefined],
  ] as const) {
    const headers = { 'idempotency-key': newId() }
    const answer = await call(url, method, `/v1/${path}`, { key: stranger.key, body, headers })
    assert.equal(answer.status, 404, path)
  }
  assert.deepEqual(await deliveriesOf(stranger), [])
})
