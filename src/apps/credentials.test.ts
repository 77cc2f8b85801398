import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import { Problem } from '../http/problem.ts'
import { type ApiKey, makeApiKey, readApiKey, writeApiKey } from './api-key.ts'
import { createCredentials } from './credentials.ts'
import { createKey } from './manage.ts'

const { database } = await createTestDatabase()
const tenant = await createTestTenant(database)
const other = await createKey(database, { appId: tenant.appId, scopes: ['messages:read'] })
const fresh = () => createCredentials(database, () => {})

/** The key with another secret and a checksum that fits. */
const withSecret = (key: string, secret: string) => writeApiKey({ ...(readApiKey(key) as ApiKey), secret })

test('a good key names its tenant, application and environment', async () => {
  const credentials = fresh()
  const principal = await credentials.verify(tenant.key)
  assert.equal(principal?.tenantId, tenant.tenantId)
  assert.equal(principal?.appId, tenant.appId)
  assert.equal(principal?.environmentId, tenant.tenantId)
  assert.deepEqual(await credentials.verify(tenant.key), principal)
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

test('many first uses of one key at once are all good, and guesses that need a hash are bounded', async () => {
  await database.pool.query('update api_keys set secret_tag = null where tenant_id = $1', [tenant.tenantId])
  const credentials = fresh()
  const all = await Promise.all(Array.from({ length: 30 }, () => credentials.verify(tenant.key)))
  assert(all.every((principal) => principal?.tenantId === tenant.tenantId))
  const guesses = await Promise.allSettled(
    Array.from({ length: 30 }, (_, i) => credentials.verify(withSecret(tenant.key, String(i).padStart(43, '0')))),
  )
  const refused = guesses.filter((guess) => guess.status === 'rejected')
  assert(refused.length > 0)
  for (const guess of refused) assert(guess.reason instanceof Problem && guess.reason.status === 503)
  assert(guesses.every((guess) => guess.status === 'rejected' || guess.value === undefined))
  assert(await credentials.verify(tenant.key), 'the good one is remembered')
  await credentials.stop()
})
