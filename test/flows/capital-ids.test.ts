// A UUID says the same in capitals and in small letters (RFC 9562 4), wherever it stands.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { subscribe } from '../support/webhook-subscriber.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

test('an endpoint signs with the secret that it was given under an id in capitals', async () => {
  const receiver = await startReceiver()
  const { tenant, endpoint } = await subscribe(url, database, receiver)
  const path = `/v1/webhook-endpoints/${endpoint.id.toUpperCase()}`
  const rotated = await call(url, 'POST', `${path}/rotate-secret`, { key: tenant.key })
  assert.deepEqual([rotated.status, rotated.body.endpoint.id], [200, endpoint.id])
  const tried = await call(url, 'POST', `${path}/test`, { key: tenant.key })
  assert.deepEqual([tried.status, tried.body.delivered], [200, true])
  const [delivered] = receiver.delivered
  assert(delivered)
  verifyWebhook({ headers: delivered.headers, body: delivered.body, secret: rotated.body.secret })
  assert.equal(delivered.event.data.id, endpoint.id)
})

test('a message is the same by an id in capitals, and shows in small letters', async () => {
  const { tenant } = await subscribe(url, database, await startReceiver())
  const { key } = tenant
  const mailboxId = tenant.mailboxId.toUpperCase()
  const body = { fromMailboxId: mailboxId, to: ['a@example.net'], text: 'x' }
  const { id } = (await send(url, key, body)).body
  const path = `/v1/messages/${id.toUpperCase()}`
  assert.equal((await call(url, 'GET', path, { key })).body.message.id, id)
  const changed = await call(url, 'PATCH', path, { key, body: { mailboxId, isStarred: true } })
  assert.deepEqual([changed.status, changed.body.id], [200, id])
  const listed = await call(url, 'GET', `/v1/messages?mailboxId=${mailboxId}`, { key })
  assert.equal(listed.body.items[0].id, id)
})
