// The secrets of endpoints as time passes: a rotation's overlap ends, what an older key sealed is sealed anew, and what
// is left of deleted endpoints and old deliveries goes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts'
import { createSecretBox, parseSecretKeys } from '../../src/lib/secret-box.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createSigningKeyring, type SealedSecrets } from '../../src/webhooks/signing-keys.ts'
import { resealSecrets, sweepDeletedEndpoints, sweepOldDeliveries } from '../../src/webhooks/sweep-webhooks.ts'
import { call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { until } from '../support/until.ts'
import { deliveriesAre, emit, type Subscriber, subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

const rotate = async ({ tenant, endpoint }: Subscriber): Promise<string> => {
  const answer = await call(url, 'POST', `/v1/webhook-endpoints/${endpoint.id}/rotate-secret`, { key: tenant.key })
  assert.equal(answer.status, 200)
  return answer.body.secret
}

const rowsOf = (table: 'webhook_endpoints' | 'webhook_deliveries' | 'lane_caps', tenantId: Uuid) =>
  database.pool
    .query(`select count(*)::int as count from ${table} where tenant_id = $1`, [tenantId])
    .then(({ rows }) => rows[0].count as number)

test('for 24 hours after a rotation both secrets are signed with, and then the new one alone', async () => {
  const receiver = await startReceiver()
  const subscriber = await subscribe(url, database, receiver)
  const old = subscriber.secret
  const fresh = await rotate(subscriber)
  const [overlap] = await database.rows(sql<{ hours: number }>`
    select extract(epoch from previous_secret_until - clock_timestamp())::float8 / 3600 as hours
    from webhook_endpoints where id = ${subscriber.endpoint.id}`)
  assert(overlap && overlap.hours > 23.9 && overlap.hours <= 24, `${overlap?.hours} h`)
  const worker = startTestWebhooks(database)
  const next = async (count: number) => {
    await emit(database, subscriber.tenant)
    worker.wake()
    await until('it is delivered', () => receiver.delivered.length === count)
    const { headers, body } = receiver.delivered.at(-1) as (typeof receiver.delivered)[0]
    const verifies = (secret: string) => {
      try {
        new Webhook(secret).verify(body.toString(), headers as Record<string, string>)
        return Boolean(verifyWebhook({ headers, body, secret }))
      } catch {
        return false
      }
    }
    return { old: verifies(old), fresh: verifies(fresh) }
  }
  assert.deepEqual(await next(1), { old: true, fresh: true })
  await database.rows(sql`
    update webhook_endpoints set previous_secret_until = clock_timestamp() where id = ${subscriber.endpoint.id}`)
  assert.deepEqual(await next(2), { old: false, fresh: true })
  await worker.stop()
})

test('secrets that an older key sealed are sealed anew, and open when that key is gone', async () => {
  const subscribers = await Promise.all(
    Array.from({ length: 3 }, async () => subscribe(url, database, await startReceiver())),
  )
  const [first] = subscribers as [Subscriber]
  await rotate(first)
  const newKey = `2:${Buffer.alloc(32, 9).toString('base64')}`
  const sealed = () =>
    database.rows(sql<SealedSecrets>`select tenant_id, id, secret, previous_secret from webhook_endpoints order by id`)
  const before = await sealed()
  const signs = (keys: string, endpoints: readonly SealedSecrets[]) => {
    const keyring = createSigningKeyring(createSecretBox(parseSecretKeys(keys)))
    return endpoints.map((endpoint) => keyring.keysOf(endpoint).map((key) => key.service.export().toString()))
  }
  const secrets = signs(TEST_SECRET_KEYS_TEXT, before)
  assert.throws(() => signs(newKey, before))

  const both = createSecretBox(parseSecretKeys(`${newKey},${TEST_SECRET_KEYS_TEXT}`))
  while ((await resealSecrets(database, both, 2, 2)) > 0);
  const after = await sealed()
  assert.deepEqual(signs(newKey, after), secrets)
  assert(secrets.some((keys) => keys.length === 2))
  assert.equal(await resealSecrets(database, both, 2, 2), 0)
  // For the tests that follow, whose services have the old key alone.
  const back = createSecretBox(parseSecretKeys(`${TEST_SECRET_KEYS_TEXT},${newKey}`))
  while ((await resealSecrets(database, back, 1, 100)) > 0);
})

test('a secret that does not open is reported, and keeps no other from being sealed anew', async () => {
  const [damaged, sound] = [
    await subscribe(url, database, await startReceiver()),
    await subscribe(url, database, await startReceiver()),
  ].map(({ endpoint }) => endpoint.id as Uuid)
  const [kept] = await database.rows(sql<{ secret: Buffer }>`
    update webhook_endpoints w set secret = set_byte(w.secret, 30, 255 - get_byte(w.secret, 30))
    from webhook_endpoints old where w.id = ${damaged} and old.id = w.id returning old.secret`)
  const newKey = `2:${Buffer.alloc(32, 9).toString('base64')}`
  const both = createSecretBox(parseSecretKeys(`${newKey},${TEST_SECRET_KEYS_TEXT}`))
  await assert.rejects(resealSecrets(database, both, 2, 100), ({ message, errors }: AggregateError) => {
    return errors.length === 1 && message === `the secret of webhook endpoint ${damaged} does not open`
  })
  const left = await database.rows(sql<{ id: Uuid }>`select id from webhook_endpoints where sealed_with(secret) <> 2`)
  assert.deepEqual(left, [{ id: damaged }])
  assert(sound && sound !== damaged)
  await database.rows(sql`update webhook_endpoints set secret = ${kept?.secret} where id = ${damaged}`)
  const back = createSecretBox(parseSecretKeys(`${TEST_SECRET_KEYS_TEXT},${newKey}`))
  while ((await resealSecrets(database, back, 1, 100)) > 0);
})

const deleteEndpoint = async ({ endpoint, tenant }: Subscriber) => {
  const answer = await call(url, 'DELETE', `/v1/webhook-endpoints/${endpoint.id}`, { key: tenant.key })
  assert.equal(answer.status, 204)
}

const deletedMinutesAgo = ({ endpoint }: Subscriber, minutes: number) =>
  database.rows(sql`
    update webhook_endpoints set deleted_at = clock_timestamp() - make_interval(secs => ${minutes * 60})
    where id = ${endpoint.id}`)

const sweepDeleted = async () => {
  while ((await sweepDeletedEndpoints(database, 2)) > 0);
}

const countsOf = async ({ tenant: { tenantId } }: Subscriber) => [
  await rowsOf('webhook_endpoints', tenantId),
  await rowsOf('webhook_deliveries', tenantId),
  await rowsOf('lane_caps', tenantId),
]

test('a deleted endpoint goes after an hour with all that is its own, its deliveries at once, and no other does', async () => {
  const [gone, kept] = [
    await subscribe(url, database, await startReceiver()),
    await subscribe(url, database, await startReceiver()),
  ]
  for (const { tenant } of [gone, kept]) await emit(database, tenant, 5)
  await deleteEndpoint(gone)
  await sweepDeleted()
  assert.deepEqual(await countsOf(gone), [1, 0, 0])
  await deletedMinutesAgo(gone, 59.9)
  await sweepDeleted()
  assert.deepEqual(await countsOf(gone), [1, 0, 0])
  await deletedMinutesAgo(gone, 60.1)
  await sweepDeleted()
  assert.deepEqual(await countsOf(gone), [0, 0, 0])
  assert.deepEqual(await countsOf(kept), [1, 5, 1])
})

test('an event that is written while its endpoint is deleted leaves no delivery behind', async () => {
  const subscriber = await subscribe(url, database, await startReceiver())
  await database.transaction(async (tx) => {
    await tx.rows(sql`
      insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
      values (${subscriber.tenant.tenantId}, ${subscriber.tenant.tenantId}, (select epoch from feed_epoch), ${newId()},
        'message.updated', 'message', ${newId()}, '{}', clock_timestamp())`)
    await deleteEndpoint(subscriber)
    await sweepDeleted()
  })
  assert.deepEqual(await countsOf(subscriber), [1, 1, 0])
  await sweepDeleted()
  await deletedMinutesAgo(subscriber, 61)
  await sweepDeleted()
  assert.deepEqual(await countsOf(subscriber), [0, 0, 0])
})

test('a delivery that has ended goes after 30 days, and one that is pending stays', async () => {
  const subscriber = await subscribe(url, database, await startReceiver())
  const worker = startTestWebhooks(database)
  await emit(database, subscriber.tenant, 2)
  await deliveriesAre(subscriber, 'delivered')
  await worker.stop()
  await emit(database, subscriber.tenant, 1)
  const [pending, recent, old] = await subscriber.deliveries()
  assert(pending && recent && old)
  // Its id says when it was made.
  const age = (id: Uuid, days: number) =>
    database.rows(sql`
      update webhook_deliveries set id = uuid_at(clock_timestamp() - make_interval(secs => ${days * 86_400}))
      where id = ${id}`)
  await age(old.id, 30.01)
  await age(recent.id, 29.99)
  await age(pending.id, 60)
  while ((await sweepOldDeliveries(database, 1)) > 0);
  const left = await subscriber.deliveries()
  assert.deepEqual(left.map(({ status }) => status).sort(), ['delivered', 'pending'])
  assert.equal(left.find(({ status }) => status === 'delivered')?.eventId, recent.eventId)
})

test('what a crash left pending at a disabled endpoint is found dead by the worker, and nothing is posted', async () => {
  const receiver = await startReceiver()
  const subscriber = await subscribe(url, database, receiver)
  await emit(database, subscriber.tenant, 3)
  await database.rows(sql`
    update webhook_endpoints set enabled = false, disabled_at = clock_timestamp(), disabled_reason = 'a crash' where id = ${subscriber.endpoint.id}`)
  const worker = startTestWebhooks(database)
  const deliveries = await deliveriesAre(subscriber, 'dead')
  await worker.stop()
  assert.equal(receiver.delivered.length, 0)
  assert.deepEqual(
    deliveries.map(({ status, lastError }) => `${status} ${lastError}`),
    Array(3).fill('dead endpoint_disabled'),
  )
})
