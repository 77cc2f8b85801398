// How long the console takes at a tenant with a million messages, three million events and a million deliveries: each page's
// first data at the server, searches, and from a click to what it paints in a browser. The figures are medians in ms.
import { chromium, type Page } from 'playwright-core'
import { hasPackage, programOf } from '../scripts/install-test-packages.ts'
import { followLogs } from '../src/activity/follow-logs.ts'
import { type Database, openDatabase } from '../src/lib/sql.ts'
import { TEST_SECRET_KEYS_TEXT } from '../test/support/role-parts.ts'
import { type ConsoleRows, fillConsole, RECIPIENTS, WORDS } from './console-rows.ts'
import { startMdk } from './mdk-process.ts'
import type { Sizes } from './sizes.ts'
import { median } from './statistics.ts'

export type ConsoleFigures = Record<string, number>

const COOKIE = '__Host-mdk_console'

/** `messages` rows; each path is asked `times` times, and each link clicked `clicks` times. */
export async function benchConsole(url: string, sizes: Sizes['console']): Promise<ConsoleFigures> {
  const database = openDatabase({ url, connections: 2 })
  const { rows, followed_per_s } = await fillAndFollow(database, sizes.messages).finally(() => database.end())
  const env = { MDK_DATABASE_URL: url, MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT, MDK_RELAY_URL: 'smtp://127.0.0.1:1' }
  const service = await startMdk(env, 'console')
  try {
    const figures: ConsoleFigures = { followed_per_s }
    for (const [name, path] of Object.entries(pathsOf(rows))) {
      figures[`${name}_ms`] = await askedMs(service.consoleUrl, rows, path, sizes.times)
    }
    if (hasPackage('chromium-headless-shell'))
      Object.assign(figures, await clickedMs(service.consoleUrl, rows, sizes.clicks))
    else process.stderr.write('no browser: the package chromium-headless-shell is not installed\n')
    return figures
  } finally {
    await service.stop()
  }
}

/** Counts and words of all that there is, as the activity role has them. Gives how many events that takes in a second. */
async function fillAndFollow(
  database: Database,
  messages: number,
): Promise<{ rows: ConsoleRows; followed_per_s: number }> {
  const rows = await fillConsole(database, messages)
  const began = performance.now()
  const log = { tenantId: rows.tenantId, environmentId: rows.tenantId }
  while (await followLogs(database, [log]));
  const seconds = (performance.now() - began) / 1000
  await database.pool.query('vacuum analyze')
  const { rows: cursors } = await database.pool.query('select followed from activity_cursors')
  return { rows, followed_per_s: Math.round(cursors[0].followed / seconds) }
}

const any = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T
const number = (below: number) => Math.floor(Math.random() * below)

/** What each page asks first, and what is searched for. */
function pathsOf({ appId, endpointId, messageIds, deliveryIds }: ConsoleRows): Record<string, () => string> {
  const day = () => new Date(Date.now() - number(30) * 86_400_000).toISOString()
  return {
    overview_today: () => '/data/overview?days=1&timeZone=Europe/Berlin',
    overview_month: () => '/data/overview?days=30&timeZone=Europe/Berlin',
    messages: () => '/data/messages',
    messages_failed: () => '/data/messages?status=failed',
    messages_until: () => `/data/messages?until=${day()}`,
    message: () => `/data/messages/${any(messageIds)}`,
    events: () => '/data/events',
    events_of_type: () => '/data/events?type=message.bounced',
    events_between: () => `/data/events?type=message.sent&until=${day()}`,
    webhooks: () => '/data/webhooks',
    endpoint: () => `/data/webhooks/${endpointId}`,
    endpoint_figures: () => `/data/figures/${endpointId}?since=${new Date(Date.now() - 86_400_000).toISOString()}`,
    deliveries: () => `/data/deliveries?endpointId=${endpointId}`,
    deliveries_dead: () => `/data/deliveries?endpointId=${endpointId}&status=dead`,
    delivery: () => `/data/deliveries/${any(deliveryIds)}`,
    apps: () => '/data/apps',
    app: () => `/data/apps/${appId}`,
    bounces: () => '/data/bounces',
    bounces_until: () => `/data/bounces?until=${day()}`,
    domains: () => '/data/domains',
    mailboxes: () => '/data/mailboxes',
    requests: () => '/data/requests',
    requests_of_code: () => '/data/requests?code=idempotency_conflict',
    audit: () => '/data/audit',
    audit_until: () => `/data/audit?until=${day()}`,
    settings: () => '/data/settings',
    usage: () => '/data/usage?timeZone=Europe/Berlin',
    find_address: () => `/data/find?q=person${number(RECIPIENTS)}@example.test`,
    find_words: () => `/data/find?q=your+${any(WORDS)}`,
    find_letter: () => `/data/find?q=${any(WORDS).slice(0, 1)}`,
    find_id: () => `/data/find?q=${any(messageIds)}`,
    find_nothing: () => '/data/find?q=nowhere',
    search_recipient: () => `/data/messages?q=person${number(RECIPIENTS)}@example.test`,
    search_words: () => `/data/messages?q=your+${any(WORDS)}`,
    search_two_words: () => `/data/messages?q=${any(WORDS)}+${1 + number(1_000_000)}`,
    search_id: () => `/data/messages?q=${any(messageIds)}`,
    search_nothing: () => '/data/messages?q=nowhere',
  }
}

async function askedMs(url: string, rows: ConsoleRows, path: () => string, times: number): Promise<number> {
  const costs: number[] = []
  for (let i = 0; i < times; i++) {
    const asked = path()
    const began = performance.now()
    const answer = await ask(url, rows, asked)
    await answer.arrayBuffer()
    costs.push(performance.now() - began)
    if (answer.status !== 200) throw new Error(`${asked}: ${answer.status}`)
  }
  return tenths(median(costs))
}

function ask(url: string, { cookie }: ConsoleRows, path: string): Promise<Response> {
  return fetch(`${url}${path}`, { headers: { cookie: `${COOKIE}=${cookie}`, 'sec-fetch-site': 'same-origin' } })
}

/** Where a click leads, and what shows that it is painted. */
const CLICKS: readonly (readonly [name: string, link: string, shown: string])[] = [
  ['messages', 'Messages', 'main tbody tr'],
  ['events', 'Events', 'main .events li'],
  ['webhooks', 'Webhooks', 'main tbody tr'],
  ['apps', 'Applications', 'main tbody tr'],
  ['bounces', 'Bounces', 'main tbody tr'],
  ['requests', 'Requests', 'main tbody tr'],
  ['audit', 'Audit', 'main tbody tr'],
  ['settings', 'Settings', 'main .usage'],
  ['overview', 'Overview', 'main .figures'],
]

/** From a click in the navigation until what it leads to is painted. */
async function clickedMs(url: string, { cookie }: ConsoleRows, times: number): Promise<ConsoleFigures> {
  const browser = await chromium.launch({
    executablePath: programOf('chromium-headless-shell'),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
    const of = { url: url.replace('http:', 'https:'), secure: true, httpOnly: true, sameSite: 'Strict' as const }
    await context.addCookies([{ name: COOKIE, value: cookie, ...of }])
    const page = await context.newPage()
    await page.goto('/people')
    await page.getByRole('link', { name: 'Messages' }).waitFor()
    const costs = new Map<string, number[]>()
    for (let i = 0; i < times; i++) {
      for (const [name, link, shown] of CLICKS) {
        const of = costs.get(name) ?? []
        costs.set(name, of)
        of.push(await paintedAfter(page, link, shown))
      }
    }
    return Object.fromEntries([...costs].map(([name, of]) => [`click_${name}_ms`, tenths(median(of))]))
  } finally {
    await browser.close()
  }
}

/** Measured in the page, by its own clock. */
function paintedAfter(page: Page, link: string, shown: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const link = [...document.querySelectorAll('nav a')].find((a) => a.textContent.trim() === ${JSON.stringify(link)})
    const began = performance.now()
    link.click()
    const look = () => requestAnimationFrame(() => {
      if (performance.now() - began > 10_000) return reject(new Error(${JSON.stringify(`${link} shows nothing`)}))
      if (!document.querySelector(${JSON.stringify(shown)}) || document.querySelector('[aria-busy]')) return look()
      // The frame in which it was found is painted before the next task behind the next one.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
    })
    look()
  })`)
}

const tenths = (value: number) => Math.round(value * 10) / 10
