// Users' own accounts as the pages of both sites see and change them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { acceptInvitation } from '../../src/people/accept-invitation.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { setSecondFactorRequired } from '../../src/people/set-second-factor-required.ts'
import { findSession, type NewSession, startSession } from '../../src/users/sessions.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createPasskey } from '../support/passkey.ts'
import { createTestMailboxUser, createTestPerson, originOf, PASSWORD, type TestUser } from '../support/people.ts'
import { startTestSite, type TestAnswer, type TestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase()
const tenant = await createTestTenant(database)
const sites: [TestSite, () => Promise<TestUser>][] = [
  [await startTestSite('console', database), () => createTestPerson(database, tenant.tenantId, 'admin')],
  [await startTestSite('webmail', database), () => createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)],
]

/** The pair that an answer brings. */
function pairOf({ headers }: TestAnswer, before: NewSession): NewSession {
  const cookie = /^__Host-mdk_\w+=([^;]*);/.exec(headers.get('set-cookie') ?? '')?.[1]
  return cookie === undefined ? before : { ...before, cookie }
}

/** The session is too old for what needs a fresh one. */
async function growOld(on: Database, { id }: TestUser): Promise<void> {
  await on.rows(sql`
    update sessions set proven_at = clock_timestamp() - interval '601 seconds' where user_id = ${id}`)
}

for (const [site, createUser] of sites) {
  const { host } = new URL(site.url)

  test(`${host}: name and notices are changed, each alone, and bad ones refused`, async () => {
    const { session, login } = await createUser()
    const { body } = await site.ask('GET', '/data/account', { session })
    assert.deepEqual(body, {
      login,
      name: null,
      notices: true,
      hasPassword: true,
      hasTotp: false,
      recoveryCodes: 0,
      passkeys: [],
    })
    assert.equal((await site.ask('PATCH', '/data/account', { session, body: { name: ' Ada ' } })).status, 204)
    assert.equal((await site.ask('PATCH', '/data/account', { session, body: { notices: false } })).status, 204)
    const after = (await site.ask('GET', '/data/account', { session })).body
    assert.deepEqual([after.name, after.notices], ['Ada', false])
    for (const wrong of [{ name: 'x'.repeat(101) }, { name: 'a\nb' }, { name: 7 }, { notices: 'no' }, { login: 'x' }]) {
      const { status, body } = await site.ask('PATCH', '/data/account', { session, body: wrong })
      assert.deepEqual([status, body.code], [400, 'validation_error'], JSON.stringify(wrong))
    }
    assert.equal((await site.ask('PATCH', '/data/account', { session, body: { name: null } })).status, 204)
  })

  test(`${host}: an authenticator app is added, proves its user again, and is removed`, async () => {
    const user = await createUser()
    let { session } = user
    const offer = await site.ask('POST', '/data/account/totp', { session })
    assert.match(offer.body.qr, /^<svg/)
    const app = new TOTP({ secret: offer.body.key })
    const wrong = await site.ask('POST', '/data/account/totp/confirm', { session, body: { code: '000000' } })
    assert.deepEqual([wrong.status, wrong.body.details.fields[0].path], [400, 'code'])
    const confirmed = await site.ask('POST', '/data/account/totp/confirm', { session, body: { code: app.generate() } })
    assert.equal(confirmed.body.recoveryCodes.length, 10)

    await growOld(database, user)
    for (const [method, path] of [
      ['DELETE', '/data/account/totp'],
      ['POST', '/data/account/recovery-codes'],
      ['POST', '/data/account/totp'],
    ] as const) {
      const { status, body } = await site.ask(method, path, { session })
      assert.deepEqual([status, body.code], [403, 'sign_in_again'], path)
    }
    const stepUp = (body: object) => site.ask('POST', '/data/step-up', { session, body })
    assert.equal((await stepUp({ password: 'not it' })).body.details.fields[0].path, 'password')
    assert.equal((await stepUp({ password: PASSWORD })).body.code, 'not_allowed')
    assert.equal((await stepUp({ password: PASSWORD, code: '000000' })).body.details.fields[0].path, 'code')
    const [code] = confirmed.body.recoveryCodes
    const proven = await stepUp({ password: PASSWORD, code })
    assert.equal(proven.status, 204)
    assert.equal((await site.ask('GET', '/data/session', { session })).status, 401, 'the former pair is worth nothing')
    session = pairOf(proven, session)
    assert.equal((await site.ask('GET', '/data/session', { session })).body.fresh, true)

    const renewed = await site.ask('POST', '/data/account/recovery-codes', { session })
    assert.equal(renewed.body.recoveryCodes.length, 10)
    assert.equal((await site.ask('DELETE', '/data/account/totp', { session })).status, 204)
    assert.equal((await site.ask('DELETE', '/data/account/totp', { session })).status, 404)
  })

  test(`${host}: a passkey is added, proves its user again, and is removed`, async () => {
    const user = await createUser()
    let { session } = user
    const passkey = createPasskey(site.url)
    const asked = await site.ask('POST', '/data/account/passkeys/options', { session })
    assert.equal(asked.body.optionsJSON.rp.id, 'localhost')
    const response = passkey.register(asked.body.optionsJSON)
    const added = await site.ask('POST', '/data/account/passkeys', { session, body: { name: 'Laptop', response } })
    assert.equal(added.status, 201)
    const offered = await site.ask('POST', '/data/account/passkeys/options', { session })
    const another = createPasskey(site.url).register(offered.body.optionsJSON)
    for (const body of [
      { name: 'Laptop', response },
      { name: '', response },
      { name: 'x', response: {} },
      { name: 'a\0', response: another },
      { name: 'x', response: { id: 'x', response: {} } },
    ]) {
      assert.equal((await site.ask('POST', '/data/account/passkeys', { session, body })).status, 400)
    }
    const { passkeys } = (await site.ask('GET', '/data/account', { session })).body
    assert.deepEqual(
      passkeys.map(({ id, name }: { id: string; name: string }) => [id, name]),
      [[added.body.id, 'Laptop']],
    )

    await growOld(database, user)
    const options = await site.ask('POST', '/data/step-up/passkey-options', { session })
    const answer = { response: passkey.authenticate(options.body.optionsJSON) }
    const proven = await site.ask('POST', '/data/step-up/passkey', { session, body: answer })
    assert.equal(proven.status, 204)
    session = pairOf(proven, session)
    const again = await site.ask('POST', '/data/step-up/passkey', { session, body: answer })
    assert.equal(again.status, 400, 'an answer is good once')
    for (const body of [
      { response: {} },
      { response: { id: 'x', response: {} } },
      { response: { id: '\0', response: {} } },
      {},
    ]) {
      assert.equal((await site.ask('POST', '/data/step-up/passkey', { session, body })).status, 400)
    }
    assert.equal((await site.ask('DELETE', `/data/account/passkeys/${added.body.id}`, { session })).status, 204)
    assert.equal((await site.ask('DELETE', `/data/account/passkeys/${added.body.id}`, { session })).status, 404)
  })

  test(`${host}: a new password ends every other session, and sessions are ended one by one`, async () => {
    const user = await createUser()
    const { session } = user
    const others = [await signInElsewhere(user), await signInElsewhere(user)]
    const list = async () => (await site.ask('GET', '/data/account/sessions', { session })).body.items
    const listed: { id: string; isThis: boolean }[] = await list()
    assert.deepEqual(listed.filter(({ isThis }) => isThis).length, 1)
    assert.equal(listed.length, 3)
    const [other] = listed.filter(({ isThis }) => !isThis)
    assert.equal((await site.ask('DELETE', `/data/account/sessions/${other?.id}`, { session })).status, 204)
    assert.equal((await site.ask('DELETE', `/data/account/sessions/${newId()}`, { session })).status, 404)
    assert.equal((await list()).length, 2)

    const change = (password: string) => site.ask('PUT', '/data/account/password', { session, body: { password } })
    assert.equal((await change('too short')).body.details.fields[0].path, 'password')
    assert.equal((await change('another four unrelated words')).status, 204)
    assert.equal((await list()).length, 1)
    for (const each of others) assert.equal((await site.ask('GET', '/data/session', { session: each })).status, 401)

    const ended = await site.ask('DELETE', `/data/account/sessions/${(await list())[0].id}`, { session })
    assert.match(ended.headers.get('set-cookie') ?? '', /=; Max-Age=0;/)
    assert.equal((await site.ask('GET', '/data/session', { session })).status, 401)
  })
}

async function signInElsewhere({ session }: TestUser): Promise<NewSession> {
  const kinds = ['person', 'mailbox_user'] as const
  for (const kind of kinds) {
    const user = await findSession(database, kind, session.cookie)
    if (user) return database.transaction((tx) => startSession(tx, user, { whole: true }, originOf(9)))
  }
  throw new Error('the session is no good')
}

test('a person goes from one tenant to another, and to none without a role', async () => {
  const [site] = sites[0] as (typeof sites)[0]
  const other = await createTestTenant(database)
  const person = await createTestPerson(database, tenant.tenantId, 'admin')
  const { token } = await invitePerson(database, operatorOf(other.tenantId), { email: person.login, role: 'owner' })
  const found = await findSession(database, 'person', person.session.cookie)
  assert(found)
  assert.equal(await acceptInvitation(database, found, token, originOf(3)), other.tenantId)

  let { session } = person
  const around = async () => (await site.ask('GET', '/data/surroundings', { session })).body
  assert.equal((await around()).tenant.id, tenant.tenantId)
  assert.deepEqual(
    new Set((await around()).tenants.map(({ id }: { id: string }) => id)),
    new Set([tenant.tenantId, other.tenantId]),
  )
  const enter = (tenantId: string) => site.ask('PUT', '/data/session/tenant', { session, body: { tenantId } })
  const entered = await enter(other.tenantId.toUpperCase())
  assert.equal(entered.status, 204)
  session = pairOf(entered, session)
  assert.deepEqual([(await around()).tenant.id, (await around()).sandboxes], [other.tenantId, []])
  assert.equal((await site.ask('GET', '/data/session', { session })).body.role, 'owner')
  const foreign = await createTestTenant(database)
  for (const id of [foreign.tenantId, newId()]) assert.equal((await enter(id)).status, 404)
  const sandbox = `sandbox:${foreign.appId}`
  assert.equal((await site.ask('GET', `/data/surroundings?environment=${sandbox}`, { session })).status, 404)
  assert.equal((await site.ask('GET', '/data/surroundings?environment=elsewhere', { session })).status, 400)
  assert.equal((await site.ask('GET', '/data/surroundings?enviroment=production', { session })).status, 400)
})

test('who must add a second factor reaches the own account and nothing else of the tenant, until it is added', async () => {
  const [site] = sites[0] as (typeof sites)[0]
  const strict = await createTestTenant(database)
  const { session } = await createTestPerson(database, strict.tenantId, 'owner')
  const status = async (path: string) => (await site.ask('GET', path, { session })).status
  assert.equal(await status('/data/people'), 200)
  await setSecondFactorRequired(database, operatorOf(strict.tenantId), true)
  const refused = await site.ask('GET', '/data/people', { session })
  assert.deepEqual([refused.status, refused.body.code], [403, 'second_factor_required'])
  assert.equal((await site.ask('GET', '/data/session', { session })).body.mustAddFactor, true)
  assert.equal(await status('/data/account'), 200)
  const offer = await site.ask('POST', '/data/account/totp', { session })
  const code = new TOTP({ secret: offer.body.key }).generate()
  assert.equal((await site.ask('POST', '/data/account/totp/confirm', { session, body: { code } })).status, 200)
  assert.equal(await status('/data/people'), 200)
  assert.equal((await site.ask('GET', '/data/session', { session })).body.mustAddFactor, false)
})
