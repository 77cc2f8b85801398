// Passwords and API keys take turns at hashing: a flood of sign-ins holds up no key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCredentials } from '../../src/apps/credentials.ts'
import { createHashTurns, type Hasher } from '../../src/lib/hash-turns.ts'
import { signIn } from '../../src/users/sign-in.ts'
import { createTestDatabase } from '../support/database.ts'
import { originOf } from '../support/people.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const SIGN_INS = 200
/** What runs when the key comes, and what may be done before a key's own hash is. */
const MOST_BEFORE_THE_KEY = 4

const { database } = await createTestDatabase()
const { key } = await createTestTenant(database)

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
