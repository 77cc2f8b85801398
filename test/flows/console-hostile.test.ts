// Strangers write much of what the console shows: senders, recipients' servers, receivers of webhooks, whoever triggers
// events. None of it runs, asks for anything, or breaks a page, on any page that a link leads to.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { renameTenant } from '../../src/apps/rename-tenant.ts'
import { createCapturedMail } from '../../src/dev/captured/captured-mail.ts'
import { capturedPages } from '../../src/dev/captured/captured-pages.ts'
import { openMailFolder } from '../../src/dev/captured/mail-folder.ts'
import { appendEvents } from '../../src/events/append.ts'
import { createDnsResolver } from '../../src/lib/resolver.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { checkDomainNow } from '../../src/mailboxes/check-domain-now.ts'
import { renameMailbox } from '../../src/mailboxes/rename-mailbox.ts'
import { addSuppression } from '../../src/suppressions/add-suppression.ts'
import { call, openTestStore, send, startTestApi } from '../support/api.ts'
import { DESK, keepInBrowser, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestDns } from '../support/dns.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, createTestPerson } from '../support/people.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestSite } from '../support/site.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'
import { startTestOutbound } from '../support/workers.ts'

const STRANGER = 'http://stranger.test'

/** What would run, ask or break, if anything took it for more than text. */
const HOSTILE = [
  `<img src=x onerror=alert(1)>`,
  `"><script>alert(2)</script>`,
  `'-alert(3)-'`,
  `</textarea></title></style><iframe src=${STRANGER}/i>`,
  `<svg/onload=alert(4)>`,
  `javascript:alert(5)//`,
  `{{constructor.constructor('alert(6)')()}}`,
  `<link rel=stylesheet href=${STRANGER}/c><meta http-equiv=refresh content=0;url=${STRANGER}>`,
  `\u202eturned round\u2066`,
  'x'.repeat(300),
].join(' ')
/** Where control and angle characters are refused. */
const NAME = HOSTILE.replaceAll(/[\u202e\u2066]/g, '').slice(0, 90)

const skip = skipWithout('chromium-headless-shell')
/** More pages than there are: a crawl that finds more goes in circles. */
const MOST_PAGES = 80

describe('the console', { skip }, () => {
  const open = useBrowser()

  test('what strangers write is text on every page, and nothing else', async () => {
    const { database } = await createTestDatabase()
    const store = await openTestStore()
    const tenant = await createTestTenant(database)
    const actor = operatorOf(tenant.tenantId)
    const api = await startTestApi(database, { store })
    await renameMailbox(database, actor, tenant.mailboxId, NAME)
    const sandbox = await createApp(database, actor, { name: NAME, environment: 'sandbox' })
    const sink = await startSmtpSink({
      onRecipient: (address) => (address.startsWith('refused') ? `550 5.1.1 ${HOSTILE.slice(0, 400)}` : undefined),
      onMessage: () => undefined,
    })
    after(() => sink.stop())
    const receiver = await startReceiver({
      answer: (_, response) => void response.writeHead(500, { 'content-type': 'text/html' }).end(HOSTILE),
    })
    await subscribe(api.url, database, receiver, { tenant })
    startTestWebhooks(database)
    const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
    const inbound = await startTestInbound(database, { store })

    await addSuppression(database, actor, { address: 'stopped@example.test', note: HOSTILE.slice(0, 200) })
    const sent = await send(api.url, tenant.key, {
      fromMailboxId: tenant.mailboxId,
      to: ['refused@example.test', 'taken@example.test'],
      subject: HOSTILE.slice(0, 900),
      text: HOSTILE,
      html: `<p>${HOSTILE}</p><style>body { background: url(${STRANGER}/b) }</style>`,
    })
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    // Refused, and done by a program of a strange name.
    const program = { 'user-agent': HOSTILE.replaceAll(/[^\x20-\x7e]/g, '') }
    const strange = `/v1/messages/${encodeURIComponent(NAME)}`
    assert.equal((await call(api.url, 'GET', strange, { key: tenant.key, headers: program })).status, 404)
    const starred = { mailboxId: tenant.mailboxId, isStarred: true }
    const filed = await call(api.url, 'PATCH', `/v1/messages/${sent.body.id}`, {
      key: tenant.key,
      body: starred,
      headers: program,
    })
    assert.equal(filed.status, 200, JSON.stringify(filed.body))
    const raw = `From: "${NAME.replaceAll('"', "'")}" <stranger@example.test>\r\nTo: <${tenant.address}>\r\nSubject: =?utf-8?B?${Buffer.from(HOSTILE).toString('base64')}?=\r
  MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<h1>hello</h1>${HOSTILE}\r
  --b\r\nContent-Type: text/plain; name="=?utf-8?B?${Buffer.from(HOSTILE.slice(0, 200)).toString('base64')}?="\r\nContent-Disposition: attachment\r\n\r\nx\r\n--b--\r\n`
    const handed = await handIn(inbound.port, 'stranger@example.test', [tenant.address], raw)
    assert.match(handed.last, /^250/)
    for (const environmentId of [tenant.tenantId, sandbox.id]) {
      const event = { type: 'mailbox.updated' as const, resourceType: 'mailbox' as const, resourceId: newId() }
      await database.transaction((tx) =>
        appendEvents(tx, [
          { tenantId: tenant.tenantId, environmentId, ...event, data: { [HOSTILE]: [HOSTILE], subject: HOSTILE } },
        ]),
      )
    }
    await until('the relay has refused one', async () => {
      const answer = await call(api.url, 'GET', `/v1/messages/${sent.body.id}`, { key: tenant.key })
      return answer.body.message.recipients.some(({ status }: { status: string }) => status === 'failed')
    })
    await until('the receiver was asked', () => receiver.delivered.length > 0)
    outbound.wake()

    const folder = await temporaryFolder('mdk-captured-')
    after(() => rm(folder, { recursive: true, force: true }))
    const captured = await openMailFolder(folder)
    const mail = createCapturedMail(captured, () => tenant.tenantId)
    after(() => mail.stop())
    const envelope = { sender: HOSTILE, recipients: [HOSTILE, HOSTILE], capturedAt: new Date().toISOString() }
    await captured.keep(envelope, Buffer.from(raw))

    // Whoever keeps a DNS says what they like, and so does whoever signs in.
    const dns = await startTestDns()
    const resolver = createDnsResolver([dns.server])
    const { id: domainId, records } = await addDomain(database, actor, { domain: 'hostile.test', vouched: true })
    dns.zone = {
      'hostile.test': { TXT: [HOSTILE, `v=spf1 ${HOSTILE}`], MX: [{ exchange: 'alert.stranger.test', priority: 1 }] },
      [records[0]?.name ?? '']: { TXT: [HOSTILE] },
      '_dmarc.hostile.test': { CNAME: 'x'.repeat(60).concat('.stranger.test') },
    }
    await checkDomainNow({ database, resolver }, actor, domainId)
    resolver.close()
    await dns.stop()
    const user = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    await database.rows(sql`update users set name = ${HOSTILE} where id = ${user.id}`)

    const site = await startTestSite('console', database, { store, addition: capturedPages(mail) })
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const { page, context, complaints } = await open(site.url, { viewport: DESK })
    let dialogs = 0
    page.on('dialog', (dialog) => {
      dialogs++
      void dialog.dismiss()
    })
    await keepInBrowser(context, site, owner.session)
    await renameTenant(database, actor, NAME)
    const seen = await crawl(page, [
      '/',
      '/bounces?status=stopped',
      `/?environment=sandbox:${sandbox.id}`,
      '/requests',
      '/audit',
    ])
    for (const kind of ['/captured/:id', '/captured/:id?view=source', '/messages/:id?view=content']) {
      assert(seen.includes(kind), `${kind} is not among ${seen.join(' ')}`)
    }
    // What is looked for shows in the palette too.
    await page.goto('/')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByRole('combobox', { name: 'Page' }).fill('img')
    await page.getByRole('dialog').getByRole('option', { name: '<img src=x' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const path of ['/domains/', '/mailboxes/'])
      assert(
        seen.some((at) => at.startsWith(path)),
        path,
      )
    assert.equal(dialogs, 0)
    assert.deepEqual(complaints, [])
    await context.close()
  })
})

/** Follows every link of every page's content, opens what folds, and gives the kinds of pages that were seen. */
async function crawl(page: Page, from: readonly string[]): Promise<string[]> {
  const waiting = [...from]
  const seen = new Map<string, string>()
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path)
    if (seen.has(kind)) continue
    seen.set(kind, path)
    assert(seen.size <= MOST_PAGES, [...seen.values()].join(' '))
    await page.goto(path)
    await page.locator('main h1').waitFor()
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
    await page.evaluate(`for (const folded of document.querySelectorAll('details')) folded.open = true`)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    assert(width <= DESK.width, `${path} is ${width} pixels wide`)
    waiting.push(...(await page.evaluate<string[]>(LINKS)))
  }
  return [...seen.keys()]
}

/** Pages that differ only in an id or an instant show the same kind of thing. */
function kindOf(path: string): string {
  return path.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ':id').replaceAll(/\d{4}-\d\d-\d\d[^&]*/g, ':at')
}

/** Runs in the page. */
const LINKS = `[...document.querySelectorAll('nav a, main a')]
  .filter((link) => link.origin === location.origin && !link.hasAttribute('download'))
  .map((link) => link.pathname + link.search)`
