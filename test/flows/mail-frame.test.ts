// The frame in which strangers' HTML is shown, in a real browser: nothing is asked of anybody, and nothing runs.
// Strangers' names lead to this machine, where connections are counted, and all others nowhere.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import type { FrameLocator, Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { hostileForms } from '../corpus/hostile-forms.ts'
import { type HostileDocument, hostileDocuments, LARGE_DOCUMENTS, RAN } from '../corpus/hostile-html.ts'
import { openTestStore } from '../support/api.ts'
import { barriersIn, DESK, keepInBrowser, type OpenPage, settled, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestInbound } from '../support/inbound.ts'
import { createTestMailboxUser, createTestPerson } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { PNG, part, receive, withFiles } from '../support/webmail-mail.ts'

const skip = skipWithout('chromium-headless-shell')
/** Frames, and documents that one shows after the other. */
const AT_ONCE = 24
const EACH = 10
/** Of the many forms of what is hostile, each of so many is shown as it is too. */
const FORMS_NOT_CLEANED = 16
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
  const store = await openTestStore()
  const webmail = await startTestSite('webmail', database, { store })
  const inbound = await startTestInbound(database, { store })
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
  const tenant = await createTestTenant(database)
  const { tenantId, mailboxId } = tenant
  const { session } = await createTestPerson(database, tenantId, 'owner')
  const user = await createTestMailboxUser(database, tenantId, mailboxId)

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

  test('that of the webmail shows images that the webmail itself has, and is otherwise the same', async () => {
    const [own, consoles] = await Promise.all([webmail, site].map((each) => fetch(`${each.listensAt}/frame`)))
    const ofConsole = consoles?.headers.get('content-security-policy') ?? ''
    const at = webmail.url
    assert.equal(
      own?.headers.get('content-security-policy'),
      ofConsole.replaceAll(site.url, at).replace('img-src data:', `img-src data: ${at}/inline/ ${at}/image/`),
    )
    const page = await webmail.ask('GET', '/inbox', user)
    assert.match(page.headers.get('content-security-policy') ?? '', /; frame-src 'self'$/)
  })

  /** Opens a message of the user's with this HTML, until the frame shows it. */
  async function openMail(html: string, ...files: string[]): Promise<OpenPage & { shown: FrameLocator }> {
    const place = { tenant, user }
    const id = await receive(database, inbound.port, place, withFiles(html, ...files))
    const opened = await open(webmail.url, { viewport: DESK })
    await keepInBrowser(opened.context, webmail, user.session)
    await opened.page.goto(`/message/${id}`)
    const shown = opened.page.frameLocator('iframe')
    await shown.getByText('Words in HTML').waitFor()
    return { ...opened, shown }
  }

  test('whatever else is said to frames leaves the message as it is, and tools that look at pages find nothing', async () => {
    const { page, context, shown } = await openMail('<p>Words in HTML</p>')
    const others = `[null, 1, 'x', '{}', [], {}, {html: 1}, {html: ''}, {images: {}}, {html: '', images: null}]`
    await page.evaluate(`for (const other of ${others}) frames[0].postMessage(other, '*')`)
    assert.deepEqual(await barriersIn(page), [])
    await shown.getByText('Words in HTML').waitFor()
    await context.close()
  })

  test('images within the message show, keys pressed in it reach the page, and its links open beside it', async () => {
    const image = part('Content-Type: image/png\r\nContent-ID: <dot@shop>\r\nContent-Disposition: inline', PNG)
    const link = '<a href="https://shop.stranger.test/a">Words in HTML</a>'
    const { page, context, shown } = await openMail(`${link}<img src="cid:dot@shop" alt="A dot">`, image)
    const dot = shown.getByAltText('A dot')
    const widthOf = (image: unknown) => (image as { naturalWidth: number }).naturalWidth
    await until('the image is there', async () => (await dot.evaluate(widthOf)) === 1)
    const pressed = `window.pressed = []; addEventListener('keydown', ({ key, shiftKey, target }) =>
      window.pressed.push([key, shiftKey, target.localName].join(' ')))`
    await page.evaluate(pressed)
    // Where it is not, nothing is heard of it.
    await page.evaluate(`frames[0].focus()`)
    for (const keys of ['j', 'Shift+U', 'Enter', 'Control+k', 'z', 'Escape']) await page.keyboard.press(keys)
    await until('all are heard', async () => (await page.evaluate<string[]>('window.pressed')).length >= 4)
    assert.deepEqual(await page.evaluate('window.pressed'), [
      ...['j false iframe', 'U true iframe', 'z false iframe', 'Escape false iframe'],
    ])
    const opening = page.waitForEvent('popup')
    await shown.getByText('Words in HTML').click()
    const popup = await opening
    assert.equal(await popup.evaluate('opener'), null)
    assert.equal(new URL(page.url()).origin, webmail.url)
    await context.close()
  })

  interface Watched extends OpenPage {
    /** Fails when anything has been asked for, has run, or has been said that is not of our form. */
    assertQuiet(what: string): Promise<void>
  }

  /** The webmail, with its own frame, and all that a document could bring about in it. */
  async function openWebmail(isCleaned: boolean): Promise<Watched> {
    const opened = await open(webmail.url, { viewport: DESK })
    const { page, context } = opened
    await keepInBrowser(context, webmail, user.session)
    const [ran, asked, dialogs, errors]: [string[], string[], string[], string[]] = [[], [], [], []]
    page.on('console', (message) => {
      if (message.text().includes(RAN) && message.type() === 'log') ran.push(message.text())
    })
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('popup', (popup) => asked.push(popup.url()))
    await page.goto('/inbox')
    await settled(page)
    if (!isCleaned) {
      await context.route('**/assets/frame-*.js', (route) =>
        route.fulfill({
          body: NOT_CLEANED,
          headers: { 'cross-origin-resource-policy': 'cross-origin', 'content-type': 'text/javascript' },
        }),
      )
    }
    // What the policy keeps from being sent is a request to the browser too, and is answered by nobody.
    context.on('response', (response) => {
      const { origin, pathname } = new URL(response.url())
      const isOurs = origin === webmail.url && (pathname === '/frame' || pathname.startsWith('/assets/frame-'))
      if (isCleaned && !isOurs && response.frame() !== page.mainFrame()) asked.push(response.url())
    })
    await page.evaluate(LISTEN)
    const here = page.url()
    const before = await page.content()
    connections.length = 0
    return {
      ...opened,
      async assertQuiet(what) {
        const strange = await page.evaluate<string[]>('window.strange')
        const found = { ran, asked, dialogs, errors, strange }
        assert.deepEqual(found, { ran: [], asked: [], dialogs: [], errors: [], strange: [] }, what)
        // A browser that is to leave for another host may connect to it before it looks at the policy, and then sends nothing.
        assert.deepEqual(isCleaned ? connections : connections.filter(isRequest), [], what)
        assert.equal(page.url(), here, what)
        assert.equal(await page.content(), before, what)
      },
    }
  }

  async function assertAllQuiet(isCleaned: boolean, documents: readonly HostileDocument[], together: number) {
    const { page, context, assertQuiet } = await openWebmail(isCleaned)
    for (let i = 0; i < documents.length; i += together) {
      const shown = documents.slice(i, i + together)
      await showAll(page, shown)
      await assertQuiet(shown.map(({ name }) => name.slice(0, 100)).join('\n'))
    }
    await context.close()
  }

  test('hostile documents ask nobody, run nothing, say nothing and leave the page as it is', async () => {
    const documents = [...hostileDocuments(), ...hostileForms()]
    assert(documents.length >= 2_000, `${documents.length} documents`)
    await assertAllQuiet(true, documents, AT_ONCE * EACH)
  })

  test('nor do those that are large', () => assertAllQuiet(true, LARGE_DOCUMENTS, AT_ONCE))

  test('nor do they when nothing cleans them', async () => {
    // A frame of its own for each, as one that was written over cannot be told to show another; large ones may end the browser.
    const forms = [...hostileForms()].filter((_, i) => i % FORMS_NOT_CLEANED === 0)
    await assertAllQuiet(false, [...hostileDocuments(), ...forms], AT_ONCE)
  })
})

const isRequest = (line: string): boolean => / HTTP\/1/.test(line)

/** Has all shown, in so many frames at once and one after the other in each, until nothing is left to be drawn. */
async function showAll(page: Page, documents: readonly { html: string }[]): Promise<void> {
  const shares = Array.from({ length: AT_ONCE }, (_, i) => documents.filter((_, at) => at % AT_ONCE === i))
  const html = shares.filter(({ length }) => length > 0).map((share) => share.map(({ html }) => html))
  await page.evaluate(`(${SHOW_ALL})(${JSON.stringify(html).replaceAll('</', '<\\/')})`)
}

/** Notes what frames say that they would not. */
const LISTEN = `{
  window.strange = []
  const forms = { ready: 'type', shown: 'heldBack misleading turn type urls', height: 'height turn type' }
  addEventListener('message', ({ origin, data }) => {
    const form = data && forms[data.type]
    const isOurs = origin === 'null' && form && Object.keys(data).every((name) => form.split(' ').includes(name))
    if (!isOurs) window.strange.push(origin + ' ' + JSON.stringify(data))
  })
}`

const SHOW_ALL = `async (shares) => {
  const drawn = async (times) => {
    for (let i = 0; i < times; i++) await new Promise((drawn) => requestAnimationFrame(drawn))
  }
  const frames = shares.map((share) => {
    const frame = document.createElement('iframe')
    const told = (type, turn) => new Promise((resolve) => {
      addEventListener('message', function hear({ source, data }) {
        if (source !== frame.contentWindow || data.type !== type || (data.turn ?? turn) !== turn) return
        removeEventListener('message', hear)
        resolve()
      })
    })
    const ready = told('ready', 0)
    frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
    frame.src = '/frame'
    document.body.append(frame)
    const all = async () => {
      await ready
      for (const [i, html] of share.entries()) {
        const shown = told('shown', i + 1)
        frame.contentWindow.postMessage({ html, images: {}, turn: i + 1 }, '*')
        await shown
        await drawn(2)
      }
    }
    return { frame, all: all() }
  })
  await Promise.all(frames.map(({ all }) => all))
  await drawn(4)
  await new Promise((idle) => requestIdleCallback(idle, { timeout: 1000 }))
  for (const { frame } of frames) frame.remove()
}`
