import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { createTestDatabase } from '../../test/support/database.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import { Problem } from '../http/problem.ts'
import { makeApiKey } from './api-key.ts'
import { createCredentials } from './credentials.ts'

const { database } = await createTestDatabase()
const tenant = await createTestTenant(database)
const fresh = () => createCredentials(database, () => {})

/** The key with another secret and a checksum that fits. */
function withSecret(key: string, secret: string): string {
  const body = key.slice(0, 31) + secret
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let [value, digits] = [crc32(body), '']
  for (let i = 0; i < 6; i++) [digits, value] = [alphabet[value % 62] + digits, Math.floor(value / 62)]
  return body + digits
}

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

test('many first uses of one key at once are all good, and guesses for it are bounded', async () => {
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
