// The frame in which the console shows strangers' HTML, in a real browser: nothing is asked of anybody, and nothing runs.
// Strangers' names lead to this machine, where connections are counted, and all others nowhere.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { hostileDocuments, LARGE_DOCUMENTS, RAN } from '../corpus/hostile-html.ts'
import { DESK, keepInBrowser, type OpenPage, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestPerson } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'

const skip = skipWithout('chromium-headless-shell')
const AT_ONCE = 24
const TLS_HANDSHAKE = 22

/** Shows what it is given as it is, as if nothing had cleaned it. */
const NOT_CLEANED = `
  const page = parent
  addEventListener('message', ({ data }) => {
    document.open()
    document.write(data.html)
    document.close()
    page.postMessage({ type: 'shown', heldBack: 0, misleading: 0 }, '*')
  })
  page.postMessage({ type: 'ready' }, '*')
`

describe('the frame for strangers’ HTML', { skip }, async () => {
  const { database } = await createTestDatabase()
  const site = await startTestSite('console', database)
  const connections: string[] = []
  const stranger = createServer((socket) => {
    socket.once('data', (octets) => {
      connections.push(octets[0] === TLS_HANDSHAKE ? 'TLS' : (octets.toString('latin1').split('\r\n', 1)[0] as string))
      socket.destroy()
    })
    socket.on('error', () => {})
    connections.push('a connection')
  })
  await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening))
  after(() => stranger.close())
  const { port } = stranger.address() as { port: number }
  const open = useBrowser([
    `--host-resolver-rules=MAP *.stranger.test 127.0.0.1:${port}, MAP * ~NOTFOUND, EXCLUDE localhost`,
  ])
  const { tenantId } = await createTestTenant(database)
  const { session } = await createTestPerson(database, tenantId, 'owner')

  async function openConsole(): Promise<OpenPage> {
    const opened = await open(site.url, { viewport: DESK })
    await keepInBrowser(opened.context, site, session)
    return opened
  }

  test('its policy is this one, and its script is for it alone', async () => {
    const answer = await fetch(`${site.listensAt}/frame`)
    const html = await answer.text()
    const [, script = ''] = /<script src="([^"]+)" defer>/.exec(html) ?? []
    assert.match(script, new RegExp(`^${site.url}/assets/frame-[A-Z0-9]{8}\\.js$`))
    assert.equal(
      answer.headers.get('content-security-policy'),
      `sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none'; script-src ${script}; ` +
        `style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors ${site.url}`,
    )
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('x-dns-prefetch-control'), 'off')
    const fetched = await fetch(script.replace(site.url, site.listensAt))
    assert.equal(fetched.headers.get('cross-origin-resource-policy'), 'cross-origin')
    const page = await site.ask('GET', '/messages', { session })
    assert.match(page.headers.get('content-security-policy') ?? '', /; frame-src 'self'$/)
    const [, ours = ''] = /<script type="module" src="([^"]+)"/.exec(page.text) ?? []
    const { headers } = await site.ask('GET', ours)
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
  })

  for (const isCleaned of [true, false]) {
    const title = isCleaned ? 'hostile documents ask nobody and run nothing' : 'nor do they when nothing cleans them'
    test(title, async () => {
      const { page, context } = await openConsole()
      const [ran, asked, dialogs, errors]: string[][] = [[], [], [], []]
      page.on('console', (message) => {
        if (message.text().includes(RAN) && message.type() === 'log') ran?.push(message.text())
      })
      page.on('dialog', (dialog) => {
        dialogs?.push(dialog.message())
        void dialog.dismiss()
      })
      page.on('pageerror', (error) => errors?.push(error.message))
      page.on('popup', (popup) => asked?.push(popup.url()))
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (!isCleaned) {
        await context.route('**/assets/frame-*.js', (route) =>
          route.fulfill({
            body: NOT_CLEANED,
            headers: { 'cross-origin-resource-policy': 'cross-origin', 'content-type': 'text/javascript' },
          }),
        )
      }
      const here = page.url()
      // What the policy keeps from being sent is a request to the browser too, and is answered by nobody.
      context.on('response', (response) => {
        const { origin, pathname } = new URL(response.url())
        const isOurs = origin === site.url && (pathname === '/frame' || pathname.startsWith('/assets/frame-'))
        if (isCleaned && !isOurs && response.frame() !== page.mainFrame()) asked?.push(response.url())
      })
      // A browser may well give up a page that shows all of these as they are.
      const documents = [...hostileDocuments(), ...(isCleaned ? LARGE_DOCUMENTS : [])]
      assert(documents.length >= 300, `${documents.length} documents`)
      connections.length = 0
      for (let i = 0; i < documents.length; i += AT_ONCE) {
        const shown = documents.slice(i, i + AT_ONCE)
        await showAll(page, shown)
        const names = shown.map(({ name }) => name.slice(0, 100)).join('\n')
        assert.deepEqual({ ran, asked, dialogs, errors }, { ran: [], asked: [], dialogs: [], errors: [] }, names)
        // A browser that is to leave for another host may connect to it before it looks at the policy, and then sends nothing.
        assert.deepEqual(isCleaned ? connections : connections.filter(isRequest), [], names)
      }
      assert.equal(page.url(), here)
      await context.close()
    })
  }
})

const isRequest = (line: string): boolean => / HTTP\/1/.test(line)

/** Has each shown in a frame of its own, all at once, until nothing is left to be drawn. */
async function showAll(page: Page, documents: readonly { html: string }[]): Promise<void> {
  await page.evaluate(`(${SHOW_ALL})(${JSON.stringify(documents.map(({ html }) => html)).replaceAll('</', '<\\/')})`)
}

const SHOW_ALL = `async (documents) => {
  const frames = documents.map(() => document.createElement('iframe'))
  const shown = frames.map((frame, i) => new Promise((resolve) => {
    addEventListener('message', function hear({ source, origin, data }) {
      if (source !== frame.contentWindow || origin !== 'null') return
      if (data.type === 'ready') source.postMessage({ html: documents[i], images: {} }, '*')
      if (data.type !== 'shown') return
      removeEventListener('message', hear)
      resolve()
    })
  }))
  for (const frame of frames) {
    frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
    frame.src = '/frame'
    document.body.append(frame)
  }
  await Promise.all(shown)
  for (let i = 0; i < 4; i++) await new Promise((drawn) => requestAnimationFrame(drawn))
  await new Promise((idle) => requestIdleCallback(idle, { timeout: 1000 }))
  for (const frame of frames) frame.remove()
}`
