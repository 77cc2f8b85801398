// Single sign-on in a real browser, whose provider is another site: `127.0.0.1` beside `localhost`.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { sql } from '../../src/lib/sql.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import type { NewSession } from '../../src/users/sessions.ts'
import { barriersIn, keepInBrowser, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { startOpenIdProvider } from '../support/openid-provider.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'

describe('in a browser', { skip: skipWithout('chromium-headless-shell') }, async () => {
  const { database } = await createTestDatabase()
  const { tenantId } = await createTestTenant(database)
  const config = { singleSignOn: { allow: [parseNetwork('127.0.0.1')] } }
  const site = await startTestSite('console', database, { config })
  const provider = await startOpenIdProvider({ redirectUris: [`${site.url}/sign-in/sso/${tenantId}/callback`] })
  after(() => provider.stop())
  const owner = await createTestPerson(database, tenantId, 'owner')
  const openPage = useBrowser()

  /** A profile of its own, signed in when it is given a session. */
  async function open(session?: NewSession): Promise<Page> {
    const { page, context } = await openPage(site.url)
    if (session) await keepInBrowser(context, site, session)
    return page
  }

  /** From the provider. */
  const back = (page: Page) =>
    page.waitForURL(({ pathname }) => pathname.endsWith('/callback'), { waitUntil: 'commit' })

  test('an Owner sets it up, and is told at the field what is wrong', async () => {
    const page = await open(owner.session)
    await page.goto('/people')
    await page.getByRole('button', { name: 'Set up single sign-on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`${site.url}/sign-in/sso/${tenantId}/callback`).waitFor()
    await dialog.getByLabel('Issuer').fill('https://10.0.0.1')
    await dialog.getByLabel('Client ID').fill(provider.clientId)
    await dialog.getByLabel('Client secret').fill(provider.clientSecret)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('not public').waitFor()
    await dialog.getByLabel('Issuer').fill(provider.issuer)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('main').getByText(provider.issuer).waitFor()
    assert.deepEqual(await barriersIn(page), [])
    await page.context().close()
  })

  test('an invitation is taken up, signed out of, and come back to, and each time the page is the one that was asked for', async () => {
    const { token } = await invitePerson(database, operatorOf(tenantId), { email: 'ada@example.com', role: 'admin' })
    const page = await open()
    const context = page.context()
    const isIn = () =>
      page.evaluate<number>(`fetch('/data/session').then(({ status }) => status)`).then((status) => status === 200)
    await page.goto(`/enter/${token}`)
    await page.getByRole('link', { name: 'Use single sign-on instead' }).click()
    await page.waitForURL(`${site.url}/`)
    assert(await isIn())
    // A page that is open notices that it is signed out, and goes to the sign-in by itself.
    await page.goto('about:blank')
    await context.clearCookies({ name: '__Host-mdk_console' })
    await page.goto(`/sign-in/sso/${tenantId}?to=${encodeURIComponent('/people?role=admin')}`)
    await page.waitForURL(`${site.url}/people?role=admin`)
    assert(await isIn())
    const cookies = (await context.cookies(site.url)).map(({ name, sameSite, secure, httpOnly }) => [
      ...[name, sameSite, secure, httpOnly],
    ])
    assert.deepEqual(cookies.sort(), [
      ['__Host-mdk_console', 'Strict', true, true],
      ['__Host-mdk_sso_tenant', 'Lax', true, true],
    ])
    await context.close()
  })

  test('somebody links it on the account page, comes in by it, and proves it there when that is asked for', async () => {
    provider.account = 'grace'
    const own = await open(owner.session)
    await own.goto('/account')
    await Promise.all([back(own), own.getByRole('button', { name: 'Link single sign-on' }).click()])
    await own.waitForURL(`${site.url}/account`)
    await own.goto('/people')
    await own.getByRole('button', { name: `Unlink single sign-on ${owner.login}` }).waitFor()
    await own.context().close()

    const page = await open()
    await page.goto(`/sign-in/sso/${tenantId}?to=/people`)
    await page.waitForURL(`${site.url}/people`)
    await database.rows(sql`
      update sessions set proven_at = proven_at - interval '1 hour' where only_tenant_id = ${tenantId}`)
    const switchOn = () => page.getByRole('checkbox', { name: 'Require a second factor' }).click()
    await switchOn()
    await Promise.all([back(page), page.getByRole('button', { name: 'Sign in at your organization' }).click()])
    await page.waitForURL(`${site.url}/people`)
    await switchOn()
    await page.getByText('Everybody needs a second factor now.').waitFor()
    // It lets in whom the provider vouches for.
    await page.reload()
    await page.getByRole('button', { name: 'Invite' }).waitFor()
    await page.context().close()
  })
})
