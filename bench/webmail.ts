// How long the webmail takes with 100,000 messages in a folder, and to search among a million: lists, conversations and searches
// at the server, and in a browser from opening until it is painted. The figures are medians in ms.
import { chromium, type Page } from 'playwright-core'
import { hasPackage, programOf } from '../scripts/install-test-packages.ts'
import { openDatabase } from '../src/lib/sql.ts'
import { TEST_SECRET_KEYS_TEXT } from '../test/support/role-parts.ts'
import { fillConversations } from './conversation-rows.ts'
import { startMdk } from './mdk-process.ts'
import type { Sizes } from './sizes.ts'
import { median } from './statistics.ts'
import { benchWord, fillWebmail } from './webmail-rows.ts'

export type WebmailFigures = Record<string, number>

const COOKIE = '__Host-mdk_webmail'
/** As many as a conversation may have. */
const LONG = 500
/** Of a key that is held down. */
const KEY_REPEAT_MS = 33
const GIVEN_UP_MS = 10_000
const KEYS_LOST_AFTER_MS = 2_000

/** `folder` messages in a folder, `messages` that are searched; each path is asked `times` times, and each thing done `acts` times. */
export async function benchWebmail(url: string, sizes: Sizes['webmail']): Promise<WebmailFigures> {
  const database = openDatabase({ url, connections: 2 })
  const short = await fillConversations(database, sizes.folder, 2)
  const long = await fillConversations(database, sizes.folder, LONG)
  const searched = await fillWebmail(database, sizes.messages)
  await database.end()
  const env = { MDK_DATABASE_URL: url, MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT, MDK_RELAY_URL: 'smtp://127.0.0.1:1' }
  const service = await startMdk(env, 'webmail')
  try {
    const site = service.webmailUrl
    const figures: WebmailFigures = {}
    for (const [name, { cookie }] of Object.entries({ list: short, list_long: long })) {
      Object.assign(figures, await listedMs(site, cookie, name, sizes.times))
    }
    for (const [name, q] of Object.entries(SEARCHES)) {
      figures[`search_${name}_ms`] = await medianMs(sizes.times, () =>
        ask(site, searched.cookie, `/data/search?q=${encodeURIComponent(q())}`),
      )
    }
    if (hasPackage('chromium-headless-shell')) {
      Object.assign(figures, await seenMs(site, short.cookie, sizes.acts))
    } else process.stderr.write('no browser: the package chromium-headless-shell is not installed\n')
    return figures
  } finally {
    await service.stop()
  }
}

const number = (below: number) => Math.floor(Math.random() * below)

/** What is searched for: words that many messages have, few, one and none, and what needs no words. */
const SEARCHES: Record<string, () => string> = {
  common_word: () => benchWord(1 + number(10)),
  rare_word: () => benchWord(20_000 + number(10_000)),
  two_words: () => `${benchWord(1 + number(10))} ${benchWord(1_000 + number(1_000))}`,
  beginning: () => `${benchWord(1_000 + number(1_000)).slice(0, -1)}`,
  sender: () => `from:person${number(20_000)}@example.test`,
  unread: () => 'is:unread',
  nothing: () => 'nowhereatall',
}

/** The first page, the pages behind it, and the conversation of a row. */
async function listedMs(site: string, cookie: string, name: string, times: number): Promise<WebmailFigures> {
  const list = '/data/messages?folder=inbox'
  const first = await medianMs(times, () => ask(site, cookie, list))
  const ids: string[] = []
  let cursor = ''
  const next = await medianMs(times, async () => {
    const page = (await ask(site, cookie, `${list}${cursor}`)) as { items: { id: string }[]; nextCursor: string | null }
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor === null ? '' : `&cursor=${encodeURIComponent(page.nextCursor)}`
  })
  const conversation = await medianMs(times, () => ask(site, cookie, `/data/conversations/${ids[number(ids.length)]}`))
  return { [`${name}_first_ms`]: first, [`${name}_next_ms`]: next, [`${name}_conversation_ms`]: conversation }
}

async function medianMs(times: number, work: () => Promise<unknown>): Promise<number> {
  const costs: number[] = []
  for (let i = 0; i < times; i++) {
    const began = performance.now()
    await work()
    costs.push(performance.now() - began)
  }
  return tenths(median(costs))
}

async function ask(site: string, cookie: string, path: string): Promise<unknown> {
  const headers = { cookie: `${COOKIE}=${cookie}`, 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(`${site}${path}`, { headers })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** From a click on a folder, and on a row, until what it leads to is painted; and how far behind a held key the list is. */
async function seenMs(site: string, cookie: string, acts: number): Promise<WebmailFigures> {
  const browser = await chromium.launch({
    executablePath: programOf('chromium-headless-shell'),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const context = await browser.newContext({ baseURL: site, viewport: { width: 1280, height: 800 } })
    const of = { url: site.replace('http:', 'https:'), secure: true, httpOnly: true, sameSite: 'Lax' as const }
    await context.addCookies([{ name: COOKIE, value: cookie, ...of }])
    const page = await context.newPage()
    const lists: number[] = []
    for (let i = 0; i < acts; i++) {
      await page.goto('/archive')
      await page.getByRole('heading', { name: 'Archive is empty' }).waitFor()
      lists.push(await paintedAfter(page, `document.querySelector('nav a[href^="/inbox"]').click()`, ROW))
    }
    const held = await heldMs(page, acts * 6)
    const opened: number[] = []
    for (let i = 0; i < acts; i++) {
      const row = `document.querySelectorAll('main li a[href^="/message/"]')[${i % 6}]`
      const subject = await page.evaluate<string>(`${row}.querySelector('.what').textContent`)
      const shown = `[...document.querySelectorAll('.message.open .mail-text')].some((text) =>
        text.textContent.includes(${JSON.stringify(`This is ${subject.trim().toLowerCase()}.`)}))`
      opened.push(await paintedAfter(page, `${row}.click()`, shown))
    }
    return { click_list_ms: tenths(median(lists)), click_message_ms: tenths(median(opened)), ...held }
  } finally {
    await browser.close()
  }
}

const ROW = `document.querySelector('main li a[href^="/message/"]')`

/** Measured in the page, by its own clock. */
function paintedAfter(page: Page, act: string, shown: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const began = performance.now()
    ${act}
    const look = () => requestAnimationFrame(() => {
      if (performance.now() - began > ${GIVEN_UP_MS}) return reject(new Error(${JSON.stringify(`${act}: nothing shows`)}))
      if (!(${shown})) return look()
      // The frame in which it was found is painted before the next task behind the next one.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
    })
    look()
  })`)
}

/** `j` as it repeats while it is held: from each until its row is the one that keys act on, and how many never came to that. */
async function heldMs(page: Page, keys: number): Promise<WebmailFigures> {
  // The first leads into the list.
  await page.keyboard.press('j')
  await page.locator('li.here :focus').waitFor()
  await page.evaluate(`{
    const place = () => Number(document.querySelector('li.here')?.getAttribute('aria-posinset') ?? 0)
    const begins = place()
    const due = []
    window.held = []
    addEventListener('keydown', () => due.push(performance.now()), { capture: true })
    const look = () => {
      while (window.held.length < place() - begins) window.held.push(performance.now() - due[window.held.length])
      requestAnimationFrame(look)
    }
    look()
  }`)
  for (let i = 0; i < keys; i++) {
    const next = new Promise((resolve) => setTimeout(resolve, KEY_REPEAT_MS))
    await page.keyboard.down('j')
    await next
  }
  await page.keyboard.up('j')
  const held = await page.evaluate<number[]>(`new Promise((resolve) => {
    const began = performance.now()
    const look = () => {
      const isOver = window.held.length >= ${keys} || performance.now() - began > ${KEYS_LOST_AFTER_MS}
      if (isOver) resolve(window.held)
      else requestAnimationFrame(look)
    }
    look()
  })`)
  return { j_held_ms: tenths(median(held)), j_lost: keys - held.length }
}

const tenths = (value: number) => Math.round(value * 10) / 10
