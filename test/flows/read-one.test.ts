// GET of one endpoint, delivery, event and attachment: what the list shows of it, to whom the list shows it. (That it is
// absent for all others is in isolation.test.ts.)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/lib/uuid.ts'
import { call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { startReceiver } from '../support/receiver.ts'
import { emit, subscribe } from '../support/webhook-subscriber.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const { tenant, endpoint } = await subscribe(url, database, await startReceiver())
const { key, mailboxId } = tenant
await emit(database, tenant)
await feedCaughtUp(database)

const get = (path: string) => call(url, 'GET', path, { key })
const first = async (path: string) => (await get(path)).body.items[0]

const file = { mailboxId, filename: 'a.txt', mediaType: 'text/plain', contentBase64: 'YWJj' }
const headers = { 'idempotency-key': newId() }
const { attachment } = (await call(url, 'POST', '/v1/attachments', { key, headers, body: file })).body

for (const [path, name, one] of [
  ['/v1/webhook-endpoints', 'endpoint', await first('/v1/webhook-endpoints')],
  ['/v1/webhook-deliveries', 'delivery', await first('/v1/webhook-deliveries')],
  ['/v1/events', 'event', await first('/v1/events')],
  ['/v1/attachments', 'attachment', attachment],
] as const) {
  test(`${path}/{id} gives what is known of it, and of nothing else`, async () => {
    for (const id of [one.id, one.id.toUpperCase()]) {
      const { status, body } = await get(`${path}/${id}`)
      assert.deepEqual([status, body], [200, { [name]: one }])
    }
    for (const id of [newId(), 'x', `${one.id}0`, '%00', '..%2f']) {
      const { status, body } = await get(`${path}/${id}`)
      assert.deepEqual([status, body.code], [404, 'not_found'], id)
    }
  })
}

test('a delivery shows how it stands now', async () => {
  const delivery = await first('/v1/webhook-deliveries')
  await call(url, 'PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { key, body: { enabled: false } })
  const { body } = await get(`/v1/webhook-deliveries/${delivery.id}`)
  assert.deepEqual([body.delivery.status, body.delivery.lastError], ['dead', 'endpoint_disabled'])
})

test('an endpoint that is deleted is gone, and its deliveries with it', async () => {
  const delivery = await first('/v1/webhook-deliveries')
  assert.equal((await call(url, 'DELETE', `/v1/webhook-endpoints/${endpoint.id}`, { key })).status, 204)
  assert.equal((await get(`/v1/webhook-endpoints/${endpoint.id}`)).status, 404)
  assert.equal((await get(`/v1/webhook-deliveries/${delivery.id}`)).status, 404)
  assert.deepEqual((await get('/v1/webhook-deliveries')).body, { items: [], nextCursor: null })
})
