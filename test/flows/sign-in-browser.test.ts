// Coming in and going as somebody sees it in a real browser: with and without script, by keyboard, by passkey, from a mail,
// and what other sites make of a session.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { resetPerson } from '../../src/people/reset-person.ts'
import { makeLink } from '../../src/users/links.ts'
import { mailboxUserRef, personRef } from '../../src/users/user.ts'
import { assertLooksGood, barriersIn, LOOKS, nameOf, tabTo, useBrowser } from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { addTestTotp, createTestMailboxUser, createTestPerson, PASSWORD } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'

describe('in a browser', { skip: skipWithout('chromium-headless-shell') }, async () => {
  const { database } = await createTestDatabase()
  const { tenantId, mailboxId } = await createTestTenant(database)
  const { url } = await startTestSite('console', database)
  const webmail = await startTestSite('webmail', database)
  // Names of this machine: every host but localhost is another site.
  const plain = await startTestSite('console', database, {
    config: { console: { host: '127.0.0.1', port: 0, publicUrl: 'http://console.test' } },
  })
  const open = useBrowser([`--host-resolver-rules=MAP console.test:80 ${new URL(plain.listensAt).host}`])
  const invite = (email: string, inTenant = tenantId) =>
    invitePerson(database, operatorOf(inTenant), { email, role: 'admin' })

  /** A page of somebody else's: the same site at another port when it is asked for as localhost, else another site. */
  const pages = new Map<string, string>()
  const elsewhere = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end(pages.get(request.url ?? '') ?? '<!doctype html>')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  after(() => elsewhere.close())
  const { port } = elsewhere.address() as AddressInfo
  const otherSite = `http://127.0.0.1:${port}`
  const otherPort = `http://localhost:${port}`

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  async function signIn(page: Page, login: string, path = '/sign-in'): Promise<void> {
    await page.goto(path)
    await page.getByLabel('E-mail').fill(login)
    await page.getByLabel('Password').fill(PASSWORD)
    await button(page, 'Sign in').click()
  }
  /** The second time while what the page asks for by the first is held up. Gives how often it has asked for it. */
  async function clickTwice(page: Page, name: string, isAsked: (request: Request) => boolean): Promise<() => number> {
    let asked = 0
    const { promise: clicked, resolve: goOn } = Promise.withResolvers<void>()
    await page.route('**', async (route) => {
      if (isAsked(route.request())) {
        asked++
        await clicked
      }
      await route.continue()
    })
    const place = await button(page, name).boundingBox()
    assert(place)
    // By the mouse: a button of a page that is being left is clicked too.
    const click = () => page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
    await Promise.all([page.waitForRequest(isAsked), click()])
    await click()
    goOn()
    return () => asked
  }
  const whoIsIn = async (page: Page) => (await page.context().request.get('/data/session')).status()

  for (const look of LOOKS) {
    test(`${nameOf(look)}: every page fits, follows the scheme and has no barrier`, async () => {
      const person = await createTestPerson(database, tenantId, 'owner')
      await addTestTotp(database, personRef(person.id))
      const other = await createTestTenant(database)
      const member = await createTestPerson(database, tenantId, 'admin')
      const [fresh, known, reset] = [
        await invite(`fresh-${look.colorScheme}@example.com`),
        await invite(member.login, other.tenantId),
        await resetPerson(database, operatorOf(tenantId), person.id),
      ]
      const { page, complaints, context } = await open(url, look)
      const shows = async (heading: string) => {
        assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), heading)
        assert.equal(await page.getByRole('main').count(), 1)
        await assertLooksGood(page, heading, look)
      }
      await page.goto('/forgotten')
      await shows('Forgotten your password?')
      await page.goto(`/enter/${fresh.token}`)
      await shows('Welcome')
      await page.goto(`/enter/${reset.token}`)
      await shows('Choose a new password')
      await signIn(page, person.login)
      await page.waitForURL(/to=/)
      await shows('Second step')
      await button(page, 'Start over').click()
      await page.waitForURL('**/sign-in?to=%2F')
      await shows('Sign in')
      await signIn(page, member.login, `/enter/${known.token}`)
      await page.waitForURL('**/enter/*')
      await shows('Accept the invitation')
      await page.goto('/sign-out')
      await shows('Sign out')
      assert.deepEqual(complaints, [])
      await page.goto(`/enter/nothing`)
      await shows('This link no longer works')
      await context.close()
    })
  }

  test('without script and without a mouse: sign in, be told what is wrong, give a code, and sign out', async () => {
    const { id, login } = await createTestPerson(database, tenantId, 'owner')
    const totp = await addTestTotp(database, personRef(id))
    const { page, context } = await open(url, { javaScriptEnabled: false })
    await page.goto('/sign-in?to=/sign-out')
    assert.equal(await button(page, 'Sign in with a passkey').isVisible(), false)
    // Typing begins where something is to be typed.
    await page.keyboard.type(login)
    await page.keyboard.press('Tab')
    await page.keyboard.type('a wrong password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('E-mail or password is wrong.').waitFor()
    assert.equal(await page.getByLabel('E-mail').inputValue(), login)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('That code is wrong').waitFor()
    await page.keyboard.type(totp.generate())
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-out')
    await page.getByText(login).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in?to=%2F')
    assert.equal(await whoIsIn(page), 401)
    await context.close()
  })

  test('an invitation is taken up with a passkey, which then signs in', async () => {
    const { token } = await invite('passkey@example.com')
    const { page, complaints, context } = await open(url)
    await addAuthenticator(page)
    await page.goto(`/enter/${token}`)
    await button(page, 'Use a passkey instead').click()
    await page.waitForURL(`${url}/`)
    assert.equal(await whoIsIn(page), 200)
    await page.goto('/sign-out')
    await button(page, 'Sign out').click()
    await page.waitForURL('**/sign-in?to=%2F')
    const asked = await clickTwice(page, 'Sign in with a passkey', (request) => request.url().endsWith('/passkey'))
    await page.waitForURL(`${url}/`)
    assert.deepEqual([asked(), await whoIsIn(page)], [1, 200])
    assert.deepEqual(complaints.filter(isOwn), [])
    await context.close()
  })

  test('a passkey that is not there is said so, and the password goes on', async () => {
    const { login } = await createTestPerson(database, tenantId, 'owner')
    const { page, complaints, context } = await open(url)
    const authenticator = await addAuthenticator(page)
    await authenticator.refuse()
    await page.goto('/sign-in')
    await button(page, 'Sign in with a passkey').click()
    await page.getByRole('alert').getByText('The passkey was not used.').waitFor()
    assert.deepEqual(await barriersIn(page), [])
    assert.deepEqual(complaints, [])
    await signIn(page, login)
    await page.waitForURL(`${url}/`)
    await context.close()
  })

  test('two clicks send a form once', async () => {
    const { token } = await invite('impatient@example.com')
    const { page, context } = await open(url)
    await page.goto(`/enter/${token}`)
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('New password, once more').fill(PASSWORD)
    const sent = await clickTwice(page, 'Accept and sign in', (request) => request.method() === 'POST')
    await page.waitForURL(`${url}/`)
    assert.deepEqual([sent(), await whoIsIn(page)], [1, 200])
    await context.close()
  })

  test('whoever is signed in and follows a link from another site gets to the page, and nobody else does', async () => {
    const { login } = await createTestPerson(database, tenantId, 'owner')
    const other = await createTestTenant(database)
    const { token } = await invite(login, other.tenantId)
    const { page, context } = await open(url, { javaScriptEnabled: false })
    pages.set('/mail', `<a href="${url}/people?a=1&amp;b=%2F">page</a> <a href="${url}/enter/${token}">invitation</a>`)
    const follow = async (name: string) => {
      await page.goto(`${otherSite}/mail`)
      await page.getByRole('link', { name }).click()
    }
    await follow('invitation')
    await page.getByLabel('Password').waitFor()
    await signIn(page, login)
    await page.waitForURL(`${url}/`)
    await follow('invitation')
    await button(page, 'Accept').waitFor()
    assert.equal(page.url(), `${url}/enter/${token}`)
    await follow('page')
    await page.waitForURL(`${url}/people?a=1&b=%2F`)
    await context.close()
  })

  test("the operator's link opens the site signed in, also from another site", async () => {
    const person = personRef((await createTestPerson(database, tenantId, 'owner')).id)
    const user = mailboxUserRef(tenantId, (await createTestMailboxUser(database, tenantId, mailboxId)).id)
    for (const [site, ref] of [
      [url, person],
      [webmail.url, user],
    ] as const) {
      const { token } = await database.transaction((tx) => makeLink(tx, ref, 'sign_in', tenantId))
      pages.set('/terminal', `<a href="${site}/enter/${token}">link</a>`)
      const { page, context } = await open(site)
      await page.goto(`${otherSite}/terminal`)
      await page.getByRole('link').click()
      await page.waitForURL((at) => at.origin === site && !/sign-in|enter/.test(at.pathname))
      assert.equal(await whoIsIn(page), 200)
      await context.close()
    }
  })

  test('over plain http to another host one signs in all the same, without anything but the origin to go by', async () => {
    const { login } = await createTestPerson(database, tenantId, 'owner')
    const { page, context } = await open('http://console.test')
    let sent: Record<string, string> = {}
    page.on('request', (request) => {
      if (request.method() === 'POST') void request.allHeaders().then((headers) => (sent = headers))
    })
    await signIn(page, login)
    await page.waitForURL('http://console.test/')
    await page.goto('/sign-out')
    await page.getByText(login).waitFor()
    assert.deepEqual([sent['sec-fetch-site'], sent.origin], [undefined, 'http://console.test'])
    const [cookie] = await context.cookies()
    assert.deepEqual([cookie?.name, cookie?.secure, cookie?.httpOnly], ['mdk_console', false, true])
    await context.close()
  })

  test('another site, and another port of this host, change nothing in the name of who is signed in', async () => {
    const { login } = await createTestPerson(database, tenantId, 'owner')
    const forms = {
      out: `<form method="post" action="${url}/sign-out">`,
      in: `<form method="post" action="${url}/sign-in"><input name="login" value="mallory@example.com"><input name="password">`,
      text: `<form method="post" action="${url}/data/step-up" enctype="text/plain"><input name='{"a":"' value='"}'>`,
    }
    for (const [name, form] of Object.entries(forms)) pages.set(`/${name}`, `<!doctype html>${form}</form>`)
    const { page, context } = await open(url)
    await signIn(page, login)
    await page.waitForURL(`${url}/`)
    for (const attacker of [otherSite, otherPort]) {
      for (const name of Object.keys(forms)) {
        await page.goto(`${attacker}/${name}`)
        const answered = page.waitForResponse((response) => response.request().method() === 'POST')
        await page.evaluate('document.forms[0].submit()')
        assert.equal((await answered).status(), 403, `${attacker} ${name}`)
        await page.waitForURL(`${url}/**`)
      }
      await page.goto(`${attacker}/out`)
      const read = await page.evaluate(`Promise.all([
        fetch('${url}/data/session', { credentials: 'include' }),
        fetch('${url}/sign-out', { method: 'POST', credentials: 'include', body: new URLSearchParams('everywhere=1') }),
        fetch('${url}/data/account', { method: 'PATCH', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{}' }),
      ].map((asked) => asked.then(() => 'read', () => 'refused')))`)
      assert.deepEqual(read, ['refused', 'refused', 'refused'])
      assert.equal(await whoIsIn(page), 200)
    }
    await context.close()
  })

  test('no page can be framed, by this host neither', async () => {
    const { login } = await createTestPerson(database, tenantId, 'owner')
    const { page, context } = await open(url)
    await signIn(page, login)
    await page.waitForURL(`${url}/`)
    for (const path of ['/', '/forgotten']) {
      for (const attacker of [otherSite, otherPort]) {
        pages.set('/frame', `<!doctype html><iframe src="${url}${path}"></iframe>`)
        await page.goto(`${attacker}/frame`, { waitUntil: 'networkidle' })
        const frame = page.frames()[1]
        assert.match(frame?.url() ?? '', /^chrome-error:/, path)
      }
    }
    await context.close()
  })

  test('after signing out, going back shows nothing of what was there', async () => {
    const { login } = await createTestPerson(database, tenantId, 'owner')
    const { page, context } = await open(url)
    await signIn(page, login)
    await page.getByRole('navigation').first().waitFor()
    await page.goto('/sign-out')
    await button(page, 'Sign out').click()
    await page.waitForURL('**/sign-in?to=%2F')
    for (const left of ['/sign-out', '/']) {
      await page.goBack()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal(await page.getByText(login).count(), 0, left)
    }
    await context.close()
  })

  test('with the keyboard, all of a page is reached in the order in which it reads', async () => {
    const { page, context } = await open(url)
    await page.goto('/sign-in')
    for (const name of ['Sign in', 'Sign in with a passkey', 'Forgotten your password?']) await tabTo(page, name)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/forgotten')
    await context.close()
  })
})

/** Not what the site's own page had begun when it was left. */
function isOwn(complaint: string): boolean {
  return !complaint.endsWith('net::ERR_ABORTED')
}

/** As a phone or a computer has one: it knows its user. */
async function addAuthenticator(page: Page): Promise<{ refuse(): Promise<void> }> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async refuse() {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    },
  }
}
