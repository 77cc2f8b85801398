// Streams of changes as a browser reads them by itself.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { appendEvents } from '../../src/events/append.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { createTestPerson } from '../support/people.ts'
import { createTestParts } from '../support/role-parts.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

describe('in a browser', { skip: skipWithout('chromium-headless-shell') }, () => {
  const open = useBrowser()

  test('a page hears what changes, and what changed while the service was restarted, once and in order', async () => {
    const { database } = await createTestDatabase()
    const { tenantId } = await createTestTenant(database)
    const owner = await createTestPerson(database, tenantId, 'owner')
    const append = async (): Promise<Uuid> => {
      const event = { tenantId, environmentId: tenantId, type: 'message.updated', resourceType: 'message' } as const
      const resourceId = newId()
      await database.transaction((tx) => appendEvents(tx, [{ ...event, resourceId, data: {} }]))
      return resourceId
    }
    const first = await startTestSite('console', database)
    const { page, context } = await open(first.url)
    await context.addCookies([
      // As the site itself sets it, whose Secure a browser takes over http from this machine alone.
      { name: '__Host-mdk_console', value: owner.session.cookie, url: first.url.replace('http:', 'https:') },
    ])
    // A page of the origin that reads no stream of its own.
    await page.goto('/sign-in?to=/')
    await feedCaughtUp(database)
    await page.evaluate(LISTEN)
    const ids = [await append(), await append()]
    await until('it is heard', async () => (await page.evaluate<number>('heard.length')) >= 2)

    const { port } = new URL(first.listensAt)
    await first.stop()
    ids.push(await append(), await append())
    const { config } = createTestParts(database)
    await startTestSite('console', database, { config: { console: { ...config.console, port: Number(port) } } })
    await until('it is heard', async () => (await page.evaluate<number>('heard.length')) >= 4)
    ids.push(await append())
    await until('it is heard', async () => (await page.evaluate<number>('heard.length')) >= 5)
    const heard = await page.evaluate<{ id: string; lastEventId: string }[]>('heard')
    assert.deepEqual(
      heard.map(({ id }) => id),
      ids,
    )
    assert.equal(new Set(heard.map(({ lastEventId }) => lastEventId)).size, ids.length)
  })
})

/** Runs in the page: keeps what it hears. */
const LISTEN = `new Promise((resolve) => {
  globalThis.heard = []
  globalThis.source = new EventSource('/changes')
  source.onmessage = ({ data, lastEventId }) => heard.push({ ...JSON.parse(data), lastEventId })
  source.onopen = resolve
}).then(() => true)`
