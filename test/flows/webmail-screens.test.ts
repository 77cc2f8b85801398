// The webmail as its users see it: a real browser, on a phone and at a desk, in light and dark.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { startTestApi } from '../support/api.ts'
import {
  assertPagesLookGood,
  barriersIn,
  DESK,
  keepInBrowser,
  LOOKS,
  nameOf,
  type OpenPage,
  PHONE,
  settled,
  useBrowser,
} from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'

const skip = skipWithout('chromium-headless-shell')
const PAGES = ['/inbox', '/sent', '/account']
const FOLDERS = ['Inbox', 'Sent', 'Archive', 'Spam', 'Trash']
/** What would run, were it not shown as the text that it is. */
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script> \u202e`

describe('the webmail in a browser', { skip }, async () => {
  const { database } = await createTestDatabase()
  const open = useBrowser()
  const site = await startTestSite('webmail', database)
  const api = await startTestApi(database)
  let sends = 0

  async function openAs({ session }: TestUser, path: string, options = {}): Promise<OpenPage> {
    const opened = await open(site.url, { viewport: DESK, ...options })
    await keepInBrowser(opened.context, site, session)
    await opened.page.goto(path)
    return opened
  }

  async function makeUser(): Promise<{ tenant: TestTenant; user: TestUser }> {
    const tenant = await createTestTenant(database)
    return { tenant, user: await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId) }
  }

  async function send({ key, mailboxId }: TestTenant, subject: string): Promise<string> {
    const answer = await fetch(`${api.url}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `webmail-screens-${sends++}`,
      },
      body: JSON.stringify({ fromMailboxId: mailboxId, to: ['ada@example.test'], subject, text: `About ${subject}` }),
    })
    assert.equal(answer.status, 202)
    return ((await answer.json()) as { id: string }).id
  }

  /** As an application files and flags it. */
  async function change({ key, mailboxId }: TestTenant, id: string, to: object): Promise<void> {
    const answer = await fetch(`${api.url}/v1/messages/${id}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `webmail-screens-${sends++}`,
      },
      body: JSON.stringify({ mailboxId, ...to }),
    })
    assert.equal(answer.status, 200)
  }

  for (const look of LOOKS) {
    test(`${nameOf(look)}: each page fits, and nothing is in anybody's way`, async () => {
      const { tenant, user } = await makeUser()
      await send(tenant, 'Invoice 7')
      const opened = await openAs(user, '/', look)
      await opened.page.waitForURL(`${site.url}/inbox`)
      await assertPagesLookGood(opened, look, PAGES)
      await opened.context.close()
    })
  }

  test('what looks for barriers finds one that is put in the way, and finds it again', async () => {
    const { user } = await makeUser()
    const { page, context } = await openAs(user, '/inbox')
    await settled(page)
    assert.deepEqual(await barriersIn(page), [])
    await page.evaluate(`document.querySelector('main').append(document.createElement('button'))`)
    for (const time of ['first', 'again']) {
      assert.deepEqual(await barriersIn(page), ['button-name: <button></button>'], time)
    }
    await context.close()
  })

  test('a recovery address is named, shown as it stands, and removed', async () => {
    const { user } = await makeUser()
    const mails = await startTestSite('webmail', database, { config: { noticesFrom: 'notices@service.test' } })
    const { page, context, complaints } = await open(mails.url, { viewport: PHONE })
    await keepInBrowser(context, mails, user.session)
    await page.goto('/account')
    const card = page.getByRole('region', { name: 'Recovery address' })
    await card.getByRole('button', { name: 'Add recovery address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Recovery address' })
    await dialog.getByLabel('E-mail').fill(user.login)
    await dialog.getByRole('button', { name: 'Mail the link' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'is what you sign in with' }).waitFor()
    await dialog.getByLabel('E-mail').fill('ada@example.net')
    await dialog.getByRole('button', { name: 'Mail the link' }).click()
    await card.getByText('Not confirmed').waitFor()
    assert.match(await card.innerText(), /ada@example\.net/)
    assert.deepEqual(await barriersIn(page), [])
    await card.getByRole('button', { name: 'Remove recovery address' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await card.getByRole('button', { name: 'Add recovery address' }).waitFor()
    // The browser says of the address that was refused.
    assert.deepEqual(
      complaints.filter((line) => !line.includes('status of 400')),
      [],
    )
    await context.close()
  })

  test('each folder is a link, says what lies there, and an empty one what will', async () => {
    const { tenant, user } = await makeUser()
    await send(tenant, 'Invoice 7')
    const { page, context } = await openAs(user, '/inbox')
    const folders = page.getByRole('navigation', { name: 'Webmail' })
    for (const name of FOLDERS) {
      await folders.getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await settled(page)
      if (name === 'Sent') await page.getByRole('link', { name: /To: ada@example.test Invoice 7/ }).waitFor()
      else await page.getByRole('heading', { name: `${name} is empty` }).waitFor()
    }
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Spam' }).waitFor()
    await context.close()
  })

  test('what is new shows without loading the page again, and what is unread is counted', async () => {
    const { tenant, user } = await makeUser()
    const { page, context, complaints } = await openAs(user, '/sent')
    await page.getByRole('heading', { name: 'Sent is empty' }).waitFor()
    const id = await send(tenant, 'Invoice 8')
    await page.getByRole('link', { name: /Invoice 8/ }).waitFor()
    await change(tenant, id, { folder: 'inbox', isRead: false })
    await page.getByRole('link', { name: 'Inbox 1' }).click()
    await page.locator('.unread').getByText('Invoice 8', { exact: true }).waitFor()
    assert.deepEqual(await barriersIn(page), [])
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('what strangers write is text, whatever it looks like', async () => {
    const { tenant, user } = await makeUser()
    await send(tenant, HOSTILE.trim())
    const { page, context, complaints } = await openAs(user, '/sent')
    page.on('dialog', () => complaints.push('a dialog'))
    await page.getByText('<script>alert(2)</script>').first().waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('a user of two mailboxes goes from one to the other, and does not see a third', async () => {
    const { tenant, user } = await makeUser()
    const actor = operatorOf(tenant.tenantId)
    const domain = tenant.address.split('@')[1]
    const [second] = [await createMailbox(database, actor, { address: `b@${domain}`, displayName: 'B' })]
    await createMailbox(database, actor, { address: `third@${domain}`, displayName: 'C' })
    await addMailboxUser(database, actor, { mailboxId: second.id, login: user.login, access: 'read' })
    await send(tenant, 'Of the first')
    const { page, context } = await openAs(user, '/sent')
    const mailbox = page.getByLabel('Mailbox')
    await mailbox.waitFor()
    assert.deepEqual(await mailbox.locator('option').allInnerTexts(), ['All mailboxes', `b@${domain}`, tenant.address])
    await page.getByRole('link', { name: /Of the first/ }).waitFor()
    await mailbox.selectOption({ label: `b@${domain}` })
    await page.getByRole('heading', { name: 'Sent is empty' }).waitFor()
    await mailbox.selectOption({ label: tenant.address })
    await page.getByRole('link', { name: /Of the first/ }).waitFor()
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.waitForURL(`${site.url}/trash?mailbox=${tenant.mailboxId}`)
    await context.close()
  })

  test('on a phone the folders are behind a button, and a choice closes them', async () => {
    const { user } = await makeUser()
    const { page, context } = await openAs(user, '/inbox', { viewport: PHONE })
    const spam = page.getByRole('link', { name: 'Spam' })
    assert.equal(await spam.isVisible(), false)
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    assert.deepEqual(await barriersIn(page), [])
    await spam.click()
    await page.getByRole('heading', { level: 1, name: 'Spam' }).waitFor()
    await spam.waitFor({ state: 'hidden' })
    await context.close()
  })
})
