// The console as people see it: a real browser, on a phone and at a desk, in light and dark, with the keyboard alone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret as OtpSecret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { newId } from '../../src/lib/uuid.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { setSecondFactorRequired } from '../../src/people/set-second-factor-required.ts'
import { addSuppression } from '../../src/suppressions/add-suppression.ts'
import { recordBounces } from '../../src/suppressions/record-bounces.ts'
import { followAll } from '../support/activity.ts'
import { startTestApi } from '../support/api.ts'
import {
  assertPagesLookGood,
  barriersIn,
  DESK,
  keepInBrowser,
  LOOKS,
  nameOf,
  type OpenPage,
  PHONE,
  settled,
  useBrowser,
} from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { noticesOf } from '../support/notices.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson, PASSWORD, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'

const skip = skipWithout('chromium-headless-shell')
const PAGES = [
  ...['/', '/messages', '/messages?status=bounced', '/bounces', '/bounces?recipient=bounced@example.test'],
  ...['/bounces?status=stopped', '/events', '/webhooks', '/webhooks?view=deliveries', '/apps'],
  ...['/domains', '/mailboxes', '/requests', '/audit', '/people', '/settings', '/account', '/no-such-page'],
]

describe('the console in a browser', { skip }, async () => {
  const { database } = await createTestDatabase()
  const open = useBrowser()
  const site = await startTestSite('console', database, { config: { noticesFrom: 'notices@service.test' } })

  /** A page of a profile in which somebody is signed in. */
  async function openAs({ session }: Pick<TestUser, 'session'>, path = '/', options = {}): Promise<OpenPage> {
    const opened = await open(site.url, { viewport: DESK, ...options })
    await keepInBrowser(opened.context, site, session)
    await opened.page.goto(path)
    return opened
  }

  async function makeTenant(): Promise<{ tenant: TestTenant; owner: TestUser }> {
    const tenant = await createTestTenant(database)
    return { tenant, owner: await createTestPerson(database, tenant.tenantId, 'owner') }
  }

  const age = (minutes: number, userId: string) =>
    database.pool.query(`update sessions set proven_at = proven_at - make_interval(mins => $1) where user_id = $2`, [
      minutes,
      userId,
    ])

  for (const look of LOOKS) {
    test(`${nameOf(look)}: each page fits, and nothing is in anybody's way`, async () => {
      const { tenant, owner } = await makeTenant()
      const actor = operatorOf(tenant.tenantId)
      await invitePerson(database, actor, { email: `grace.${look.colorScheme}@example.com`, role: 'admin' })
      await createApp(database, actor, { name: 'Shop', environment: 'sandbox' })
      await addSuppression(database, actor, { address: `${'long-name-'.repeat(6)}@example.test`, note: 'asked us to' })
      const bounce = { ...actor, messageId: newId(), address: 'bounced@example.test', kind: 'bounced' as const }
      const words = { smtpCode: 550, enhancedCode: '5.1.1', diagnostic: `550 5.1.1 no such user ${'x'.repeat(200)}` }
      await database.transaction((tx) => recordBounces(tx, [{ ...bounce, ...words }]))
      const opened = await openAs(owner, '/', look)
      await assertPagesLookGood(opened, look, PAGES)
      await opened.context.close()
    })
  }

  test('a page does not move once its first words are there, and its script is light', async () => {
    const { owner } = await makeTenant()
    const { page, context } = await openAs(owner)
    await settled(page)
    const shifts = await page.evaluate<number>(SHIFTS)
    assert(shifts < 0.05, `things moved by ${shifts}`)
    const weight = await page.evaluate<number>(SCRIPT_OCTETS)
    assert(weight > 1_000 && weight <= 60 * 1024, `${weight} octets of script`)
    await context.close()
  })

  test('where one can go stays where it is first shown, however late it is known whose data this is', async () => {
    const { owner } = await makeTenant()
    const { page, context } = await open(site.url, { viewport: DESK })
    await keepInBrowser(context, site, owner.session)
    const people = page.getByRole('link', { name: 'People' })
    const placesBefore: unknown[] = []
    await page.route('**/data/surroundings', async (route) => {
      await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))')
      if (await people.isVisible()) placesBefore.push(await people.boundingBox())
      await route.continue()
    })
    await page.goto('/')
    await page.getByText('Example', { exact: true }).waitFor()
    const place = await people.boundingBox()
    for (const before of placesBefore) assert.deepEqual(before, place)
    await context.close()
  })

  test('an Owner invites somebody, by the keyboard alone, and has the link to hand on', async () => {
    const { tenant, owner } = await makeTenant()
    const { page, context, complaints } = await openAs(owner, '/people')
    await page.getByRole('button', { name: 'Invite', exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    // Escape leaves, and the focus is where it was.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.innerText'), 'Invite')
    await page.keyboard.press('Enter')
    await page.keyboard.type('not an address')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('is not an email address').waitFor()
    assert.equal(await page.evaluate('document.activeElement.name'), 'email')
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByLabel('Role', { exact: true }).selectOption('owner')
    assert.deepEqual(await barriersIn(page), [])
    await page.keyboard.press('Enter')
    const link = await page.getByLabel('Link').inputValue()
    assert.match(link, new RegExp(`^${site.url}/enter/[A-Za-z0-9_-]{43}$`))
    assert.deepEqual(await barriersIn(page), [])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.innerText'), 'Invite')
    const row = page.getByRole('row').filter({ hasText: 'grace@example.com' })
    await row.getByText('Invited', { exact: true }).waitFor()
    assert.equal(await row.getByText('Owner').count(), 1)
    await row.getByRole('button', { name: 'New link grace@example.com' }).click()
    assert.notEqual(await page.getByLabel('Link').inputValue(), link)
    await page.getByRole('button', { name: 'Mail it' }).click()
    await page.getByRole('status').getByText('on its way to grace@example.com').waitFor()
    assert.equal(await page.evaluate('document.activeElement.innerText'), 'Done')
    assert.deepEqual(await barriersIn(page), [])
    const notices = await noticesOf(database, tenant.tenantId)
    assert.deepEqual(
      notices.map(({ kind }) => kind),
      ['invitation'],
    )
    // The browser says so of the address that was none.
    assert.deepEqual(complaints, ['Failed to load resource: the server responded with a status of 400 (Bad Request)'])
    await context.close()
  })

  test('who signed in a while ago proves it once more, and what was asked for is done', async () => {
    const { owner } = await makeTenant()
    await age(11, owner.id)
    const { page, context } = await openAs(owner, '/people')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByLabel('E-mail').fill('linus@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByLabel('Password').fill('something else')
    assert.deepEqual(await barriersIn(page), [])
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await proof.getByRole('alert').waitFor()
    await proof.getByLabel('Password').fill(PASSWORD)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByLabel('Link').waitFor()
    await context.close()
  })

  test('the last Owner stays, in the words of the server; others are removed and given roles', async () => {
    const { tenant, owner } = await makeTenant()
    const admin = await createTestPerson(database, tenant.tenantId, 'admin')
    const { page, context } = await openAs(owner, '/people')
    await page.getByRole('button', { name: `Remove ${owner.login}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('alert').getByText('This is the last Owner').waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: `Change role ${admin.login}` }).click()
    await page.getByLabel('Role', { exact: true }).selectOption('owner')
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
    const row = page.getByRole('row').filter({ hasText: admin.login })
    await row.getByText('Owner').waitFor()
    await page.getByRole('button', { name: `Change role ${admin.login}` }).click()
    assert.equal(await page.getByLabel('Role', { exact: true }).inputValue(), 'owner')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: `Reset ${admin.login}` }).click()
    assert.match(await page.getByLabel('Link').inputValue(), /\/enter\//)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Remove ${admin.login}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    await context.close()
  })

  test('an Admin sees who there is, and nothing that would be refused', async () => {
    const { tenant, owner } = await makeTenant()
    const admin = await createTestPerson(database, tenant.tenantId, 'admin')
    const { page, context } = await openAs(admin, '/people')
    await page.getByRole('row').filter({ hasText: owner.login }).waitFor()
    assert.deepEqual(await page.getByRole('main').getByRole('button').allInnerTexts(), [])
    assert.equal(await page.getByRole('main').getByRole('checkbox').count(), 0)
    await context.close()
  })

  test('a sandbox is a mode of the whole page, which the address names', async () => {
    const { tenant, owner } = await makeTenant()
    const { id } = await createApp(database, operatorOf(tenant.tenantId), { name: 'Shop', environment: 'sandbox' })
    const { page, context } = await openAs(owner, '/people')
    await page.getByLabel('Environment').selectOption({ label: 'Sandbox: Shop' })
    await page.getByText('Sandbox of Shop').waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.waitForURL(`${site.url}/?environment=sandbox%3A${id}`)
    await page.getByText('Sandbox of Shop').waitFor()
    await context.close()
  })

  test('an address is looked for once it is whole, and what cannot be looked for is said in words', async () => {
    const { tenant, owner } = await makeTenant()
    const { page, context } = await openAs(owner, '/messages')
    await page.getByText('No messages yet').waitFor()
    const recipient = page.getByLabel('Recipient')
    await recipient.pressSequentially('ada')
    await page.getByText('Recipient: the whole address').waitFor()
    await page.getByLabel('Mailbox').selectOption(tenant.mailboxId)
    await page.getByText('No such message').waitFor()
    assert.equal(new URL(page.url()).search, `?mailbox=${tenant.mailboxId}`)
    await recipient.fill('ada@example.com')
    await page.getByLabel('Application').selectOption(tenant.appId)
    await page.waitForURL(({ searchParams }) => searchParams.has('recipient') && searchParams.has('app'))
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.goto('/messages?recipient=ada')
    await page
      .getByRole('alert')
      .getByText(/^“recipient” must /)
      .waitFor()
    // Nobody has typed anything: what the link asked for stays.
    await page.getByLabel('Search').fill('ada')
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'ada')
    assert.equal(new URL(page.url()).searchParams.get('recipient'), 'ada')
    await context.close()
  })

  test('who has a role in two tenants goes from one to the other', async () => {
    const { owner, tenant } = await makeTenant()
    const other = await createTestTenant(database)
    await database.pool.query(`update tenants set name = 'Another' where id = $1`, [other.tenantId])
    await database.pool.query(
      `insert into memberships (tenant_id, person_id, role, joined_at) values ($1, $2, 'admin', clock_timestamp())`,
      [other.tenantId, owner.id],
    )
    const { page, context } = await openAs(owner, '/people')
    await page.getByRole('button', { name: 'Invite', exact: true }).waitFor()
    await page.getByLabel('Tenant').selectOption({ label: 'Another' })
    await page.waitForURL(`${site.url}/`)
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('row').filter({ hasText: owner.login }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Invite', exact: true }).count(), 0)
    assert.notEqual(tenant.tenantId, other.tenantId)
    await context.close()
  })

  test('what is sent shows on the Overview without loading it again, in every tab', async () => {
    const { tenant, owner } = await makeTenant()
    const api = await startTestApi(database)
    const { page, context, complaints } = await openAs(owner)
    const second = await context.newPage()
    await second.goto(site.url)
    const queued = (tab: Page) =>
      tab
        .locator('div', { has: tab.locator('dt', { hasText: 'Queued' }) })
        .last()
        .locator('dd')
    for (const tab of [page, second]) await queued(tab).getByText('0', { exact: true }).waitFor()
    const sent = await fetch(`${api.url}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'console-screens-1',
      },
      body: JSON.stringify({ fromMailboxId: tenant.mailboxId, to: ['ada@example.test'], subject: 'Hello', text: 'x' }),
    })
    assert.equal(sent.status, 202)
    for (const tab of [page, second]) await queued(tab).getByText('1', { exact: true }).waitFor()

    // Counts follow by themselves, and each leads to what it counts.
    await followAll(database)
    const accepted = page
      .getByRole('definition')
      .filter({ has: page.getByLabel('Accepted by the hour') })
      .getByRole('link')
    await accepted.getByText('1', { exact: true }).waitFor()
    await page.getByText('As a table').click()
    await page.getByRole('row').getByRole('link', { name: '1', exact: true }).waitFor()
    await page.setViewportSize(PHONE)
    assert(await page.evaluate(`document.documentElement.scrollWidth <= ${PHONE.width}`), 'the table scrolls by itself')
    assert.deepEqual(await barriersIn(page), [])
    await page.setViewportSize(DESK)
    await accepted.click()
    await page.waitForURL(/\/events\?type=message.queued&since=/)
    await page.getByRole('listitem').getByText('Hello', { exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Last 30 days' }).click()
    await page.waitForURL(/view=days/)
    await page.getByLabel('Accepted by the day').waitFor()
    assert.equal(await page.getByRole('row', { includeHidden: true }).count(), 31)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('who must have a second factor is led to add one, and goes on with it', async () => {
    const { tenant, owner } = await makeTenant()
    await setSecondFactorRequired(database, operatorOf(tenant.tenantId), true)
    const { page, context, complaints } = await openAs(owner, '/people')
    await page.getByText('requires a second factor').waitFor()
    assert.deepEqual(await barriersIn(page), [])
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    const key = await page.getByLabel('Key', { exact: true }).inputValue()
    await page.getByRole('img', { name: 'The key as a QR code' }).waitFor()
    assert.deepEqual(await barriersIn(page), [])
    await page.getByLabel('Code').fill(new TOTP({ secret: OtpSecret.fromBase32(key) }).generate())
    await page.getByRole('button', { name: 'Confirm' }).click()
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    await codes.waitFor()
    assert.equal(await codes.getByRole('listitem').count(), 10)
    assert.deepEqual(await barriersIn(page), [])
    await codes.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('a passkey is added and removed, and the frame shows a new name at once', async () => {
    const { owner } = await makeTenant()
    const { page, context } = await openAs(owner, '/account')
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    })
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Laptop')
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor({ state: 'detached' })

    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('navigation', { name: 'Account' }).getByText('Ada Lovelace').waitFor()
    await context.close()
  })

  test('single sign-on says what is wrong with a provider, beside the field that names it', async () => {
    const { owner } = await makeTenant()
    const { page, context } = await openAs(owner, '/people')
    await page.getByRole('button', { name: 'Set up single sign-on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Issuer').fill('not a URL')
    await dialog.getByLabel('Client ID').fill('console')
    await dialog.getByLabel('Client secret').fill('secret')
    assert.deepEqual(await barriersIn(page), [])
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('must be a URL').waitFor()
    await context.close()
  })

  test('signing out leads to the sign-in, and back shows nothing of what there was', async () => {
    const { owner } = await makeTenant()
    const { page, context } = await openAs(owner, '/people')
    await settled(page)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(`${site.url}/sign-in**`)
    await page.goBack()
    await page.waitForURL(`${site.url}/sign-in?to=%2Fpeople`)
    await context.close()
  })

  test('signing out everywhere ends every session', async () => {
    const { owner } = await makeTenant()
    const { page, context } = await openAs(owner, '/account')
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL(`${site.url}/sign-in**`)
    const left = await database.pool.query('select id from sessions where user_id = $1', [owner.id])
    assert.equal(left.rowCount, 0)
    await context.close()
  })

  test('who is signed out elsewhere is led to sign in, and back to the same page', async () => {
    const { owner } = await makeTenant()
    const { page, context } = await openAs(owner, '/people')
    await settled(page)
    await database.pool.query('delete from sessions where user_id = $1', [owner.id])
    await page.waitForURL(`${site.url}/sign-in?to=%2Fpeople`)
    await context.close()
  })
})

/** How far things moved while nobody touched anything. */
const SHIFTS = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value })
    .observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))))
})`

/** Of the scripts that the page has fetched, as they came over the network. */
const SCRIPT_OCTETS = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`
