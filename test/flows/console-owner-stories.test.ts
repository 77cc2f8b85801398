// What an Owner does for a tenant in the console, from where it begins to where it is done, in two consoles over one database.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { followAll } from '../support/activity.ts'
import { openTestStore, send, startTestApi } from '../support/api.ts'
import { barriersIn, DESK, keepInBrowser, type OpenPage, PHONE, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestPerson, type TestUser } from '../support/people.ts'
import { startTestSite, type TestSite } from '../support/site.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { startTestOutbound } from '../support/workers.ts'

const skip = skipWithout('chromium')

describe('an Owner', { skip }, async () => {
  const { database } = await createTestDatabase()
  const open = useBrowser()
  const store = await openTestStore()
  const api = await startTestApi(database, { store })
  const [first, second] = [
    await startTestSite('console', database, { store }),
    await startTestSite('console', database, { store }),
  ]

  async function openAs(site: TestSite, { session }: TestUser, path = '/', viewport = DESK): Promise<OpenPage> {
    const opened = await open(site.url, { viewport })
    await keepInBrowser(opened.context, site, session)
    await opened.page.goto(path)
    return opened
  }

  test('stops mailing an address that bounced, and lets it back', async () => {
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
    await other.page.getByRole('checkbox', { name: 'Stop addresses by themselves' }).check()
    await other.page.getByRole('status').getByText('stopped by themselves now').waitFor()
    const again = await startTestOutbound(database, { relayUrl: sink.url, store })
    await other.page.getByRole('row').filter({ hasText: GONE }).getByText('by itself, as it bounced').waitFor()
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
    await page.getByRole('link', { name: 'settings' }).click()
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
})

/** What a screen reader is told is chosen. */
const nameOfChosen = (page: Page) =>
  page.evaluate<string>(
    `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent ?? ''`,
  )
