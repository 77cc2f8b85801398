// A tab of the webmail that is used for long, in Chromium: what it holds after each thousand of messages that were opened in it,
// whether a list of 100,000 rows has gaps while it is scrolled through, and how soon a mail that was taken shows in each tab.
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { hasPackage, programOf } from '../scripts/install-test-packages.ts'
import { type Database, openDatabase } from '../src/lib/sql.ts'
import { startSession } from '../src/users/sessions.ts'
import { handIn } from '../test/support/inbound.ts'
import { createTestMailboxUser } from '../test/support/people.ts'
import { TEST_SECRET_KEYS_TEXT } from '../test/support/role-parts.ts'
import { createTestTenant } from '../test/support/tenant.ts'
import { type ConversationRows, fillConversations } from './conversation-rows.ts'
import { type MdkProcess, startMdk } from './mdk-process.ts'
import type { Sizes } from './sizes.ts'
import { median } from './statistics.ts'

export type TabFigures = Record<string, number>

const COOKIE = '__Host-mdk_webmail'
const TOLD_EACH = 10
/** Pixels of a frame: a wheel that is turned fast. */
const WHEEL_PX = 600
/** One session asks so much a minute, which nobody who reads comes near. */
const OF_A_SESSION = 200
const GIVEN_UP_MS = 20_000

/** `folder` is an empty one, for what comes in. */
export async function benchTab(url: string, folder: string, sizes: Sizes['tab']): Promise<TabFigures> {
  if (!hasPackage('chromium-headless-shell')) {
    process.stderr.write('no browser: the package chromium-headless-shell is not installed\n')
    return {}
  }
  const database = openDatabase({ url, connections: 2 })
  const scrolled = await fillConversations(database, sizes.rows, 1)
  const opened = await fillConversations(database, sizes.opened, 1)
  await database.pool.query(HALF_IN_HTML, [opened.tenantId])
  const env = { MDK_DATABASE_URL: url, MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT, MDK_DATA_DIR: folder }
  const service = await startMdk({ ...env, MDK_RELAY_URL: 'smtp://127.0.0.1:1' }, 'webmail,inbound')
  const browser = await chromium.launch({
    executablePath: programOf('chromium-headless-shell'),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    return {
      ...told(await arrivedMs(browser, service, database, sizes.arrivals)),
      ...told(await scrolledThrough(browser, service.webmailUrl, scrolled.cookie, sizes)),
      ...(await heldAfter(browser, service.webmailUrl, database, opened, sizes.opened)),
    }
  } finally {
    await browser.close()
    await service.stop()
    await database.end()
  }
}

/** While the rest still runs, which takes long. */
function told(figures: TabFigures): TabFigures {
  process.stderr.write(`${JSON.stringify(figures)}\n`)
  return figures
}

/** As mail is written: tables within tables, and words in each. */
const HALF_IN_HTML = `update messages
  set html = '<p>' || text || '</p>' || repeat('<table><tr><td>One</td><td>Two</td></tr></table>', 100)
  where tenant_id = $1 and seq % 2 = 0`

async function contextOf(browser: Browser, site: string, cookie: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: site, viewport: { width: 1280, height: 800 } })
  await keep(context, site, cookie)
  return context
}

function keep(context: BrowserContext, site: string, cookie: string): Promise<void> {
  const of = { url: site.replace('http:', 'https:'), secure: true, httpOnly: true, sameSite: 'Lax' as const }
  return context.addCookies([{ name: COOKIE, value: cookie, ...of }])
}

/** From the 250 of a mail until its row is painted: in two tabs of one browser, and in another user's. */
async function arrivedMs(
  browser: Browser,
  { webmailUrl, smtpPort }: MdkProcess,
  database: Database,
  arrivals: number,
): Promise<TabFigures> {
  const { tenantId, mailboxId, address } = await createTestTenant(database)
  const users = [
    await createTestMailboxUser(database, tenantId, mailboxId),
    await createTestMailboxUser(database, tenantId, mailboxId),
  ] as const
  const contexts = await Promise.all(users.map(({ session }) => contextOf(browser, webmailUrl, session.cookie)))
  const [own, others] = contexts as [BrowserContext, BrowserContext]
  const tabs = { first: await own.newPage(), second: await own.newPage(), other: await others.newPage() }
  for (const page of Object.values(tabs)) {
    await page.goto('/inbox')
    await page.getByRole('heading', { name: 'Inbox is empty' }).waitFor()
  }
  const waited: Record<string, number[]> = { first: [], second: [], other: [] }
  for (let n = 0; n < arrivals; n++) {
    const subject = `Arrival ${n}.`
    const painted = Object.entries(tabs).map(
      async ([name, page]) => [name, await page.evaluate<number>(`(${PAINTED})(${JSON.stringify(subject)})`)] as const,
    )
    const mail = `From: Ada <ada@shop.example>\r\nTo: ${address}\r\nSubject: ${subject}\r\n\r\nHello\r\n`
    const { last } = await handIn(smtpPort, 'ada@shop.example', [address], mail)
    const takenAt = performance.timeOrigin + performance.now()
    if (!last.startsWith('250')) throw new Error(last)
    for (const [name, at] of await Promise.all(painted)) waited[name]?.push(at - takenAt)
  }
  await Promise.all(contexts.map((context) => context.close()))
  return Object.fromEntries(
    Object.entries(waited).flatMap(([name, costs]) => [
      [`shows_in_${name}_tab_ms`, tenths(median(costs))],
      [`shows_in_${name}_tab_max_ms`, tenths(Math.max(...costs))],
    ]),
  )
}

/** When a row of that subject is painted, by the clock of all processes. */
const PAINTED = `(subject) => new Promise((resolve, reject) => {
  const began = performance.now()
  const look = () => requestAnimationFrame(() => {
    if (performance.now() - began > ${GIVEN_UP_MS}) return reject(new Error(subject + ' does not show'))
    const rows = document.querySelectorAll('main li .what')
    if (![...rows].some((row) => row.textContent.trim() === subject)) return look()
    requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())))
  })
  look()
})`

interface Scrolled {
  rows: number
  frames: number
  /** In which a row that is in view had not come yet. */
  blank: number
  /** In which there was nothing yet to scroll to. */
  held: number
  /** Between two frames, ms. */
  intervals: number[]
}

/** By the wheel from end to end, and then to places anywhere, as by the scrollbar. */
async function scrolledThrough(
  browser: Browser,
  site: string,
  cookie: string,
  { rows, jumps }: Sizes['tab'],
): Promise<TabFigures> {
  const context = await contextOf(browser, site, cookie)
  const page = await context.newPage()
  await page.goto('/inbox')
  await page.locator('main li a').first().waitFor()
  const wheel = await page.evaluate<Scrolled>(`(${WHEEL})(${WHEEL_PX})`)
  if (wheel.rows !== rows) throw new Error(`${wheel.rows} rows of ${rows} were scrolled through`)
  const waits = await page.evaluate<number[]>(`(${JUMPS})(${jumps})`)
  await context.close()
  const intervals = wheel.intervals.toSorted((one, other) => one - other)
  return {
    scroll_frames: wheel.frames,
    scroll_blank_frames: wheel.blank,
    scroll_held_frames: wheel.held,
    scroll_frame_ms: tenths(median(intervals)),
    scroll_frame_p95_ms: tenths(intervals[Math.floor(intervals.length * 0.95)] as number),
    jump_blank_ms: tenths(median(waits)),
    jump_blank_max_ms: tenths(Math.max(...waits)),
  }
}

/** Whether each row that is in view is there and has its words. */
const IS_WHOLE = `const isWhole = () => {
  const { top, bottom } = scroller.getBoundingClientRect()
  const end = Math.min(bottom, scroller.firstElementChild.getBoundingClientRect().bottom)
  let reached = top
  for (const row of scroller.querySelectorAll('li')) {
    const at = row.getBoundingClientRect()
    if (at.bottom <= top || at.top >= end) continue
    if (at.top > reached + 1 || row.querySelector('.what') === null) return false
    reached = at.bottom
  }
  return reached >= end - 1
}`

/** Runs in the page: a step each frame, until the list ends. What is in view is looked at as it is painted. */
const WHEEL = `async (step) => {
  const scroller = document.querySelector('main .scroller')
  ${IS_WHOLE}
  const found = { rows: 0, frames: 0, blank: 0, held: 0, intervals: [] }
  let before = await new Promise(requestAnimationFrame)
  for (let ended = 0; ended < 120; ) {
    scroller.scrollTop += step
    const isAtEnd = scroller.scrollTop >= scroller.scrollHeight - scroller.clientHeight - 1
    const goesOn = document.querySelector('main li[aria-setsize="-1"]') !== null
    const now = await new Promise(requestAnimationFrame)
    found.intervals.push(now - before)
    before = now
    found.frames += 1
    if (isAtEnd && goesOn) found.held += 1
    ended = isAtEnd && !goesOn ? ended + 1 : 0
    // The scroll has been told of in this frame; what it draws is there behind it.
    await new Promise((drawn) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = drawn; port2.postMessage(0) })
    if (!isWhole()) found.blank += 1
  }
  found.rows = Math.round(scroller.scrollHeight / document.querySelector('main li').getBoundingClientRect().height)
  return found
}`

const JUMPS = `async (jumps) => {
  const scroller = document.querySelector('main .scroller')
  ${IS_WHOLE}
  const waits = []
  for (let i = 0; i < jumps; i++) {
    scroller.scrollTop = Math.random() * (scroller.scrollHeight - scroller.clientHeight)
    const began = performance.now()
    // As it is painted after the jump.
    await new Promise(requestAnimationFrame)
    while (!isWhole()) {
      if (performance.now() - began > ${GIVEN_UP_MS}) throw new Error('rows stay blank at ' + scroller.scrollTop)
      await new Promise(requestAnimationFrame)
    }
    waits.push(performance.now() - began)
  }
  return waits
}`

/** The keyboard goes from message to message with the pane open. What is held is looked at ten times on the way. */
async function heldAfter(
  browser: Browser,
  site: string,
  database: Database,
  { tenantId, userId, cookie }: ConversationRows,
  opened: number,
): Promise<TabFigures> {
  const context = await contextOf(browser, site, cookie)
  const page = await context.newPage()
  await page.goto('/inbox')
  await page.locator('main li a').first().click()
  await page.locator('.message.open').waitFor()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const figures: TabFigures = {}
  let [before, inFrames] = ['', 0]
  for (let n = 2; n <= opened; n++) {
    if (n % OF_A_SESSION === 0) {
      const user = { kind: 'mailbox_user', tenantId, userId } as const
      const from = { clientAddress: '127.0.0.1', userAgent: null }
      const next = await database.transaction((tx) => startSession(tx, user, { whole: true }, from))
      await keep(context, site, next.cookie)
    }
    before = await openNext(page, before)
    inFrames += await page.locator('iframe').count()
    if (n % Math.floor(opened / TOLD_EACH) !== 0) continue
    const held = await heldBy(page, session)
    process.stderr.write(`${n} opened: ${JSON.stringify(held)}\n`)
    for (const [name, value] of Object.entries(held)) figures[`${name}_after_${n}`] = value
  }
  if (inFrames < opened / 3) throw new Error(`${inFrames} of ${opened} messages were shown as HTML`)
  await context.close()
  return figures
}

/** Gives the path of what is open. */
async function openNext(page: Page, before: string): Promise<string> {
  await page.keyboard.press('j')
  return page.evaluate<string>(`new Promise((resolve, reject) => {
    const began = performance.now()
    const look = () => requestAnimationFrame(() => {
      if (performance.now() - began > ${GIVEN_UP_MS}) return reject(new Error('nothing opens behind ' + location.pathname))
      const shown = document.querySelector('.message.open :is(iframe, .mail-text)')
      const isOther = location.pathname !== ${JSON.stringify(before)} && location.pathname.startsWith('/message/')
      if (!isOther || !shown || document.querySelector('.conversation [aria-busy]')) return look()
      resolve(location.pathname)
    })
    look()
  })`)
}

/** With nothing left that is to be thrown away. */
async function heldBy(page: Page, session: CDPSession): Promise<TabFigures> {
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  const shown = await page.evaluate<number>(`document.getElementsByTagName('*').length`)
  return {
    heap_mb: tenths(of('JSHeapUsedSize') / 1024 / 1024),
    nodes: of('Nodes'),
    elements: shown,
    documents: of('Documents'),
    listeners: of('JSEventListeners'),
  }
}

const tenths = (value: number) => Math.round(value * 10) / 10
