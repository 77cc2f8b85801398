// What the operator does about webhooks: `mdk endpoint …` and `mdk dead-letters …`.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { mdkInside } from '../support/mdk.ts'
import { startReceiver } from '../support/receiver.ts'
import { TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { deliveriesAre, emit, type Subscriber, subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const { url } = await startTestApi(database)
const dataDir = await temporaryFolder('mdk-operator-')
after(() => rm(dataDir, { recursive: true, force: true }))
const env = { MDK_DATABASE_URL: databaseUrl, MDK_DATA_DIR: dataDir, MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT }

const run = async (...args: string[]) => {
  const outcome = await mdkInside(env, ...args)
  assert.equal(outcome.status, 0, outcome.stderr)
  return outcome.json
}

const listed = async ({ tenant }: Subscriber) => (await run('endpoint', 'list', '--app', tenant.appId)).items

test('a dead delivery is listed for 14 days with its reason, and put back under its event id', async () => {
  let code = 500
  const receiver = await startReceiver({ answer: (_, response) => void response.writeHead(code).end() })
  const subscriber = await subscribe(url, database, receiver)
  const worker = startTestWebhooks(database)
  const [eventId] = await emit(database, subscriber.tenant)
  const [dead] = await deliveriesAre(subscriber, 'dead')
  assert(dead)
  const { items } = await run('dead-letters', 'list', '--queue', 'webhooks')
  const [letter] = items
  const { id, deadAt, expiresAt, ...rest } = letter
  assert.deepEqual([items.length, rest], [1, { queue: 'webhooks', subjectId: dead.id, reason: 'http_status' }])
  assert.equal(Date.parse(expiresAt) - Date.parse(deadAt), 14 * 86_400_000)

  await run('endpoint', 'disable', subscriber.endpoint.id)
  const refused = await mdkInside(env, 'dead-letters', 'replay', String(id))
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /endpoint is disabled/)
  await run('endpoint', 'enable', subscriber.endpoint.id)
  code = 200
  const replayed = await run('dead-letters', 'replay', String(id))
  assert.deepEqual(replayed, { id, queue: 'webhooks', subjectId: dead.id, status: 'pending' })
  const [delivered] = await deliveriesAre(subscriber, 'delivered')
  await worker.stop()
  assert.deepEqual([delivered?.cycle, delivered?.attemptCount], [2, 1])
  assert.equal(receiver.delivered.length, 6)
  assert.equal(receiver.delivered.at(-1)?.event.id, eventId)
  assert.deepEqual((await run('dead-letters', 'list')).items, [])
})

test('the list says when and why an endpoint was disabled, and enabling it begins anew', async () => {
  const receiver = await startReceiver({ answer: (_, response) => void response.writeHead(500).end() })
  const subscriber = await subscribe(url, database, receiver)
  const { endpoint } = subscriber
  const [unharmed] = await listed(subscriber)
  assert.deepEqual(unharmed, { ...endpoint, disabledReason: null, failingSince: null, lastFailingSince: null })
  const worker = startTestWebhooks(database)
  await emit(database, subscriber.tenant, 2)
  const disabled = await until('it is disabled', async () => {
    const [shown] = await listed(subscriber)
    return !shown.enabled && shown
  })
  assert.deepEqual([disabled.consecutiveFailures, disabled.disabledReason], [10, 'consecutive failed attempts'])
  assert(Date.parse(disabled.disabledAt) >= Date.parse(disabled.failingSince))
  assert(Date.parse(disabled.failingSince) >= Date.parse(endpoint.createdAt))
  for (let twice = 0; twice < 2; twice++) {
    assert.deepEqual(await run('endpoint', 'enable', endpoint.id), { id: endpoint.id, enabled: true })
  }
  assert.deepEqual(await listed(subscriber), [{ ...unharmed, lastFailingSince: disabled.failingSince }])

  await run('endpoint', 'disable', endpoint.id)
  const [first] = await listed(subscriber)
  assert.deepEqual([first.enabled, first.disabledReason], [false, 'disabled by the operator'])
  await run('endpoint', 'disable', endpoint.id)
  assert.deepEqual(await listed(subscriber), [first])
  await worker.stop()
})

test('disabling buries what is pending, and a secret that the operator rotates signs', async () => {
  const receiver = await startReceiver()
  const subscriber = await subscribe(url, database, receiver)
  await emit(database, subscriber.tenant, 2)
  await run('endpoint', 'disable', subscriber.endpoint.id)
  const dead = await deliveriesAre(subscriber, 'dead')
  assert(dead.every(({ lastError }) => lastError === 'endpoint_disabled'))
  await run('endpoint', 'enable', subscriber.endpoint.id)
  const { id, secret } = await run('endpoint', 'rotate-secret', subscriber.endpoint.id)
  assert.equal(id, subscriber.endpoint.id)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const worker = startTestWebhooks(database)
  await emit(database, subscriber.tenant)
  const delivered = await until('it is delivered', () => receiver.delivered[0])
  await worker.stop()
  assert.equal(verifyWebhook({ headers: delivered.headers, body: delivered.body, secret }).id, delivered.event.id)
})

test('what died since an instant is replayed by a command, of an endpoint or an application, and waited for', async () => {
  const receiver = await startReceiver()
  const subscriber = await subscribe(url, database, receiver)
  const { tenant, endpoint } = subscriber
  await emit(database, tenant, 2)
  await run('endpoint', 'disable', endpoint.id)
  await deliveriesAre(subscriber, 'dead')
  const since = new Date(Date.now() - 60_000).toISOString()
  const refused = await mdkInside(env, 'endpoint', 'replay', endpoint.id, '--since', since)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /endpoint is disabled/)
  await run('endpoint', 'enable', endpoint.id)
  const asked = await run('endpoint', 'replay', receiver.url, '--since', since)
  assert.deepEqual([asked.status, asked.endpointId, asked.remaining], ['running', endpoint.id, 2])
  const worker = startTestWebhooks(database)
  await deliveriesAre(subscriber, 'delivered')
  const ofApp = await run('app', 'replay', tenant.appId, '--since', '2026-01-01', '--wait')
  assert.deepEqual([ofApp.status, ofApp.endpointId, ofApp.replayed, ofApp.remaining], ['done', null, 0, null])
  await worker.stop()
  const misused = await mdkInside(env, 'endpoint', 'replay', endpoint.id)
  assert.equal(misused.status, 2)
  const ahead = await mdkInside(env, 'endpoint', 'replay', endpoint.id, '--since', '2999-01-01')
  assert.equal(ahead.status, 1)
  assert.match(ahead.stderr, /since: must not lie in the future/)
})
