// Mail that is written in the webmail, in a real browser, sent by the real worker, and read where it arrives.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import PostalMime, { type Email } from 'postal-mime'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { signEnvelopeId } from '../../src/mail/envelope-id.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { openTestStore } from '../support/api.ts'
import { barriersIn, DESK, keepInBrowser, type OpenPage, PHONE, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { deliveryReport } from '../support/delivery-report.ts'
import { fallDue } from '../support/drafts.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { operatorOf } from '../support/operator.ts'
import { startTestSite } from '../support/site.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'
import { authenticated, HEAD, makePlace, type Place, PNG, part, receive, withFiles } from '../support/webmail-mail.ts'
import { RETURN_PATH, startTestOutbound } from '../support/workers.ts'

const skip = skipWithout('chromium-headless-shell')

describe('writing mail', { skip }, async () => {
  const { database } = await createTestDatabase()
  const store = await openTestStore()
  const site = await startTestSite('webmail', database, { store })
  const inbound = await startTestInbound(database, { store })
  const relay = await startSmtpSink()
  const outbound = await startTestOutbound(database, { relayUrl: relay.url, store })
  after(async () => {
    await outbound.stop()
    await relay.stop()
  })
  const open = useBrowser()

  async function openAs({ user }: Place, path: string, options = {}): Promise<OpenPage> {
    const opened = await open(site.url, { viewport: DESK, ...options })
    await keepInBrowser(opened.context, site, user.session)
    await opened.page.goto(path)
    return opened
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
  const body = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

  /** Of those in a field, as they are called. */
  const peopleIn = (page: Page, name: string): Promise<string[]> =>
    page
      .locator('.recipients', { has: field(page, name) })
      .locator('.chip .name bdi')
      .allTextContents()

  /** The draft that is open, once it is kept. */
  async function draftId(page: Page): Promise<string> {
    await page.getByText('Saved', { exact: true }).waitFor()
    return new URL(page.url()).searchParams.get('draft') ?? assert.fail(page.url())
  }

  /** Presses Send, and has the time come in which it can be taken back no more; gives what arrives. */
  async function sendOut(page: Page): Promise<Email & { recipients: string[]; returnPath: string }> {
    const id = await draftId(page)
    const before = relay.mails.length
    await button(page, 'Send').click()
    await button(page, 'Undo').waitFor()
    await fallDue(database, id)
    const mail = (await relay.received(before + 1))[before] ?? assert.fail()
    return { ...(await PostalMime.parse(mail.bytes)), recipients: mail.to, returnPath: mail.from }
  }

  test('a reply with a file is taken back, changed and sent, and joins its conversation', async () => {
    const place = await makePlace(database)
    const id = await receive(database, inbound.port, place, withFiles('<p>Will you <b>come</b>?</p>'))
    const { page, context, complaints } = await openAs(place, `/message/${id}?in=inbox`)
    await link(page, 'Reply').click()
    await body(page).waitFor()
    assert.deepEqual(await peopleIn(page, 'To'), ['Ada'])
    assert.equal(await field(page, 'Subject').inputValue(), 'Re: Hello')
    await until('one writes above the quoted text', () =>
      page.evaluate<boolean>("document.activeElement.matches('.written')"),
    )
    await page.keyboard.type('I will not come.')
    const chosen = page.waitForEvent('filechooser')
    await button(page, 'Attach files').click()
    await (await chosen).setFiles({ name: 'Plan für März.txt', mimeType: 'text/plain', buffer: Buffer.from('A plan') })
    await button(page, 'Remove Plan für März.txt').waitFor()
    await draftId(page)
    await button(page, 'Send').click()
    // It is offered on the page of the message that is answered.
    await page.waitForURL(`${site.url}/message/${id}`)
    await button(page, 'Undo').click()
    await body(page).getByText('I will not come.').waitFor()
    await body(page).fill('I will come.')
    assert.deepEqual(await barriersIn(page), [])
    const mail = await sendOut(page)
    assert.equal(relay.mails.length, 1)
    assert.deepEqual(mail.recipients, ['ada@shop.example'])
    assert.equal(mail.subject, 'Re: Hello')
    assert.match(mail.html ?? '', /I will come\..*On .*, Ada wrote:.*<p>Will you <b>come<\/b>\?<\/p>/s)
    assert.match(mail.text ?? '', /^I will come\.\s+On .* Ada wrote:\n> Will you come\?/s)
    assert.deepEqual(
      mail.attachments.map(({ filename }) => filename),
      ['Plan für März.txt'],
    )
    assert.match(mail.inReplyTo ?? '', /@shop\.example>$/)
    await page.getByRole('list', { name: 'Messages', exact: true }).getByText('I will come.').first().waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('a reply to all goes to everybody but oneself, whichever mailbox of theirs was written to', async () => {
    const place = await makePlace(database)
    const { tenantId } = place.tenant
    const domain = place.tenant.address.split('@')[1]
    const second = await createMailbox(database, operatorOf(tenantId), {
      address: `team@${domain}`,
      displayName: 'Team',
    })
    await addMailboxUser(database, operatorOf(tenantId), {
      ...{ mailboxId: second.id, login: place.user.login, access: 'write' },
    })
    const head =
      `From: Ada <ada@shop.example>\r\nTo: ${place.tenant.address}, Bob <bob@b.example>, BOB@b.example\r\n` +
      `Cc: TEAM@${domain}, "Carol, C." <carol@c.example>\r\nSubject: RE: Re: Offer\r\n`
    const to = [place.tenant.address, `team@${domain}`]
    const id = await receive(database, inbound.port, place, `${head}\r\nWhat do you say?\r\n`, to)
    const { page, context, complaints } = await openAs(place, `/message/${id}?in=inbox`)
    await link(page, 'Reply to all').waitFor()
    await page.keyboard.press('a')
    await body(page).waitFor()
    assert.deepEqual(await peopleIn(page, 'To'), ['Ada', 'Bob'])
    assert.deepEqual(await peopleIn(page, 'Cc'), ['Carol, C.'])
    assert.equal(await field(page, 'From').inputValue(), place.tenant.mailboxId)
    await body(page).fill('We say yes.')
    const mail = await sendOut(page)
    assert.deepEqual(mail.recipients.toSorted(), ['ada@shop.example', 'bob@b.example', 'carol@c.example'])
    assert.equal(mail.subject, 'Re: Offer')
    assert.equal(mail.from?.address, place.tenant.address)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('what is forwarded has its files and images, its head, and nothing that tells its sender who reads it', async () => {
    const place = await makePlace(database)
    const image = part('Content-Type: image/png\r\nContent-ID: <dot@shop>\r\nContent-Disposition: inline', PNG)
    const file = part('Content-Type: text/plain\r\nContent-Disposition: attachment; filename="terms.txt"', 'Terms')
    const html =
      '<p onclick="x()">Words in HTML</p><img src="cid:dot@shop" alt="A dot"><img src="https://spy.stranger.test/1.gif">' +
      '<form action="https://spy.stranger.test/"><input name="password"></form><script>alert(1)</script>'
    const id = await receive(database, inbound.port, place, withFiles(html, image, file))
    const { page, context, complaints } = await openAs(place, `/message/${id}?in=inbox`)
    await link(page, 'Forward').click()
    await button(page, 'Remove terms.txt').waitFor()
    await until('one names somebody first', () =>
      page.evaluate<boolean>("document.activeElement.getAttribute('role') === 'combobox'"),
    )
    await field(page, 'To').fill('bob@b.example')
    await button(page, 'Show quoted text').click()
    const dot = page.frameLocator('iframe').getByAltText('A dot')
    const widthOf = (shown: unknown) => (shown as { naturalWidth: number }).naturalWidth
    await until('the image shows', async () => (await dot.evaluate(widthOf)) === 1)
    const mail = await sendOut(page)
    assert.deepEqual(mail.recipients, ['bob@b.example'])
    assert.equal(mail.subject, 'Fwd: Hello')
    assert.deepEqual(
      mail.attachments.map(({ mimeType, filename }) => `${mimeType} ${filename ?? ''}`.trim()).toSorted(),
      [...['image/png part-1.2.png', 'text/plain terms.txt']],
    )
    const sent = mail.html ?? ''
    assert.match(
      sent,
      /<b>From:<\/b> Ada &lt;ada@shop\.example&gt;<br>.*<p>Words in HTML<\/p><img src="cid:[^"]+" alt="A dot">/s,
    )
    assert.doesNotMatch(sent, /stranger|onclick|form|input|script/)
    assert.match(mail.text ?? '', /> From: Ada <ada@shop\.example>/)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('of two recipients one bounces, and the sent message says which, and why', async () => {
    const place = await makePlace(database)
    const { page, context } = await openAs(place, '/inbox')
    await link(page, 'New message').click()
    await field(page, 'To').fill('bob@b.example, gone@b.example')
    await field(page, 'Subject').fill('Invitation')
    await body(page).fill('Come tomorrow.')
    const mail = await sendOut(page)
    assert.deepEqual(mail.recipients, ['bob@b.example', 'gone@b.example'])
    await button(page, 'View message').click()
    const outcomes = page.getByRole('region', { name: 'What became of it' })
    await outcomes.getByText('On its way to gone@b.example').waitFor()
    const [, id = ''] = new URL(page.url()).pathname.split('/message/')
    const said = [
      { address: 'bob@b.example', action: 'delivered', status: '2.0.0' },
      { address: 'gone@b.example', action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 no such mailbox here' },
    ]
    const report = deliveryReport(said, signEnvelopeId(id, RETURN_PATH))
    assert.match((await handIn(inbound.port, '', [mail.returnPath], report)).last, /^250 /)
    // It says so by itself.
    await outcomes.getByText('Bounced: mailbox does not exist').waitFor()
    await outcomes.getByText('Delivered to bob@b.example').waitFor()
    assert.match(
      (await outcomes.textContent()) ?? '',
      /gone@b\.exampleTheir server said: 550 5\.1\.1 no such mailbox here/,
    )
    assert.deepEqual(await barriersIn(page), [])
    await context.close()
  })

  test('whoever answers mail that pretends is told that the answer goes elsewhere', async () => {
    const place = await makePlace(database)
    const raw = HEAD.replace('To:', 'Reply-To: thief@t.example\r\nTo:')
    const id = await receive(database, inbound.port, place, `${raw}\r\nSend me the password.\r\n`)
    await authenticated(database, place, id, 'fail')
    const { page, context } = await openAs(place, `/compose?answer=${id}&kind=reply`, { viewport: PHONE })
    await page.getByRole('alert').getByText('Your answer goes to thief@t.example').waitFor()
    await button(page, 'Remove thief@t.example').click()
    await page.getByText('Your answer goes to').waitFor({ state: 'detached' })
    await context.close()
  })

  test('quoted text is left out, or becomes text of one’s own', async () => {
    const place = await makePlace(database)
    const id = await receive(database, inbound.port, place, withFiles('<h1>Offer</h1><p>Ten <i>apples</i></p>'))
    const { page, context } = await openAs(place, `/compose?answer=${id}&kind=reply`)
    await body(page).fill('Yes.')
    await button(page, 'Edit as text').click()
    await body(page).getByText('> Ten apples').waitFor()
    assert.equal(await button(page, 'Show quoted text').count(), 0)
    const mail = await sendOut(page)
    assert.match(mail.text ?? '', /^Yes\.\s+On .* wrote:\s+> Offer\s+> Ten apples/)
    await page.goto(`/compose?answer=${id}&kind=reply`)
    await button(page, 'Remove quoted text').click()
    await body(page).fill('No.')
    assert.equal((await sendOut(page)).text?.trim(), 'No.')
    await context.close()
  })
})
