// Signing in with a password and a code: what is right, what is wrong, and how long whoever guesses waits.
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { createTestDatabase } from '../../test/support/database.ts'
import { hasher } from '../../test/support/hash-turns.ts'
import { operator, operatorOf } from '../../test/support/operator.ts'
import { createTestMailboxUser, createTestPerson, originOf, PASSWORD } from '../../test/support/people.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import { setTenantStatus } from '../apps/set-tenant-status.ts'
import { listAudit } from '../audit/list-audit.ts'
import { createHashTurns, type Hasher } from '../lib/hash-turns.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import { newId } from '../lib/uuid.ts'
import { invitePerson } from '../people/invite-person.ts'
import { listPeople } from '../people/list-people.ts'
import { removePerson } from '../people/remove-person.ts'
import { setRole } from '../people/set-role.ts'
import { guessOfPassword } from './guess-of-password.ts'
import { proveCode } from './prove-code.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import {
  endSessions,
  type FoundSession,
  findSession,
  listSessions,
  type NewSession,
  renewSession,
  startSession,
} from './sessions.ts'
import { type SignInOutcome, signIn } from './sign-in.ts'
import { countGuess, forgiveGuesses, guessFromAddress, guessOfAccount } from './sign-in-delay.ts'
import { makeTotpKey, placeOfTotpKey, useTotpStep } from './totp.ts'
import { mailboxUserRef, personRef, type UserKind, type UserRef } from './user.ts'

const { database } = await createTestDatabase()
const { tenantId, mailboxId } = await createTestTenant(database)
const owner = await createTestPerson(database, tenantId, 'owner')
const box = createSecretBox([{ version: 1, key: createSecretKey(randomBytes(32)) }])
let network = 10
const anywhere = () => originOf(network++)

const enter = (login: string, password: string, origin = anywhere(), kind: UserKind = 'person') =>
  signIn({ database, hasher }, kind, { login, password }, origin)
const outcomeOf = async (outcome: Promise<SignInOutcome>) => (await outcome).outcome

async function signedIn(login: string, kind: UserKind = 'person'): Promise<NewSession> {
  const result = await enter(login, PASSWORD, anywhere(), kind)
  assert(result.outcome === 'signed_in' || result.outcome === 'second_factor')
  return result.session
}

async function found(kind: UserKind, { cookie }: NewSession): Promise<FoundSession> {
  const session = await findSession(database, kind, cookie)
  assert(session)
  return session
}

/** Gives a user an authenticator app. */
async function addTotp(user: UserRef): Promise<TOTP> {
  const key = makeTotpKey()
  const sealed = box.seal(key, placeOfTotpKey(user))
  await database.rows(sql`
    insert into totp_keys (tenant_id, user_id, secret) values (${user.tenantId}, ${user.userId}, ${sealed})`)
  await database.transaction((tx) => useTotpStep(tx, user, 1))
  return new TOTP({ secret: key.reveal() })
}

test('who knows the password is in, however the address is written, and is found by the cookie', async () => {
  const session = await signedIn(` ${owner.login.toUpperCase()} `)
  const { userId, inTenantId, role, whole, fresh } = await found('person', session)
  assert.deepEqual(
    { userId, inTenantId, role, whole, fresh },
    { userId: owner.id, inTenantId: tenantId, role: 'owner', whole: true, fresh: true },
  )
})

test('a user is seen from the moment that they are in, and not while a second factor is missing', async () => {
  const person = await createTestPerson(database, tenantId, 'admin')
  const seenAt = async () =>
    (await listPeople(database, operatorOf(tenantId))).find(({ id }) => id === person.id)?.lastSeenAt
  const before = await seenAt()
  await signedIn(person.login)
  const seen = await seenAt()
  assert(seen && seen !== before)
  const totp = await addTotp(personRef(person.id))
  const half = await found('person', await signedIn(person.login))
  assert.equal(await seenAt(), seen)
  assert.equal((await proveCode({ database, box }, half, totp.generate(), anywhere())).outcome, 'proven')
  assert.notEqual(await seenAt(), seen)
})

test('a wrong password, an unknown address and a user of the other kind have one answer', async () => {
  const user = await createTestMailboxUser(database, tenantId, mailboxId)
  assert.equal(await outcomeOf(enter(owner.login, `${PASSWORD}!`)), 'wrong')
  assert.equal(await outcomeOf(enter('nobody@example.com', PASSWORD)), 'wrong')
  assert.equal(await outcomeOf(enter(user.login, PASSWORD)), 'wrong')
  assert.equal(await outcomeOf(enter(user.login, PASSWORD, anywhere(), 'mailbox_user')), 'signed_in')
})

test('a guess costs one hash, whoever it is about', async () => {
  const suspended = await createTestTenant(database)
  const { login: outside } = await createTestPerson(database, suspended.tenantId, 'owner')
  await setTenantStatus(database, operator, suspended.tenantId, 'suspended')
  const { login: withoutPassword, id } = await createTestPerson(database, tenantId, 'admin')
  await database.rows(sql`delete from passwords where user_id = ${id}`)
  const { id: invited } = await invitePerson(database, operatorOf(tenantId), {
    email: 'invited@example.com',
    role: 'admin',
  })
  assert(invited)
  // As the service hashes them: algorithm, memory, passes, lanes.
  const costOfPasswords = (await createHashTurns().passwords.hash('x')).split('$').slice(0, 4).join('$')
  for (const [login, password, outcome] of [
    [owner.login, PASSWORD, 'signed_in'],
    [owner.login, `${PASSWORD}!`, 'wrong'],
    ['not-there@example.com', PASSWORD, 'wrong'],
    [withoutPassword, PASSWORD, 'wrong'],
    [outside, PASSWORD, 'wrong'],
    ['invited@example.com', PASSWORD, 'wrong'],
    ['', '', 'wrong'],
  ] as const) {
    const verified: string[] = []
    const counting: Hasher = {
      hash: hasher.hash,
      verify: (hashed, secret) => hasher.verify(hashed, secret).finally(() => verified.push(hashed)),
      waiting: 0,
    }
    const result = await signIn({ database, hasher: counting }, 'person', { login, password }, anywhere())
    assert.equal(result.outcome, outcome, login)
    assert.equal(verified.length, 1, login)
    if (login === 'not-there@example.com') assert(verified[0]?.startsWith(costOfPasswords), verified[0])
  }
})

test('a wrong guess asks as much of the database whether there is such a user or not', async () => {
  const statementsOf = async (login: string) => {
    let statements = 0
    const counted = <T extends Db>(db: T): T => ({
      ...db,
      rows(statement) {
        statements++
        return db.rows(statement)
      },
      first(statement) {
        statements++
        return db.first(statement)
      },
    })
    const counting: Database = {
      ...counted(database),
      transaction: (work) => database.transaction((tx) => work(counted(tx))),
    }
    const request = { login, password: 'a wrong password' }
    assert.equal((await signIn({ database: counting, hasher }, 'person', request, anywhere())).outcome, 'wrong')
    return statements
  }
  assert.equal(await statementsOf(owner.login), await statementsOf('not-here@example.com'))
})

test('a user has a hundred sessions at most, and who only knows the password ends none that is whole', async () => {
  const user = await createTestPerson(database, tenantId, 'admin')
  const person = personRef(user.id)
  const start = (whole: boolean) =>
    database.transaction((tx) => startSession(tx, person, { whole }, { clientAddress: '192.0.2.1', userAgent: null }))
  const count = async (whole: boolean) =>
    (await database.rows(sql`select id from sessions where user_id = ${user.id} and whole = ${whole}`)).length
  for (let n = 0; n < 99; n++) await start(true)
  assert.equal(await count(true), 100)
  assert(await findSession(database, 'person', user.session.cookie))
  for (let n = 0; n < 101; n++) await start(false)
  assert.deepEqual([await count(true), await count(false)], [100, 100])
  await database.rows(sql`
    update sessions set last_used_at = last_used_at - interval '1 minute' where id = ${user.session.id}`)
  const last = await start(true)
  assert.equal(await count(true), 100)
  assert(await findSession(database, 'person', last.cookie))
  assert.equal(await findSession(database, 'person', user.session.cookie), undefined)
})

test('no cookie but the right one is a session, and none of the console is one of the webmail', async () => {
  const session = await signedIn(owner.login)
  const [id, secret] = session.cookie.split('.') as [string, string]
  for (const cookie of [
    '',
    id,
    `${id}.`,
    `${id}.${secret.slice(0, -1)}`,
    `${id}.${'A'.repeat(43)}`,
    `${newId()}.${secret}`,
    `${session.cookie} `,
  ]) {
    assert.equal(await findSession(database, 'person', cookie), undefined, cookie)
  }
  assert.equal(await findSession(database, 'mailbox_user', session.cookie), undefined)
})

test('an account is guessed at five times for nothing, and then waits, whoever asks; so does one that is not there', async () => {
  const { login } = await createTestPerson(database, tenantId, 'admin')
  for (const name of [login, 'absent@example.com']) {
    for (let n = 0; n < 5; n++) assert.equal(await outcomeOf(enter(name, 'a wrong password')), 'wrong')
    const sixth = await enter(name, PASSWORD)
    assert(sixth.outcome === 'delayed' && sixth.seconds === 1, name)
  }
  await database.rows(sql`update sign_in_failures set last_failed_at = last_failed_at - interval '1 second'`)
  assert.equal(await outcomeOf(enter(login, PASSWORD)), 'signed_in')
  // What was right is forgiven.
  assert.equal(await outcomeOf(enter(login, 'a wrong password')), 'wrong')
})

test('whoever guesses from elsewhere, and however often, does not make a user wait at a device of theirs', async () => {
  const { login } = await createTestPerson(database, tenantId, 'admin')
  const { login: other } = await createTestPerson(database, tenantId, 'admin')
  const [home, elsewhere] = [anywhere(), anywhere()]
  /** As if there had been many wrong guesses until now. */
  const guessOften = async (name: string, from: RequestOrigin) => {
    assert.equal(await outcomeOf(enter(name, 'a wrong password', from)), 'wrong')
    const { key } = await guessOfPassword(database, 'person', name, from)
    await database.rows(sql`
      update sign_in_failures set failures = 50, last_failed_at = clock_timestamp() where key = ${key}`)
  }
  assert.equal(await outcomeOf(enter(login, PASSWORD, home)), 'signed_in')
  await guessOften(login, elsewhere)
  assert.equal(await outcomeOf(enter(login, PASSWORD)), 'delayed')
  assert.equal(await outcomeOf(enter(login, PASSWORD, home)), 'signed_in')
  // That forgives strangers nothing, nor has it told them that there is such an account.
  assert.equal(await outcomeOf(enter(login, PASSWORD)), 'delayed')
  // There too guesses are counted, and it is a device of this user alone.
  await guessOften(login, home)
  assert.equal(await outcomeOf(enter(login, PASSWORD, home)), 'delayed')
  await guessOften(other, elsewhere)
  assert.equal(await outcomeOf(enter(other, PASSWORD, home)), 'delayed')
})

test('guesses are counted and forgiven at once, and no two wait for each other', async () => {
  const [account, address] = [guessOfAccount('person', newId()), guessFromAddress(newId())]
  const count = () =>
    database.transaction(async (tx) => {
      await countGuess(tx, address)
      await countGuess(tx, account)
    })
  const forgive = () => database.transaction((tx) => forgiveGuesses(tx, account, address))
  for (let round = 0; round < 20; round++) {
    await count()
    await Promise.all([count(), forgive(), count(), forgive(), count(), forgive()])
  }
})

test('an address is guessed from twenty times for nothing, whichever accounts it tries', async () => {
  const here = anywhere()
  for (let n = 0; n < 20; n++)
    assert.equal(await outcomeOf(enter(`somebody-${n}@example.com`, PASSWORD, here)), 'wrong')
  assert.equal(await outcomeOf(enter('another@example.com', PASSWORD, here)), 'delayed')
  assert.equal(await outcomeOf(enter('another@example.com', PASSWORD)), 'wrong')
})

test('fifty guesses at once are five, and those few more that have waited for theirs', async () => {
  const { login } = await createTestPerson(database, tenantId, 'admin')
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(enter(login, 'a wrong password'))))
  const [wrong, delayed] = ['wrong', 'delayed'].map((name) => outcomes.filter((outcome) => outcome === name).length)
  assert(wrong !== undefined && wrong >= 5 && wrong < 9, `${wrong}`)
  assert.equal(delayed, 50 - wrong)
})

test('with an authenticator app the password alone opens nothing; a code does, under another pair, and not twice', async () => {
  const { id, login } = await createTestPerson(database, tenantId, 'admin')
  const totp = await addTotp(personRef(id))
  const nowMs = Date.now()
  const code = totp.generate({ timestamp: nowMs })
  const half = await signedIn(login)
  const session = await found('person', half)
  assert.equal(session.whole, false)
  const prove = (of: FoundSession, given: string) =>
    proveCode({ database, box, nowMs: () => nowMs }, of, given, anywhere())

  assert.equal((await prove(session, '000000')).outcome, 'wrong')
  const proven = await prove(session, code)
  assert(proven.outcome === 'proven')
  assert.equal((await found('person', proven.session)).whole, true)
  assert.equal(await findSession(database, 'person', half.cookie), undefined)

  const second = await found('person', await signedIn(login))
  assert.equal((await prove(second, code)).outcome, 'wrong')
  assert.equal((await prove(second, totp.generate({ timestamp: nowMs + 30_000 }))).outcome, 'proven')
})

test('of two who use one code at the same time one gets in; the same of a recovery code', async () => {
  const { id, login } = await createTestPerson(database, tenantId, 'admin')
  const totp = await addTotp(personRef(id))
  const [recovery = ''] = await database.transaction((tx) => makeRecoveryCodes(tx, personRef(id)))
  for (const code of [totp.generate(), recovery.toUpperCase().replace('-', ' ')]) {
    const sessions = await Promise.all([0, 1].map(async () => found('person', await signedIn(login))))
    const outcomes = await Promise.all(
      sessions.map((session) => proveCode({ database, box }, session, code, anywhere())),
    )
    assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['proven', 'wrong'])
  }
})

test('codes are guessed at five times for nothing, over however many sessions', async () => {
  const { id, login } = await createTestPerson(database, tenantId, 'admin')
  await addTotp(personRef(id))
  const sessions = await Promise.all([0, 1].map(async () => found('person', await signedIn(login))))
  const prove = async (n: number) =>
    (await proveCode({ database, box }, sessions[n % 2] as FoundSession, '000000', anywhere())).outcome
  for (let n = 0; n < 5; n++) assert.equal(await prove(n), 'wrong')
  assert.equal(await prove(5), 'delayed')
})

test('what ends a session or changes what it may is seen with the next look', async () => {
  const { id, login } = await createTestPerson(database, tenantId, 'admin')
  const sessions = await Promise.all([0, 1, 2].map(() => signedIn(login)))
  const [first, second] = sessions as [NewSession, NewSession, NewSession]
  const person = personRef(id)
  const look = (session: NewSession) => findSession(database, 'person', session.cookie)

  await setRole(database, operatorOf(tenantId), id, 'owner')
  const { role, roleOfPair } = await found('person', first)
  assert.deepEqual([role, roleOfPair], ['owner', 'admin'])
  await database.transaction((tx) => endSessions(tx, person, { id: first.id }))
  assert.equal(await look(first), undefined)
  assert.equal((await listSessions(database, person)).length, 3)
  await database.transaction((tx) => endSessions(tx, person, { but: second.id }))
  assert.deepEqual(
    (await listSessions(database, person)).map((session) => session.id),
    [second.id],
  )

  await setTenantStatus(database, operator, tenantId, 'suspended')
  assert.equal(await look(second), undefined)
  await setTenantStatus(database, operator, tenantId, 'active')
  assert(await look(second))
  await removePerson(database, operatorOf(tenantId), id)
  assert.equal(await look(second), undefined)
  assert.equal(await outcomeOf(enter(login, PASSWORD)), 'wrong')
})

test('a session ends when it is unused for an hour, and after a day; one of the webmail after seven days and thirty', async () => {
  const user = await createTestMailboxUser(database, tenantId, mailboxId)
  const person = await createTestPerson(database, tenantId, 'admin')
  const cases: [UserKind, string, UserRef, idle: string, longest: string][] = [
    ['person', person.login, personRef(person.id), '1 hour', '1 day'],
    ['mailbox_user', user.login, mailboxUserRef(tenantId, user.id), '7 days', '30 days'],
  ]
  for (const [kind, login, ref, idle, longest] of cases) {
    for (const [column, age] of [
      ['last_used_at', idle],
      ['created_at', longest],
    ] as const) {
      const session = await signedIn(login, kind)
      const move = (by: string) =>
        database.pool.query(
          `update sessions set ${column} = clock_timestamp() - interval '${age}' + interval '${by}' where id = $1`,
          [session.id],
        )
      await move('10 seconds')
      assert(await findSession(database, kind, session.cookie), `${kind} ${column} before`)
      await move('-1 second')
      assert.equal(await findSession(database, kind, session.cookie), undefined, `${kind} ${column} after`)
      assert.equal(
        (await listSessions(database, ref)).some(({ id }) => id === session.id),
        false,
      )
    }
  }
})

test('proof is fresh for ten minutes, and a session is given a new pair once, however many ask', async () => {
  const session = await signedIn(owner.login)
  await database.rows(
    sql`update sessions set proven_at = clock_timestamp() - interval '601 seconds' where id = ${session.id}`,
  )
  const stale = await found('person', session)
  assert.equal(stale.fresh, false)
  const facts = { whole: true, proven: true, inTenantId: tenantId }
  const pairs = await Promise.all([0, 1].map(() => database.transaction((tx) => renewSession(tx, stale, facts))))
  const [renewed, ...others] = pairs.filter((pair) => pair !== undefined)
  assert.deepEqual(others, [])
  assert.equal((await found('person', renewed as NewSession)).fresh, true)
  assert.equal(await findSession(database, 'person', session.cookie), undefined)
})

test('signing in, and failing to, is on record in every tenant of a person', async () => {
  const { id, login } = await createTestPerson(database, tenantId, 'admin')
  const origin = anywhere()
  await enter(login, 'a wrong password', origin)
  await enter(login, PASSWORD, origin)
  const records = (await listAudit(database, operatorOf(tenantId), 50)).filter(({ personId }) => personId === id)
  const [right, wrong] = records
  assert.deepEqual([right?.operation, wrong?.operation], ['signIn', 'signIn.wrong'])
  assert.equal(right?.clientAddress, origin.clientAddress)
})
