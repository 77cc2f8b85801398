// What people come to the console for, from where they begin to where they are done, in two consoles over one database.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { assertLooksGood, DESK, keepInBrowser, LOOKS, type OpenPage, settled, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestPerson, type TestUser } from '../support/people.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestSite, type TestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { emit } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const skip = skipWithout('chromium')

describe('somebody who has never seen the console', { skip }, async () => {
  const { database } = await createTestDatabase()
  const open = useBrowser()
  const [first, second] = [await startTestSite('console', database), await startTestSite('console', database)]

  async function openAs(site: TestSite, { session }: TestUser, path = '/'): Promise<OpenPage> {
    const opened = await open(site.url, { viewport: DESK })
    await keepInBrowser(opened.context, site, session)
    await opened.page.goto(path)
    return opened
  }

  test('finds the failing endpoint, sees what its receiver answers, repairs it, and replays what died', async () => {
    const tenant = await createTestTenant(database)
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const admin = await createTestPerson(database, tenant.tenantId, 'admin')
    let works = false
    const receiver = await startReceiver({
      answer(_delivered, response) {
        if (works) response.end()
        else response.writeHead(500, { 'content-type': 'text/plain' }).end('relation "orders" does not exist')
      },
    })
    const workers = startTestWebhooks(database)
    const input = { appId: tenant.appId, url: receiver.url, eventTypes: ['*'] }
    const { body: endpoint } = await first.ask('POST', '/data/webhooks', { session: owner.session, body: input })
    await emit(database, tenant, 12)
    const path = `/data/deliveries?endpointId=${endpoint.id}&status=dead`
    await until('the endpoint is disabled and all is dead', async () => {
      const { body } = await first.ask('GET', path, { session: owner.session })
      return body.items.length === 12
    })

    // The Overview says what is wrong, and leads to it.
    const { page, context, complaints } = await openAs(first, owner)
    await page.getByRole('main').getByRole('link', { name: receiver.url }).click()
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor()
    await page.getByText('10 attempts in a row failed').waitFor()
    assert.equal(new URL(page.url()).pathname, `/webhooks/${endpoint.id}`)

    // What the receiver says is one click away.
    await page.getByLabel('Status').selectOption('dead')
    await page.waitForURL('**?status=dead')
    await page.getByRole('row').filter({ hasText: 'Answered 500' }).first().getByRole('link').click()
    await page.getByText('relation "orders" does not exist').first().waitFor()
    await page.getByText('look into its log at that time').first().waitFor()
    await assertEachLook(page, 'a dead delivery')

    // Repaired, and enabled; nothing is asked.
    works = true
    receiver.delivered.length = 0
    await page.getByRole('main').getByRole('link', { name: receiver.url }).click()
    await assertEachLook(page, 'a disabled endpoint')
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByText('Enabled', { exact: true }).waitFor()
    const { body: enabled } = await first.ask('GET', `/data/webhooks/${endpoint.id}`, { session: owner.session })

    // An Admin looks as well, at the other console, and may replay; nothing is offered that would be refused.
    const other = await openAs(second, admin, '/webhooks')
    assert.equal(await other.page.getByRole('button', { name: 'Add endpoint' }).count(), 0)
    await other.page.getByRole('link', { name: receiver.url }).click()
    await other.page.getByRole('heading', { level: 1, name: receiver.url }).waitFor()
    const offered = await other.page.getByRole('main').locator('header').getByRole('button').allInnerTexts()
    assert.deepEqual(offered, ['Replay failed since'])

    // Both ask at once, for the time that stands there: since the first failure in a row.
    const dialogs = [page, other.page].map((each) => each.getByRole('dialog', { name: 'Replay failed since' }))
    for (const [i, each] of [page, other.page].entries()) {
      await each.getByRole('button', { name: 'Replay failed since' }).click()
      const preset = (await dialogs[i]?.getByLabel('Since').inputValue()) ?? ''
      const since = await each.evaluate<number>(`new Date(${JSON.stringify(preset)}).getTime()`)
      const behind = Date.parse(enabled.lastFailingSince) - since
      assert(behind >= 0 && behind < 60_000, preset)
    }
    await Promise.all(dialogs.map((each) => each.getByRole('button', { name: 'Replay failed since' }).click()))

    // Everything arrives, once each, and both see it without doing anything.
    for (const each of [page, other.page]) {
      await each.getByText(/^Replayed 12 deliveries/).waitFor()
      const delivered = each.getByRole('row').filter({ hasText: 'delivered' })
      await until('all are shown as delivered', async () => (await delivered.count()) === 12)
    }
    assert.equal(new Set(receiver.delivered.map(({ event }) => event.id)).size, 12)
    assert.equal(receiver.delivered.length, 12)

    // One again, as an Admin may.
    await other.page
      .getByRole('button', { name: /^Replay message/ })
      .first()
      .click()
    await until('it has come once more', () => receiver.delivered.length === 13)
    await other.page.getByRole('row').filter({ hasText: 'delivered' }).nth(11).waitFor()
    // Of two who ask at once one may be told that it goes on already.
    for (const words of [...complaints, ...other.complaints]) assert.match(words, /status of 409 \(Conflict\)/)
    await workers.stop()
    await Promise.all([context.close(), other.context.close()])
  })

  async function assertEachLook(page: Page, what: string): Promise<void> {
    for (const look of LOOKS) {
      await page.setViewportSize(look.viewport)
      await page.emulateMedia({ colorScheme: look.colorScheme })
      await settled(page)
      await assertLooksGood(page, what, look)
    }
  }
})
