// The gate over two processes of the API: what one learns or counts holds in the other, and keys leave no trace.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { makeApiKey } from '../../src/apps/api-key.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { createPlan } from '../../src/apps/create-plan.ts'
import { revokeKey } from '../../src/apps/revoke-key.ts'
import { setAppStatus } from '../../src/apps/set-app-status.ts'
import { setPlan } from '../../src/apps/set-plan.ts'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { mdk } from '../support/mdk.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { isRefusedWithinASecond } from '../support/refusal.ts'
import { TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const dataDir = await temporaryFolder('mdk-gate-')
after(() => rm(dataDir, { recursive: true, force: true }))
const env = { MDK_DATABASE_URL: databaseUrl, MDK_DATA_DIR: dataDir, MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT }
const start = () => startService(env, ['serve', '--roles', 'api'])
const services = await Promise.all([start(), start()])
const [one, two] = services

const list = (url: string, key: string, headers = {}) => call(url, 'GET', '/v1/mailboxes', { key, headers })
const status = async (url: string, key: string) => (await list(url, key)).status
const newKey = (tenant: TestTenant, expiresInMs?: number) =>
  createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
    appId: tenant.appId,
    scopes: ['mailboxes:read'],
    ...(expiresInMs ? { expiresInMs } : {}),
  })

/** Keys that must not show in any log. */
const keys: string[] = []

test('what ends a key ends it within a second in every process, and what restores it does too', async () => {
  const tenant = await createTestTenant(database)
  const { key, id } = await newKey(tenant)
  keys.push(key, tenant.key)
  const both = () => Promise.all(services.map(({ url }) => status(url, key)))
  assert.deepEqual(await both(), [200, 200])
  for (const [end, restore] of [
    [
      () => setAppStatus(database, operatorOf(tenant.tenantId), tenant.appId, 'suspended'),
      () => setAppStatus(database, operatorOf(tenant.tenantId), tenant.appId, 'active'),
    ],
    [
      () => setTenantStatus(database, operator, tenant.tenantId, 'suspended'),
      () => setTenantStatus(database, operator, tenant.tenantId, 'active'),
    ],
    [() => revokeKey(database, operatorOf(tenant.tenantId), id), undefined],
  ] as const) {
    await end()
    const endedAt = performance.now()
    await Promise.all(services.map(({ url }) => isRefusedWithinASecond(() => status(url, key), endedAt)))
    if (!restore) continue
    await restore()
    await until('it is good again', async () => (await both()).every((each) => each === 200))
  }
})

test('a key expires by the clock of the database, in every process', async () => {
  const tenant = await createTestTenant(database)
  const goodUntil = performance.now() + 3_000
  const { key } = await newKey(tenant, 3_000)
  const expiresAt = performance.now() + 3_000
  keys.push(key)
  const answers = await Promise.all(services.map(({ url }) => status(url, key)))
  // A machine that is held up for so long has seen the end of it already.
  if (performance.now() < goodUntil) assert.deepEqual(answers, [200, 200])
  await until('its time is over', () => performance.now() > expiresAt)
  for (const { url } of services) await isRefusedWithinASecond(() => status(url, key), expiresAt)
})

test('keys are exchanged without a gap: a second one, its use seen, the first one revoked', async () => {
  const tenant = await createTestTenant(database)
  const [before, next] = [await newKey(tenant), await newKey(tenant)]
  keys.push(before.key, next.key)
  const listed = async () => {
    const { stdout, json } = await mdk(env, 'key', 'list', '--app', tenant.appId)
    for (const { key } of [before, next]) assert(!stdout.includes(key.slice(31)), 'nothing of the secret')
    assert(!stdout.includes('argon2'))
    return json.items as { id: string; prefix: string; scopes: string[]; lastUsedAt: string | null }[]
  }
  assert.deepEqual(
    (await listed()).slice(0, 2).map(({ id, prefix, scopes, lastUsedAt }) => ({ id, prefix, scopes, lastUsedAt })),
    [next, before].map(({ id, key }) => ({
      id,
      prefix: key.slice(0, 15),
      scopes: ['mailboxes:read'],
      lastUsedAt: null,
    })),
  )
  assert.deepEqual([await status(one.url, before.key), await status(two.url, next.key)], [200, 200])
  await until('the use of the new one is seen', async () =>
    (await listed()).find(({ id }) => id === next.id)?.lastUsedAt ? true : undefined,
  )
  assert.equal((await mdk(env, 'key', 'revoke', before.id)).status, 0)
  await isRefusedWithinASecond(() => status(one.url, before.key), performance.now())
  assert.equal(await status(one.url, next.key), 200)
})

test('whatever is wrong with a key, the answer is the same', async () => {
  const tenant = await createTestTenant(database)
  const suspendedApp = await createTestTenant(database)
  await setAppStatus(database, operatorOf(suspendedApp.tenantId), suspendedApp.appId, 'suspended')
  const suspendedTenant = await createTestTenant(database)
  await setTenantStatus(database, operator, suspendedTenant.tenantId, 'suspended')
  const [revoked, expired] = [await newKey(tenant), await newKey(tenant, 1)]
  await revokeKey(database, operatorOf(tenant.tenantId), revoked.id)
  keys.push(tenant.key)
  const mistyped = tenant.key.slice(0, -1) + (tenant.key.endsWith('0') ? '1' : '0')
  const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
  const badness: Record<string, { path?: string; headers?: Record<string, string> }> = {
    missing: {},
    empty: { headers: { authorization: '' } },
    'no key': { headers: { authorization: 'Bearer' } },
    'another scheme': { headers: { authorization: `Basic ${btoa(`${tenant.key}:`)}` } },
    'two keys': { headers: { authorization: `Bearer ${tenant.key} ${tenant.key}` } },
    malformed: bearer('mdk_live_nonsense'),
    mistyped: bearer(mistyped),
    'cut off': bearer(tenant.key.slice(0, -1)),
    unknown: bearer(makeApiKey('production').text),
    'an unknown one of a sandbox': bearer(makeApiKey('sandbox').text),
    revoked: bearer(revoked.key),
    expired: bearer(expired.key),
    'of a suspended application': bearer(suspendedApp.key),
    'of a suspended tenant': bearer(suspendedTenant.key),
    'in the URL': { path: `/v1/mailboxes?key=${tenant.key}` },
    'in the URL beside a good one': { path: `/v1/mailboxes?key=${tenant.key}`, ...bearer(tenant.key) },
    'in the path': { path: `/v1/messages/${tenant.key}`, ...bearer(tenant.key) },
    'in a cookie': { headers: { cookie: `key=${tenant.key}` } },
  }
  const shown = []
  for (const [name, { path = '/v1/mailboxes', headers = {} }] of Object.entries(badness)) {
    const answer = await call(one.url, 'GET', path, { headers })
    const { requestId, ...body } = answer.body
    assert.equal(answer.headers.get('x-request-id'), requestId)
    const others = [...answer.headers].filter(([header]) => !['x-request-id', 'date'].includes(header))
    shown.push({ name, status: answer.status, body, others })
  }
  const [first] = shown
  assert.deepEqual([first?.status, first?.body.code], [401, 'invalid_api_key'])
  assert(first?.others.some(([header, value]) => header === 'www-authenticate' && value === 'Bearer'))
  for (const { name, ...each } of shown) assert.deepEqual({ name: 'missing', ...each }, first, name)
})

test('the day of a tenant lets through what the plan says, over processes, and outlives a restart', async () => {
  await createPlan(database, operator, 'a-hundred-a-day', { keyPerMinute: 0, tenantPerDay: 100 })
  const tenant = await createTestTenant(database, { plan: 'a-hundred-a-day' })
  keys.push(tenant.key)
  const letIn = await Promise.all(services.map(({ url }) => askUntilRefused(url, tenant.key)))
  // What one held ahead when the other was refused is given back.
  let passed = letIn.reduce((all, each) => all + each, 0)
  assert(passed <= 100, `${passed} were let in`)
  await until('all that the plan allows is let in', async () => {
    if ((await status(one.url, tenant.key)) === 200) passed += 1
    return passed === 100
  })
  const again = await start()
  const answer = await list(again.url, tenant.key)
  assert.deepEqual([answer.status, answer.body.details], [429, { limit: 'tenant' }])
  assert.equal(await again.stop(), 0)
})

test('a plan that is changed holds within a second in every process', async () => {
  await createPlan(database, operator, 'changing', { keyPerMinute: 0, tenantPerDay: 1 })
  const tenant = await createTestTenant(database, { plan: 'changing' })
  keys.push(tenant.key)
  for (const { url } of services) await until('the day is over', async () => (await status(url, tenant.key)) === 429)
  await setPlan(database, operator, 'changing', { tenantPerDay: 100 })
  for (const { url } of services) await until('it has begun anew', async () => (await status(url, tenant.key)) === 200)
})

/** As fast as it goes, four at a time, and until all four are refused. Gives how many were let in. */
async function askUntilRefused(url: string, key: string): Promise<number> {
  let letIn = 0
  const ask = async () => {
    for (;;) {
      const answer = await status(url, key)
      if (answer === 429) return
      assert.equal(answer, 200)
      letIn += 1
    }
  }
  await Promise.all([ask(), ask(), ask(), ask()])
  return letIn
}

test('a key that is exchanged keeps the answers of the one before', async () => {
  const tenant = await createTestTenant(database)
  const next = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
    appId: tenant.appId,
    scopes: ['messages:send'],
  })
  keys.push(tenant.key, next.key)
  const headers = { 'idempotency-key': newId() }
  const body = { fromMailboxId: tenant.mailboxId, to: ['a@example.test'], text: 'x' }
  const first = await call(one.url, 'POST', '/v1/messages', { key: tenant.key, headers, body })
  const again = await call(two.url, 'POST', '/v1/messages', { key: next.key, headers, body })
  assert.deepEqual([again.status, again.body], [202, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('no key shows in what the processes have logged', async () => {
  for (const service of services) {
    assert.equal(await service.stop(), 0)
    const written = JSON.stringify(service.logs) + service.errors()
    assert(written.includes('"route":"/v1/mailboxes"'))
    for (const key of keys) assert(!written.includes(key.slice(31, -6)), 'a secret is logged')
    assert(!/mdk_(?:live|test)_/.test(written))
  }
})
