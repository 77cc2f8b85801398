// What several processes do to the same people at the same moment: one of two that exclude each other happens, and nobody
// waits for somebody who waits for them. Each process is a pool of connections of its own.
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { TOTP } from 'otpauth'
import { createKey } from '../../src/apps/create-key.ts'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { type Database, openDatabase, sql } from '../../src/lib/sql.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { mailboxUserOf } from '../../src/mailboxes/mailbox-user-of.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { resetMailboxUser } from '../../src/mailboxes/reset-mailbox-user.ts'
import { setMailboxStatus } from '../../src/mailboxes/set-mailbox-status.ts'
import { acceptInvitation } from '../../src/people/accept-invitation.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { joinTenant } from '../../src/people/join-tenant.ts'
import { listPeople } from '../../src/people/list-people.ts'
import { personOf } from '../../src/people/person-of.ts'
import { removePerson } from '../../src/people/remove-person.ts'
import { resetPerson } from '../../src/people/reset-person.ts'
import { setRole } from '../../src/people/set-role.ts'
import { addPasskey, offerPasskey } from '../../src/users/add-passkey.ts'
import { confirmTotp, offerTotp } from '../../src/users/add-totp.ts'
import { changePassword } from '../../src/users/change-password.ts'
import { endOwnSessions } from '../../src/users/end-own-sessions.ts'
import { createChallenges } from '../../src/users/passkey-challenge.ts'
import { proveCode } from '../../src/users/prove-code.ts'
import { removeFactor } from '../../src/users/remove-factor.ts'
import { type FoundSession, findSession, listSessions } from '../../src/users/sessions.ts'
import { signIn } from '../../src/users/sign-in.ts'
import { askForPasskey, signInByPasskey } from '../../src/users/sign-in-by-passkey.ts'
import { takeUpLink } from '../../src/users/take-up-link.ts'
import { personRef, type UserKind } from '../../src/users/user.ts'
import { createTestDatabase } from '../support/database.ts'
import { hasher, keyHasher } from '../support/hash-turns.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createPasskey } from '../support/passkey.ts'
import { createTestMailboxUser, createTestPerson, originOf, PASSWORD } from '../support/people.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database: one, url } = await createTestDatabase()
const two = openDatabase({ url })
after(() => two.end())
const box = createSecretBox([{ version: 1, key: createSecretKey(randomBytes(32)) }])
const ANOTHER = 'another four unrelated words'
const ROUNDS = 12
let network = 10
const anywhere = () => originOf(10 + (network++ % 240))

/** What came of what both did at once: a value, or the code of the problem. Anything else is a fault of ours. */
async function together(...doings: ((database: Database) => Promise<unknown>)[]): Promise<unknown[]> {
  const results = await Promise.allSettled(doings.map((act, n) => act(n % 2 === 0 ? one : two)))
  return results.map((result) => {
    if (result.status === 'fulfilled') return result.value
    assert('code' in result.reason && /^[a-z_]+$/.test(result.reason.code), String(result.reason.stack))
    return result.reason.code
  })
}

const takeUp = (database: Database, token: string, password = PASSWORD, kind: UserKind = 'person') =>
  takeUpLink({ database, hasher, join: joinTenant }, kind, { token, password }, anywhere())
const enter = (database: Database, login: string, password = PASSWORD) =>
  signIn({ database, hasher }, 'person', { login, password }, anywhere())

async function found(cookie: string, kind: UserKind = 'person'): Promise<FoundSession> {
  const session = await findSession(one, kind, cookie)
  assert(session)
  return session
}

async function newTenant() {
  const tenant = await createTestTenant(one)
  return { ...tenant, actor: operatorOf(tenant.tenantId) }
}

test('of two Owners who demote or remove each other one stays, as themselves too', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { tenantId, actor } = await newTenant()
    const [first, second] = [
      await createTestPerson(one, tenantId, 'owner'),
      await createTestPerson(one, tenantId, 'owner'),
    ]
    const as = async ({ session }: typeof first, database: Database) =>
      personOf(database, await found(session.cookie), anywhere())
    const [actorOfFirst, actorOfSecond] = [await as(first, one), await as(second, two)]
    const acts: ((database: Database) => Promise<unknown>)[] =
      round % 2 === 0
        ? [(db) => setRole(db, actorOfFirst, second.id, 'admin'), (db) => setRole(db, actorOfSecond, first.id, 'admin')]
        : [(db) => removePerson(db, actorOfFirst, second.id), (db) => setRole(db, actorOfSecond, first.id, 'admin')]
    assert.deepEqual((await together(...acts)).sort(), ['not_allowed', undefined])
    const owners = (await listPeople(one, actor)).filter(({ role }) => role === 'owner')
    assert.equal(owners.length, 1)
  }
})

test('an invitation that is taken up twice at once lets one in', async () => {
  const { tenantId, actor } = await newTenant()
  for (let round = 0; round < ROUNDS; round++) {
    const { token } = await invitePerson(one, actor, { email: `twice-${round}@example.com`, role: 'admin' })
    const sessions = await together(
      (db) => takeUp(db, token),
      (db) => takeUp(db, token, ANOTHER),
    )
    assert.equal(sessions.filter((session) => session !== undefined).length, 1)
  }
  const known = await createTestPerson(one, (await newTenant()).tenantId, 'admin')
  const { token } = await invitePerson(one, actor, { email: known.login, role: 'admin' })
  const session = await found(known.session.cookie)
  const accept = (db: Database) => acceptInvitation(db, session, token, anywhere())
  assert.deepEqual((await together(accept, accept)).sort(), [tenantId, undefined])
})

test('inviting, taking up and removing somebody at once ends in what is whole, and in no deadlock', async () => {
  const { actor } = await newTenant()
  for (let round = 0; round < ROUNDS; round++) {
    const email = `fickle-${round}@example.com`
    const { id, token } = await invitePerson(one, actor, { email, role: 'admin' })
    const [joined, , again] = await together(
      (db) => takeUp(db, token),
      (db) => removePerson(db, actor, id),
      (db) => invitePerson(db, actor, { email, role: 'owner' }),
    )
    const listed = (await listPeople(one, actor)).filter((person) => person.email === email)
    const invited = typeof again === 'object'
    assert(listed.length <= 1)
    if (invited) assert.equal(listed.length === 1 || joined === undefined, true)
    const users = await one.rows(sql<{ id: string }>`select id from users where login = ${email}`)
    assert.equal(users.length, listed.length, 'no user without a role')
  }
})

test('of two resets made at once one link is good, and of two who use it one gets in', async () => {
  const { tenantId, actor, mailboxId } = await newTenant()
  for (let round = 0; round < ROUNDS; round++) {
    const person = await createTestPerson(one, tenantId, 'admin')
    const user = await createTestMailboxUser(one, tenantId, mailboxId)
    for (const [kind, reset] of [
      ['person', (db: Database) => resetPerson(db, actor, person.id)],
      ['mailbox_user', (db: Database) => resetMailboxUser(db, actor, user.id)],
    ] as const) {
      const links = (await together(reset, reset)) as { token: string }[]
      const sessions = await together(
        ...links.flatMap(({ token }) => [
          (db: Database) => takeUp(db, token, PASSWORD, kind),
          (db: Database) => takeUp(db, token, ANOTHER, kind),
        ]),
      )
      assert.equal(sessions.filter((session) => session !== undefined).length, 1, kind)
    }
  }
})

test('a password that is changed while it is being verified opens nothing', async () => {
  const { tenantId, actor } = await newTenant()
  for (let round = 0; round < ROUNDS; round++) {
    const { id, login } = await createTestPerson(one, tenantId, 'admin')
    const { token } = await resetPerson(one, actor, id)
    const [entered, reset] = (await together(
      (db) => enter(db, login),
      (db) => takeUp(db, token, ANOTHER),
    )) as [Awaited<ReturnType<typeof signIn>>, { id: string }]
    const open = (await listSessions(one, personRef(id))).map((session) => session.id)
    assert.deepEqual(open, [reset.id], JSON.stringify(entered))
  }
})

test('who is removed, or signs out everywhere, while signing in is out, whichever came first, and nothing breaks', async () => {
  const { tenantId, actor, mailboxId } = await newTenant()
  for (let round = 0; round < ROUNDS; round++) {
    const { id, login, session } = await createTestPerson(one, tenantId, 'admin')
    const [entered] = (await together(
      (db) => enter(db, login),
      (db) => removePerson(db, actor, id),
      (db) => findSession(db, 'person', session.cookie),
    )) as [Awaited<ReturnType<typeof signIn>>]
    if ('session' in entered) assert.equal(await findSession(two, 'person', entered.session.cookie), undefined)
    const other = await createTestPerson(one, tenantId, 'admin')
    const own = await found(other.session.cookie)
    const out = (db: Database) => endOwnSessions(db, own, 'all', anywhere())
    assert.deepEqual((await together(out, out)).toSorted(), [0, 1])
    const user = await createTestMailboxUser(one, tenantId, mailboxId)
    await together(
      (db) => removeMailboxUser(db, actor, { mailboxId, userId: user.id }),
      (db) => addMailboxUser(db, actor, { mailboxId, login: user.login, access: 'read' }),
      (db) => resetMailboxUser(db, actor, user.id),
    )
  }
})

test('a step of an authenticator app, a recovery code and an answer of a passkey are good once over all processes', async () => {
  const { tenantId } = await newTenant()
  const { id, login, session: first } = await createTestPerson(one, tenantId, 'admin')
  const session = await found(first.cookie)
  const { key } = await offerTotp({ database: one, box }, session, 'Mail')
  const totp = new TOTP({ secret: key.reveal() })
  let nowMs = 1_000_000_000
  const codes = await confirmTotp(
    { database: one, box, nowMs: () => nowMs },
    session,
    totp.generate({ timestamp: nowMs }),
    anywhere(),
  )
  assert(codes)
  const halves = async () =>
    Promise.all(
      [one, two].map(async (database) => {
        const entered = await enter(database, login)
        assert(entered.outcome === 'second_factor')
        return found(entered.session.cookie)
      }),
    )
  for (let round = 0; round < 4; round++) {
    nowMs += 60_000
    for (const code of [totp.generate({ timestamp: nowMs }), codes[round] as string]) {
      const [left, right] = (await halves()) as [FoundSession, FoundSession]
      const outcomes = await together(
        async (database) => (await proveCode({ database, box, nowMs: () => nowMs }, left, code, anywhere())).outcome,
        async (database) => (await proveCode({ database, box, nowMs: () => nowMs }, right, code, anywhere())).outcome,
      )
      assert.deepEqual(outcomes.sort(), ['proven', 'wrong'])
    }
  }
  const challenges = createChallenges([{ version: 1, key: createSecretKey(randomBytes(32)) }])
  const party = { origin: 'https://console.example.com', name: 'Mail' }
  const passkey = createPasskey(party.origin, { counts: false })
  const own = await found(first.cookie)
  const offered = await offerPasskey({ database: one, challenges, party }, own)
  await addPasskey(
    { database: one, challenges, party },
    own,
    { response: passkey.register(offered), name: 'phone' },
    anywhere(),
  )
  for (let round = 0; round < 4; round++) {
    const response = passkey.authenticate(await askForPasskey({ challenges, party }, 'person'))
    const answer = async (database: Database) =>
      (await signInByPasskey({ database, challenges, party }, 'person', { response }, anywhere())).outcome
    assert.deepEqual((await together(answer, answer)).sort(), ['signed_in', 'wrong'])
  }
  assert(id)
})

test('of a second factor that is removed and a short password that is set at once one is refused', async () => {
  const { tenantId } = await newTenant()
  for (let round = 0; round < ROUNDS; round++) {
    const { session: cookie } = await createTestPerson(one, tenantId, 'admin')
    const session = await found(cookie.cookie)
    const { key } = await offerTotp({ database: one, box }, session, 'Mail')
    const code = new TOTP({ secret: key.reveal() }).generate({ timestamp: 1_000_000 })
    await confirmTotp({ database: one, box, nowMs: () => 1_000_000 }, session, code, anywhere())
    const outcomes = await together(
      (db) => removeFactor(db, session, 'totp', anywhere()),
      (db) => changePassword({ database: db, hasher }, session, 'eight!88', anywhere()),
    )
    assert.equal(outcomes.filter((outcome) => outcome !== undefined).length, 1, String(outcomes))
  }
})

test('what is taken away in one process is gone with the next request in another', async () => {
  const { tenantId, actor, mailboxId, appId } = await newTenant()
  await createTestPerson(one, tenantId, 'owner')
  const person = await createTestPerson(one, tenantId, 'owner')
  const actsInTwo = async () => {
    const session = await findSession(two, 'person', person.session.cookie)
    return session && personOf(two, session, anywhere())
  }
  const makesKey = async () => {
    const who = await actsInTwo()
    assert(who)
    return createKey({ database: two, keyHasher }, who, { appId, scopes: ['messages:read'] })
  }
  assert.equal((await actsInTwo())?.role, 'owner')
  for (const [seconds, refused] of [
    [599, false],
    [601, true],
  ] as const) {
    await one.rows(sql`
      update sessions set proven_at = clock_timestamp() - make_interval(secs => ${seconds}) where id = ${person.session.id}`)
    if (refused) await assert.rejects(makesKey(), { code: 'sign_in_again' })
    else await makesKey()
  }
  await setRole(one, actor, person.id, 'admin')
  assert.equal((await actsInTwo())?.role, 'admin')
  await assert.rejects(makesKey(), { code: 'not_allowed' })
  await setTenantStatus(one, operator, tenantId, 'suspended')
  assert.equal(await actsInTwo(), undefined)
  await setTenantStatus(one, operator, tenantId, 'active')
  assert(await actsInTwo())
  await removePerson(one, actor, person.id)
  assert.equal(await actsInTwo(), undefined)

  const user = await createTestMailboxUser(one, tenantId, mailboxId)
  const mailboxes = async () => {
    const session = await findSession(two, 'mailbox_user', user.session.cookie)
    return session && [...(await mailboxUserOf(two, session, anywhere())).mailboxes]
  }
  assert.deepEqual(await mailboxes(), [[mailboxId, 'write']])
  await setMailboxStatus(one, actor, mailboxId, 'suspended')
  assert.deepEqual(await mailboxes(), [[mailboxId, 'write']], 'it is read, and sends nothing')
  await addMailboxUser(one, actor, { mailboxId, login: user.login, access: 'read' })
  assert.deepEqual(await mailboxes(), [[mailboxId, 'read']])
  await removeMailboxUser(one, actor, { mailboxId, userId: user.id })
  assert.equal(await mailboxes(), undefined)
})
