// `mdk events trigger`: a synthetic event of any type, for one sandbox application and nobody else.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '../../src/access/permissions.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { EVENT_TYPES } from '../../src/events/types.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { mdkInside } from '../support/mdk.ts'
import { operatorOf } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const { url } = await startTestApi(database)
const tenant = await createTestTenant(database, { environment: 'sandbox' })
const { tenantId } = tenant
const production = await createApp(database, operatorOf(tenantId), { name: 'Live', environment: 'production' })
const other = await createApp(database, operatorOf(tenantId), { name: 'Other', environment: 'sandbox' })
const keyOf = async (appId: string) =>
  (await createKey({ database, keyHasher }, operatorOf(tenantId), { appId, scopes: SCOPES })).key

const trigger = (...args: string[]) => mdkInside({ MDK_DATABASE_URL: databaseUrl }, 'events', 'trigger', ...args)

test('every type can be triggered, with what its events say and that it is a demo', async () => {
  const wanted = ['mailbox.created', 'domain.health_changed', 'message.bounced', 'message.deleted']
  const expected: Record<string, RegExp> = {
    'mailbox.created': /"address".*"displayName".*"status"/,
    'domain.health_changed': /"domain".*"previous".*"health".*"checks"/,
    'message.bounced':
      /"mailboxId".*"subject".*"status":"bounced".*"recipient".*"smtpCode".*"bounce":\{"type":"permanent"\}/,
    'message.deleted': /"mailboxIds":\[.*"reason":"deleted"/,
  }
  for (const type of EVENT_TYPES) {
    const { status, json, stderr } = await trigger('--app', tenant.appId, '--type', type)
    assert.equal(status, 0, stderr)
    assert.deepEqual([json.type, json.resourceType], [type, type.split('.')[0]])
    assert.partialDeepStrictEqual(json.data, { object: json.resourceType, id: json.resourceId, demo: true })
    if (wanted.includes(type)) assert.match(JSON.stringify(json.data), expected[type] as RegExp)
  }
  await feedCaughtUp(database)
  const { items } = (await call(url, 'GET', '/v1/events?limit=100', { key: tenant.key })).body
  assert.deepEqual(
    items.map((item: { type: string }) => item.type),
    EVENT_TYPES,
  )
  for (const appId of [production.id, other.id]) {
    const seen = (await call(url, 'GET', '/v1/events?limit=100', { key: await keyOf(appId) })).body.items
    assert.deepEqual(
      seen.filter((item: { data: { demo?: boolean } }) => item.data.demo),
      [],
    )
  }
})

test('data takes the place of the example, and never of what makes it a demo', async () => {
  const id = newId()
  const data = JSON.stringify({ id, object: 'other', demo: false, subject: 'Mine', extra: { a: [1] } })
  const { json } = await trigger('--app', tenant.appId, '--type', 'message.received', '--data', data)
  assert.equal(json.resourceId, id)
  assert.partialDeepStrictEqual(json.data, {
    object: 'message',
    id,
    demo: true,
    direction: 'inbound',
    subject: 'Mine',
    extra: { a: [1] },
  })
})

test('8 KiB of data are taken, and not an octet more', async () => {
  const most = JSON.stringify({ note: 'x'.repeat(8_192 - '{"note":""}'.length) })
  const args = ['--app', tenant.appId, '--type', 'message.received', '--data']
  const { json } = await trigger(...args, most)
  assert.equal(json.data.note.length, 8_181)
  const { status, stderr } = await trigger(...args, most.replace('x', 'ä'))
  assert.notEqual(status, 0)
  assert.match(stderr, /more than 8192 octets/)
})

test('the endpoints of that application hear it, and no others', async () => {
  const [mine, others] = [await startReceiver(), await startReceiver()]
  const subscribe = async (key: string, receiver: { url: string }) => {
    const body = { url: receiver.url, eventTypes: ['*'] }
    assert.equal((await call(url, 'POST', '/v1/webhook-endpoints', { key, body })).status, 201)
  }
  await subscribe(tenant.key, mine)
  await subscribe(await keyOf(production.id), others)
  await subscribe(await keyOf(other.id), others)
  const webhooks = startTestWebhooks(database)
  const { json } = await trigger('--app', tenant.appId, '--type', 'mailbox.suspended')
  await until('it is delivered', () => mine.delivered.length === 1)
  assert.deepEqual([mine.delivered[0]?.event.id, mine.delivered[0]?.event.data], [json.id, json.data])
  await webhooks.stop()
  assert.equal(others.delivered.length, 0)
})

test('what cannot be triggered is refused in a line', async () => {
  for (const [words, ...args] of [
    [/production/, '--app', production.id, '--type', 'message.sent'],
    [/no such application/, '--app', newId(), '--type', 'message.sent'],
    [/none of message\.received/, '--app', tenant.appId, '--type', 'message.invented'],
    [/none of message\.received/, '--app', tenant.appId, '--type', 'webhook.endpoint_verification'],
    [/not JSON/, '--app', tenant.appId, '--type', 'message.sent', '--data', '{'],
    [/not a JSON object/, '--app', tenant.appId, '--type', 'message.sent', '--data', '[]'],
    [/data\.id/, '--app', tenant.appId, '--type', 'message.sent', '--data', '{"id":"x"}'],
    [/NUL/, '--app', tenant.appId, '--type', 'message.sent', '--data', '{"a":["\\u0000"]}'],
    [/no application .*x/, '--app', 'x', '--type', 'message.sent'],
  ] as [RegExp, ...string[]][]) {
    const { status, stdout, stderr } = await trigger(...args)
    assert.notEqual(status, 0, args.join(' '))
    assert.equal(stdout, '')
    assert.match(stderr, words)
  }
})
