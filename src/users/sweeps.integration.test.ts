// What is removed of sign-ins once it means nothing any more, and not before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { createTestPerson } from '../../test/support/people.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import type { Db } from '../lib/sql.ts'
import { countLinkRequest, linksOf, sweepLinkRequests } from './link-requests.ts'
import { makeLink, sweepLinks } from './links.ts'
import { sweepChallenges, useChallenge } from './passkey-challenge.ts'
import { sweepSessions } from './sessions.ts'
import { countGuess, guessOfAccount, sweepSignInFailures } from './sign-in-delay.ts'
import { personRef } from './user.ts'

const { database } = await createTestDatabase()
const { tenantId } = await createTestTenant(database)
const { id } = await createTestPerson(database, tenantId, 'owner')
// The person's session is the one of the first row.
await database.transaction(async (tx) => {
  await makeLink(tx, personRef(id), 'reset', tenantId)
  await useChallenge(tx, 'a challenge')
  await countLinkRequest(tx, linksOf('login', 'somebody@example.com'))
  await countGuess(tx, guessOfAccount('person', 'somebody@example.com'))
})

const SWEEPS: [table: string, column: string, age: string, (db: Db, limit: number) => Promise<number>][] = [
  ['sessions', 'created_at', '30 days', sweepSessions],
  ['user_links', 'expires_at', '0 days', sweepLinks],
  ['answered_challenges', 'answered_at', '10 minutes', sweepChallenges],
  ['sign_in_failures', 'last_failed_at', '1 day', sweepSignInFailures],
  ['link_requests', 'since', '1 hour', sweepLinkRequests],
]

for (const [table, column, age, sweep] of SWEEPS) {
  test(`${table} are removed when their ${column} is ${age} ago`, async () => {
    const moveTo = (more: string) =>
      database.pool.query(`update ${table} set ${column} = clock_timestamp() - interval '${age}' + interval '${more}'`)
    await moveTo('10 seconds')
    assert.equal(await sweep(database, 100), 0)
    await moveTo('0 seconds')
    assert.equal(await sweep(database, 0), 0, 'no more than it is told')
    assert.equal(await sweep(database, 100), 1)
    assert.equal(await sweep(database, 100), 0)
  })
}
