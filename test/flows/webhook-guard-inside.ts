// What webhook-guard.test.ts runs inside its network, where nothing is allowed that is not public.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts'
import { openDatabase } from '../../src/lib/sql.ts'
import { call } from '../support/api.ts'
import { startTestDns } from '../support/dns.ts'
import { PUBLIC_IPV4, PUBLIC_IPV6 } from '../support/network-namespace.ts'
import { TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { deliveriesAre, emit, subscribe } from '../support/webhook-subscriber.ts'

const { TEST_DATABASE_URL: databaseUrl = '', TEST_FOLDER: dataDir = '' } = process.env
const testdata = (name: string) =>
  fileURLToPath(new URL(`../../src/lib/public-fetch/testdata/${name}`, import.meta.url))

const NAME = 'hooks.example.com'
const database = openDatabase({ url: databaseUrl })
after(() => database.end())

const reached: string[] = []
const events: { headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = []
const tls = { key: readFileSync(testdata('receiver.key')), cert: readFileSync(testdata('receiver.pem')) }
const receiver = createServer(tls, async (request, response) => {
  const body = await buffer(request)
  const { type, data } = JSON.parse(body.toString())
  if (type === 'webhook.endpoint_verification') return void response.end(JSON.stringify({ challenge: data.challenge }))
  events.push({ headers: request.headers, body })
  response.end()
})
receiver.on('connection', ({ localAddress = '' }: Socket) => reached.push(localAddress))
receiver.listen(443, '::')
await once(receiver, 'listening')
after(() => {
  receiver.closeAllConnections()
  receiver.close()
})

test('it is so', async () => {
  const dns = await startTestDns({
    [NAME]: { A: [PUBLIC_IPV4], AAAA: [PUBLIC_IPV6] },
    'private.example.com': { A: ['127.0.0.1'] },
    'mixed.example.com': { A: [PUBLIC_IPV4, '10.0.0.1'] },
  })
  const env = {
    MDK_DATABASE_URL: databaseUrl,
    MDK_DATA_DIR: dataDir,
    MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT,
    MDK_DNS_SERVERS: dns.server,
    MDK_WEBHOOK_BACKOFF: '1h,1h,1h,1h',
    NODE_EXTRA_CA_CERTS: testdata('ca.pem'),
  }
  const { url, ...service } = await startService(env, ['serve', '--roles', 'api,webhooks'])
  const subscriber = await subscribe(url, database, { url: `https://${NAME}/hook` })
  const { tenant, secret } = subscriber
  await emit(database, tenant)
  await deliveriesAre(subscriber, 'delivered')
  const [delivered] = events
  assert(delivered)
  verifyWebhook({ ...delivered, secret })

  for (const refused of [
    'https://private.example.com/hook',
    'https://mixed.example.com/hook',
    'https://127.0.0.1/hook',
    'https://localhost/hook',
    `http://${NAME}/hook`,
  ]) {
    const body = { url: refused, eventTypes: ['*'] }
    const answer = await call(url, 'POST', '/v1/webhook-endpoints', { key: tenant.key, body })
    assert.deepEqual([answer.status, answer.body.code], [400, 'webhook_url_invalid'], refused)
  }
  assert.equal(await service.stop(), 0)

  // What was public when the endpoint was made is not any more.
  dns.zone[NAME] = { A: ['127.0.0.1'] }
  const next = await startService(env, ['serve', '--roles', 'api,webhooks'])
  const api = { key: tenant.key }
  await emit(database, tenant)
  const newest = async () => (await call(next.url, 'GET', '/v1/webhook-deliveries?limit=1', api)).body.items[0]
  const failed = await until('the attempt has failed', async () => {
    const delivery = await newest()
    return delivery.attemptCount === 1 && delivery.lastError && delivery
  })
  assert.deepEqual([failed.lastError, failed.lastStatusCode], ['unsafe_address', null])

  dns.zone[NAME] = { A: [PUBLIC_IPV4] }
  // The endpoint waits for an hour unless it is enabled anew.
  const enabled = { ...api, body: { enabled: true } }
  assert.equal((await call(next.url, 'PATCH', `/v1/webhook-endpoints/${failed.endpointId}`, enabled)).status, 200)
  const headers = { 'idempotency-key': 'once it is public again' }
  const replay = await call(next.url, 'POST', `/v1/webhook-deliveries/${failed.id}/replay`, { ...api, headers })
  assert.equal(replay.status, 202)
  await until('it is delivered', async () => (await newest()).status === 'delivered')
  assert.equal(await next.stop(), 0)
  await dns.stop()
  assert.equal(events.length, 2)
  for (const address of reached) assert([`::ffff:${PUBLIC_IPV4}`, PUBLIC_IPV6].includes(address), address)
})
