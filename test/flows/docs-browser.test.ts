// The reference and the guides as somebody sees them: a real browser, on a phone and at a desk, in light and dark.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { startTestApi } from '../support/api.ts'
import { assertLooksGood, DESK, LOOKS, nameOf, PHONE, tabTo, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const skip = skipWithout('chromium-headless-shell')
/** Of the longest body, the longest answer, and the longest list of parameters. */
const REFERENCE = ['/docs/reference/sendMessage', '/docs/reference/getMessage', '/docs/reference/listMessages']

describe('in a browser', { skip }, async () => {
  const { database } = await createTestDatabase()
  const { url } = await startTestApi(database)
  const tenant = await createTestTenant(database)
  const open = useBrowser()

  for (const look of LOOKS) {
    test(`${nameOf(look)}: pages fit, follow the scheme, are in nobody's way and complain of nothing`, async () => {
      const { page, complaints } = await open(url, look)
      await page.goto('/docs/guides/quick-start')
      const links = await page.getByRole('navigation').getByRole('link').all()
      const guides = await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''))
      assert(guides.length > 10)
      // What is too wide is so on a phone, and guides are alike in what the scheme changes.
      const shown = look.viewport === PHONE ? guides : guides.slice(0, 1)
      for (const path of [
        ...shown,
        '/docs/search?q=idempotency',
        '/docs',
        '/docs/errors/validation_error',
        ...REFERENCE,
      ]) {
        await page.goto(path)
        if (REFERENCE.includes(path)) await page.getByRole('button', { name: 'Send' }).waitFor()
        await assertLooksGood(page, path, look)
      }
      assert.deepEqual(complaints, [])
      await page.context().close()
    })
  }

  test('with the keyboard alone, a search leads to the passage', async () => {
    const { page, complaints } = await open(url, { viewport: DESK })
    await page.goto('/docs/guides/sending')
    await tabTo(page, 'Search guides and reference')
    await page.keyboard.type('look and replay')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/search?q=look+and+replay')
    const link = page.getByRole('main').getByRole('link', { name: 'Look and replay' }).first()
    assert.equal(await link.locator('mark').first().innerText(), 'Look')
    await tabTo(page, await link.innerText())
    await page.keyboard.press('Enter')
    await page.waitForURL(/#/)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('without scripts guides and reference are there, and a search finds operations too', async () => {
    const { page } = await open(url, { viewport: PHONE, javaScriptEnabled: false })
    await page.goto('/docs/guides')
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Quick start')
    await page.getByRole('searchbox').fill('getAttachmentDownloadUrl')
    await page.getByRole('searchbox').press('Enter')
    await page.getByRole('main').getByRole('link').first().click()
    await page.waitForURL('**/docs/reference/getAttachmentDownloadUrl')
    const content = page.getByRole('main')
    await content.getByText('GET /v1/attachments/{attachmentId}/download-url', { exact: true }).waitFor()
    await content.getByText('Until when the URL works.').waitFor()
    assert.equal(await content.getByRole('button', { name: 'Send' }).count(), 0)
    await page.context().close()
  })

  test('the words of the reference are there before its script has come', async () => {
    const { page } = await open(url, { viewport: DESK })
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/try-it.*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/docs/reference/sendMessage', { waitUntil: 'commit' })
    await page.getByText('The mailbox that sends it', { exact: false }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Send' }).count(), 0)
    letGo()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await page.context().close()
  })

  for (const viewport of [PHONE, DESK]) {
    test(`${viewport.width} pixels wide: the header stays, and hides nothing that a link leads to`, async () => {
      const { page } = await open(url, { viewport })
      await page.goto('/docs/guides/webhooks#rotate-the-secret')
      const [header, heading] = [page.locator('header'), page.getByRole('heading', { name: 'Rotate the secret' })]
      const [above, below] = [await header.boundingBox(), await heading.boundingBox()]
      assert(above && below)
      assert.equal(above.y, 0)
      assert((await page.evaluate<number>('scrollY')) > 100)
      assert(below.y >= above.height, `${below.y} is behind ${above.height}`)
      assert(await page.getByRole('searchbox').isVisible())
      await page.context().close()
    })
  }

  test('with the keyboard alone, a search leads to an operation, which is called with a typed key', async () => {
    const { page, complaints } = await open(url, { viewport: DESK })
    await page.goto('/docs/search?q=listMailboxes')
    await page.getByRole('main').getByRole('link', { name: 'List mailboxes' }).first().press('Enter')
    await page.getByLabel('API key').focus()
    await page.keyboard.type(tenant.key)
    const answer = page.waitForResponse(`${url}/v1/mailboxes`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal((await answer).status(), 200)
    await page.getByRole('status').getByText(tenant.mailboxId).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a typed key brings its mailbox, stays for the next page, and each send is another message', async () => {
    const { page, complaints } = await open(url, { viewport: PHONE })
    await page.goto('/docs/reference/listDomains')
    await page.getByLabel('API key').fill(tenant.key)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').getByText('200 OK').waitFor()
    await page.goto('/docs/reference/sendMessage')
    await mailboxIn(page)
    const ids = new Set<string>()
    for (let i = 0; i < 2; i++) {
      const answer = page.waitForResponse(`${url}/v1/messages`)
      await page.getByRole('button', { name: 'Send' }).click()
      assert.equal((await answer).status(), 202)
      ids.add((await (await answer).json()).id)
      await page
        .getByRole('status')
        .getByText([...ids][i] as string)
        .waitFor()
    }
    assert.equal(ids.size, 2)
    assert.deepEqual(complaints, [])
    await page.goto('/docs/reference/getMessage')
    await page.getByLabel('messageId').fill([...ids][0] as string)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').getByText('"textTruncated": false').waitFor()
    await page.context().close()
  })

  /** Waits until the body names the mailbox of whoever has the key. */
  async function mailboxIn(page: Page): Promise<void> {
    const body = page.getByLabel('Body')
    await until('the mailbox is in the body', async () => (await body.inputValue()).includes(tenant.mailboxId))
  }

  test('a refusal is shown, and a key that is no good is not kept', async () => {
    const { page } = await open(url, { viewport: DESK })
    await page.goto('/docs/reference/listMailboxes')
    await page.getByLabel('API key').fill('mdk_test_wrong')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').getByText('"invalid_api_key"').first().waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    assert.equal(await page.getByLabel('API key').inputValue(), '')
    await page.context().close()
  })

  test('a key that may send and not list mailboxes is not refused before anything is sent', async () => {
    const { page } = await open(url, { viewport: DESK })
    const { key, mailboxId } = await createTestTenant(database, { scopes: ['messages:send'] })
    await page.goto('/docs/reference/sendMessage')
    await page.getByLabel('API key').fill(key)
    await page.getByLabel('Body').fill(JSON.stringify({ fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' }))
    await page.getByRole('status').getByText('may not list mailboxes').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').getByText('202').waitFor()
    await page.context().close()
  })

  test('where the service gives a key, the form has it and its mailbox from the start', async () => {
    const { url: giving } = await startTestApi(database, { keyFor: () => tenant.key })
    const { page } = await open(giving, { viewport: DESK })
    await page.goto('/docs/reference/uploadAttachment')
    await mailboxIn(page)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').getByText('"note.txt"').waitFor()
    await page.context().close()
  })
})
