// What of strangers' HTML is quoted to others: every hostile document goes through the frame, in a real browser, and what comes back
// is read as those would read it whom it is sent to.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import type { Quotation } from '../../web/ui/mail/frame-notice.ts'
import { hostileForms } from '../corpus/hostile-forms.ts'
import { hostileDocuments, LARGE_DOCUMENTS } from '../corpus/hostile-html.ts'
import { DESK, keepInBrowser, type OpenPage, settled, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestMailboxUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'

const skip = skipWithout('chromium-headless-shell')
const AT_ONCE = 12
/** Of the many forms of what is hostile, each of so many is quoted too; the frame that shows them is tested with all. */
const FORMS_NOT_QUOTED = 4
const FILE = '0190aaaa-0000-7000-8000-000000000001'

describe('quoting strangers’ HTML', { skip }, async () => {
  const { database } = await createTestDatabase()
  const open = useBrowser(['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost'])
  const site = await startTestSite('webmail', database)
  const { tenantId, mailboxId } = await createTestTenant(database)
  const { session } = await createTestMailboxUser(database, tenantId, mailboxId)

  async function openWebmail(): Promise<OpenPage> {
    const opened = await open(site.url, { viewport: DESK })
    await keepInBrowser(opened.context, site, session)
    await opened.page.goto('/inbox')
    await settled(opened.page)
    return opened
  }

  async function quote(html: string, files: Record<string, string> = {}): Promise<Quotation> {
    const { page, context, complaints } = await openWebmail()
    const [quoted] = await quoteAll(page, [html], files)
    assert.deepEqual(complaints, [])
    await context.close()
    return quoted as Quotation
  }

  test('words, tables, links and looks are quoted', async () => {
    const { html, text } = await quote(
      '<style>p{color:red}</style><h1 class="x" id="y" style="color: red; position: fixed">Invoice</h1>' +
        '<p>Hello <a href="https://shop.example/a" target="_top" onclick="x()">shop</a><br>you</p>' +
        '<table><tr><td width="50">A</td><td style="background: url(https://spy.example/a)">B</td></tr></table>',
    )
    assert.equal(
      html,
      '<h1 style="color: red">Invoice</h1><p>Hello <a href="https://shop.example/a">shop</a><br>you</p>' +
        '<table><tbody><tr><td width="50">A</td><td>B</td></tr></tbody></table>',
    )
    assert.equal(text, 'Invoice\nHello shop\nyou\n\nA B')
  })

  test('of images those are quoted that go along as files, and of others what they stand for', async () => {
    const { html } = await quote(
      '<img src="cid:dot%40shop" alt="A dot"><img src="cid:other" alt="Other"><img src="https://spy.example/a" alt="Spy">' +
        '<img src="data:image/png;base64,AA==">',
      { 'dot@shop': FILE },
    )
    assert.equal(html, `<img src="cid:${FILE}" alt="A dot">OtherSpy`)
  })

  test('what is too long is quoted as the beginning of its text', async () => {
    const { html, text } = await quote(`<p>${'word '.repeat(250_000)}`)
    assert.equal(html, null)
    assert.equal(text.length, 1_000_000)
  })

  test('of hostile documents nothing is quoted that runs, fetches, fills in or leads within', {
    timeout: 180_000,
  }, async () => {
    const forms = [...hostileForms()].filter((_, i) => i % FORMS_NOT_QUOTED === 0)
    const documents = [...hostileDocuments(), ...forms, ...LARGE_DOCUMENTS]
    assert(documents.length >= 500, `${documents.length} documents`)
    const { page, context, complaints } = await openWebmail()
    const before = await page.content()
    const quoted = await quoteAll(
      page,
      documents.map(({ html }) => html),
      {},
    )
    assert.equal(quoted.length, documents.length)
    assert.equal(await page.content(), before)
    assert.deepEqual(
      complaints.filter((words) => !words.startsWith("Setting the document's base URI")),
      [],
    )
    const reader = await context.newPage()
    for (let i = 0; i < quoted.length; i += 100) {
      const some = quoted.slice(i, i + 100).map(({ html }) => html ?? '')
      const found = await reader.evaluate<string[]>(`(${DANGERS})(${JSON.stringify(some)})`)
      assert.deepEqual(found, [])
    }
    await context.close()
  })
})

async function quoteAll(page: Page, documents: readonly string[], files: Record<string, string>): Promise<Quotation[]> {
  const given = JSON.stringify([documents, files]).replaceAll('</', '<\\/')
  return page.evaluate<Quotation[]>(`(${QUOTE_ALL})(${given}, ${AT_ONCE})`)
}

const QUOTE_ALL = `async ([documents, files], atOnce) => {
  const quoted = []
  let next = 0
  const share = async () => {
    const frame = document.createElement('iframe')
    const told = (type) => new Promise((resolve) => {
      addEventListener('message', function hear({ source, data }) {
        if (source !== frame.contentWindow || data.type !== type) return
        removeEventListener('message', hear)
        resolve(data)
      })
    })
    const ready = told('ready')
    frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
    frame.src = '/frame'
    document.body.append(frame)
    await ready
    while (next < documents.length) {
      const i = next++
      const answer = told('quoted')
      frame.contentWindow.postMessage({ html: documents[i], images: {}, quotes: files }, '*')
      const { html, text } = await answer
      quoted[i] = { html, text }
    }
    frame.remove()
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, documents.length) }, share))
  return quoted
}`

/** What there is in documents that may not be, each as whoever gets it parses it. */
const DANGERS = `(documents) => documents.flatMap((html) => {
  const { body, head } = new DOMParser().parseFromString(html, 'text/html')
  return [...head.children, ...body.querySelectorAll('*')].flatMap((element) => {
    const isBad = element.namespaceURI !== 'http://www.w3.org/1999/xhtml' || element.localName.includes('-') ||
      'script style link meta base form input button select textarea iframe object embed video audio source svg math template'
        .split(' ').includes(element.localName)
    const attributes = [...element.attributes].filter(({ name, value }) =>
      /^on|^(?:id|name|class|srcset|ping|action|formaction|background|poster|data.*|target|http-equiv)$/.test(name) ||
      (name === 'href' && !/^(?:https?|mailto|tel):/.test(value)) ||
      (name === 'src' && !value.startsWith('cid:')) ||
      (name === 'style' && /url|image|expression|import|position|\\\\\\\\/i.test(value)))
    return [...(isBad ? [element.localName] : []), ...attributes.map(({ name, value }) => name + '=' + value)]
  })
})`
