// Single sign-on in a real browser, whose provider is another site: `127.0.0.1` beside `localhost`.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { createTestDatabase } from '../support/database.ts'
import { startOpenIdProvider } from '../support/openid-provider.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

describe('in a browser', { skip: skipWithout('chromium') }, async () => {
  const { database } = await createTestDatabase()
  const { tenantId } = await createTestTenant(database)
  const config = { singleSignOn: { allow: [parseNetwork('127.0.0.1')] } }
  const site = await startTestSite('console', database, { config })
  const provider = await startOpenIdProvider({ redirectUris: [`${site.url}/sign-in/sso/${tenantId}/callback`] })
  after(() => provider.stop())
  const { session } = await createTestPerson(database, tenantId, 'owner')
  const { issuer, clientId, clientSecret } = provider
  await site.ask('PUT', '/data/single-sign-on', { session, body: { issuer, clientId, clientSecret } })
  let browser: Browser
  before(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
  })
  after(() => browser.close())

  test('an invitation is taken up, signed out of, and come back to, and each time the page is the one that was asked for', async () => {
    const { token } = await invitePerson(database, operatorOf(tenantId), { email: 'ada@example.com', role: 'admin' })
    const context = await browser.newContext({ baseURL: site.url })
    const page = await context.newPage()
    const isIn = () =>
      page.evaluate<number>(`fetch('/data/session').then(({ status }) => status)`).then((status) => status === 200)
    await page.goto(`/enter/${token}`)
    await page.getByRole('link', { name: 'Use single sign-on instead' }).click()
    await page.waitForURL(`${site.url}/`)
    assert(await isIn())
    await context.clearCookies({ name: '__Host-mdk_console' })
    await page.goto(`/sign-in/sso/${tenantId}?to=${encodeURIComponent('/people?role=admin')}`)
    await page.waitForURL(`${site.url}/people?role=admin`)
    assert(await isIn())
    const cookies = (await context.cookies(site.url)).map(({ name, sameSite, secure, httpOnly }) => [
      ...[name, sameSite, secure, httpOnly],
    ])
    assert.deepEqual(cookies, [['__Host-mdk_console', 'Strict', true, true]])
    await context.close()
  })
})
