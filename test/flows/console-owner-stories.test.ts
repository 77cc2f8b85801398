// What an Owner does for a tenant in the console, from where it begins to where it is done, in two consoles over one database,
// with a webmail beside them.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { newId } from '../../src/lib/uuid.ts'
import { applyReports } from '../../src/messages/apply-reports.ts'
import { followAll } from '../support/activity.ts'
import { call, openTestStore, send, startTestApi } from '../support/api.ts'
import {
  assertLooksGood,
  barriersIn,
  DESK,
  keepInBrowser,
  LOOKS,
  type OpenPage,
  PHONE,
  settled,
  useBrowser,
} from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestDns } from '../support/dns.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson, PASSWORD, type TestUser } from '../support/people.ts'
import { startTestSite, type TestSite } from '../support/site.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { startTestOutbound } from '../support/workers.ts'

const skip = skipWithout('chromium-headless-shell')

describe('an Owner', { skip }, async () => {
  const { database } = await createTestDatabase()
  const open = useBrowser()
  const store = await openTestStore()
  const api = await startTestApi(database, { store })
  const dns = await startTestDns()
  after(() => dns.stop())
  const webmail = await startTestSite('webmail', database, { store })
  const config = {
    dnsServers: [dns.server],
    noticesFrom: 'notices@service.test',
    webmail: { host: '127.0.0.1', port: 0, publicUrl: webmail.url },
  }
  const [first, second] = [
    await startTestSite('console', database, { store, config }),
    await startTestSite('console', database, { store, config }),
  ]

  async function openAs(site: TestSite, { session }: TestUser, path = '/', viewport = DESK): Promise<OpenPage> {
    const opened = await open(site.url, { viewport })
    await keepInBrowser(opened.context, site, session)
    await opened.page.goto(path)
    return opened
  }

  test('finds a refused request by the id of its answer, sees why, and what else the key was refused', async () => {
    const tenant = await createTestTenant(database)
    const admin = await createTestPerson(database, tenant.tenantId, 'admin')
    const refused = await call(api.url, 'POST', '/v1/messages', {
      key: tenant.key,
      body: { fromMailboxId: newId(), to: ['ada@example.test'], text: 'x' },
      headers: { 'idempotency-key': newId() },
    })
    await call(api.url, 'GET', '/v1/messages?limit=0', { key: tenant.key })
    const requestId = refused.body.requestId as string

    const { page, context, complaints } = await openAs(second, admin, '/')
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('row').filter({ hasText: 'validation_error' }).waitFor()
    await page.getByLabel('Request id').fill(requestId)
    const rows = page.getByRole('table').getByRole('row')
    await page.getByRole('row').filter({ hasText: 'validation_error' }).waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 2)
    assert.equal(new URL(page.url()).searchParams.get('requestId'), requestId)
    await page.getByRole('link', { name: 'POST /v1/messages' }).click()
    await page.getByText('What to do:').waitFor()
    await page.getByText('not_found', { exact: true }).waitFor()
    assert.deepEqual(await barriersIn(page), [])
    const docs = await page.getByRole('link', { name: 'not_found in the docs' }).getAttribute('href')
    assert.match(docs ?? '', /\/docs\/errors\/not_found$/)
    await page.getByRole('link', { name: 'its other refused requests' }).click()
    await page.getByRole('row').filter({ hasText: 'validation_error' }).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('finds who revoked a key, and takes that along as a file', async () => {
    const tenant = await createTestTenant(database)
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const other = await createTestPerson(database, tenant.tenantId, 'owner')
    const { appId } = tenant
    const actor = operatorOf(tenant.tenantId)
    const key = await createKey({ database, keyHasher }, actor, { appId, scopes: ['messages:read'], name: 'Warehouse' })
    const revoked = await first.ask('DELETE', `/data/keys/${key.id}`, { session: other.session })
    assert(revoked.status < 300, revoked.text)

    const { page, context, complaints } = await openAs(first, owner, '/')
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByLabel('What', { exact: true }).selectOption('Revoked a key')
    const row = page.getByRole('row').filter({ hasText: 'revoked a key' })
    await row.getByText(other.login).waitFor()
    await row.getByRole('link', { name: 'Key Warehouse' }).waitFor()
    await settled(page)
    assert.deepEqual(await barriersIn(page), [])
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = await downloading
    assert.match(download.suggestedFilename(), /^audit-\d{4}-\d\d-\d\d\.csv$/)
    const csv = await readFile(await download.path(), 'utf8')
    assert.match(csv, /^\ufeffid,at,by,/)
    const lines = csv.split('\r\n')
    assert.deepEqual([lines.length, lines.at(-1)], [3, ''])
    assert(lines[1]?.includes(other.login) && lines[1].includes('key.revoke'), csv)
    await page.getByRole('status').getByText('with 1 row.').waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('exports a month’s bounces, stops mailing an address that bounced, and lets it back', async () => {
    const tenant = await createTestTenant(database)
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const admin = await createTestPerson(database, tenant.tenantId, 'admin')
    const GONE = 'gone@example.test'
    const sink = await startSmtpSink({
      onRecipient: (address) => (address === GONE ? '550 5.1.1 no such user here' : undefined),
    })
    after(() => sink.stop())
    const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
    const sendTo = async (subject: string, ...to: string[]) => {
      const mail = { fromMailboxId: tenant.mailboxId, to, subject, text: 'x' }
      return (await send(api.url, tenant.key, mail)).body.id as string
    }
    await sendTo('Invoice 7', GONE)

    const { page, context, complaints } = await openAs(first, owner, '/')
    await page.getByRole('link', { name: 'Bounces' }).click()
    const row = page.getByRole('row').filter({ hasText: GONE })
    await row.getByText('bounced once').waitFor()
    await row.getByText('5.1.1').waitFor()
    await row.getByRole('link', { name: GONE, exact: true }).click()
    await page.getByRole('heading', { name: 'From which messages' }).waitFor()
    await page.getByText('no such user here').first().waitFor()
    await page.getByRole('link', { name: 'Invoice 7' }).waitFor()

    // A month of them, as a file.
    const monthAgo = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000).toISOString()
    await page.goto(`/bounces?since=${monthAgo}`)
    await row.waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const [header = '', line = '', ...more] = (await readFile(await file.path(), 'utf8')).split('\r\n')
    assert(header.startsWith('\uFEFFaddress,bounces,complaints,'), header)
    assert(line.startsWith(`${GONE},1,0,`), line)
    assert.match(line, /,bounced,.*,550,5\.1\.1,/)
    assert.deepEqual(more, [''])

    // Of an earlier month: also who bounced again since, with what was said then.
    await database.pool.query(
      `insert into bounces (tenant_id, environment_id, address, id, message_id, kind, at, diagnostic)
       values ($1, $1, $2, gen_random_uuid(), gen_random_uuid(), 'bounced', '2026-03-17T12:00:00Z', 'no such user in March')`,
      [tenant.tenantId, GONE],
    )
    await page.goto('/bounces')
    await row.waitFor()
    await page.getByLabel('Since').fill('2026-03-01T00:00')
    await page.getByLabel('Until').fill('2026-04-01T00:00')
    await row.getByText('no such user in March').waitFor()
    const [march] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = (await readFile(await march.path(), 'utf8')).split('\r\n')
    assert.equal(lines.length, 3, lines.join('\n'))
    const then = `${GONE},1,0,2026-03-17T12:00:00.000000Z,2026-03-17T12:00:00.000000Z,bounced,`
    assert(lines[1]?.startsWith(then) && lines[1].includes('no such user in March'), lines[1])
    await page.goto(`/bounces?since=${monthAgo}`)
    await row.waitFor()

    await page.getByRole('button', { name: `Stop mailing ${GONE}` }).click()
    await page.getByRole('status').getByText(`No more mail goes to ${GONE}.`).waitFor()
    await row.getByText('Stopped', { exact: true }).waitFor()

    // From now on it fails at once, and the others get their mail.
    const stopped = await sendTo('Invoice 8', GONE, 'ada@example.test')
    await sink.received(1)
    assert.deepEqual(sink.mails[0]?.to, ['ada@example.test'])
    await page.goto(`/messages/${stopped}`)
    await page.getByText('Mail to the address is stopped').first().waitFor()

    // An Admin sees it in the other console, and is offered nothing that would be refused.
    const looking = await openAs(second, admin, '/bounces')
    await looking.page.getByLabel('Status').selectOption('stopped')
    await looking.page.getByRole('row').filter({ hasText: GONE }).getByText(`by ${owner.login}`).waitFor()
    assert.equal(
      await looking.page
        .getByRole('main')
        .getByRole('button', { name: /Stop|Let back|Import/ })
        .count(),
      0,
    )
    assert.equal(await looking.page.getByRole('checkbox').count(), 0)

    // The mailbox is there again: so is its mail.
    const other = await openAs(second, owner, '/bounces')
    await other.page.getByRole('button', { name: `Let back ${GONE}` }).click()
    await other.page.getByRole('button', { name: `Stop mailing ${GONE}` }).waitFor()
    await outbound.stop()
    assert.equal(
      (await send(api.url, tenant.key, { fromMailboxId: tenant.mailboxId, to: [GONE], text: 'x' })).status,
      202,
    )

    // Whoever complains shows in the page that is open, though a complaint has no event.
    const complaint = {
      messageId: stopped,
      recipient: { addresses: ['ada@example.test'], outcome: 'complained' as const },
    }
    await applyReports({ database, store, returnPath: () => undefined }, [complaint])
    await other.page.getByRole('row').filter({ hasText: 'ada@example.test' }).getByText('complained once').waitFor()

    // A list of others comes in by one paste; what is no address is told.
    await other.page.getByRole('button', { name: 'Import addresses' }).click()
    const importing = other.page.getByRole('dialog', { name: 'Import addresses' })
    await importing
      .getByLabel('Addresses', { exact: true })
      .fill('email,why\nada@example.test,asked\nno address,\ngrace@example.test,asked')
    await importing.getByRole('button', { name: 'Stop mailing' }).click()
    await importing.getByText('2 addresses are stopped.').waitFor()
    await importing.getByRole('alert').getByText('1 line has no address').waitFor()
    await importing.getByText('Line 3: no address').waitFor()
    await importing.getByRole('button', { name: 'Done' }).click()
    await other.page.getByRole('row').filter({ hasText: 'grace@example.test' }).getByText('in an import by').waitFor()

    // The next one stops by itself.
    await other.page.getByRole('checkbox', { name: 'Stop addresses automatically' }).check()
    await other.page.getByRole('status').getByText('now stopped automatically').waitFor()
    const again = await startTestOutbound(database, { relayUrl: sink.url, store })
    await other.page.getByRole('row').filter({ hasText: GONE }).getByText('automatically, after a bounce').waitFor()
    await again.stop()
    assert.deepEqual([...complaints, ...looking.complaints, ...other.complaints], [])
    await Promise.all([context.close(), looking.context.close(), other.context.close()])
  })

  test('hides what messages say: who has one open in the other console sees it go, and nobody opens another', async () => {
    const tenant = await createTestTenant(database)
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const admin = await createTestPerson(database, tenant.tenantId, 'admin')
    const { body } = await send(api.url, tenant.key, {
      ...{ fromMailboxId: tenant.mailboxId, to: ['ada@example.test'], subject: 'Payslip', text: 'Four thousand' },
    })
    const looking = await openAs(second, admin, `/messages/${body.id}?view=content`)
    await looking.page.getByText('Four thousand').waitFor()

    const { page, context, complaints } = await openAs(first, owner, '/settings')
    const box = page.getByRole('checkbox', { name: 'People may see what messages say' })
    assert.equal(await box.isChecked(), true)
    await box.uncheck()
    await page.getByRole('status').getByText('hidden from everybody').waitFor()
    await looking.page.getByRole('heading', { name: 'Hidden' }).waitFor()
    assert.equal(await looking.page.getByText('Four thousand').count(), 0)
    assert.equal(await looking.page.getByRole('heading', { name: 'Payslip' }).count(), 1)
    await page.goto(`/messages/${body.id}?view=content`)
    await page.getByRole('link', { name: 'settings', exact: true }).click()
    // An Admin sees how it is, and no switch.
    await looking.page.goto('/settings')
    await looking.page.getByText('It is hidden from everybody here.').waitFor()
    assert.equal(await looking.page.getByRole('checkbox').count(), 0)
    assert.equal(await looking.page.getByRole('button', { name: 'Rename' }).count(), 0)

    await page.getByLabel('Name', { exact: true }).fill('Payroll Ltd')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.locator('.tenant').getByText('Payroll Ltd').waitFor()
    await page.getByLabel('Name', { exact: true }).fill(' ')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('alert').getByText('must have 1 to 255 characters').waitFor()
    assert.deepEqual(
      complaints.filter((words) => !words.includes('400')),
      [],
    )
    await Promise.all([context.close(), looking.context.close()])
  })

  test('goes anywhere by a few letters, by the keyboard alone, and on a phone by a button', async () => {
    const tenant = await createTestTenant(database)
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const mail = { fromMailboxId: tenant.mailboxId, to: ['grace@example.test'], text: 'x' }
    const sent = await send(api.url, tenant.key, { ...mail, subject: 'Invoice seven' })
    await followAll(database)
    const { page, context, complaints } = await openAs(first, owner, '/people')
    await page.getByRole('heading', { name: 'People' }).waitFor()
    const field = page.getByRole('combobox', { name: 'Page, message' })
    const chosen = page.getByRole('option', { selected: true })

    await page.keyboard.press('Control+k')
    await field.waitFor()
    assert.deepEqual(await barriersIn(page), [])
    await page.keyboard.type('usage')
    await chosen.getByText('Settings').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Usage and settings' }).waitFor()
    await field.waitFor({ state: 'detached' })

    // From within a field; Escape leaves, and the focus is where it was.
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.press('Control+k')
    await field.waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.name'), 'name')

    await page.keyboard.press('Control+k')
    // Where one went by it comes first.
    await chosen.getByText('Settings').waitFor()
    await page.keyboard.type('invoice')
    await page.getByRole('option', { name: 'Invoice seven' }).waitFor()
    assert.deepEqual(await barriersIn(page), [])
    const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Control+Enter')])
    await tab.getByRole('heading', { level: 1, name: 'Invoice seven' }).waitFor()
    await tab.close()
    assert.equal(await field.inputValue(), 'invoice')

    await field.fill('grace@example.test')
    await page.getByRole('option', { name: 'Invoice seven' }).waitFor()
    await chosen.getByText('Messages to grace@example.test').waitFor()
    await page.keyboard.press('ArrowUp')
    assert.match(await nameOfChosen(page), /Invoice seven/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/messages?recipient=grace%40example.test')

    await page.keyboard.press('Control+k')
    await field.fill(sent.body.id)
    await chosen.getByText('Invoice seven').waitFor()
    await field.fill('no such thing')
    await page.getByRole('status').getByText('Nothing found.').waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await field.inputValue(), 'no such thing')
    assert.deepEqual(complaints, [])
    await context.close()

    const phone = await openAs(second, owner, '/', PHONE)
    await phone.page.getByRole('button', { name: 'Find' }).click()
    await phone.page.getByRole('combobox').fill('webh')
    await phone.page.getByRole('option', { name: 'Webhooks' }).click()
    await phone.page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    assert.deepEqual(phone.complaints, [])
    await phone.context.close()
  })

  /** What a button beside it copies. */
  async function copied(page: Page, what: string): Promise<string> {
    await page.getByRole('button', { name: `Copy ${what}` }).click()
    await page.getByRole('button', { name: `Copied ${what}` }).waitFor()
    return page.evaluate<string>('navigator.clipboard.readText()')
  }

  test('adds a domain, copies its records, and sees which one is wrong and what was found instead', async () => {
    const tenant = await createTestTenant(database)
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const admin = await createTestPerson(database, tenant.tenantId, 'admin')
    const domain = `${newId()}.test`
    const { page, context, complaints } = await openAs(first, owner)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: 'Domains', exact: true }).click()
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('dialog').getByLabel('Domain').fill(domain)
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('heading', { level: 1, name: domain }).waitFor()
    await page.getByText('It is not known yet that this domain is yours').waitFor()

    // Each is published as it was copied, but for the key, of which the DNS host keeps the first part alone, and two SPF records.
    const record = async (title: string) => [
      await copied(page, `name of the ${title} record`),
      await copied(page, `value of the ${title} record`),
    ]
    const [ownName = '', own = ''] = await record('Ownership')
    const [keyName = '', key = ''] = await record('DKIM')
    const [spfName = '', spf = ''] = await record('SPF')
    const [dmarcName = '', dmarc = ''] = await record('DMARC')
    assert.deepEqual([spfName, dmarcName], [domain, `_dmarc.${domain}`])
    const zone = await copied(page, 'all as a zone file')
    assert(zone.includes(`${ownName}. IN TXT "${own}"\n`), zone)
    const former = 'v=spf1 include:former.example -all'
    dns.zone = {
      [ownName]: { TXT: [own] },
      [keyName]: { TXT: [key.slice(0, 255)] },
      [domain]: { TXT: [former, spf], MX: [{ exchange: `mail.${domain}`, priority: 10 }] },
      [dmarcName]: { TXT: [dmarc] },
    }
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText(`${domain} was checked.`).waitFor()
    const section = (on: Page, title: string) => on.getByRole('region', { name: title, exact: true })
    for (const title of ['Ownership', 'MX', 'DMARC'])
      await section(page, title).getByText('Found', { exact: true }).waitFor()
    await section(page, 'SPF').getByText('There are 2 SPF records').waitFor()
    await section(page, 'SPF').getByText(former, { exact: true }).waitFor()
    await section(page, 'DKIM').getByText('it was cut off').waitFor()
    await section(page, 'DKIM').getByText(key.slice(0, 255), { exact: true }).waitFor()
    await assertEachLook(page, 'a domain with records that are wrong')

    // Repaired; an Admin at the other console, who may check but not remove, sees it without a reload.
    const other = await openAs(second, admin, '/domains')
    await other.page.getByRole('row').filter({ hasText: domain }).getByText('DKIM, SPF').waitFor()
    await other.page.getByRole('link', { name: domain }).click()
    await section(other.page, 'SPF').getByText('Wrong', { exact: true }).waitFor()
    assert.deepEqual(await other.page.getByRole('main').locator('header').getByRole('button').allInnerTexts(), [
      'Check now',
    ])
    dns.zone[keyName] = { TXT: [key] }
    dns.zone[domain] = { TXT: [spf], MX: [{ exchange: `mail.${domain}`, priority: 10 }] }
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('All is in place').waitFor()
    await other.page.getByText('All is in place').waitFor()

    // It was for a trial: asked in words, it goes.
    await page.getByRole('button', { name: 'Remove' }).click()
    await page
      .getByRole('dialog', { name: `Remove ${domain}?` })
      .getByRole('button', { name: 'Remove' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
    await page.getByRole('link', { name: domain }).waitFor({ state: 'detached' })
    assert.deepEqual(
      [...complaints, ...other.complaints].filter((words) => !/404|429/.test(words)),
      [],
    )
    await Promise.all([context.close(), other.context.close()])
  })

  test('makes a mailbox and hands its user the link, who signs in to the webmail with it', async () => {
    const tenant = await createTestTenant(database)
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const domain = tenant.address.slice(tenant.address.indexOf('@') + 1)
    const { page, context, complaints } = await openAs(second, owner)
    await page.getByRole('link', { name: 'Mailboxes', exact: true }).click()
    await page.getByRole('button', { name: 'Create mailbox' }).click()
    const making = page.getByRole('dialog', { name: 'Create mailbox' })
    await making.getByText(`It ends in @${domain}`).waitFor()
    await making.getByLabel('Address').fill(`sales@${domain}`)
    await making.getByLabel('Name').fill('Sales')
    await making.getByRole('button', { name: 'Create mailbox' }).click()
    await page.getByRole('heading', { level: 1, name: `sales@${domain}` }).waitFor()
    await page.getByText('Nobody reads it in the webmail').waitFor()

    await page.getByRole('button', { name: 'Add user' }).click()
    const adding = page.getByRole('dialog', { name: 'Add user' })
    await adding.getByLabel('Login').fill(`sales@${domain}`)
    await adding.getByRole('button', { name: 'Add user' }).click()
    const handing = page.getByRole('dialog', { name: 'Link to the webmail' })
    const link = await handing.getByLabel('Link').inputValue()
    assert(link.startsWith(`${webmail.url}/enter/`), link)
    // They are not mailed into what they cannot read yet, and are asked where they read mail.
    await handing.getByRole('button', { name: 'Mail it' }).click()
    await handing.getByRole('alert').waitFor()
    await handing.getByLabel('Mail it to').fill('grace@home.example')
    await handing.getByRole('button', { name: 'Mail it' }).click()
    await handing.getByText('It is on its way to grace@home.example.').waitFor()
    await assertEachLook(page, 'the link of a mailbox user')
    await handing.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row').filter({ hasText: `sales@${domain}` })
    await row.getByText('Invited').waitFor()
    await assertEachLook(page, 'a mailbox')

    const user = await open(webmail.url, { viewport: DESK })
    await user.page.goto(link)
    for (const field of await user.page.locator('input[type=password]').all()) await field.fill(PASSWORD)
    await user.page.getByRole('button').first().click()
    await user.page.getByText(`sales@${domain}`).first().waitFor()
    assert.equal(new URL(user.page.url()).pathname, '/inbox')

    // Seen to have come in, without a reload; and let go again.
    await row.getByText('Invited').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Remove sales@${domain}` }).click()
    const asking = page.getByRole('dialog', { name: `Remove sales@${domain}?` })
    await asking.getByText('their sessions end').waitFor()
    await asking.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Nobody reads it in the webmail').waitFor()
    await user.page.reload()
    await user.page.waitForURL(`${webmail.url}/sign-in**`)

    // What mailboxes stand on is not offered to be removed, and says why.
    await page.getByRole('link', { name: 'Domains', exact: true }).click()
    await page.getByRole('link', { name: domain }).click()
    await page.getByText('It cannot be removed while it has 2 mailboxes').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Remove' }).count(), 0)
    assert.deepEqual(
      complaints.filter((words) => !/400/.test(words)),
      [],
    )
    await Promise.all([context.close(), user.context.close()])
  })
})

/** What a screen reader is told is chosen. */
const nameOfChosen = (page: Page) =>
  page.evaluate<string>(
    `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent ?? ''`,
  )

async function assertEachLook(page: Page, what: string): Promise<void> {
  await settled(page)
  for (const look of LOOKS) {
    await page.setViewportSize(look.viewport)
    await page.emulateMedia({ colorScheme: look.colorScheme })
    await assertLooksGood(page, what, look)
  }
}
