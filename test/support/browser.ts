// A real browser, what a page complains of in it, and what somebody who sees or moves badly would stumble over.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before } from 'node:test'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { programOf } from '../../scripts/install-test-packages.ts'
import type { NewSession } from '../../src/users/sessions.ts'
import { keepScreen } from './screens.ts'
import type { TestSite } from './site.ts'
import { LONG_MS } from './until.ts'

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
]
/** Documents of strangers nest deep, and without windows Chromium takes more of its stack for each level than with them. */
const STACK_BYTES = 64 * 1024 ** 2
export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 800 }

/** Each width and each scheme once: what is too wide is so in both schemes, and what is too pale at both widths. */
export const LOOKS = [
  { viewport: PHONE, colorScheme: 'dark' },
  { viewport: DESK, colorScheme: 'light' },
] as const
export type Look = (typeof LOOKS)[number]
export const nameOf = ({ viewport, colorScheme }: Look) => `${viewport.width} pixels wide, ${colorScheme}`

/** It asks each frame for what it finds there, and names this page's origin: a frame that has none does not hear it. */
const ASKED_BY_AXE =
  /^Failed to execute 'postMessage' on 'DOMWindow': The target origin provided .* origin \('null'\)\.$/

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
    // The browser has the limits of this process.
    execFileSync('prlimit', ['--pid', String(process.pid), `--stack=${STACK_BYTES}:`])
    browser = await chromium.launch({
      executablePath: programOf('chromium-headless-shell'),
      args: [...FLAGS, ...flags],
    })
  })
  after(() => browser.close())
  return async (baseURL, options = {}) => {
    const context = await browser.newContext({ baseURL, ...options })
    context.setDefaultTimeout(LONG_MS)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      const isComplaint = ['error', 'warning'].includes(message.type()) && !ASKED_BY_AXE.test(message.text())
      if (isComplaint) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText
      // What a page that is left was waiting for.
      if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${why}`)
    })
    context.on('request', (request) => {
      // The others are of what a page has already, and asks nobody for.
      const isOwn = [`${baseURL}/`, 'data:', 'blob:'].some((beginning) => request.url().startsWith(beginning))
      if (!isOwn) complaints.push(request.url())
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

/** What axe looks with, in the form that takes half as long to load. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs in the page, which axe is loaded into once. It would describe what is as it should be too, which takes half of its time. */
const LOOK_FOR_BARRIERS = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`

/** By the default rules of axe. */
export async function barriersIn(page: Page): Promise<string[]> {
  if (await page.evaluate('!window.axe')) await page.evaluate(AXE)
  return page.evaluate<string[]>(LOOK_FOR_BARRIERS)
}

/** Of the console or the webmail: each page fits, is as bright as was asked for, is in nobody's way, and complains of nothing. */
export async function assertPagesLookGood(
  { page, complaints }: OpenPage,
  look: Look,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    await page.goto(path)
    await settled(page)
    await assertLooksGood(page, path, look)
  }
  assert.deepEqual(complaints, [])
}

/** Waits until a page of the console or the webmail shows all that it fetches. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The first of whatever is left: none is.
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
}

/** What is shown fits into its width, is as bright or dark as was asked for, and is in nobody's way. Pictures of it are kept. */
export async function assertLooksGood(page: Page, what: string, look: Look): Promise<void> {
  await keepScreens(page, what, look)
  await assertFits(page, what, look)
  assert.deepEqual(await barriersIn(page), [], what)
}

/** At a desk in both schemes, which the looks have once only. */
async function keepScreens(page: Page, what: string, { viewport, colorScheme }: Look): Promise<void> {
  if (viewport === PHONE) return keepScreen(page, what, 'phone')
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await keepScreen(page, what, scheme)
  }
  await page.emulateMedia({ colorScheme })
}

export async function assertFits(page: Page, what: string, { viewport, colorScheme }: Look): Promise<void> {
  const measured = await page.evaluate<{ width: number; brightness: number }>(MEASURE)
  assert(measured.width <= viewport.width, `${what} is ${measured.width} pixels wide`)
  assert.equal(measured.brightness > 0.5, colorScheme === 'light', `${what}: brightness ${measured.brightness}`)
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
