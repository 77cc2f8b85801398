// The reference and the guides as somebody sees them: a real browser, on a phone and at a desk, in light and dark.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestTenant } from '../support/tenant.ts'

const skip = skipWithout('chromium')
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 800 }

describe('in a browser', { skip }, async () => {
  const { database } = await createTestDatabase()
  const { url } = await startTestApi(database)
  const tenant = await createTestTenant(database)
  let browser: Browser
  before(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
  })
  after(() => browser.close())

  /** A page, and what it complained of: errors, broken policy, requests to anybody else. */
  async function open(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({ baseURL: url, ...options })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`))
    context.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) complaints.push(request.url())
    })
    return { page, complaints }
  }

  for (const viewport of [PHONE, DESK]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${viewport.width} pixels wide, ${colorScheme}: pages fit, follow the scheme and complain of nothing`, async () => {
        const { page, complaints } = await open({ viewport, colorScheme })
        await page.goto('/docs/guides/quick-start')
        const links = await page.getByRole('navigation').getByRole('link').all()
        const guides = await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''))
        assert(guides.length > 10)
        // What is too wide is so on a phone.
        const shown = viewport === PHONE ? guides : guides.slice(0, 1)
        for (const path of [...shown, '/docs/search?q=idempotency', '/docs']) {
          await page.goto(path)
          if (path === '/docs') await page.getByRole('heading', { name: 'List mailboxes' }).waitFor()
          const { width, brightness } = await page.evaluate<{ width: number; brightness: number }>(MEASURE)
          assert(width <= viewport.width, `${path} is ${width} pixels wide`)
          assert.equal(brightness > 0.5, colorScheme === 'light', `${path}: brightness ${brightness}`)
        }
        assert.deepEqual(complaints, [])
        await page.context().close()
      })
    }
  }

  test('with the keyboard alone, a search leads to the passage', async () => {
    const { page, complaints } = await open({ viewport: DESK })
    await page.goto('/docs/guides/sending')
    await tabTo(page, 'Search guides and operations')
    await page.keyboard.type('rotate the secret')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/search?q=rotate+the+secret')
    const link = page.getByRole('main').getByRole('link', { name: 'Rotate the secret' }).first()
    assert.equal(await link.locator('mark').first().innerText(), 'Rotate')
    await tabTo(page, await link.innerText())
    await page.keyboard.press('Enter')
    await page.waitForURL(/#/)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('without scripts the guides are there, and a search finds operations too', async () => {
    const { page } = await open({ viewport: PHONE, javaScriptEnabled: false })
    await page.goto('/docs/guides')
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Quick start')
    await page.getByRole('searchbox').fill('getAttachmentDownloadUrl')
    await page.getByRole('searchbox').press('Enter')
    const target = page.getByRole('main').getByRole('link').first()
    assert.equal(
      await target.getAttribute('href'),
      '/docs#tag/attachments/GET/v1/attachments/{attachmentId}/download-url',
    )
    await page.context().close()
  })

  test('a search leads to an operation, which the reference calls with a pasted key', async () => {
    const { page, complaints } = await open({ viewport: DESK })
    await page.goto('/docs/search?q=listMailboxes')
    await page.getByRole('main').getByRole('link', { name: 'List mailboxes' }).first().click()
    await page.getByRole('heading', { name: 'List mailboxes' }).waitFor()
    await page.getByLabel('Bearer Token').first().fill(tenant.key)
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click()
    const answer = page.waitForResponse((response) => response.url() === `${url}/v1/mailboxes`)
    await page.getByRole('button', { name: /^Send/ }).first().click()
    assert.equal((await answer).status(), 200)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})

/** Runs in the page: how wide it came out, and how bright what lies behind the text is, from 0 to 1. */
const MEASURE = `(() => {
  const colours = [document.body, document.documentElement].map((element) => getComputedStyle(element).backgroundColor)
  const [red, green, blue] = colours.find((colour) => colour !== 'rgba(0, 0, 0, 0)').match(/[0-9.]+/g).map(Number)
  return { width: document.documentElement.scrollWidth, brightness: (red + green + blue) / 3 / 255 }
})()`

const MOST_TABS = 40

/** What has the focus is called, in the page. */
const FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let i = 0; i < MOST_TABS; i++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<string>(FOCUSED)) === wanted) return
  }
  assert.fail(`Tab does not lead to ${wanted}`)
}
