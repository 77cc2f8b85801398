// People, mailbox users and sessions by commands, whose links are taken up as in a browser.
import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { test } from 'node:test'
import { newId } from '../../src/lib/uuid.ts'
import { joinTenant } from '../../src/people/join-tenant.ts'
import { personOf } from '../../src/people/person-of.ts'
import { makeLink } from '../../src/users/links.ts'
import { findSession } from '../../src/users/sessions.ts'
import { signInByLink } from '../../src/users/sign-in-by-link.ts'
import { takeUpLink } from '../../src/users/take-up-link.ts'
import { mailboxUserRef, type UserKind } from '../../src/users/user.ts'
import { createTestDatabase } from '../support/database.ts'
import { hasher } from '../support/hash-turns.ts'
import { mdkHere, mdkInside } from '../support/mdk.ts'
import { originOf, PASSWORD } from '../support/people.ts'

const { database, url } = await createTestDatabase()
const env = { MDK_DATABASE_URL: url, MDK_DNS_SERVERS: '127.0.0.1:1', MDK_SECRET_KEYS: `1:${'A'.repeat(43)}=` }
const ok = (...args: string[]) => mdkHere(env, ...args)

/** What a command that must fail says. */
async function refusal(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await mdkInside(env, ...args)
  assert.deepEqual([status, stdout], [1, ''], args.join(' '))
  return JSON.parse(stderr).message
}

/** Takes a link up and gives the cookie of the session. */
async function takeUp(kind: UserKind, link: string): Promise<string | undefined> {
  const token = link.split('/enter/')[1] ?? ''
  const deps = { database, hasher, join: joinTenant }
  return (await takeUpLink(deps, kind, { token, password: PASSWORD }, originOf(1)))?.cookie
}

const [acme, bolt] = [await ok('tenant', 'create', '--name', 'Acme'), await ok('tenant', 'create', '--name', 'Bolt')]
await ok('domain', 'add', '--tenant', 'Acme', '--domain', 'acme.test', '--verified')
const [hello, sales] = [
  await ok('mailbox', 'create', '--tenant', 'Acme', '--address', 'hello@acme.test', '--name', 'Hello'),
  await ok('mailbox', 'create', '--tenant', 'Acme', '--address', 'sales@acme.test', '--name', 'Sales'),
]
const invite = (email: string, role: string, tenant = 'Acme') =>
  ok('person', 'invite', '--tenant', tenant, '--email', email, '--role', role)

test('an invitation is a link to the console, good once, which makes somebody with that role', async () => {
  const made = await invite('Ada@Example.com', 'owner')
  assert.deepEqual(Object.keys(made), ['id', 'link', 'expiresAt'])
  assert.match(made.link, /^http:\/\/localhost:8081\/enter\/[A-Za-z0-9_-]{43}$/)
  const hours = (Date.parse(made.expiresAt) - Date.now()) / 3_600_000
  assert(hours > 71.9 && hours < 72.1)
  assert(await takeUp('person', made.link))
  assert.equal(await takeUp('person', made.link), undefined)
  const { items } = await ok('person', 'list', '--tenant', acme.id)
  assert.deepEqual(
    items.map(({ id, email, role, status }: Record<string, string>) => [id, email, role, status]),
    [[made.id, 'ada@example.com', 'owner', 'active']],
  )
})

test('links lead to where browsers know the console and the webmail', async () => {
  const there = {
    ...env,
    MDK_CONSOLE_URL: 'https://console.example.com',
    MDK_WEBMAIL_URL: 'https://mail.example.com/',
  }
  const person = await mdkHere(
    there,
    'person',
    'invite',
    '--tenant',
    'Bolt',
    '--email',
    'b@example.com',
    '--role',
    'owner',
  )
  assert.match(person.link, /^https:\/\/console\.example\.com\/enter\/[^/]+$/)
  const user = await mdkHere(
    there,
    'mailbox',
    'user',
    'add',
    '--mailbox',
    'hello@acme.test',
    '--login',
    'w@example.com',
  )
  assert.match(user.link, /^https:\/\/mail\.example\.com\/enter\/[^/]+$/)
  await ok('mailbox', 'user', 'remove', 'w@example.com', '--mailbox', hello.id)
  const elsewhere = { ...env, MDK_CONSOLE_HOST: '192.0.2.1', MDK_CONSOLE_PORT: '9000' }
  const { link } = await mdkHere(
    elsewhere,
    'person',
    'invite',
    '--tenant',
    'Bolt',
    '--email',
    'b@example.com',
    '--role',
    'owner',
  )
  assert.match(link, /^http:\/\/192\.0\.2\.1:9000\/enter\//)
  await ok('person', 'remove', 'b@example.com')
})

test("a role is changed and taken away, the last Owner's neither, and somebody with several says in which tenant", async () => {
  const made = await invite('grace@example.com', 'admin')
  const cookie = await takeUp('person', made.link)
  assert(cookie)
  const roleNow = async () => {
    const session = await findSession(database, 'person', cookie)
    return session && (await personOf(database, session, originOf(1))).role
  }
  assert.deepEqual(await ok('person', 'set-role', 'grace@example.com', '--role', 'owner'), {
    id: made.id,
    role: 'owner',
  })
  assert.equal(await roleNow(), 'owner')
  await ok('person', 'set-role', made.id, '--role', 'admin')
  assert.equal(await roleNow(), 'admin')
  assert.match(await refusal('person', 'set-role', 'ada@example.com', '--role', 'admin'), /last Owner/)
  assert.match(await refusal('person', 'remove', 'ada@example.com'), /last Owner/)

  await invite('grace@example.com', 'admin', 'Bolt')
  const words = await refusal('person', 'remove', 'grace@example.com')
  assert.match(words, /a role in 2 tenants; say in which with --tenant/)
  assert(words.includes(`${acme.id}  Acme`) && words.includes(`${bolt.id}  Bolt`))
  assert.deepEqual(await ok('person', 'remove', 'grace@example.com', '--tenant', 'Acme'), {
    id: made.id,
    status: 'removed',
  })
  assert.equal(await roleNow(), undefined)
  await ok('person', 'remove', made.id)
  assert.match(await refusal('person', 'remove', made.id), /no such person/)
  assert.match(await refusal('person', 'remove', 'nobody@example.com'), /no person "nobody@example.com"/)
})

test('the last Owner who has lost everything comes in by a link of the operator', async () => {
  const [before] = (await ok('session', 'list', 'ada@example.com')).items
  assert(before)
  const made = await ok('person', 'reset', 'ada@example.com')
  assert.deepEqual(Object.keys(made), ['id', 'link', 'expiresAt'])
  assert(await takeUp('person', made.link))
  const { items } = await ok('session', 'list', 'ada@example.com')
  assert.equal(items.length, 1)
  assert.notEqual(items[0].id, before.id)
})

test('a mailbox user has mailboxes, one after another, and is gone with the last', async () => {
  const added = await ok('mailbox', 'user', 'add', '--mailbox', 'hello@acme.test', '--login', 'joe@example.com')
  assert.deepEqual(Object.keys(added), ['id', 'link', 'expiresAt'])
  assert.match(added.link, /^http:\/\/localhost:8082\/enter\//)
  await ok('mailbox', 'user', 'add', '--mailbox', sales.id, '--login', 'Joe@example.com', '--read-only')
  assert(await takeUp('mailbox_user', (await ok('mailbox', 'user', 'reset', 'joe@example.com')).link))
  const list = async (...of: string[]) => (await ok('mailbox', 'user', 'list', ...of)).items
  const [joe] = await list('--mailbox', 'sales@acme.test')
  assert.deepEqual([joe.id, joe.status], [added.id, 'active'])
  assert.deepEqual(
    joe.mailboxes.map(({ address, access }: Record<string, string>) => [address, access]),
    [
      ['hello@acme.test', 'write'],
      ['sales@acme.test', 'read'],
    ],
  )
  const setAccess = (who: string, where: string, access: string) =>
    ['mailbox', 'user', 'set-access', who, '--mailbox', where, '--access', access] as const
  assert.deepEqual(await ok(...setAccess('joe@example.com', sales.id, 'write')), { id: added.id, access: 'write' })
  await ok(...setAccess(added.id, 'hello@acme.test', 'read'))
  const [changed] = await list('--mailbox', sales.id)
  assert.deepEqual(
    changed.mailboxes.map(({ access }: Record<string, string>) => access),
    ['read', 'write'],
  )
  assert.match(await refusal(...setAccess('nobody@example.com', sales.id, 'read')), /no mailbox user/)
  const { users, unread, storedBytes } = await ok('mailbox', 'show', 'sales@acme.test')
  assert.deepEqual([users, unread, storedBytes], [1, 0, 0])
  await ok('mailbox', 'user', 'remove', 'joe@example.com', '--mailbox', 'hello@acme.test')
  assert.match(
    await refusal('mailbox', 'user', 'remove', 'joe@example.com', '--mailbox', 'hello@acme.test'),
    /no such mailbox user/,
  )
  assert.equal((await list('--tenant', 'Acme')).length, 1)
  await ok('mailbox', 'user', 'remove', added.id, '--mailbox', sales.id)
  assert.deepEqual(await list('--tenant', 'Acme'), [])
  assert.match(await refusal('mailbox', 'user', 'reset', 'joe@example.com'), /no mailbox user/)
  assert.match(await refusal('mailbox', 'user', 'list'), /--mailbox or --tenant/)
})

test('sessions are listed and ended by address, by id, and all at once, on record', async () => {
  const [first, second] = [await invite('one@example.com', 'admin'), await invite('two@example.com', 'admin')]
  const cookies = [await takeUp('person', first.link), await takeUp('person', second.link)]
  const open = async () =>
    Promise.all(cookies.map(async (cookie) => (await findSession(database, 'person', cookie ?? '')) !== undefined))
  const { items } = await ok('session', 'list', 'One@example.com')
  assert.equal(items.length, 1)
  assert.deepEqual([items[0].login, items[0].kind, items[0].clientAddress], ['one@example.com', 'person', '192.0.2.1'])
  assert(!JSON.stringify(items).includes(cookies[0]?.split('.')[1] ?? ''), 'nothing of the secret')
  assert.deepEqual(await ok('session', 'end', items[0].id), { ended: 1 })
  assert.deepEqual(await open(), [false, true])
  assert.match(await refusal('session', 'end', items[0].id), /no such session/)
  assert.match(await refusal('session', 'end'), /Say whose, or --all/)
  assert.match(await refusal('session', 'end', 'two@example.com', '--all'), /Say whose, or --all/)
  assert.deepEqual(await ok('session', 'end', second.id), { ended: 1 })
  assert.deepEqual(await open(), [false, false])
  const left = (await ok('session', 'list')).items.length
  assert(left > 0)
  assert.deepEqual(await ok('session', 'end', '--all'), { ended: left })
  assert.deepEqual((await ok('session', 'list')).items, [])
  const records = (await ok('audit', 'list', '--tenant', 'Acme')).items
  assert.equal(records.filter(({ operation }: { operation: string }) => operation === 'session.end').length, 3)
})

test('a mailbox user is invited until the first sign-in, by whatever it is, and active from then on', async () => {
  const add = () => ok('mailbox', 'user', 'add', '--mailbox', hello.id, '--login', `${newId()}@example.com`)
  const [byPassword, byLink] = [await add(), await add()]
  const statusOf = async ({ id }: { id: string }) =>
    (await ok('mailbox', 'user', 'list', '--tenant', 'Acme')).items.find((user: { id: string }) => user.id === id)
      .status
  assert.deepEqual([await statusOf(byPassword), await statusOf(byLink)], ['invited', 'invited'])
  await takeUp('mailbox_user', byPassword.link)
  // As `mdk dev` prints one.
  const { token } = await database.transaction((tx) => makeLink(tx, mailboxUserRef(acme.id, byLink.id), 'sign_in'))
  assert(await signInByLink({ database, join: joinTenant }, 'mailbox_user', token, originOf(1)))
  assert.deepEqual([await statusOf(byPassword), await statusOf(byLink)], ['active', 'active'])
})

test('a mailbox user is invited again by a link that ends the former', async () => {
  const first = await ok('mailbox', 'user', 'add', '--mailbox', hello.id, '--login', 'ann@example.com')
  const again = await ok('mailbox', 'user', 'invite', 'ann@example.com')
  assert.deepEqual([again.id, Object.keys(again)], [first.id, ['id', 'link', 'expiresAt']])
  assert.equal(await takeUp('mailbox_user', first.link), undefined)
  assert(await takeUp('mailbox_user', again.link))
  assert.match(await refusal('mailbox', 'user', 'invite', 'nobody@example.com'), /no mailbox user/)
  await ok('mailbox', 'user', 'remove', 'ann@example.com', '--mailbox', hello.id)
})

test('each of these commands has left a record of the operator’s, with the account that ran it', async () => {
  const { items } = await ok('audit', 'list', '--tenant', 'Acme', '--limit', '1000')
  const records = items as { operation: string; by: string; account: string | null }[]
  const verbs = ['invite', 'setRole', 'reset', 'remove'].map((verb) => `person.${verb}`)
  for (const operation of [
    ...verbs,
    'mailboxUser.add',
    'mailboxUser.invite',
    'mailboxUser.setAccess',
    'mailboxUser.reset',
    'mailboxUser.remove',
    'session.end',
  ]) {
    const accounts = new Set(records.filter((each) => each.operation === operation).map(({ account }) => account))
    assert.deepEqual([...accounts], [userInfo().username], operation)
  }
})
