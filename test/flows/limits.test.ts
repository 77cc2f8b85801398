// The limits: by address, key and tenant, in that order, over processes and restarts, and shown on every answer.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKey } from '../../src/apps/create-key.ts'
import { createPlan } from '../../src/apps/create-plan.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { type Answer, call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database } = await createTestDatabase()

function startLimited(options: { ipPerMinute?: number; allow?: string; proxies?: string } = {}) {
  const networks = (text: string | undefined) => (text ? [parseNetwork(text)] : [])
  return startTestApi(database, {
    config: {
      ipPerMinute: options.ipPerMinute ?? 0,
      ipAllow: networks(options.allow),
      trustedProxies: networks(options.proxies),
    },
  })
}

const plan = async (name: string, limits: { keyPerMinute?: number; tenantPerDay?: number }) => {
  await createPlan(database, operator, name, { keyPerMinute: 0, tenantPerDay: 0, ...limits })
  return createTestTenant(database, { plan: name })
}

const get = (url: string, key: string, headers = {}) => call(url, 'GET', '/v1/mailboxes', { key, headers })

const standing = ({ headers }: Answer) =>
  ['ratelimit-limit', 'ratelimit-remaining'].map((name) => Number(headers.get(name)))

/** Away from the end of a minute, where a window would change under the test. */
async function earlyInMinute() {
  await until('a minute with time left', () => Date.now() % 60_000 < 50_000, 15_000)
}

test('a key has so many requests in a minute, and sees where it stands', async () => {
  const api = await startLimited()
  const tenant = await plan('three-a-minute', { keyPerMinute: 3, tenantPerDay: 100 })
  await earlyInMinute()
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await get(api.url, tenant.key))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 429],
  )
  assert.deepEqual(standing(answers[0] as Answer), [3, 2])
  const refused = answers[3] as Answer
  assert.deepEqual([refused.body.code, refused.body.details], ['rate_limited', { limit: 'key' }])
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  assert.deepEqual(standing(refused), [3, 0])
  // Another key of the same application has a minute of its own, and the tenant's day goes on.
  const { key } = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
    appId: tenant.appId,
    scopes: ['mailboxes:read'],
  })
  assert.equal((await get(api.url, key)).status, 200)
  await api.stop()
  const { rows } = await database.pool.query(`select requests::int from rate_counts where subject = $1`, [
    tenant.tenantId,
  ])
  // What the key's minute refused was not counted for the day.
  assert.deepEqual(rows, [{ requests: 4 }])
})

test("a tenant's day is counted over processes and restarts", async () => {
  const tenant = await plan('ten-a-day', { tenantPerDay: 10 })
  const [one, two] = [await startLimited(), await startLimited()]
  for (let i = 0; i < 4; i++) {
    assert.equal((await get(one.url, tenant.key)).status, 200)
    assert.equal((await get(two.url, tenant.key)).status, 200)
  }
  await one.stop()
  await two.stop()
  const again = await startLimited()
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await get(again.url, tenant.key)).status)
  assert.deepEqual(statuses, [200, 200, 429, 429])
  await again.stop()
})

test('requests that come at once over two processes are no more than the limit, by address, key and tenant', async () => {
  const tenant = await plan('thirty', { keyPerMinute: 30, tenantPerDay: 35 })
  const other = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
    appId: tenant.appId,
    scopes: ['mailboxes:read'],
  })
  const options = { ipPerMinute: 60, proxies: '127.0.0.0/8' }
  const apis = [await startLimited(options), await startLimited(options)]
  const from = { 'x-forwarded-for': '192.0.2.60' }
  await earlyInMinute()
  const burst = async (key: string, requests: number) => {
    const answers = await Promise.all(
      Array.from({ length: requests }, (_, i) => get(apis[i % 2]?.url as string, key, from)),
    )
    return Object.groupBy(answers, ({ status, body }) => (status === 200 ? 'passed' : body.details.limit))
  }
  const first = await burst(tenant.key, 50)
  assert.deepEqual([first.passed?.length, first.key?.length], [30, 20])
  // Of the tenant's day five are left, as the key's refusals were not counted for it; of the address's minute ten.
  const second = await burst(other.key, 20)
  assert.deepEqual([second.passed?.length, second.tenant?.length, second.ip?.length], [5, 5, 10])
  for (const api of apis) await api.stop()
})

test('clients of a proxy that writes ports into X-Forwarded-For are counted one by one', async () => {
  const api = await startLimited({ ipPerMinute: 2, proxies: '127.0.0.0/8' })
  const tenant = await createTestTenant(database)
  await earlyInMinute()
  for (const addresses of [
    ['198.51.100.1:1', '198.51.100.1:65535', '198.51.100.1'],
    ['[2001:db8:1::1]:1', '[2001:db8:1::2]:2', '2001:db8:1::3'],
    // The nearest proxy may itself write down another, with its port.
    ['198.51.100.2:1, 127.0.0.9:80', '198.51.100.2', '198.51.100.2:3, 127.0.0.9'],
  ]) {
    const statuses = []
    for (const from of addresses) statuses.push((await get(api.url, tenant.key, { 'x-forwarded-for': from })).status)
    assert.deepEqual(statuses, [200, 200, 429], addresses.join(' '))
  }
  await api.stop()
})

test('the address is looked at before the credentials, and unknown routes count', async () => {
  const api = await startLimited({ ipPerMinute: 3 })
  const tenant = await createTestTenant(database)
  await earlyInMinute()
  const bad = () => get(api.url, 'mdk_live_nonsense')
  assert.equal((await bad()).status, 401)
  assert.equal((await call(api.url, 'GET', '/nowhere')).status, 404)
  const last = await get(api.url, tenant.key)
  assert.equal(last.status, 200)
  assert.deepEqual(standing(last), [3, 0])
  for (const answer of [await bad(), await get(api.url, tenant.key)]) {
    assert.deepEqual([answer.status, answer.body.details], [429, { limit: 'ip' }])
  }
  // What is signed in another way is outside of it.
  assert.equal((await fetch(`${api.url}/v1/blobs/none`)).status, 404)
  for (const path of ['/v1/relay-reports', '/v1/relay-reports/ses']) {
    const headers = { 'content-type': 'application/json' }
    assert.equal((await fetch(api.url + path, { method: 'POST', headers, body: '{}' })).status, 401)
  }
  await api.stop()
})

test('X-Forwarded-For is believed from trusted proxies alone, and allowed addresses are not counted', async () => {
  const tenant = await createTestTenant(database)
  const spoofing = await startLimited({ ipPerMinute: 2 })
  await earlyInMinute()
  const from = (url: string, address: string) => get(url, tenant.key, { 'x-forwarded-for': address })
  const statuses = []
  for (let i = 0; i < 3; i++) statuses.push((await from(spoofing.url, `198.51.100.${100 + i}`)).status)
  await spoofing.stop()
  // This address has been counted twice by others: windows are shared.
  assert.equal(statuses.at(-1), 429)
  const behind = await startLimited({ ipPerMinute: 2, proxies: '127.0.0.0/8', allow: '203.0.113.0/24' })
  for (let i = 0; i < 3; i++) assert.equal((await from(behind.url, `198.51.100.${100 + i}`)).status, 200)
  for (let i = 0; i < 5; i++) assert.equal((await from(behind.url, '203.0.113.7')).status, 200)
  await earlyInMinute()
  const same = []
  for (let i = 0; i < 3; i++) same.push((await from(behind.url, `2001:db8::${i}`)).status)
  assert.deepEqual(same, [200, 200, 429])
  await behind.stop()
})
