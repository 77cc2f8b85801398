import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { operator } from '../../test/support/operator.ts'
import { originOf } from '../../test/support/people.ts'
import { TEST_SECRET_KEYS } from '../../test/support/role-parts.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { until } from '../../test/support/until.ts'
import { findApps } from '../apps/find-apps.ts'
import { findTenants } from '../apps/find-tenants.ts'
import { appendEvents } from '../events/append.ts'
import type { EventType } from '../events/types.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import type { Database } from '../lib/sql.ts'
import { newId } from '../lib/uuid.ts'
import { joinTenant } from '../people/join-tenant.ts'
import { findLink } from '../users/links.ts'
import { endSessions } from '../users/sessions.ts'
import { signInByLink } from '../users/sign-in-by-link.ts'
import { prepareDemo } from './demo.ts'
import { printSteps } from './screen.ts'
import { makeSignInLinks } from './sign-in-links.ts'

const { database } = await createTestDatabase()
const dataDir = await temporaryFolder('mdk-demo-')
after(() => rm(dataDir, { recursive: true, force: true }))
const box = createSecretBox(TEST_SECRET_KEYS)

/** The database until so many transactions have been made. */
function endingAfter(transactions: number): Database {
  let left = transactions
  return {
    ...database,
    transaction: async (work) => {
      if (left-- === 0) throw new Error('killed')
      return database.transaction(work)
    },
  }
}

test('a start that was killed while it made the demo is finished by the next', async () => {
  // Tenant and domain; then an application, the other, the mailbox, and the keys.
  for (const transactions of [2, 1, 1, 1, 1]) {
    await assert.rejects(prepareDemo(endingAfter(transactions), operator, box, dataDir), /^Error: killed$/)
  }
  const demo = await prepareDemo(database, operator, box, dataDir)
  assert.deepEqual(
    (await findTenants(database)).map(({ id }) => id),
    [demo.tenantId],
  )
  const apps = await findApps(database, {})
  assert.deepEqual(apps.map(({ id }) => id).sort(), [demo.productionAppId, demo.sandboxAppId].sort())
  assert.deepEqual(await prepareDemo(database, operator, box, dataDir), demo)
})

test('a page of the console is printed so that it can be opened, whoever is signed in or out by then', async () => {
  const demo = await prepareDemo(database, operator, box, dataDir)
  const sites = { consoleUrl: 'http://console.test', webmailUrl: 'http://webmail.test' }
  const { links, placeOf } = await makeSignInLinks(database, operator, demo, sites)
  const page = '/messages/1?view=content&environment=sandbox:2'
  const tokenOf = (link: string) => /\/enter\/([^?]+)/.exec(link)?.[1] ?? ''
  const first = await placeOf(page)
  assert.equal(first, `${links.consoleLink}?to=/messages/1?view=content%26environment=sandbox:2`)
  assert.equal(new URL(first).searchParams.get('to'), page)

  const owner = await findLink(database, 'person', tokenOf(first))
  assert(owner)
  assert(await signInByLink({ database, join: joinTenant }, 'person', tokenOf(first), originOf(1)))
  assert.equal(await placeOf(page), `http://console.test${page}`)

  await database.transaction((tx) => endSessions(tx, owner, 'all'))
  const next = await placeOf(page)
  assert.notEqual(tokenOf(next), tokenOf(first))
  assert(await findLink(database, 'person', tokenOf(next)))
  assert.equal(await placeOf(page), next, 'one is made and not one for each message')
})

test('each new message is printed with where it is, and steps go on when that cannot be found out', async () => {
  const { tenantId, sandboxAppId } = await prepareDemo(database, operator, box, dataDir)
  const lines: string[] = []
  const stopping = new AbortController()
  const [first, second] = [newId(), newId()]
  const printing = printSteps(
    database,
    tenantId,
    {
      print: (line) => lines.push(line),
      placeOf: async (path) =>
        path.includes(first) ? Promise.reject(new Error('away')) : `http://console.test${path}`,
    },
    stopping.signal,
  )
  const append = (type: EventType, resourceId: string, environmentId: string) =>
    database.transaction((tx) =>
      appendEvents(tx, [
        { tenantId, environmentId, type, resourceType: 'message', resourceId, data: { subject: 'Hello' } },
      ]),
    )
  // What was there before is not printed, and it is not known when that was looked at.
  await until('it prints', async () => {
    await append('message.sent', newId(), tenantId)
    return lines.length > 0
  })
  await append('message.queued', first, tenantId)
  await append('message.queued', second, sandboxAppId)
  const place = `            http://console.test/messages/${second}?view=content&environment=sandbox:${sandboxAppId}`
  await until('the second has its place', () => lines.includes(place))
  assert.match(lines[lines.indexOf(place) - 1] ?? '', /message\.queued {6}Hello$/)
  assert(!lines.some((line) => line.includes(first)))
  stopping.abort()
  await printing
})
