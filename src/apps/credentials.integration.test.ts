import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { keyHasher } from '../../test/support/hash-turns.ts'
import { operatorOf } from '../../test/support/operator.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import type { Db } from '../lib/sql.ts'
import { type ApiKey, makeApiKey, readApiKey, writeApiKey } from './api-key.ts'
import { createKey } from './create-key.ts'
import { createCredentials } from './credentials.ts'
import { listKeys } from './list-keys.ts'
import { sweepKeyUse } from './record-key-use.ts'
import { revokeKey } from './revoke-key.ts'

const { database } = await createTestDatabase()
const tenant = await createTestTenant(database)
const other = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
  appId: tenant.appId,
  scopes: ['messages:read'],
})
const fresh = () => createCredentials(database, keyHasher, () => {})

/** The key with another secret and a checksum that fits. */
const withSecret = (key: string, secret: string) => writeApiKey({ ...(readApiKey(key) as ApiKey), secret })

test('a good key names its tenant, application and environment', async () => {
  const credentials = fresh()
  const actor = await credentials.verify(tenant.key)
  assert.equal(actor?.tenantId, tenant.tenantId)
  assert.equal(actor?.appId, tenant.appId)
  assert.equal(actor?.environmentId, tenant.tenantId)
  assert.deepEqual(await credentials.verify(tenant.key), actor)
  await credentials.stop()
})

test('an unknown key, a wrong secret and what is no key are no good', async () => {
  const credentials = fresh()
  for (const key of ['', 'x', makeApiKey('production').text, withSecret(tenant.key, 'x'.repeat(43))]) {
    assert.equal(await credentials.verify(key), undefined)
  }
  await credentials.stop()
})

test('a wrong secret costs no hash', async () => {
  await database.pool.query(`update api_keys set secret_hash = 'none' where id = $1`, [other.id])
  const credentials = fresh()
  assert.equal(await credentials.verify(withSecret(other.key, 'x'.repeat(43))), undefined)
  // The right one does, which fails here for want of one.
  await assert.rejects(credentials.verify(other.key))
  await credentials.stop()
})

test('keys that nobody has are looked up together, and keep a good one from nothing', async () => {
  const statements: string[] = []
  const counting: Db = {
    ...database,
    rows(statement) {
      statements.push(statement.text)
      return database.rows(statement)
    },
  }
  const credentials = createCredentials(counting, keyHasher, () => {})
  const invented = Array.from({ length: 300 }, () => credentials.verify(makeApiKey('production').text))
  const good = credentials.verify(tenant.key)
  assert((await Promise.all(invented)).every((actor) => actor === undefined))
  assert.equal((await good)?.tenantId, tenant.tenantId)
  assert(statements.filter((text) => text.includes('from api_keys')).length <= 3)
  await credentials.stop()
})

test('a renewal that began before a revocation and ends after it does not hide it', async (t) => {
  const { key, id } = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
    appId: tenant.appId,
    scopes: ['messages:read'],
  })
  let now = 10_000
  t.mock.method(performance, 'now', () => now)
  let held: Promise<unknown> | undefined
  const holding: Db = {
    ...database,
    async rows(statement) {
      const rows = await database.rows(statement)
      if (statement.text.includes('from credential_version')) await held
      return rows
    },
  }
  const credentials = createCredentials(holding, keyHasher, () => {})
  assert(await credentials.verify(key))
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  now += 500
  assert(await credentials.verify(key), 'the renewal goes on in the background')
  await revokeKey(database, operatorOf(tenant.tenantId), id)
  now += 1_500
  const verified = credentials.verify(key)
  held = undefined
  resolve()
  assert.equal(await verified, undefined)
  await credentials.stop()
})

test('a use is recorded once a minute', async () => {
  const used = async () => {
    const credentials = fresh()
    await credentials.verify(tenant.key)
    await credentials.stop()
    const keys = await listKeys(database, operatorOf(tenant.tenantId), tenant.appId)
    return keys.find(({ prefix }) => tenant.key.startsWith(prefix))?.lastUsedAt
  }
  const age = (seconds: number) =>
    database.pool.query(`update api_key_usage set last_used_at = clock_timestamp() - make_interval(secs => $1)`, [
      seconds,
    ])
  const first = await used()
  assert(first)
  assert.equal(await used(), first)
  await age(30)
  const old = (await used()) as string
  assert(old < first)
  await age(61)
  assert(((await used()) as string) > first)
})

test('requests are counted by key and day, over processes, and written a few times however many there are', async () => {
  const { key, id } = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
    appId: tenant.appId,
    scopes: ['messages:read'],
  })
  const writes: string[] = []
  const counting: Db = {
    ...database,
    rows(statement) {
      if (statement.text.includes('api_key_requests')) writes.push(statement.text)
      return database.rows(statement)
    },
  }
  const processes = [1, 2].map(() => createCredentials(counting, keyHasher, () => {}))
  for (const [n, credentials] of processes.entries()) {
    const uses = Array.from({ length: 100 + n }, () => credentials.verify(key))
    assert((await Promise.all(uses)).every((actor) => actor?.keyId === id))
    assert.equal(await credentials.verify(withSecret(key, 'x'.repeat(43))), undefined, 'no use of it')
  }
  await Promise.all(processes.map((credentials) => credentials.stop()))
  assert.equal(writes.length, 2)
  const requestsOf = async () => {
    const keys = await listKeys(database, operatorOf(tenant.tenantId), tenant.appId)
    return keys.find((listed) => listed.id === id)?.requests.map(({ requests }) => requests)
  }
  assert.deepEqual(await requestsOf(), [0, 0, 0, 0, 0, 0, 201])

  const age = (days: number) => database.pool.query('update api_key_requests set day = day - $1::integer', [days])
  await age(6)
  assert.equal(await sweepKeyUse(database, 100), 0)
  assert.deepEqual(await requestsOf(), [201, 0, 0, 0, 0, 0, 0])
  await age(1)
  assert.deepEqual(await requestsOf(), [0, 0, 0, 0, 0, 0, 0])
  assert((await sweepKeyUse(database, 100)) > 0)
})

test('many first uses of one key at once are all good, and so they are beside guesses', async () => {
  const credentials = fresh()
  const guess = (i: number) => credentials.verify(withSecret(tenant.key, String(i).padStart(43, '0')))
  const guesses = Array.from({ length: 30 }, (_, i) => guess(i))
  const all = await Promise.all(Array.from({ length: 30 }, () => credentials.verify(tenant.key)))
  assert(all.every((actor) => actor?.tenantId === tenant.tenantId))
  assert((await Promise.all(guesses)).every((actor) => actor === undefined))
  await credentials.stop()
})

test('a key is not stored without what its wrong secrets are refused by', async () => {
  await assert.rejects(database.pool.query('update api_keys set secret_tag = null where id = $1', [other.id]), {
    code: '23502',
  })
})
