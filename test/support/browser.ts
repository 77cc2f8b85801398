// A real browser, what a page complains of in it, and what somebody who sees or moves badly would stumble over.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import axe from 'axe-core'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { NewSession } from '../../src/users/sessions.ts'
import type { TestSite } from './site.ts'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 800 }

export interface OpenPage {
  page: Page
  context: BrowserContext
  /** Errors, broken policy, requests that failed, and requests to anybody else. */
  complaints: string[]
}

/** One browser for the tests of a file, or of a suite; gives what opens a page in a profile of its own. */
export function useBrowser(
  flags: readonly string[] = [],
): (baseURL: string, options?: BrowserContextOptions) => Promise<OpenPage> {
  let browser: Browser
  before(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: [...FLAGS, ...flags] })
  })
  after(() => browser.close())
  return async (baseURL, options = {}) => {
    const context = await browser.newContext({ baseURL, ...options })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText
      // What a page that is left was waiting for.
      if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${why}`)
    })
    context.on('request', (request) => {
      if (!request.url().startsWith(`${baseURL}/`) && !request.url().startsWith('data:')) complaints.push(request.url())
    })
    return { page, context, complaints }
  }
}

/** Has a profile hold a session, as a site's answer would. Cookies know no ports, and this one goes where the site is. */
export async function keepInBrowser(context: BrowserContext, site: TestSite, session: NewSession): Promise<void> {
  const name = `__Host-mdk_${site.name}`
  const url = site.url.replace('http:', 'https:')
  await context.addCookies([{ name, value: session.cookie, url, secure: true, httpOnly: true, sameSite: 'Strict' }])
}

/** By the default rules of axe. */
export async function barriersIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Whether it fits into its width, and is bright or dark as was asked for. */
export async function assertFits(page: Page, path: string, width: number, scheme: 'light' | 'dark'): Promise<void> {
  const measured = await page.evaluate<{ width: number; brightness: number }>(MEASURE)
  assert(measured.width <= width, `${path} is ${measured.width} pixels wide`)
  assert.equal(measured.brightness > 0.5, scheme === 'light', `${path}: brightness ${measured.brightness}`)
}

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
export async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let i = 0; i < MOST_TABS; i++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<string>(FOCUSED)) === wanted) return
  }
  assert.fail(`Tab does not lead to ${wanted}`)
}
