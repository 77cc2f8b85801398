// A tab of the webmail that is open for long: however many messages were opened in it, it holds no more than before.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CDPSession } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { openTestStore } from '../support/api.ts'
import { DESK, keepInBrowser, settled, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestInbound } from '../support/inbound.ts'
import { startTestSite } from '../support/site.ts'
import { HEAD, makePlace, receive, withFiles } from '../support/webmail-mail.ts'

/** More than the page keeps of what it shows no more. */
const MESSAGES = 40
const ROUNDS = 3
/** Until then what is kept of what was shown fills up, and the code that shows it is made fast. */
const ROUNDS_BEFORE = 3
const HTML = `<p>Words of a message</p>${'<table><tr><td>One</td><td>Two</td></tr></table>'.repeat(400)}`

interface Held {
  heapBytes: number
  nodes: number
  documents: number
  listeners: number
}

describe('a tab that is open for long', { skip: skipWithout('chromium-headless-shell') }, async () => {
  const { database } = await createTestDatabase()
  const store = await openTestStore()
  const inbound = await startTestInbound(database, { store })
  const site = await startTestSite('webmail', database, { store })
  const open = useBrowser()

  test('holds no more for every message that was opened in it', async () => {
    const place = await makePlace(database)
    const ids: string[] = []
    for (let i = 0; i < MESSAGES; i++) {
      const raw = i % 2 === 0 ? withFiles(HTML) : `${HEAD}\r\n${'Words of a message\r\n'.repeat(400)}`
      ids.push(await receive(database, inbound.port, place, raw))
    }
    const { page, context, complaints } = await open(site.url, { viewport: DESK })
    await keepInBrowser(context, site, place.user.session)
    await page.goto(`/message/${ids[0]}?in=inbox`)
    await settled(page)
    const browser = await context.newCDPSession(page)
    const openAll = () => page.evaluate(`(${OPEN_ALL})(${JSON.stringify(ids)})`)
    for (let i = 0; i < ROUNDS_BEFORE; i++) await openAll()
    const before = await heldBy(browser)
    for (let i = 0; i < ROUNDS; i++) await openAll()
    const after = await heldBy(browser)
    // 120 messages of some 20 kB, and 60 frames with 1,200 elements each.
    const grown = JSON.stringify({ before, after })
    assert(after.heapBytes < before.heapBytes * 1.15, grown)
    assert(after.nodes < before.nodes * 1.1, grown)
    assert(after.documents <= before.documents + 2, grown)
    assert(after.listeners < before.listeners * 1.1, grown)
    assert.equal((await page.locator('iframe').count()) <= 1, true)
    assert.deepEqual(complaints, [])
    await context.close()
  })
})

/** Runs in the page: opens one after the other, as a click on its row does, each once the one before it shows. */
const OPEN_ALL = `async (ids) => {
  for (const id of ids) {
    history.pushState(null, '', '/message/' + id + '?in=inbox')
    dispatchEvent(new PopStateEvent('popstate'))
    for (;;) {
      await new Promise((drawn) => requestAnimationFrame(drawn))
      const body = document.querySelector('.conversation iframe, .conversation .mail-text')
      const shown = document.querySelector('.conversation section[aria-labelledby="of-' + id + '"]')
      if (shown && body && !document.querySelector('.conversation [aria-busy]')) break
    }
  }
}`

/** With nothing left that is to be thrown away. */
async function heldBy(browser: CDPSession): Promise<Held> {
  await browser.send('Performance.enable')
  for (let i = 0; i < 3; i++) await browser.send('HeapProfiler.collectGarbage')
  const { metrics } = await browser.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    ...{ heapBytes: of('JSHeapUsedSize'), nodes: of('Nodes') },
    ...{ documents: of('Documents'), listeners: of('JSEventListeners') },
  }
}
