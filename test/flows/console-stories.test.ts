// What people come to the console for, from where they begin to where they are done, in two consoles over one database.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts'
import { createApp } from '../../src/apps/create-app.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { applyOutcomes } from '../../src/messages/apply-outcomes.ts'
import { followAll } from '../support/activity.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { assertLooksGood, DESK, keepInBrowser, LOOKS, type OpenPage, settled, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson, type TestUser } from '../support/people.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestSite, type TestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { emit } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const skip = skipWithout('chromium-headless-shell')

describe('somebody who has never seen the console', { skip }, async () => {
  const { database } = await createTestDatabase()
  const open = useBrowser()
  const api = await startTestApi(database)
  const config = { http: { host: '127.0.0.1', port: 0, publicUrl: api.url } }
  const [first, second] = [
    await startTestSite('console', database, { config }),
    await startTestSite('console', database, { config }),
  ]

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
    const { page, context, complaints } = await openAs(first, owner, '/webhooks')
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const adding = page.getByRole('dialog', { name: 'Add endpoint' })
    await adding.getByLabel('URL').fill(receiver.url)
    await adding.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByRole('dialog', { name: 'Endpoint added' }).getByLabel('Secret').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    const { body: webhooks } = await first.ask('GET', '/data/webhooks', { session: owner.session })
    const [endpoint] = webhooks.items
    await emit(database, tenant, 12)
    const path = `/data/deliveries?endpointId=${endpoint.id}&status=dead`
    await until('the endpoint is disabled and all is dead', async () => {
      const { body } = await first.ask('GET', path, { session: owner.session })
      return body.items.length === 12
    })

    // The Overview says what is wrong, and leads to it.
    await page.getByRole('link', { name: 'Overview' }).click()
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

    // The receiver had lost its secret: it gets another, shown this once.
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const rotated = page.getByRole('dialog', { name: 'New secret' })
    const secret = await rotated.getByLabel('Secret').inputValue()
    await rotated.getByRole('button', { name: 'Done' }).click()

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
    for (const { headers, body } of receiver.delivered) verifyWebhook({ headers, body, secret })

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

  test('makes a restricted key, sends with the command that is shown, and takes the key away', async () => {
    const tenant = await createTestTenant(database)
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const admin = await createTestPerson(database, tenant.tenantId, 'admin')

    // An application for the program, and a key of it that may send and nothing else.
    const { page, context, complaints } = await openAs(first, owner)
    await page.getByRole('link', { name: 'Applications' }).click()
    await page.getByRole('button', { name: 'Create application' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Shop')
    await dialog.getByLabel('Environment').selectOption('production')
    await dialog.getByRole('button', { name: 'Create application' }).click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    await page.getByText('No active keys').waitFor()
    await page.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByRole('alert').first().waitFor()
    assert.equal(await page.evaluate('document.activeElement.name'), 'name')
    await dialog.getByLabel('Name').fill('web server')
    await dialog.getByLabel('Expires').selectOption('90d')
    await dialog.getByLabel('messages:send').check()
    await assertEachLook(page, 'create a key')
    await dialog.getByRole('button', { name: 'Create key' }).click()

    // It is shown this once, with a command that is good as it stands.
    const key = await dialog.getByLabel('Key', { exact: true }).inputValue()
    await assertEachLook(page, 'a new key')
    const command = await dialog.getByRole('region', { name: 'First request' }).locator('code').innerText()
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s -w '%{http_code}'`])
    assert.match(stdout, /"status":"queued".*202$/s)
    const { id } = JSON.parse(stdout.slice(0, -'202'.length))
    await dialog.getByRole('button', { name: 'Done' }).click()
    const refused = await call(api.url, 'GET', '/v1/messages', { key })
    assert.deepEqual([refused.status, refused.body.details], [403, { required: ['messages:read'] }])

    // The mail is there, in the other console too.
    const other = await openAs(second, admin, `/events?resourceId=${id}`)
    await other.page.getByText('message.queued', { exact: true }).waitFor()

    // An Admin sees the key, nothing of its secret, and no button that would be refused.
    await other.page.getByRole('link', { name: 'Applications' }).click()
    await other.page.getByRole('link', { name: 'Shop' }).click()
    const seen = other.page.getByRole('row').filter({ hasText: 'web server' })
    await seen.getByText(key.slice(0, 15)).waitFor()
    assert.equal(await other.page.getByText(key.slice(15)).count(), 0)
    for (const name of [/^Create/, /^Suspend/, /^Replace/, /^Revoke/]) {
      assert.equal(await other.page.getByRole('button', { name }).count(), 0)
    }

    // One that takes its place; then the former goes, and is good nowhere.
    await page.getByRole('button', { name: 'Replace web server' }).click()
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click()
    const next = await dialog.getByLabel('Key', { exact: true }).inputValue()
    await page.keyboard.press('Escape')
    const former = page.getByRole('row').filter({ hasText: key.slice(0, 15) })
    await former.getByText('Replaced').waitFor()
    await assertEachLook(page, 'an application')
    await former.getByRole('button', { name: 'Revoke web server' }).click()
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await former.waitFor({ state: 'hidden' })
    const status = async (bearer: string) => (await call(api.url, 'GET', '/v1/messages', { key: bearer })).status
    await until('the former is refused', async () => (await status(key)) === 401)
    assert.equal(await status(next), 403)

    // All of its keys at once.
    await page.getByRole('button', { name: 'Suspend' }).click()
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('This application is suspended').waitFor()
    await until('so is the other', async () => (await status(next)) === 401)
    await page.getByRole('button', { name: 'Resume' }).click()
    await dialog.getByRole('button', { name: 'Resume' }).click()
    await until('it is good again', async () => (await status(next)) === 403)

    // In a sandbox, an event that nothing brought about.
    const sandbox = await createApp(database, operatorOf(tenant.tenantId), { name: 'Trial', environment: 'sandbox' })
    await page.goto(`/events?environment=sandbox:${sandbox.id}`)
    await page.getByRole('button', { name: 'Send a synthetic event' }).click()
    await dialog.getByLabel('Type').selectOption('message.received')
    await dialog.getByLabel('Data').fill('{"subject": "Invoice')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByRole('alert').getByText('must be a JSON object').waitFor()
    await assertEachLook(page, 'a synthetic event')
    await dialog.getByLabel('Data').fill('{"subject": "Invoice 7"}')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Invoice 7', { exact: true }).waitFor()

    // The browser says so of the key without a name.
    assert.deepEqual(complaints, ['Failed to load resource: the server responded with a status of 400 (Bad Request)'])
    assert.deepEqual(other.complaints, [])
    await Promise.all([context.close(), other.context.close()])
  })

  test('finds out whether mail arrived, and why not, and what is in it', async () => {
    const tenant = await createTestTenant(database)
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const admin = await createTestPerson(database, tenant.tenantId, 'admin')
    const sendTo = async (to: string, more: object = {}): Promise<Uuid> => {
      const body = { fromMailboxId: tenant.mailboxId, to: [to], subject: `To ${to}`, text: 'Hello', ...more }
      return (await send(api.url, tenant.key, body)).body.id
    }
    const mark = 'https://bank.example/'
    const image = '<img src="https://tracker.example/open.gif">'
    const html = `<h1>Your order</h1><a href="https://evil.example/">${mark}</a>${image}<script>alert(1)</script>`
    const toAda = await sendTo('ada@example.test', { html })
    const waits = await sendTo('grace@example.test')
    const outcome = { smtpCode: 550, enhancedCode: '5.1.1', diagnostic: 'no such user here', reported: true }
    const taken = { smtpCode: 250, enhancedCode: '2.0.0', diagnostic: 'ok' }
    for (const recipient of [
      { status: 'sent' as const, ...taken },
      { status: 'bounced' as const, ...outcome },
    ]) {
      const recipients = [{ position: 0, ...recipient }]
      const { tenantId } = tenant
      await database.transaction((tx) =>
        applyOutcomes(tx, [{ tenantId, messageId: toAda, recipients, stored: { sizeBytes: 1 } }]),
      )
    }
    await followAll(database)

    // The one who asked is found by the address, with the reason beside it.
    const { page, context, complaints } = await openAs(first, owner)
    await page.getByRole('link', { name: 'Messages', exact: true }).click()
    await page.getByRole('link', { name: 'To grace@example.test' }).waitFor()
    await page.getByLabel('Search').fill('ada@example.test')
    await page.waitForURL('**?q=ada%40example.test')
    await page.getByRole('link', { name: 'To grace@example.test' }).waitFor({ state: 'detached' })
    const row = page.getByRole('row').filter({ hasText: 'To ada@example.test' })
    await row.getByText('Bounced', { exact: true }).waitFor()
    await row.getByText('Mailbox does not exist (5.1.1)').waitFor()
    await assertEachLook(page, 'messages')
    await row.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'To ada@example.test' }).waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: 'ada@example.test' })
      .getByText('550 5.1.1 no such user here')
      .waitFor()
    await page.getByRole('button', { name: /^Copy request id/ }).waitFor()
    await assertEachLook(page, 'a message that bounced')

    // What is in it shows in a frame without an origin; what others have is counted, and said above it.
    await page.getByRole('link', { name: 'Content', exact: true }).click()
    await page.getByText('1 image is not shown').waitFor()
    await page.getByText('1 link leads to another site than its words name').waitFor()
    const frame = page.locator('iframe')
    assert.equal(await frame.getAttribute('sandbox'), 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
    const mail = page.frameLocator('iframe')
    await mail.getByRole('heading', { name: 'Your order' }).waitFor()
    await mail.getByText('(leads to evil.example)').waitFor()
    const link = mail.getByRole('link', { name: mark })
    assert.deepEqual(
      [await link.getAttribute('target'), await link.getAttribute('rel')],
      ['_blank', 'noopener noreferrer nofollow'],
    )
    assert.equal(await mail.locator('script').count(), 0)
    // Whoever else says so does not set its height.
    const height = () => page.evaluate<number>(`document.querySelector('iframe').clientHeight`)
    await until('it is as high as what it shows', async () => (await height()) >= 80)
    const before = await height()
    await page.evaluate(`postMessage({ type: 'height', height: 9000 }, '*')`)
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    assert.equal(await height(), before)
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.getByText('Hello', { exact: true }).waitFor()
    await assertEachLook(page, 'what is in a message')
    await page.getByRole('navigation', { name: 'Message' }).getByRole('link', { name: 'Events' }).click()
    await page.getByRole('region', { name: 'Event message.bounced' }).waitFor()
    await assertEachLook(page, 'the events of a message')

    // Another waits: an Admin has it tried at the other console, and is offered nothing that would be refused.
    const other = await openAs(second, admin, `/messages/${waits}`)
    await other.page.getByText('waits for its turn').waitFor()
    const offered = other.page.getByRole('main').locator('header').getByRole('button')
    assert.deepEqual(await offered.allInnerTexts(), ['Try now'])
    await other.page.getByRole('button', { name: 'Try now' }).click()
    await other.page.getByText('It is tried next.').waitFor()

    // The Owner cancels it; the Admin sees that.
    await page.goto(`/messages/${waits}`)
    await page.getByRole('button', { name: 'Cancel message' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel message' }).click()
    await dialog.waitFor({ state: 'detached' })
    for (const each of [page, other.page]) {
      await each.getByText('Failed', { exact: true }).first().waitFor()
      await each.getByText('Cancelled').first().waitFor()
    }
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(`${first.url}/messages`)
    await page.getByRole('link', { name: 'To ada@example.test' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'To grace@example.test' }).count(), 0)
    // What is gone is not there for whoever still looks at it.
    assert.deepEqual(
      [...complaints, ...other.complaints].filter((words) => !words.includes('404')),
      [],
    )
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
