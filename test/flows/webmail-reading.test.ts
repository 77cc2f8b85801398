// Reading in the webmail, as somebody does in a real browser: the way in, conversations, what strangers write and send, and the
// settings that are kept.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { sql } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import {
  boxedPdf,
  brokenPdf,
  endlessPdf,
  inflatingPdfs,
  lockedPdf,
  loopingPdfs,
  manyPages,
  obeyingPdf,
  threePages,
  unknownTablePdf,
} from '../corpus/pdf-files.ts'
import { openTestStore, send, startTestApi } from '../support/api.ts'
import {
  assertLooksGood,
  barriersIn,
  DESK,
  keepInBrowser,
  LOOKS,
  nameOf,
  type OpenPage,
  PHONE,
  settled,
  tabTo,
  useBrowser,
} from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { operatorOf } from '../support/operator.ts'
import { PASSWORD, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import {
  authenticated,
  HEAD,
  makePlace,
  moveTo,
  type Place,
  PNG,
  part,
  receive,
  withFiles,
} from '../support/webmail-mail.ts'

const skip = skipWithout('chromium-headless-shell')
/** What would run, or mislead, were it not shown as the text that it is. */
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`
/** It turns around what is behind it: `fdp.exe` would look like `exe.pdf`. */
const TURN = '\u202e'

/** Of the browser, as far as it is used in it here. */
interface Canvas {
  width: number
  height: number
  getContext(kind: '2d'): {
    drawImage(...what: unknown[]): void
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
  }
}

describe('reading in the webmail', { skip }, async () => {
  const { database } = await createTestDatabase()
  const store = await openTestStore()
  const inbound = await startTestInbound(database, { store })
  const api = await startTestApi(database, { store })
  const site = await startTestSite('webmail', database, { store })
  const open = useBrowser()

  /** Somebody else's server, and what it was asked for. */
  const asked: string[] = []
  const stranger = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('content-type', 'image/png').end(PNG)
  })
  await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening))
  after(() => stranger.close())
  const remote = (path: string) => `http://127.0.0.1:${(stranger.address() as AddressInfo).port}${path}`

  const make = () => makePlace(database)
  const receiveAt = (place: Place, raw: string) => receive(database, inbound.port, place, raw)

  async function openAs({ session }: TestUser, path: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
    const opened = await open(site.url, { viewport: DESK, ...options })
    await keepInBrowser(opened.context, site, session)
    opened.page.on('dialog', (dialog) => {
      opened.complaints.push(`a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await opened.page.goto(path)
    await settled(opened.page)
    return opened
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const frame = (page: Page) => page.frameLocator('iframe')

  /** How the mailbox has a message. */
  const entryOf = ({ tenant }: Place, id: Uuid) =>
    database.first(sql<{ folder: string; isRead: boolean }>`
      select folder, is_read as "isRead" from message_entries
      where tenant_id = ${tenant.tenantId} and mailbox_id = ${tenant.mailboxId} and message_id = ${id}`)

  test('who is invited opens the link, chooses a password, and reads the first mail', async () => {
    const tenant = await createTestTenant(database)
    const login = `joe-${tenant.mailboxId}@example.com`
    const { token } = await addMailboxUser(database, operatorOf(tenant.tenantId), {
      ...{ mailboxId: tenant.mailboxId, login, access: 'write' },
    })
    await handIn(inbound.port, 'ada@shop.example', [tenant.address], `${HEAD}\r\nWelcome to your mailbox.\r\n`)
    const { page, context, complaints } = await open(site.url, { viewport: DESK })
    await page.goto(`/enter/${token}`)
    for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD)
    await page.locator('button[type=submit]').first().click()
    await page.waitForURL(`${site.url}/inbox`)
    await page.getByRole('link', { name: /Hello/ }).first().click()
    await heading(page, 'Hello').waitFor()
    await page.getByText('Welcome to your mailbox.', { exact: true }).last().waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  for (const look of LOOKS) {
    test(`${nameOf(look)}: an open message fits, and is in nobody's way`, async () => {
      const place = await make()
      const id = await receiveAt(
        place,
        withFiles(
          `<p>Hello <img src="${remote('/a')}"></p><p><a href="https://evil.test">shop.example</a></p>`,
          part('Content-Type: text/plain\r\nContent-Disposition: attachment; filename=notes.txt', 'Notes'),
        ),
      )
      await send(api.url, place.tenant.key, {
        ...{ fromMailboxId: place.tenant.mailboxId, subject: 'Sent', text: 'Words', to: ['ada@shop.example'] },
      })
      const { page, context, complaints } = await openAs(place.user, `/message/${id}?in=inbox`, look)
      await frame(page).getByText('Hello').waitFor()
      await assertLooksGood(page, 'an open message', look)
      await page.getByText('Details', { exact: true }).click()
      await button(page, 'Move to').click()
      await assertLooksGood(page, 'an open message with its details', look)
      await page.keyboard.press('Escape')
      await button(page, 'View source').click()
      await page.getByText('Message-ID:').waitFor()
      await assertLooksGood(page, 'the source of a message', look)
      await page.keyboard.press('Escape')
      await page.goto('/settings')
      await settled(page)
      await assertLooksGood(page, 'settings', look)
      assert.deepEqual(complaints, [])
      await context.close()
    })
  }

  test('at 320 pixels, and at a desk that is enlarged twice, everything is there', async () => {
    const place = await make()
    const long = 'a'.repeat(200)
    const id = await receiveAt(place, `From: ${long} <ada@shop.example>\r\nSubject: ${long}\r\n\r\n${long} ${long}\r\n`)
    for (const width of [320, DESK.width / 2]) {
      const { page, context } = await openAs(place.user, `/message/${id}`, { viewport: { width, height: 600 } })
      assert((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width)
      for (const name of ['Archive', 'Star', 'Spam', 'Trash', 'Print', 'View source']) {
        await button(page, name).scrollIntoViewIfNeeded()
        const box = await button(page, name).boundingBox()
        assert(box && box.x >= 0 && box.x + box.width <= width && box.height >= 24, `${name} at ${width}`)
      }
      await context.close()
    }
  })

  test('opening marks as read, and what is marked as unread stays so', async () => {
    const place = await make()
    const id = await receiveAt(place, `${HEAD}\r\nWords\r\n`)
    const { page, context, complaints } = await openAs(place.user, `/message/${id}?in=inbox`)
    await until('it is read', async () => (await entryOf(place, id))?.isRead === true)
    await button(page, 'Mark as unread').click()
    await until('it is unread', async () => (await entryOf(place, id))?.isRead === false)
    await button(page, 'Mark as read').waitFor()
    // What another program does to it shows, and marks nothing.
    await moveTo(api.url, place, id, 'archive')
    await button(page, 'Archive').waitFor({ state: 'detached' })
    assert.equal((await entryOf(place, id))?.isRead, false)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('an open message is archived, taken back, moved, and at last deleted for good, which the feed tells', async () => {
    const place = await make()
    const id = await receiveAt(place, `${HEAD}\r\nWords\r\n`)
    const lies = (folder: string) => async () => (await entryOf(place, id))?.folder === folder
    const { page, context, complaints } = await openAs(place.user, `/message/${id}?in=inbox`)
    await button(page, 'Star').click()
    await button(page, 'Unstar').waitFor()
    await button(page, 'Archive').click()
    await page.waitForURL(`${site.url}/inbox`)
    await until('it is archived', lies('archive'))
    await button(page, 'Undo').click()
    await until('it is back', lies('inbox'))
    await page.goto(`/message/${id}?in=inbox`)
    await button(page, 'Move to').click()
    await button(page, 'Move to Archive').click()
    await until('it was moved', lies('archive'))
    await page.goto(`/message/${id}?in=archive`)
    await button(page, 'Spam').click()
    await until('it is spam', lies('spam'))
    await page.goto(`/message/${id}?in=spam`)
    await page.getByRole('note', { name: 'Warning' }).waitFor()
    await button(page, 'Not spam').click()
    await until('it is none', lies('inbox'))
    await page.goto(`/message/${id}?in=inbox`)
    await button(page, 'Trash').click()
    await until('it is in the trash', lies('trash'))
    await page.goto(`/message/${id}?in=trash`)
    await button(page, 'Delete for good').click()
    const dialog = page.getByRole('dialog', { name: 'Delete for good?' })
    assert.deepEqual(await barriersIn(page), [])
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await page.waitForURL(`${site.url}/trash`)
    assert.equal(await button(page, 'Undo').count(), 0)
    const deleted = await database.rows(sql<{ data: { mailboxIds?: Uuid[] } }>`
      select data from events where tenant_id = ${place.tenant.tenantId} and type = 'message.deleted' and resource_id = ${id}`)
    assert.deepEqual(
      deleted.map(({ data }) => data.mailboxIds),
      [[place.tenant.mailboxId]],
    )
    await page.goto(`/message/${id}`)
    await page.getByRole('heading', { name: 'This message is not here' }).waitFor()
    assert.deepEqual(
      complaints.filter((line) => !line.includes('status of 404')),
      [],
    )
    await context.close()
  })

  test('three messages of a conversation stand in their order, what was read folded, what is new open', async () => {
    const place = await make()
    const mail = (n: number, more: string) =>
      `From: Ada <ada@shop.example>\r\nSubject: ${n > 1 ? 'Re: ' : ''}Pens\r\n${more}\r\n\r\nWords of number ${n}\r\n`
    const first = await receiveAt(place, mail(1, 'X-Number: 1'))
    const found = await database.first(sql<{ messageId: string }>`
      select message_id as "messageId" from messages where tenant_id = ${place.tenant.tenantId} and id = ${first}`)
    const answers = `References: ${found?.messageId}`
    await receiveAt(place, mail(2, answers))
    const third = await receiveAt(place, mail(3, answers))
    for (const id of [first]) await moveTo(api.url, place, id, 'archive')
    await database.rows(sql`
      update message_entries set is_read = true where tenant_id = ${place.tenant.tenantId} and message_id = ${first}`)
    const { page, context, complaints } = await openAs(place.user, `/message/${third}?in=inbox`)
    await heading(page, 'Re: Pens').waitFor()
    const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
    assert.equal(await messages.count(), 3)
    const folds = page.getByRole('list', { name: 'Messages' }).getByRole('button', { expanded: true })
    assert.equal(await folds.count(), 2)
    await messages.nth(1).getByText('Words of number 2').waitFor()
    await messages.nth(2).getByText('Words of number 3').waitFor()
    // By keyboard: the first opens, and folds again.
    const fold = messages.nth(0).getByRole('button', { name: /Ada/ })
    await fold.focus()
    await page.keyboard.press('Enter')
    await messages.nth(0).getByRole('button', { name: 'View source' }).waitFor()
    await page.keyboard.press('Enter')
    await messages.nth(0).getByRole('button', { name: 'View source' }).waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('images within a message show; those of somebody else once they are asked for', async () => {
    const place = await make()
    const id = await receiveAt(
      place,
      withFiles(
        `<p>Hello <img alt="logo" src="cid:logo@shop"><img alt="far" src="${remote('/far.png')}"></p>`,
        part(
          'Content-Type: image/png\r\nContent-ID: <logo@shop>\r\nContent-Disposition: inline; filename=logo.png',
          PNG,
        ),
      ),
    )
    await authenticated(database, place, id, 'pass')
    asked.length = 0
    const { page, context, complaints } = await openAs(place.user, `/message/${id}?in=inbox`)
    const isDrawn = (name: string) => () =>
      frame(page)
        .getByAltText(name)
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0)
    await until('the logo shows', isDrawn('logo'))
    await page.getByText('1 image is not shown').waitFor()
    assert.equal(await isDrawn('far')(), false)
    assert.deepEqual(asked, [])
    await button(page, 'Show images').click()
    await until('the other shows', isDrawn('far'))
    assert.deepEqual(asked, ['/far.png'])

    // From now on, until the sender is taken out of the settings.
    await page.reload()
    await button(page, 'Always show images from ada@shop.example').click()
    await until('it shows', isDrawn('far'))
    await page.reload()
    await until('it shows by itself', isDrawn('far'))
    await page.goto('/settings')
    await button(page, 'Remove ada@shop.example').click()
    await page.getByText('There are none.').waitFor()
    await page.goto(`/message/${id}?in=inbox`)
    await button(page, 'Show images').waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('mail that pretends to be somebody’s looks like it', async () => {
    const place = await make()
    const id = await receiveAt(
      place,
      withFiles(
        `<p>Your account is closed. <a href="https://evil.test/">Log in</a> <img src="${remote('/phish')}"></p>`,
        part('Content-Type: text/plain\r\nContent-Disposition: attachment; filename=form.txt', 'PIN?'),
      ),
    )
    await authenticated(database, place, id, 'fail')
    asked.length = 0
    const { page, context, complaints } = await openAs(place.user, `/message/${id}?in=inbox`)
    const warning = page.getByRole('note', { name: 'Warning' })
    await warning.getByText('Pretends to be from shop.example').waitFor()
    const link = frame(page).getByRole('link', { name: 'Log in' })
    await link.waitFor()
    const looks = await link.evaluate((a) => {
      const { getComputedStyle } = globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> }
      const [own, around] = [
        getComputedStyle(a),
        getComputedStyle((a as unknown as { parentElement: unknown }).parentElement),
      ]
      return { line: own.textDecorationLine, isAsTheText: own.color === around.color }
    })
    assert.deepEqual(looks, { line: 'none', isAsTheText: true })
    await page.getByText('Images are not shown: the message pretends to be from somebody else.').waitFor()
    assert.equal(await button(page, 'Show images').count(), 0)
    assert.equal(await button(page, 'Preview form.txt').count(), 0)
    assert.deepEqual(await barriersIn(page), [])
    assert.deepEqual(asked, [])
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('files are looked at, downloaded, and taken all at once', async () => {
    const place = await make()
    const file = (type: string, name: string, body: Buffer | string) =>
      part(`Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"`, body)
    const id = await receiveAt(
      place,
      withFiles(
        '<p>Files</p>',
        file('image/png', 'photo.png', PNG),
        file('text/plain; charset=utf-8', 'notes.txt', 'Grüße'),
        file('application/zip', 'other.zip', 'PK'),
      ),
    )
    const { page, context, complaints } = await openAs(place.user, `/message/${id}?in=inbox`, { viewport: PHONE })
    await button(page, 'Preview photo.png').click()
    const dialog = page.getByRole('dialog', { name: 'photo.png' })
    await until('it is drawn', () =>
      dialog
        .getByRole('img', { name: 'photo.png' })
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
    )
    assert.deepEqual(await barriersIn(page), [])
    await page.keyboard.press('ArrowRight')
    await page.getByRole('dialog', { name: 'notes.txt' }).getByText('Grüße').waitFor()
    await page.getByText('2 of 2').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Preview photo.png')
    assert.equal(await button(page, 'Preview other.zip').count(), 0)
    const taken = async (link: string) => {
      const pending = page.waitForEvent('download')
      await page.getByRole('link', { name: link, exact: true }).first().click()
      const download = await pending
      return {
        name: download.suggestedFilename(),
        bytes: Buffer.concat(await (await download.createReadStream()).toArray()),
      }
    }
    assert.deepEqual((await taken('Download notes.txt')).bytes.toString(), 'Grüße')
    const { bytes } = await taken('Download all')
    assert.equal(bytes.subarray(0, 2).toString(), 'PK')
    for (const name of ['photo.png', 'notes.txt', 'other.zip']) assert(bytes.includes(name), name)
    const { name, bytes: source } = await taken('Download')
    assert(name.endsWith('.eml') && source.includes('Subject: Hello'))
    assert.deepEqual(complaints, [])
    await context.close()
  })

  /** A message with these PDF files, which is open. */
  async function openPdfs(files: Readonly<Record<string, Buffer>>, options?: BrowserContextOptions) {
    const place = await make()
    const parts = Object.entries(files).map(([name, bytes]) =>
      part(`Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="${name}"`, bytes),
    )
    const id = await receiveAt(place, withFiles('<p>Files</p>', ...parts))
    return openAs(place.user, `/message/${id}?in=inbox`, options)
  }
  const pdf = (page: Page) => page.frameLocator('iframe.pdf')
  const sheet = (page: Page, number: number) =>
    pdf(page)
      .locator('section')
      .nth(number - 1)
  /** Red, green and blue in the middle of a page, once it is drawn. */
  const colourOf = (page: Page, number: number) =>
    sheet(page, number)
      .locator('canvas')
      .evaluate((drawn) => {
        const { OffscreenCanvas } = globalThis as unknown as { OffscreenCanvas: new (w: number, h: number) => Canvas }
        const { width, height } = drawn as unknown as Canvas
        const pixel = new OffscreenCanvas(1, 1).getContext('2d')
        pixel.drawImage(drawn, width / 2, height / 2, 1, 1, 0, 0, 1, 1)
        return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3)
      })

  for (const look of LOOKS) {
    test(`${nameOf(look)}: a PDF file is looked at page by page, by keys alone, and its words are there to be read aloud`, async () => {
      const { page, context, complaints } = await openPdfs({ 'invoice-7.pdf': threePages() }, look)
      await button(page, 'Preview invoice-7.pdf').click()
      await page.getByTitle('Preview of invoice-7.pdf, page 1 of 3', { exact: true }).waitFor()
      assert.equal(await page.locator('iframe.pdf').getAttribute('sandbox'), 'allow-scripts')
      assert.deepEqual(await colourOf(page, 1), [255, 0, 0])
      await pdf(page).getByRole('heading', { name: 'Page 2 of 3' }).waitFor()
      await pdf(page).getByText('Invoice 7, sheet 1').waitFor({ state: 'attached' })
      await assertLooksGood(page, 'a PDF file', look)
      const dark = await sheet(page, 1)
        .locator('canvas')
        .evaluate((drawn) => {
          const { OffscreenCanvas } = globalThis as unknown as { OffscreenCanvas: new (w: number, h: number) => Canvas }
          const { width, height } = drawn as unknown as Canvas
          const copy = new OffscreenCanvas(width, height).getContext('2d')
          copy.drawImage(drawn, 0, 0)
          const { data } = copy.getImageData(0, 0, width, Math.floor(height / 5))
          return data.filter((value, i) => i % 4 === 0 && value < 80).length
        })
      assert(dark > 50, `${dark} dark pixels where the words are`)
      await until('Tab leads into it', async () => {
        await page.keyboard.press('Tab')
        return page.evaluate<boolean>("document.activeElement.matches('iframe.pdf')")
      })
      await page.keyboard.press('End')
      await page.getByTitle('Preview of invoice-7.pdf, page 3 of 3', { exact: true }).waitFor()
      await page.getByText('Page 3 of 3', { exact: true }).waitFor()
      assert.deepEqual(await colourOf(page, 3), [0, 0, 255])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Preview invoice-7.pdf')
      assert.deepEqual(complaints, [])
      await context.close()
    })
  }

  test('a PDF file that cannot be shown says why', async () => {
    const files = {
      'broken.pdf': brokenPdf(),
      'locked.pdf': lockedPdf(),
      'none.pdf': Buffer.from('<script>alert(1)</script>'),
      'table.pdf': unknownTablePdf(),
    }
    const { page, context, complaints } = await openPdfs(files)
    await button(page, 'Preview broken.pdf').click()
    const words = [/is broken/, /locked by a password/, /not looked at here/]
    for (const said of words) {
      await page.getByRole('alert').getByText(said).waitFor()
      assert.equal(await page.locator('iframe.pdf').count(), 0)
      await button(page, 'Next').click()
    }
    await page.getByText('Some of this file cannot be shown here.').waitFor()
    assert.deepEqual(await colourOf(page, 1), [255, 0, 0])
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes('404')),
      [],
    )
    await context.close()
  })

  test('a PDF file runs nothing, asks nobody, goes nowhere, and takes no more than its share', {
    timeout: 120_000,
  }, async () => {
    const files: Record<string, Buffer> = { 'obeying.pdf': obeyingPdf(remote('/pdf-')) }
    for (const [i, box] of ['[0 0 1e9 1e9]', '[0 0 1 100000000]', '[0 0 0 0]', '[-9 -9 -1e30 1e30]'].entries()) {
      files[`box-${i}.pdf`] = boxedPdf(box)
    }
    files['many.pdf'] = manyPages(10_000)
    for (const [i, bytes] of loopingPdfs().entries()) files[`loop-${i}.pdf`] = bytes
    for (const [i, bytes] of inflatingPdfs(512 * 1024 ** 2).entries()) files[`inflating-${i}.pdf`] = bytes
    files['endless.pdf'] = endlessPdf(12)
    asked.length = 0
    const { page, context, complaints } = await openPdfs(files)
    const url = page.url()
    await button(page, 'Preview obeying.pdf').click()
    await page.getByTitle('Preview of obeying.pdf, page 1 of 1', { exact: true }).waitFor()
    await until('it is drawn', async () => (await colourOf(page, 1))[0] === 255)
    await sheet(page, 1).click({ force: true })
    await sheet(page, 1).press('Enter')
    assert.equal(await pdf(page).locator('a, input, button, form, iframe, object, embed').count(), 0)
    const said = page.getByRole('dialog').getByRole('alert')
    const shown = pdf(page).locator('canvas, section p')
    for (const name of Object.keys(files).slice(1)) {
      await button(page, 'Next').click()
      await page.getByRole('dialog', { name }).waitFor()
      await until(`${name} is shown as far as it can be, or words take its place`, async () => {
        return (await said.count()) + (await shown.count()) > 0
      })
      if (name === 'many.pdf') {
        await page.getByTitle('Preview of many.pdf, page 1 of 10000', { exact: true }).waitFor()
        assert.equal(await pdf(page).locator('section').count(), 500)
        await pdf(page).locator('main').press('End')
        await pdf(page).getByText('These are the first 500 of 10000 pages.').waitFor()
        await until('the last of them is drawn', async () => (await colourOf(page, 500))[0] === 255)
        assert((await pdf(page).locator('canvas').count()) <= 6)
      }
      for (const canvas of await pdf(page).locator('canvas').all()) {
        const { width, height } = await canvas.evaluate((drawn) => {
          const { width, height } = drawn as unknown as Canvas
          return { width, height }
        })
        assert(width * height <= 4_000_000 && Math.max(width, height) <= 8_192, `${name}: ${width} × ${height}`)
      }
    }
    await said.getByText('takes too long to be shown').waitFor()
    assert.equal(await page.locator('iframe.pdf').count(), 0)
    assert.equal(page.url(), url)
    assert.equal(context.pages().length, 1)
    assert.deepEqual(asked, [])
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('what strangers write is text, whatever it looks like', async () => {
    const place = await make()
    const encoded = (words: string) => `=?utf-8?B?${Buffer.from(words).toString('base64')}?=`
    const name = `invoice-${TURN}fdp.exe${HOSTILE}`
    const id = await receiveAt(
      place,
      `From: ${encoded(`${TURN}Ada ${HOSTILE}`)} <ada@shop.example>\r\nSubject: ${encoded(TURN + HOSTILE)}\r\n` +
        'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n' +
        part(
          'Content-Type: text/plain; charset=utf-8',
          `${HOSTILE}\nhttps://shop.example/${TURN}x javascript:alert(3)\n`,
        ) +
        part(
          `Content-Type: text/plain\r\nContent-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}`,
          HOSTILE,
        ) +
        '--b--\r\n',
    )
    const { page, context, complaints } = await openAs(place.user, `/message/${id}?in=inbox`)
    await heading(page, HOSTILE).waitFor()
    assert.equal((await page.title()).startsWith(`${HOSTILE} · `) || (await page.title()).includes(HOSTILE), true)
    const links = page.locator('.mail-text a')
    assert.deepEqual(await links.evaluateAll((all) => all.map((a) => (a as unknown as { href: string }).href)), [
      'https://shop.example/',
    ])
    assert.equal(await links.first().getAttribute('rel'), 'noopener noreferrer nofollow')
    // What turns the writing around is nowhere but in the text itself.
    const shown = await page.evaluate<string>(
      "[...document.querySelectorAll('h1, h2, .attachments')].map((e) => e.textContent).join()",
    )
    assert.equal(shown.includes(TURN), false)
    assert(shown.includes('fdp.exe'))
    await button(page, 'View source').click()
    await page.getByText('Message-ID:').waitFor()
    assert.deepEqual(await barriersIn(page), [])
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('quoted text is folded behind a button, and opens by keyboard', async () => {
    const place = await make()
    const id = await receiveAt(place, `${HEAD}\r\nYes.\r\n\r\nOn Monday Grace wrote:\r\n> Will you?\r\n`)
    const { page, context } = await openAs(place.user, `/message/${id}?in=inbox`)
    await page.getByText('Yes.', { exact: true }).waitFor()
    assert.equal(await page.locator('.mail-text').getByText('Will you?').count(), 0)
    await tabTo(page, 'Show quoted text')
    await page.keyboard.press('Enter')
    await page.getByRole('blockquote').getByText('Will you?').waitFor()
    assert.deepEqual(await barriersIn(page), [])
    await context.close()
  })

  test('who may only read is offered nothing else, and marks nothing as read', async () => {
    const place = await make()
    const actor = operatorOf(place.tenant.tenantId)
    const address = `other@${place.tenant.address.split('@')[1]}`
    const other = await createMailbox(database, actor, { address, displayName: 'Other' })
    await addMailboxUser(database, actor, { mailboxId: other.id, login: place.user.login, access: 'read' })
    const id = await receive(database, inbound.port, place, `${HEAD}\r\nWords\r\n`, [address])
    const { page, context, complaints } = await openAs(place.user, `/message/${id}?in=inbox&mailbox=${other.id}`)
    await page.getByText('Words', { exact: true }).last().waitFor()
    for (const name of ['Archive', 'Star', 'Mark as unread', 'Mark as read', 'Spam', 'Trash', 'Move to']) {
      assert.equal(await button(page, name).count(), 0, name)
    }
    const [entry] = await database.rows(sql<{ isRead: boolean }>`
      select is_read as "isRead" from message_entries where tenant_id = ${place.tenant.tenantId} and message_id = ${id}`)
    assert.equal(entry?.isRead, false)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('a message closes within a second of its access being taken away, and says so', async () => {
    const place = await make()
    const actor = operatorOf(place.tenant.tenantId)
    const address = `other@${place.tenant.address.split('@')[1]}`
    const other = await createMailbox(database, actor, { address, displayName: 'Other' })
    await addMailboxUser(database, actor, { mailboxId: other.id, login: place.user.login, access: 'write' })
    const id = await receive(database, inbound.port, place, `${HEAD}\r\nSecret words\r\n`, [address])
    const { page, context } = await openAs(place.user, `/message/${id}?in=inbox`)
    await page.getByText('Secret words', { exact: true }).last().waitFor()
    await removeMailboxUser(database, actor, { mailboxId: other.id, userId: place.user.id })
    const taken = Date.now()
    await page.getByRole('heading', { name: 'This message is not here' }).waitFor()
    assert.equal(await page.getByText('Secret words').count(), 0)
    assert(Date.now() - taken < 3_000, `${Date.now() - taken} ms`)
    await context.close()
  })

  test('what became of a message that was sent stands beside each recipient', async () => {
    const place = await make()
    const { body } = await send(api.url, place.tenant.key, {
      ...{ fromMailboxId: place.tenant.mailboxId, subject: 'Offer', text: 'Words' },
      ...{ to: ['ada@shop.example'], bcc: ['eve@shop.example'] },
    })
    const { page, context, complaints } = await openAs(place.user, `/message/${body.id}?in=sent`)
    const outcomes = page.getByRole('region', { name: 'What became of it' })
    await outcomes.getByText('On its way').first().waitFor()
    assert.equal(await outcomes.getByRole('listitem').count(), 2)
    await page.getByText('Details', { exact: true }).click()
    await page.getByText('eve@shop.example').last().waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('the theme shows at once, in every browser from its first moment, and shortcuts are turned off', async () => {
    const { user } = await make()
    const { page, context, complaints } = await openAs(user, '/settings', { colorScheme: 'light' })
    const brightness = (of: Page) =>
      of.evaluate<number>('Number(getComputedStyle(document.documentElement).backgroundColor.match(/[0-9]+/)[0])')
    assert((await brightness(page)) > 200)
    await page.getByRole('radio', { name: 'Dark' }).check()
    await until('it is dark', async () => (await brightness(page)) < 100)
    const shortcuts = page.getByRole('checkbox', { name: /Keyboard shortcuts/ })
    await shortcuts.uncheck()
    await until('it is kept', async () => {
      const { body } = await site.ask('GET', '/data/settings', { session: user.session })
      return body.theme === 'dark' && body.shortcuts === false
    })
    await page.reload()
    await settled(page)
    assert.equal(await shortcuts.isChecked(), false)

    // Before any script has run.
    const other = await open(site.url, { javaScriptEnabled: false, colorScheme: 'light' })
    await keepInBrowser(other.context, site, user.session)
    await other.page.goto('/inbox')
    assert((await brightness(other.page)) < 100)
    await other.context.close()

    await page.getByRole('radio', { name: 'As the device is' }).check()
    await until('it is light', async () => (await brightness(page)) > 200)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('notifications are asked for by a button, and what the browser refuses is said', async () => {
    const { user } = await make()
    const { page, context } = await openAs(user, '/settings')
    await page.getByText('This browser keeps this site from saying anything.').waitFor()
    await context.close()
    // Without windows this browser allows nobody: what it answers is its user's.
    const allows = await openAs(user, '/account')
    await allows.page.addInitScript(
      'Object.assign(Notification, { requestPermission: async () => "granted" });' +
        'Object.defineProperty(Notification, "permission", { value: "default" })',
    )
    await allows.page.goto('/settings')
    await button(allows.page, 'Turn on notifications').click()
    await allows.page.getByText('This browser says when mail comes in.').waitFor()
    await button(allows.page, 'Turn off notifications').click()
    await button(allows.page, 'Turn on notifications').waitFor()
    await allows.context.close()
  })
})
