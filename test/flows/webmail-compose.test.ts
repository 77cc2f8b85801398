// The page of the webmail where mail is written, in a real browser: what gets into it, by which keys, and what it asks.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { newId } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { setMailboxAccess } from '../../src/mailboxes/set-mailbox-access.ts'
import { hostileForms } from '../corpus/hostile-forms.ts'
import { hostileDocuments, RAN } from '../corpus/hostile-html.ts'
import { openTestStore } from '../support/api.ts'
import {
  assertLooksGood,
  barriersIn,
  DESK,
  keepInBrowser,
  LOOKS,
  nameOf,
  type OpenPage,
  useBrowser,
} from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { draftOf } from '../support/drafts.ts'
import { startTestInbound } from '../support/inbound.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { HEAD, PNG, part, receive, withFiles } from '../support/webmail-mail.ts'

/** Text is read for cleaning in a document that shows nothing and has the policy of the page: the browser says what that refuses. */
const OF_WHAT_IS_READ =
  /^(?:Setting the document's base URI|Applying inline style|This document requires 'TrustedScript')/

/** Of the many forms of what is hostile, each of so many. */
const FORMS_NOT_TRIED = 8

const skip = skipWithout('chromium-headless-shell')

describe('writing in the webmail', { skip }, async () => {
  const { database } = await createTestDatabase()
  const store = await openTestStore()
  const site = await startTestSite('webmail', database, { store })
  const inbound = await startTestInbound(database, { store })
  const open = useBrowser()
  const tenant = await createTestTenant(database)
  const user = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)

  const another = () => createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)

  async function openAt(path: string, options = {}, by = user): Promise<OpenPage> {
    const opened = await open(site.url, { viewport: DESK, ...options })
    await keepInBrowser(opened.context, site, by.session)
    await opened.page.goto(path)
    return opened
  }
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
  const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  for (const look of LOOKS) {
    test(`${nameOf(look)}: the page fits, and nothing is in anybody's way`, async () => {
      const { page, context, complaints } = await openAt('/compose?to=Ada%20<ada@a.example>,nobody', look)
      await message(page).fill('Hello')
      await button(page, 'Bold').click()
      await message(page).press('End')
      await page.keyboard.type(' you')
      await assertLooksGood(page, 'writing a message', look)
      assert.deepEqual(complaints, [])
      await context.close()
    })
  }

  test('hostile documents that are pasted ask nobody, run nothing, and leave the page as it is', {
    timeout: 120_000,
  }, async () => {
    const { page, context, complaints } = await openAt('/compose', {}, await another())
    await message(page).waitFor()
    const found = await evaluateWith<string[]>(page, PASTE_ALL, hostile())
    assert.deepEqual(found, [])
    await undoAll(page)
    assertQuiet(complaints)
    await context.close()
  })

  test('nor does a draft that another user of the mailbox wrote', { timeout: 120_000 }, async () => {
    const { session } = await another()
    const documents = hostile()
    for (let i = 0; i < documents.length; i += 120) {
      const id = newId()
      const body = documents
        .slice(i, i + 120)
        .join('<p>')
        .replaceAll('\0', '')
        .toWellFormed()
      const quote = { html: body, attribution: '<img src=x onerror=alert(1)>' }
      const draft = {
        baseVersion: 0,
        ...draftOf(tenant.mailboxId, { subject: '<b>Hello', body: `Begin${body}`, quote }),
      }
      assert.equal((await site.ask('PUT', `/data/drafts/${id}`, { session, body: draft })).status, 200)
      const { page, context } = await openAt('/inbox')
      const heard: string[] = []
      context.on('response', (answer) => new URL(answer.url()).origin !== site.url && heard.push(answer.url()))
      page.on('console', (said) => said.text().includes(RAN) && said.type() === 'log' && heard.push(said.text()))
      page.on('dialog', (dialog) => {
        heard.push(dialog.message())
        void dialog.dismiss()
      })
      await page.goto(`/compose?draft=${id}`)
      await message(page).getByText('Begin').first().waitFor()
      await button(page, 'Show quoted text').click()
      await page.locator('iframe[title="Quoted text"]:not([aria-busy])').waitFor()
      assert.deepEqual(await evaluateWith<string[]>(page, BAD_IN_EDITOR, []), [])
      assert.deepEqual(heard, [])
      assert.equal(page.url(), `${site.url}/compose?draft=${id}`)
      await context.close()
    }
  })

  test('what another user wrote goes as it is shown, and not as it was stored', async () => {
    const { session } = await another()
    const id = newId()
    const bad = `<p onclick="x()">Begin</p><script>x()</script><form action="http://stranger.test/">In it<input name="a"></form>
      <img src="http://stranger.test/seen.png"><a href="javascript:x()">there</a><iframe src="http://stranger.test/"></iframe>`
    const quote = { html: bad, attribution: 'Joe wrote:' }
    const to = [{ address: 'ada@shop.example', name: null }]
    const draft = { baseVersion: 0, ...draftOf(tenant.mailboxId, { to, subject: 'Hello', body: bad, quote }) }
    assert.equal((await site.ask('PUT', `/data/drafts/${id}`, { session, body: draft })).status, 200)
    const { page, context } = await openAt(`/compose?draft=${id}`)
    await message(page).getByText('Begin').waitFor()
    await button(page, 'Send').click()
    const stored = await until('it is due', async () => {
      const { body } = await site.ask('GET', `/data/drafts/${id}`, { session })
      return body.due !== null && body
    })
    for (const html of [stored.body, stored.quote.html]) {
      assert.match(html, /Begin/)
      assert.match(html, /In it/)
      assert.doesNotMatch(html, /<script|<form|<input|<iframe|onclick|javascript:|stranger\.test/i)
    }
    await context.close()
  })

  test('lists of addresses are pasted, corrected and taken away by keys alone', async () => {
    const { page, context, complaints } = await openAt('/compose')
    await page.route('**/data/recipients?**', (route) => route.fulfill({ json: { items: [] } }))
    const to = field(page, 'To')
    await to.waitFor()
    await until('one begins there', () =>
      page.evaluate<boolean>("document.activeElement.getAttribute('role') === 'combobox'"),
    )
    await paste(page, 'a@x.test, "B, C" <b@y.test>; wrong@\nÅsa <åsa@exämple.test>')
    assert.deepEqual(await chips(page), ['a@x.test', 'B, C', 'wrong@', 'Åsa'])
    await page.getByRole('alert').getByText('“wrong@” is no mail address.').waitFor()
    assert.deepEqual(await barriersIn(page), [])
    await to.press('Backspace')
    assert.equal(await to.inputValue(), 'Åsa <åsa@exämple.test>')
    await to.press('Enter')
    await button(page, 'wrong@, not right').click()
    await to.fill('right@z.test;')
    assert.deepEqual(await chips(page), ['a@x.test', 'B, C', 'Åsa', 'right@z.test'])
    assert.equal(await page.getByRole('alert').count(), 0)
    await button(page, 'Remove B, C').click()
    // What is left half-way is kept as the field is left.
    await to.fill('last@z.test')
    await to.press('Tab')
    assert.deepEqual(await chips(page), ['a@x.test', 'Åsa', 'right@z.test', 'last@z.test'])
    await button(page, 'Cc').click()
    await field(page, 'Cc').fill('copy@z.test')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await message(page).waitFor()
    assert.equal(await field(page, 'Cc').inputValue(), '')
    assert.deepEqual(await chips(page), ['a@x.test', 'Åsa', 'right@z.test', 'last@z.test', 'copy@z.test'])
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('whom one has written with is offered, and chosen by keys', async () => {
    const { page, context, complaints } = await openAt('/compose')
    await page.route('**/data/recipients?**', (route) => {
      const asked = new URL(route.request().url()).searchParams
      assert.equal(asked.get('mailbox'), tenant.mailboxId)
      const items = [
        { address: 'ada@shop.example', name: 'Ada' },
        { address: 'adam@shop.example', name: null },
      ]
      return route.fulfill({ json: { items: asked.get('q') === 'ad' ? items : [] } })
    })
    const to = field(page, 'To')
    await to.pressSequentially('ad')
    const found = page.getByRole('listbox', { name: 'People for To' })
    await found.waitFor()
    assert.deepEqual(await found.getByRole('option').allTextContents(), ['Ada ada@shop.example', ' adam@shop.example'])
    assert.equal(await to.getAttribute('aria-expanded'), 'true')
    await to.press('ArrowDown')
    await to.press('ArrowDown')
    const chosen = await to.getAttribute('aria-activedescendant')
    assert.equal(await page.locator(`[id="${chosen}"]`).getAttribute('aria-selected'), 'true')
    assert.deepEqual(await barriersIn(page), [])
    // It closes the list, and not the page.
    await to.press('Escape')
    await found.waitFor({ state: 'detached' })
    await to.press('ArrowDown')
    await to.press('ArrowDown')
    await to.press('Enter')
    assert.deepEqual(await chips(page), ['Ada'])
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('text is formatted by the toolbar and by keys, and undone', async () => {
    const { page, context, complaints } = await openAt('/compose')
    await message(page).click()
    await page.keyboard.type('one two')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Control+i')
    assert.match(await message(page).innerHTML(), /one <(?:b|i)><(?:b|i)>two<\/(?:b|i)><\/(?:b|i)>/)
    assert.equal(await button(page, 'Bold').getAttribute('aria-pressed'), 'true')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    assert.equal(await message(page).innerHTML(), '<div>one two</div>')
    await page.keyboard.press('Control+y')
    assert.match(await message(page).innerHTML(), /<b>two<\/b>/)
    // From the editor back to the toolbar, and along it.
    await page.keyboard.press('Shift+Tab')
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight')
    assert.equal(await page.evaluate("document.activeElement.getAttribute('aria-label')"), 'Bulleted list')
    await page.keyboard.press('Enter')
    assert.match(await message(page).innerHTML(), /<ul><li>/)
    await message(page).focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Link' }).getByLabel('Address').fill('javascript:alert(1)')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This is no address of a page.').waitFor()
    await page.getByRole('dialog', { name: 'Link' }).getByLabel('Address').fill('example.com/a')
    await page.keyboard.press('Enter')
    await message(page).locator('a[href="https://example.com/a"]').waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('as plain text it has its words, and asks before formatting is gone', async () => {
    const { page, context, complaints } = await openAt('/compose')
    await message(page).click()
    await page.keyboard.type('one')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('two')
    await page.getByLabel('Plain text').click()
    await button(page, 'Remove formatting').click()
    await until(
      'it is text',
      async () =>
        (await message(page)
          .inputValue()
          .catch(() => '')) === 'one\ntwo',
    )
    await page.getByLabel('Plain text').click()
    await until(
      'it is an editor again',
      async () => (await message(page).innerHTML()) === '<div>one</div><div>two</div>',
    )
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('files are carried several at once, tell what keeps them, and are tried again; images show where they are pasted', async () => {
    const { page, context } = await openAt('/compose')
    await message(page).click()
    let isAway = true
    await page.route('**/data/uploads/*/content', (route) => (isAway ? route.abort() : route.continue()))
    const chooser = page.waitForEvent('filechooser')
    await button(page, 'Attach files').click()
    await (await chooser).setFiles([
      { name: 'отчёт.txt', mimeType: 'text/plain', buffer: Buffer.from('A') },
      { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    ])
    await page.getByText('empty.txt is empty.').waitFor()
    await page.getByText('отчёт.txt was not uploaded: The service cannot be reached.').waitFor()
    assert.deepEqual(await barriersIn(page), [])
    isAway = false
    await button(page, 'Try again отчёт.txt').click()
    await page.getByRole('link', { name: 'отчёт.txt' }).waitFor()
    await button(page, 'Remove empty.txt').click()
    await evaluateWith(page, PASTE_IMAGE, [PNG.toString('base64')])
    const image = message(page).locator('img')
    await until('it shows', () =>
      image.evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth === 1),
    )
    // It is no file beside the text.
    assert.equal(await page.getByRole('region', { name: 'Attachments' }).getByRole('listitem').count(), 1)
    await page.getByText('Saved', { exact: true }).waitFor()
    const { body } = await site.ask('GET', `/data/drafts/${await draftAt(page)}`, { session: user.session })
    assert.equal(body.attachmentIds.length, 2)
    assert.match(body.body, new RegExp(`<img src="cid:${body.attachmentIds[1]}"`))
    await page.reload()
    await image.waitFor()
    await context.close()
  })

  test('a file that is dropped goes along, and what was forgotten is asked about once', async () => {
    const { page, context, complaints } = await openAt('/compose')
    await page.route('**/data/recipients?**', (route) => route.fulfill({ json: { items: [] } }))
    await field(page, 'To').fill('ada@shop.example')
    await message(page).fill('The invoice is attached.')
    await message(page).press('Control+Enter')
    const asks = page.getByRole('dialog', { name: 'Send it as it is?' })
    await asks.getByText('no subject').waitFor()
    await asks.getByText('attachment').waitFor()
    await asks.getByRole('button', { name: 'Keep' }).click()
    await evaluateWith(page, DROP_FILE, ['invoice.txt'])
    await page.getByRole('link', { name: 'invoice.txt' }).waitFor()
    await button(page, 'Send').click()
    await asks.getByText('no subject').waitFor()
    assert.equal(await asks.getByText('attachment').count(), 0)
    await asks.getByRole('button', { name: 'Send', exact: true }).click()
    await page.waitForURL(`${site.url}/inbox`)
    await button(page, 'Undo').click()
    await page.getByRole('link', { name: 'invoice.txt' }).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('what the server refuses stands where it is wrong', async () => {
    const { page, context } = await openAt('/compose')
    await field(page, 'Subject').fill('Hello')
    await message(page).fill('Hello')
    await button(page, 'Send').click()
    await page.getByRole('alert').getByText('To must name somebody.').waitFor()
    assert.deepEqual(await barriersIn(page), [])
    await field(page, 'To').fill('ada@shop.example, nobody@')
    await button(page, 'Send').click()
    await page.getByRole('alert').getByText('“nobody@” must be an email address').waitFor()
    await field(page, 'To').fill('somebody@')
    await field(page, 'To').press('Control+Enter')
    await page.getByRole('alert').getByText('“somebody@” must be an email address').waitFor()
    await context.close()
  })

  test('what was refused of somebody who is gone is said of nobody else', async () => {
    const { page, context } = await openAt('/compose?to=nobody@,ada@shop.example&subject=Hello')
    await message(page).fill('Hello')
    await button(page, 'Send').click()
    await page.getByRole('alert').getByText('“nobody@” must be an email address').waitFor()
    // Until it is saved, it is the refusal that there is.
    await page.route('**/data/drafts/**', (route) => route.abort())
    await button(page, 'Remove nobody@').click()
    await button(page, 'Remove nobody@').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('alert').getByText('must be an email address').count(), 0)
    await context.close()
  })

  test('why a draft cannot be saved is said before it is sent', async () => {
    const { page, context } = await openAt('/compose')
    await message(page).fill('Hello')
    await page.getByText('Saved', { exact: true }).waitFor()
    const many = Array.from({ length: 51 }, (_, i) => `person${i}@shop.example`)
    await field(page, 'To').fill(`${many.join(', ')},`)
    await page.getByRole('alert').getByText('To must have at most 50').waitFor()
    await button(page, 'Remove person7@shop.example').click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await page.getByRole('alert').getByText('at most').count(), 0)
    await context.close()
  })

  test('a message has the signature of the mailbox that it is written from, unless that was changed', async () => {
    const { tenantId, mailboxId, address } = tenant
    const by = await createTestMailboxUser(database, tenantId, mailboxId)
    const domain = address.split('@')[1]
    const second = await createMailbox(database, operatorOf(tenantId), {
      address: `team@${domain}`,
      displayName: 'Team',
    })
    await addMailboxUser(database, operatorOf(tenantId), { mailboxId: second.id, login: by.login, access: 'write' })
    for (const [id, signature] of [
      [mailboxId, '<div>Ada</div><div><i>at home</i></div>'],
      [second.id, '<div>The team</div>'],
    ]) {
      const body = { name: null, signature }
      const answer = await site.ask('PUT', `/data/identities/${id}`, { session: by.session, body })
      assert.equal(answer.status, 200)
    }
    const { page, context } = await openAt(`/compose?to=bob@b.example&mailbox=${mailboxId}`, {}, by)
    await message(page).getByText('at home').waitFor()
    await message(page).press('Control+Home')
    await page.keyboard.type('Words')
    await field(page, 'From').selectOption(second.id)
    await message(page).getByText('The team').waitFor()
    assert.equal(await message(page).innerText(), 'Words\n\n\n--\nThe team')
    await message(page).press('Control+End')
    await page.keyboard.type(' and I')
    const asked = page.waitForResponse('**/data/identities')
    await field(page, 'From').selectOption(mailboxId)
    await asked
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await message(page).innerText(), 'Words\n\n\n--\nThe team and I')
    await context.close()
  })

  test('in plain text an image of what is quoted goes along in sight', async () => {
    const image = part(
      'Content-Type: image/png\r\nContent-ID: <dot@shop>\r\nContent-Disposition: inline; filename=dot.png',
      PNG,
    )
    const raw = withFiles('<p>Look</p><img src="cid:dot@shop">', image)
    const id = await receive(database, inbound.port, { tenant, user }, raw)
    const { page, context } = await openAt(`/compose?answer=${id}&kind=reply`)
    await message(page).fill('Yes')
    assert.equal(await button(page, 'Remove dot.png').count(), 0)
    await field(page, 'Plain text').click()
    await button(page, 'Remove dot.png').click()
    await button(page, 'Remove dot.png').waitFor({ state: 'detached' })
    await page.getByText('Saved', { exact: true }).waitFor()
    const { status, body } = await site.ask('GET', `/data/drafts/${await draftAt(page)}`, { session: user.session })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.attachmentIds, [])
    await context.close()
  })

  test('keys open the page, Escape leaves it, and what was written is there again', async () => {
    const { page, context, complaints } = await openAt('/inbox')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await message(page).fill('Half a thought')
    await page.getByText('Saved', { exact: true }).waitFor()
    const id = await draftAt(page)
    await page.keyboard.press('Escape')
    await page.waitForURL(`${site.url}/inbox`)
    await page.goto(`/compose?draft=${id}`)
    await message(page).getByText('Half a thought').waitFor()
    await button(page, 'Discard').click()
    await page.waitForURL(`${site.url}/inbox`)
    await page.getByText('Draft discarded.').waitFor()
    await button(page, 'Undo').waitFor()
    assert.equal((await site.ask('GET', `/data/drafts/${id}`, { session: user.session })).status, 404)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('who may only read is not offered to write', async () => {
    const reader = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    await setMailboxAccess(database, operatorOf(tenant.tenantId), {
      mailboxId: tenant.mailboxId,
      userId: reader.id,
      access: 'read',
    })
    const id = await receive(database, inbound.port, { tenant, user }, `${HEAD}\r\nWords\r\n`)
    const { page, context } = await open(site.url, { viewport: DESK })
    await keepInBrowser(context, site, reader.session)
    await page.goto(`/message/${id}?in=inbox`)
    await page.getByText('Words', { exact: true }).last().waitFor()
    for (const name of ['Reply', 'Reply to all', 'Forward', 'New message']) {
      assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name)
    }
    await page.goto(`/compose?answer=${id}`)
    await page.getByText('You may read this message, but not write from the mailbox that it lies in.').waitFor()
    await context.close()
  })
})

/** Each document tries one thing; of its forms some. */
const hostile = (): string[] =>
  [...hostileDocuments(), ...[...hostileForms()].filter((_, i) => i % FORMS_NOT_TRIED === 0)].map(({ html }) => html)

function assertQuiet(complaints: readonly string[]): void {
  const others = complaints.filter((words) => !OF_WHAT_IS_READ.test(words))
  assert.deepEqual(others, [])
}

/** Once its address says so, which is a moment after it is saved. */
async function draftAt(page: Page): Promise<string> {
  await page.waitForURL((url) => url.searchParams.has('draft'))
  return new URL(page.url()).searchParams.get('draft') as string
}

const chips = (page: Page): Promise<string[]> => page.locator('.chip .name bdi').allTextContents()

function evaluateWith<T>(page: Page, script: string, given: readonly string[]): Promise<T> {
  return page.evaluate<T>(`(${script})(${JSON.stringify(given).replaceAll('</', '<\\/')})`)
}

const paste = (page: Page, text: string) => evaluateWith(page, PASTE_TEXT, [text])

const PASTE_TEXT = `([text]) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}`

const PASTE_IMAGE = `([octets]) => {
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([Uint8Array.from(atob(octets), (one) => one.charCodeAt(0))], 'dot.png', { type: 'image/png' }))
  document.querySelector('.written').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}`

const DROP_FILE = `([name]) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['Words'], name, { type: 'text/plain' }))
  for (const type of ['dragover', 'drop']) {
    document.querySelector('h1').dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }
}`

/** What there is in the editor that may not be. */
const BAD_IN_EDITOR = `() => [...document.querySelectorAll('.written *')].flatMap((element) => {
  const isBad = element.namespaceURI !== 'http://www.w3.org/1999/xhtml' ||
    !/^(?:a|b|blockquote|br|code|div|em|h[123]|hr|i|img|li|ol|p|pre|s|span|strong|sub|sup|u|ul)$/.test(element.localName)
  const bad = [...element.attributes].filter(({ name, value }) =>
    !/^(?:href|alt|dir|start|type)$/.test(name) || (name === 'href' && !/^(?:https?|mailto|tel):/.test(value)))
  return [...(isBad ? [element.localName] : []), ...bad.map(({ name, value }) => name + '=' + value)]
})`

/** Undoes, one by one, until there is nothing to undo. */
async function undoAll(page: Page): Promise<void> {
  for (let i = 0; i < 20; i++) await page.keyboard.press('Control+z')
  assert.deepEqual(await evaluateWith<string[]>(page, BAD_IN_EDITOR, []), [])
}

/** Pastes each into an empty editor, and gives what came of it that may not be there, or what else changed. */
const PASTE_ALL = `async (documents) => {
  const editor = document.querySelector('.written')
  const badInEditor = ${BAD_IN_EDITOR}
  const around = () => {
    const copy = document.implementation.createHTMLDocument().importNode(document.documentElement, true)
    // That a draft was saved is counted at the side.
    for (const own of copy.querySelectorAll('.written, .foot, .toolbar, .side nav')) own.remove()
    return copy.outerHTML
  }
  const before = around()
  const found = []
  for (const [i, html] of documents.entries()) {
    editor.focus()
    getSelection().selectAllChildren(editor)
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', html + '<p>Pasted ' + i)
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    for (let n = 0; n < 50 && !editor.textContent.includes('Pasted ' + i); n++) await new Promise((next) => setTimeout(next))
    for (const bad of badInEditor()) found.push(i + ' ' + bad)
    if (around() !== before) {
      found.push('the page changed by ' + html.slice(0, 200))
      break
    }
  }
  return found.slice(0, 20)
}`
