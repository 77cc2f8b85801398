// Signing in, and coming in by a link, as somebody without script does it: pages, forms, and where they lead to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNetwork } from '../../src/lib/network.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { resetMailboxUser } from '../../src/mailboxes/reset-mailbox-user.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { resetPerson } from '../../src/people/reset-person.ts'
import { makeLink } from '../../src/users/links.ts'
import { makeRecoveryCodes } from '../../src/users/recovery-codes.ts'
import { mailboxUserRef, personRef } from '../../src/users/user.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createPasskey } from '../support/passkey.ts'
import { addTestTotp, createTestMailboxUser, createTestPerson, PASSWORD } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'
import { createVisitor, type Visitor } from '../support/visitor.ts'

const { database } = await createTestDatabase()
const { tenantId, mailboxId, address } = await createTestTenant(database)
const config = { trustedProxies: [parseNetwork('127.0.0.1')] }
const sites = {
  console: await startTestSite('console', database, { config }),
  webmail: await startTestSite('webmail', database, { config }),
}
const at = (name: 'console' | 'webmail') => createVisitor(sites[name], name)
let addresses = 0
const newAddress = () => `somebody-${++addresses}@example.com`

/** Who the site says is signed in. */
async function signedIn(visitor: Visitor): Promise<{ login: string; tenantId: string } | undefined> {
  const { status, text } = await visitor.open('/data/session')
  return status === 200 ? JSON.parse(text) : undefined
}

const enter = (visitor: Visitor, login: string, password = PASSWORD, to = '/') =>
  visitor.send('/sign-in', { login, password, to })

test('an address and a password lead to the page that was asked for, on each site to its own users', async () => {
  const users = {
    console: await createTestPerson(database, tenantId, 'owner'),
    webmail: await createTestMailboxUser(database, tenantId, mailboxId),
  }
  for (const name of ['console', 'webmail'] as const) {
    const visitor = at(name)
    const asked = await visitor.open('/anything?a=1&b=2')
    const form = await visitor.open(asked.location as string)
    assert.match(form.text, /<form [^>]*action="\/sign-in"/)
    assert.match(form.text, /name="to" value="\/anything\?a=1&amp;b=2"/)
    const other = name === 'console' ? 'webmail' : 'console'
    assert.equal((await enter(visitor, users[other].login)).status, 401)
    const entered = await enter(visitor, ` ${users[name].login.toUpperCase()}`, PASSWORD, '/anything?a=1&b=2')
    assert.deepEqual([entered.status, entered.location], [303, '/anything?a=1&b=2'])
    assert.equal((await signedIn(visitor))?.login, users[name].login)
    assert.equal((await visitor.open('/sign-in?to=/there')).location, '/there')
  }
})

test('what is wrong is said once, at the field where one goes on typing, and the address stays', async () => {
  const { login } = await createTestPerson(database, tenantId, 'admin')
  const visitor = at('console')
  const wrong = await enter(visitor, login, 'not the password')
  assert.deepEqual([wrong.status, wrong.alerts], [401, ['E-mail or password is wrong.']])
  assert.match(wrong.text, new RegExp(`name="login"[^>]* value="${login}"`))
  assert.match(wrong.text, /id="password"[^>]*aria-describedby="password-fault"[^>]*aria-invalid="true"[^>]* autofocus/)
  assert(!wrong.text.includes('not the password'))
  assert.equal(visitor.cookie, undefined)
  for (const [fields, words] of [
    [{ login: ' ', password: PASSWORD }, 'Type your e-mail address.'],
    [{ login }, 'Type your password.'],
    ['', 'Type your e-mail address.'],
  ] as const) {
    const { status, alerts } = await visitor.send('/sign-in', fields)
    assert.deepEqual([status, alerts], [400, [words]])
  }
})

test('fields are what password managers know, and are looked at by the service alone', async () => {
  const { token } = await invitePerson(database, operatorOf(tenantId), { email: newAddress(), role: 'admin' })
  const visitor = at('console')
  const kinds = async (path: string) =>
    [...(await visitor.open(path)).text.matchAll(/name="(\w+)" type="(\w+)" autocomplete="([\w-]+)"/g)].map((found) =>
      found.slice(1).join(' '),
    )
  assert.deepEqual(await kinds('/sign-in'), ['login text username', 'password password current-password'])
  assert.deepEqual(await kinds(`/enter/${token}`), [
    'login text username',
    'password password new-password',
    'again password new-password',
  ])
  assert.doesNotMatch((await visitor.open('/sign-in')).text, /maxlength|onpaste|pattern=/)
})

test('a second factor is asked for by the same form, and only with it the session is whole, under another pair', async () => {
  const { id, login } = await createTestPerson(database, tenantId, 'owner')
  const totp = await addTestTotp(database, personRef(id))
  const visitor = at('console')
  const first = await enter(visitor, login, PASSWORD, '/people')
  assert.deepEqual([first.status, first.location], [303, '/sign-in?to=%2Fpeople'])
  const half = visitor.cookie as string
  assert.equal(await signedIn(visitor), undefined)
  assert.equal((await visitor.open('/people')).location, '/sign-in?to=%2Fpeople')
  const form = await visitor.open('/sign-in?to=%2Fpeople')
  assert.match(form.text, /name="code" type="text" autocomplete="one-time-code"/)
  const wrong = await visitor.send('/sign-in', { code: '000000', to: '/people' })
  assert.deepEqual([wrong.status, wrong.alerts], [401, ['That code is wrong, or was used before.']])
  assert.deepEqual((await visitor.send('/sign-in', { code: ' ' })).alerts, ['Type a code.'])

  const right = await visitor.send('/sign-in', { code: totp.generate(), to: '/people' })
  assert.deepEqual([right.status, right.location], [303, '/people'])
  assert.notEqual(visitor.cookie, half)
  assert.equal((await signedIn(visitor))?.login, login)
  visitor.cookie = half
  assert.equal(await signedIn(visitor), undefined)
  // The form that is still open in another tab leads to the beginning.
  assert.equal(
    (await visitor.send('/sign-in', { code: totp.generate(), to: '/people' })).location,
    '/sign-in?to=%2Fpeople',
  )
})

test('a recovery code does in place of the app, once', async () => {
  const { id, login } = await createTestPerson(database, tenantId, 'owner')
  await addTestTotp(database, personRef(id))
  const [code = ''] = await database.transaction((tx) => makeRecoveryCodes(tx, personRef(id)))
  for (const expected of [303, 401]) {
    const visitor = at('console')
    await enter(visitor, login)
    assert.equal((await visitor.send('/sign-in', { code: code.toUpperCase().replace('-', ' ') })).status, expected)
  }
})

test('whoever begins anew, or signs in as somebody else, leaves no session behind', async () => {
  const [first, second] = [
    await createTestPerson(database, tenantId, 'admin'),
    await createTestPerson(database, tenantId, 'admin'),
  ]
  await addTestTotp(database, personRef(second.id))
  const visitor = at('console')
  const former: string[] = []
  for (const { login } of [first, second, second, first]) {
    await enter(visitor, login)
    former.push(visitor.cookie as string)
  }
  const last = former.pop()
  for (const cookie of former) {
    visitor.cookie = cookie
    assert.equal(await signedIn(visitor), undefined)
    assert.doesNotMatch((await visitor.open('/sign-in')).text, /name="code"/)
  }
  visitor.cookie = last
  assert.equal((await signedIn(visitor))?.login, first.login)
})

test('a passkey signs in alone, and is a second factor; one of somebody else is not', async () => {
  const { url } = sites.console
  const passkey = createPasskey(url)
  const email = newAddress()
  const { token } = await invitePerson(database, operatorOf(tenantId), { email, role: 'admin' })
  const invited = at('console')
  const offer = JSON.parse((await invited.open(`/enter/${token}/passkey`)).text)
  const taken = await invited.send(`/enter/${token}`, { passkey: JSON.stringify(passkey.register(offer)) })
  assert.deepEqual([taken.status, taken.location], [303, '/'])
  assert.equal((await signedIn(invited))?.login, email)
  assert.equal((await invited.open(`/enter/${token}/passkey`)).status, 404)

  const visitor = at('console')
  const answer = async () => {
    const options = JSON.parse((await visitor.open('/sign-in/passkey')).text)
    assert.equal(options.userVerification, 'required')
    return JSON.stringify(passkey.authenticate(options))
  }
  const used = await answer()
  const entered = await visitor.send('/sign-in', { passkey: used, to: '/people' })
  assert.deepEqual([entered.status, entered.location], [303, '/people'])
  assert.equal((await signedIn(visitor))?.login, email)
  visitor.cookie = undefined
  const again = await visitor.send('/sign-in', { passkey: used })
  assert.deepEqual([again.status, again.alerts], [401, ['That passkey does not sign in here.']])

  const { id, login } = await createTestPerson(database, tenantId, 'admin')
  await addTestTotp(database, personRef(id))
  await enter(visitor, login)
  const others = await visitor.send('/sign-in', { passkey: await answer() })
  assert.deepEqual([others.status, others.alerts], [401, ['That passkey does not sign in here.']])
  assert.match(others.text, /name="code"/)
})

test('an invitation is looked at as often as one likes, and taken up once, with a password that is good enough', async () => {
  const email = newAddress()
  const { token } = await invitePerson(database, operatorOf(tenantId), { email, role: 'owner' })
  const path = `/enter/${token}`
  const visitor = at('console')
  const page = await visitor.open(path)
  assert.match(page.text, /invited to <strong>[^<]+<\/strong> as an Owner/)
  assert.match(page.text, new RegExp(`value="${email}"[^>]* readonly`))
  assert.match(page.text, /<button[^>]*>Accept and sign in</)
  for (const [fields, words] of [
    [{ password: 'short', again: 'short' }, 'The password must have at least 15 characters.'],
    [{ password: PASSWORD, again: `${PASSWORD}.` }, 'The two passwords are not the same.'],
    [
      { password: `${email} and more`, again: `${email} and more` },
      'The password must not contain the address that you sign in with.',
    ],
    ['', 'The password must have at least 15 characters.'],
    [{ passkey: '{"id":"a"}' }, 'The passkey could not be added. Try again, or choose a password.'],
  ] as const) {
    const { status, alerts, text } = await visitor.send(path, fields)
    assert.deepEqual([status, alerts], [400, [words]])
    assert(!text.includes(PASSWORD))
  }
  const taken = await visitor.send(path, { login: email, password: PASSWORD, again: PASSWORD })
  assert.deepEqual([taken.status, taken.location], [303, '/'])
  assert.equal((await signedIn(visitor))?.login, email)
  for (const gone of [
    await visitor.open(path),
    await visitor.send(path, { password: PASSWORD }),
    await visitor.open('/enter/x'),
  ]) {
    assert.equal(gone.status, 404)
    assert.match(gone.text, /This link no longer works/)
  }
})

test('who can sign in already is led to sign in, and then asked whether to accept', async () => {
  const other = await createTestTenant(database)
  const { login } = await createTestPerson(database, tenantId, 'owner')
  const { token } = await invitePerson(database, operatorOf(other.tenantId), { email: login, role: 'admin' })
  const path = `/enter/${token}`
  const visitor = at('console')
  const asked = await visitor.open(path)
  assert.equal(asked.location, `/sign-in?to=${encodeURIComponent(path)}`)
  assert.equal((await visitor.send(path, { password: PASSWORD, again: PASSWORD })).location, asked.location)
  assert.equal((await visitor.open(`${path}/passkey`)).status, 404)

  const somebodyElse = await createTestPerson(database, tenantId, 'owner')
  await enter(visitor, somebodyElse.login)
  const refused = await visitor.send(path, {})
  assert.match(refused.text, /for somebody else/)
  const left = await visitor.send('/sign-out', { to: path })
  assert.equal(left.location, asked.location)

  const entered = await enter(visitor, login, PASSWORD, path)
  assert.equal(entered.location, path)
  assert.equal((await signedIn(visitor))?.tenantId, tenantId)
  assert.match((await visitor.open(path)).text, /<button[^>]*>Accept</)
  const former = visitor.cookie
  assert.equal((await visitor.send(path, {})).location, '/')
  assert.equal((await signedIn(visitor))?.tenantId, other.tenantId)
  assert.notEqual(visitor.cookie, former)
})

test('a mailbox user who is given another mailbox has nothing to accept', async () => {
  const { login } = await createTestMailboxUser(database, tenantId, mailboxId)
  const more = await createMailbox(database, operatorOf(tenantId), {
    address: `more@${address.split('@')[1]}`,
    displayName: 'More',
  })
  const request = { mailboxId: more.id, login, access: 'read' } as const
  const { token } = await addMailboxUser(database, operatorOf(tenantId), request)
  const visitor = at('webmail')
  const asked = await visitor.open(`/enter/${token}`)
  assert.equal((await enter(visitor, login, PASSWORD, `/enter/${token}`)).location, `/enter/${token}`)
  assert.equal(asked.location, `/sign-in?to=${encodeURIComponent(`/enter/${token}`)}`)
  assert.equal((await visitor.open(`/enter/${token}`)).location, '/')
})

test('a reset takes the place of everything that was proven before, and ends every session', async () => {
  const { id, login, session } = await createTestPerson(database, tenantId, 'owner')
  await addTestTotp(database, personRef(id))
  const { token } = await resetPerson(database, operatorOf(tenantId), id)
  const before = at('console')
  before.cookie = session.cookie
  assert(await signedIn(before))
  const visitor = at('console')
  assert.match((await visitor.open(`/enter/${token}`)).text, /Choose a new password/)
  const password = 'another four unrelated words'
  assert.equal((await visitor.send(`/enter/${token}`, { password, again: password })).location, '/')
  assert.equal((await signedIn(visitor))?.login, login)
  assert.equal(await signedIn(before), undefined)
  assert.equal((await enter(before, login)).status, 401)
  assert.equal((await enter(before, login, password)).location, '/')
  assert(await signedIn(before))
})

test('a reset of a mailbox user with a passkey leaves the former password worthless', async () => {
  const { id, login } = await createTestMailboxUser(database, tenantId, mailboxId)
  const { token } = await resetMailboxUser(database, operatorOf(tenantId), id)
  const visitor = at('webmail')
  const offer = JSON.parse((await visitor.open(`/enter/${token}/passkey`)).text)
  const passkey = createPasskey(sites.webmail.url)
  assert.equal(
    (await visitor.send(`/enter/${token}`, { passkey: JSON.stringify(passkey.register(offer)) })).status,
    303,
  )
  assert.equal((await signedIn(visitor))?.login, login)
  assert.equal((await enter(at('webmail'), login)).status, 401)
})

test("the operator's link signs in once, when a browser shows it, and to nobody who looks ahead", async () => {
  for (const [name, ref] of [
    ['console', personRef((await createTestPerson(database, tenantId, 'owner')).id)],
    ['webmail', mailboxUserRef(tenantId, (await createTestMailboxUser(database, tenantId, mailboxId)).id)],
  ] as const) {
    const { token } = await database.transaction((tx) => makeLink(tx, ref, 'sign_in', tenantId))
    const path = `/enter/${token}`
    const visitor = at(name)
    const head = await fetch(`${sites[name].listensAt}${path}`, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.getSetCookie()], [200, []])
    for (const [header, value] of [
      ['sec-purpose', 'prefetch;prerender'],
      ['purpose', 'prefetch'],
    ] as const) {
      assert.match((await visitor.open(path, { [header]: value })).text, /<button[^>]*>Sign in</)
    }
    assert.equal(visitor.cookie, undefined)
    // A link in a mail, or in a terminal.
    const entered = await visitor.open(path, { 'sec-fetch-site': 'cross-site' })
    assert.deepEqual([entered.status, entered.location], [303, '/'])
    assert(await signedIn(visitor))
    assert.equal((await at(name).open(path)).status, 404)
  }
})

test("the operator's link leads where it says, also whoever has come in by it before, and to no other site", async () => {
  const ref = personRef((await createTestPerson(database, tenantId, 'owner')).id)
  const { token } = await database.transaction((tx) => makeLink(tx, ref, 'sign_in', tenantId))
  const visitor = at('console')
  const to = '/messages?view=content&status=sent'
  const path = `/enter/${token}?to=${encodeURIComponent(to)}`
  const ahead = await visitor.open(path, { purpose: 'prefetch' })
  assert(ahead.text.includes(`action="${path}"`), ahead.text)
  assert.equal((await visitor.open(path)).location, to)
  assert.equal((await visitor.open(path)).location, to, 'used, by who is signed in')
  assert.equal((await at('console').open(path)).status, 404, 'used, by who is not')
  assert.equal((await visitor.open(`/enter/${token}`)).status, 404, 'one that leads nowhere says that it is used')
  for (const elsewhere of ['//evil.test', 'https://evil.test', '/\\evil.test', '/.//evil.test']) {
    const led = await visitor.open(`/enter/${token}?to=${encodeURIComponent(elsewhere)}`)
    assert.equal(led.location, '/', elsewhere)
  }
  assert.equal((await visitor.open(`/enter/${token}?to=/a&to=/b`)).location, '/')
})

test('signing out ends this session, or all', async () => {
  const { login } = await createTestPerson(database, tenantId, 'owner')
  const visitors = [at('console'), at('console'), at('console')]
  for (const visitor of visitors) await enter(visitor, login)
  const [first, second, third] = visitors as [Visitor, Visitor, Visitor]
  const cookie = first.cookie
  assert.match((await first.open('/sign-out')).text, /Sign out everywhere/)
  const left = await first.send('/sign-out', {})
  assert.deepEqual([left.status, left.location, first.cookie], [303, '/sign-in?to=%2F', undefined])
  first.cookie = cookie
  assert.equal(await signedIn(first), undefined)
  assert(await signedIn(second))
  await second.send('/sign-out', { everywhere: 'yes' })
  assert.equal(await signedIn(third), undefined)
  assert.equal((await first.send('/sign-out', '')).status, 303)
  assert.equal((await first.open('/sign-out')).location, '/sign-in')
})

test('whoever has forgotten the password is told whom to ask, and asked for nothing', async () => {
  for (const [name, words] of [
    ['console', /Ask an Owner/],
    ['webmail', /Ask whoever gave you your mailbox/],
  ] as const) {
    const { status, text } = await at(name).open('/forgotten')
    assert.equal(status, 200)
    assert.match(text, words)
    assert.doesNotMatch(text, /<input/)
  }
})

test('who guesses is told how many seconds to wait', async () => {
  const { login } = await createTestPerson(database, tenantId, 'owner')
  const visitor = at('console')
  for (let i = 0; i < 5; i++) assert.equal((await enter(visitor, login, 'wrong password')).status, 401)
  // The sixth is free of a wait, and costs one.
  const answers = [await enter(visitor, login, 'wrong password'), await enter(visitor, login)]
  const delayed = answers.find(({ status }) => status === 429)
  assert.match(delayed?.alerts[0] ?? '', /^Too many wrong attempts\. Try again in (?:1 second|\d+ seconds)\.$/)
  assert.match(delayed?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
})
