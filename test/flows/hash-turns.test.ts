// Passwords and API keys take turns at hashing: neither a flood of sign-ins nor one of new keys holds up a key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCredentials } from '../../src/apps/credentials.ts'
import { createHashTurns, type Hasher } from '../../src/lib/hash-turns.ts'
import { signIn } from '../../src/users/sign-in.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestPerson, originOf } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const SIGN_INS = 200
const NEW_KEYS = 30
/** What runs when the key comes, and what may be done before a key's own hash is. */
const MOST_BEFORE_THE_KEY = 4

const { database } = await createTestDatabase()
const { key, tenantId, appId } = await createTestTenant(database)

test('a key that comes while two hundred sign in waits for none of them but those whose hash runs', async () => {
  const { keys, passwords } = createHashTurns()
  let verified = 0
  const hasher: Hasher = {
    hash: passwords.hash,
    verify: (hashed, secret) => passwords.verify(hashed, secret).finally(() => verified++),
    get waiting() {
      return passwords.waiting
    },
  }
  const credentials = createCredentials(database, keys, () => {})
  const signIns = Array.from({ length: SIGN_INS }, (_, n) =>
    signIn(
      { database, hasher },
      'person',
      { login: `nobody-${n}@example.com`, password: 'a wrong password' },
      originOf(n),
    ),
  )
  await until('all wait for their hash', () => passwords.waiting + verified === SIGN_INS)
  assert(passwords.waiting > 10 * MOST_BEFORE_THE_KEY, `${passwords.waiting} wait`)
  const before = verified
  assert((await credentials.verify(key)) !== undefined)
  assert(verified - before <= MOST_BEFORE_THE_KEY, `${verified - before} sign-ins came before the key`)
  const outcomes = await Promise.all(signIns)
  assert(outcomes.every(({ outcome }) => outcome === 'wrong'))
  assert.equal(verified, SIGN_INS, 'one hash for each, also of nobody')
  await credentials.stop()
})

test('a key that comes while an Owner makes thirty waits for none of them but those whose hash runs', async () => {
  const turns = createHashTurns()
  let made = 0
  const counting = (hasher: Hasher): Hasher => ({
    hash: (secret) => hasher.hash(secret).finally(() => made++),
    verify: hasher.verify,
    get waiting() {
      return hasher.waiting
    },
  })
  const { keys } = turns
  const hashTurns = { keys: counting(keys), passwords: counting(turns.passwords) }
  const console = await startTestSite('console', database, { hashTurns })
  const { session } = await createTestPerson(database, tenantId, 'owner')
  const credentials = createCredentials(database, keys, () => {})
  const body = { name: 'one of many', scopes: ['messages:read'] }
  const answers = Array.from({ length: NEW_KEYS }, () =>
    console.ask('POST', `/data/apps/${appId}/keys`, { session, body }),
  )
  await until('most wait for their hash', () => keys.waiting + turns.passwords.waiting > NEW_KEYS / 2)
  const before = made
  assert((await credentials.verify(key)) !== undefined)
  assert(made - before <= MOST_BEFORE_THE_KEY, `${made - before} keys were made before it`)
  assert((await Promise.all(answers)).every(({ status }) => status === 201))
  await credentials.stop()
})
