// The recovery address of a mailbox user: named, confirmed by a link, and what a link to set a new password is mailed to, with
// nothing said to strangers of who has one.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import PostalMime from 'postal-mime'
import { listAudit } from '../../src/audit/list-audit.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { sql } from '../../src/lib/sql.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { resetMailboxUser } from '../../src/mailboxes/reset-mailbox-user.ts'
import { joinTenant } from '../../src/people/join-tenant.ts'
import { takeUpLink } from '../../src/users/take-up-link.ts'
import { createTestDatabase } from '../support/database.ts'
import { hasher } from '../support/hash-turns.ts'
import { noticesOf, settled } from '../support/notices.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, originOf, PASSWORD, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { createVisitor, type Visitor } from '../support/visitor.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const { tenantId, mailboxId } = await createTestTenant(database)
const trustedProxies = [parseNetwork('127.0.0.0/8')]
const FROM = 'notices@service.test'
const webmail = await startTestSite('webmail', database, { config: { noticesFrom: FROM, trustedProxies } })
const sink = await startSmtpSink()
after(sink.stop)
await startTestOutbound(database, { relayUrl: sink.url, noticesFrom: FROM })

const PATH = '/data/account/recovery-address'
const ANOTHER = 'another four unrelated words'
let names = 0

const createUser = () => createTestMailboxUser(database, tenantId, mailboxId)
const newAddress = () => `elsewhere-${++names}@example.net`
const stranger = () => createVisitor(webmail, 'webmail')

function browserOf({ session }: TestUser): Visitor {
  const visitor = stranger()
  visitor.cookie = session.cookie
  return visitor
}

const set = ({ session }: TestUser, address: string) => webmail.ask('PUT', PATH, { session, body: { address } })
const shown = async ({ session }: TestUser) => (await webmail.ask('GET', PATH, { session })).body
const mailsTo = (address: string) => sink.mails.filter(({ to }) => to.includes(address))

/** The path of the link in the so manieth mail to an address. */
async function linkIn(address: string, count = 1): Promise<string> {
  const mail = await until(`mail ${count} to ${address}`, async () => mailsTo(address)[count - 1])
  const { text } = await PostalMime.parse(mail.bytes)
  return /https?:\/\/[^/]+(\/enter\/[\w-]{43})/.exec(text ?? '')?.[1] as string
}

async function confirmed(user: TestUser, address = newAddress()): Promise<string> {
  assert.equal((await set(user, address)).status, 204)
  const { status, location } = await browserOf(user).send(await linkIn(address), '')
  assert.deepEqual([status, location], [303, '/account'])
  return address
}

const ask = (login: string, visitor = stranger()) => visitor.send('/forgotten', { login })

/** Resolves when nothing is under way for a user any more: what was asked for before has been made, or never will be. */
async function nothingMore(user: TestUser): Promise<number> {
  // A request of a user who has an address, taken after those of before: they are done one after the other.
  const last = await createUser()
  const address = await confirmed(last)
  await ask(last.login)
  await linkIn(address, 2)
  await settled(database, tenantId)
  return (await noticesOf(database, tenantId)).filter(
    ({ userId, kind }) => userId === user.id && kind === 'recovery_reset',
  ).length
}

test('an address counts once its user has confirmed it, by a link that looking at does not use up', async () => {
  const user = await createUser()
  const address = newAddress()
  assert.deepEqual(await shown(user), { address: null, isConfirmed: false, mailsLinks: true })
  assert.equal((await set(user, ` ${address.toUpperCase()} `)).status, 204)
  assert.deepEqual(await shown(user), { address, isConfirmed: false, mailsLinks: true })
  const path = await linkIn(address)
  const browser = browserOf(user)
  for (const purpose of ['', 'prefetch']) {
    const page = await browser.open(path, { 'sec-purpose': purpose })
    assert.equal(page.status, 200)
    assert.match(page.text, /<button[^>]*>Confirm<\/button>/)
    assert(page.text.includes(address) && page.text.includes(user.login))
  }
  assert.equal((await shown(user)).isConfirmed, false)
  const answers = await Promise.all([browser.send(path, ''), browser.send(path, '')])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404], 'of two at once one')
  assert.deepEqual(await shown(user), { address, isConfirmed: true, mailsLinks: true })
  assert.equal((await browser.open(path)).status, 404)
  assert.equal((await webmail.ask('DELETE', PATH, { session: user.session })).status, 204)
  assert.equal((await webmail.ask('DELETE', PATH, { session: user.session })).status, 404)
  assert.deepEqual((await shown(user)).address, null)
  const acts = (await listAudit(database, operatorOf(tenantId), 100))
    .filter(({ resourceId }) => resourceId === user.id)
    .map(({ operation }) => operation)
  for (const act of ['set', 'confirm', 'remove']) assert(acts.includes(`recoveryAddress.${act}`), acts.join())
})

test('only its user confirms an address: whoever else reads the mail signs in as somebody else, or not at all', async () => {
  const [user, other] = [await createUser(), await createUser()]
  const address = newAddress()
  await set(user, address)
  const path = await linkIn(address)
  assert.equal((await stranger().open(path)).location, `/sign-in?to=${encodeURIComponent(path)}`)
  assert.equal((await stranger().send(path, '')).status, 303)
  const elsewhere = await browserOf(other).send(path, '')
  assert.match(elsewhere.text, /This link is for somebody else/)
  const noPassword = await takeUpLink(
    { database, hasher, join: joinTenant },
    'mailbox_user',
    { token: path.slice('/enter/'.length), password: ANOTHER },
    originOf(7),
  )
  assert.equal(noPassword, undefined)
  assert.equal((await shown(user)).isConfirmed, false)
  assert.equal((await browserOf(user).send(path, '')).status, 303)
  assert.equal((await shown(user)).isConfirmed, true)
})

test('an address that one is locked out of with the sign-in is refused in words, as is what is none', async () => {
  const user = await createUser()
  const mailbox = await database.first(sql<{ address: string }>`
    select address from mailboxes where tenant_id = ${tenantId} and id = ${mailboxId}`)
  for (const [address, words] of [
    [user.login, /is what you sign in with/],
    [user.login.toUpperCase(), /is what you sign in with/],
    [mailbox?.address as string, /is a mailbox of yours/],
    [` ${mailbox?.address.toUpperCase()}`, /is a mailbox of yours/],
    ['nobody', /is not an email address/],
    ['a@b.example\r\nbcc: c@d.example', /is not an email address/],
  ] as const) {
    const { status, body } = await set(user, address)
    assert.deepEqual([status, body.details.fields[0].path], [400, 'address'], address)
    assert.match(body.details.fields[0].message, words)
  }
  assert.equal((await shown(user)).address, null)
})

test('setting and removing it ask for a fresh sign-in', async () => {
  const user = await createUser()
  await database.rows(sql`
    update sessions set proven_at = clock_timestamp() - interval '601 seconds' where user_id = ${user.id}`)
  for (const { status, body } of [
    await set(user, newAddress()),
    await webmail.ask('DELETE', PATH, { session: user.session }),
  ]) {
    assert.deepEqual([status, body.code], [403, 'sign_in_again'])
  }
})

test('five links to confirm are mailed in an hour for a user, and five to an address', async () => {
  const user = await createUser()
  for (let i = 0; i < 5; i++) assert.equal((await set(user, newAddress())).status, 204)
  const sixth = await set(user, newAddress())
  assert.deepEqual([sixth.status, sixth.body.code], [429, 'rate_limited'])
  const address = newAddress()
  const users = await Promise.all(Array.from({ length: 6 }, createUser))
  const answers = await Promise.all(users.map((one) => set(one, address)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 204, 204, 204, 204, 429])
})

test('a link to set a new password is mailed to the confirmed address, and takes every factor and session away', async () => {
  const user = await createUser()
  const address = await confirmed(user)
  assert.match((await stranger().open('/forgotten')).text, /<input id="login" name="login"[\s\S]*Mail me a link/)
  const { status, text } = await ask(` ${user.login.toUpperCase()} `)
  assert.equal(status, 200)
  assert.match(text, /is on its way there/)
  const path = await linkIn(address, 2)
  const visitor = stranger()
  assert.match((await visitor.open(path)).text, /Choose a new password/)
  assert.equal(
    (await webmail.ask('GET', PATH, { session: user.session })).status,
    200,
    'nothing changes until it is used',
  )
  assert.equal((await visitor.send(path, { password: ANOTHER, again: ANOTHER })).location, '/')
  assert.equal((await webmail.ask('GET', PATH, { session: user.session })).status, 401)
  const signIn = (password: string) => stranger().send('/sign-in', { login: user.login, password })
  assert.deepEqual([(await signIn(PASSWORD)).status, (await signIn(ANOTHER)).status], [401, 303])
  assert.equal((await stranger().send(path, { password: PASSWORD, again: PASSWORD })).status, 404)
  const found = await database.first(sql<{ address: string }>`
    select address from recovery_addresses where user_id = ${user.id} and verified_at is not null`)
  assert.equal(found?.address, address, 'whoever reads its mail is its user still')
})

test('strangers are told the same, whether there is such a user, an address that is confirmed, or none', async () => {
  const [whole, unconfirmed, without, removed] = [
    await createUser(),
    await createUser(),
    await createUser(),
    await createUser(),
  ]
  await confirmed(whole)
  await set(unconfirmed, newAddress())
  await confirmed(removed)
  await removeMailboxUser(database, operatorOf(tenantId), { mailboxId, userId: removed.id })
  const logins = [whole, unconfirmed, without, removed].map(({ login }) => login)
  const pages = []
  for (const login of [...logins, 'nobody@example.com', 'no address', 'x'.repeat(5_000)]) {
    // One more than are mailed.
    for (let i = 0; i < 4; i++) {
      const { status, text, headers } = await ask(login)
      pages.push(JSON.stringify([status, text, [...headers.keys()].sort()]))
    }
  }
  assert.equal(new Set(pages).size, 1)
  assert.equal(await nothingMore(whole), 3)
  for (const user of [unconfirmed, without, removed]) assert.equal(await nothingMore(user), 0)
})

test('whoever asks waits for no more than is done for a login that nobody has', async () => {
  const user = await createUser()
  const address = await confirmed(user)
  // The user cannot be locked: what depends on there being one does not end.
  await database.transaction(async (tx) => {
    await tx.rows(sql`select from users where tenant_id = ${tenantId} and id = ${user.id} for update`)
    assert.equal((await ask(user.login)).status, 200)
    assert.equal((await ask('nobody@example.com')).status, 200)
    assert.equal(mailsTo(address).length, 1)
  })
  await linkIn(address, 2)
})

test('three links of one login are mailed in an hour, however many are asked for at once', async () => {
  const user = await createUser()
  await confirmed(user)
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(user.login)))
  assert(answers.every(({ status }) => status === 200))
  assert.equal(await nothingMore(user), 3)
  const { rows } = await database.pool.query(`select from user_links where user_id = $1 and purpose = 'reset'`, [
    user.id,
  ])
  assert.equal(rows.length, 1, 'the newest alone is good')
  await database.pool.query(`update link_requests set since = since - interval '3600 seconds'`)
  await ask(user.login)
  assert.equal(await nothingMore(user), 4)
})

test('one network asks for twenty in an hour, and is told nothing else after that', async () => {
  const visitor = stranger()
  for (let i = 0; i < 19; i++) await ask(`nobody-${i}@example.com`, visitor)
  const [twentieth, next] = [await createUser(), await createUser()]
  await confirmed(twentieth)
  await confirmed(next)
  const pages = [await ask(twentieth.login, visitor), await ask(next.login, visitor)].map(({ text }) => text)
  assert.equal(pages[0], pages[1])
  assert.equal(await nothingMore(twentieth), 1)
  assert.equal(await nothingMore(next), 0)
})

test('another address, and its removal, make the links worthless that are out', async () => {
  const user = await createUser()
  const first = newAddress()
  await set(user, first)
  const stale = await linkIn(first)
  const second = await confirmed(user)
  assert.equal((await browserOf(user).send(stale, '')).status, 404)
  await ask(user.login)
  const reset = await linkIn(second, 2)
  const third = newAddress()
  await set(user, third)
  assert.equal((await stranger().open(reset)).status, 404)
  await ask(user.login)
  assert.equal(await nothingMore(user), 1, 'none is mailed to an address that is not confirmed')
  const pending = await linkIn(third)
  await webmail.ask('DELETE', PATH, { session: user.session })
  assert.equal((await browserOf(user).send(pending, '')).status, 404)
})

test('of links to confirm that are asked for at once, and after that, one is left', async () => {
  const user = await createUser()
  const first = newAddress()
  const answers = await Promise.all([set(user, first), set(user, first)])
  assert(answers.every(({ status }) => status === 204))
  const second = newAddress()
  await set(user, second)
  await linkIn(second)
  await settled(database, tenantId)
  const { rows } = await database.pool.query(`select from user_links where user_id = $1`, [user.id])
  assert.equal(rows.length, 1)
})

test("an Owner's reset takes the recovery address away, the user's own does not touch an Owner's link", async () => {
  const user = await createUser()
  const address = await confirmed(user)
  const { token } = await resetMailboxUser(database, operatorOf(tenantId), user.id)
  await ask(user.login)
  await linkIn(address, 2)
  const path = `/enter/${token}`
  assert.equal((await stranger().send(path, { password: ANOTHER, again: ANOTHER })).location, '/')
  const { rows } = await database.pool.query('select from recovery_addresses where user_id = $1', [user.id])
  assert.equal(rows.length, 0)
  await ask(user.login)
  assert.equal(await nothingMore(user), 1)
})

test('an empty login is asked for again', async () => {
  const { status, alerts } = await ask(' ')
  assert.deepEqual([status, alerts], [400, ['Type the address that you sign in with.']])
})

test('where no notices are mailed the webmail says whom to ask, takes no form and no address; the console never does', async () => {
  const quiet = await startTestSite('webmail', database)
  const user = await createUser()
  assert.equal((await quiet.ask('GET', PATH, { session: user.session })).body.mailsLinks, false)
  const { text } = await createVisitor(quiet, 'webmail').open('/forgotten')
  assert.match(text, /Ask whoever gave you your mailbox/)
  assert.doesNotMatch(text, /<form/)
  const set = await quiet.ask('PUT', PATH, { session: user.session, body: { address: newAddress() } })
  assert.deepEqual([set.status, set.body.code], [403, 'not_allowed'])
  const console = await startTestSite('console', database, { config: { noticesFrom: FROM } })
  assert.doesNotMatch((await createVisitor(console, 'console').open('/forgotten')).text, /<form/)
  for (const [site, name] of [
    [quiet, 'webmail'],
    [console, 'console'],
  ] as const) {
    assert.equal((await createVisitor(site, name).send('/forgotten', { login: user.login })).status, 405)
  }
})
