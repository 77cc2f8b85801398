// What users change of their own account: each for themselves, and only as freshly proven as it must be.
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { createTestDatabase } from '../../test/support/database.ts'
import { hasher } from '../../test/support/hash-turns.ts'
import { operatorOf } from '../../test/support/operator.ts'
import {
  createTestMailboxUser,
  createTestPerson,
  originOf,
  PASSWORD,
  type TestUser,
} from '../../test/support/people.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import { listAudit } from '../audit/list-audit.ts'
import { createHashTurns } from '../lib/hash-turns.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import type { Uuid } from '../lib/uuid.ts'
import { confirmTotp, offerTotp } from './add-totp.ts'
import { changePassword } from './change-password.ts'
import { confirmRecoveryAddress } from './confirm-recovery-address.ts'
import { endOwnSessions, signOut } from './end-own-sessions.ts'
import { makeLink } from './links.ts'
import { listFactors } from './list-factors.ts'
import { proveCode } from './prove-code.ts'
import { provePassword } from './prove-password.ts'
import { findRecoveryAddress } from './recovery-address.ts'
import { removeFactor } from './remove-factor.ts'
import { removeRecoveryAddress } from './remove-recovery-address.ts'
import { renewRecoveryCodes } from './renew-recovery-codes.ts'
import { type FoundSession, findSession, listSessions, type NewSession } from './sessions.ts'
import { setName } from './set-name.ts'
import { setNotices } from './set-notices.ts'
import { setRecoveryAddress } from './set-recovery-address.ts'
import { signIn } from './sign-in.ts'
import type { UserKind } from './user.ts'

const { database } = await createTestDatabase()
const { tenantId, mailboxId } = await createTestTenant(database)
const box = createSecretBox([{ version: 1, key: createSecretKey(randomBytes(32)) }])
const deps = { database, hasher, box }
const ANOTHER = 'another four unrelated words'
const ELSEWHERE = 'ada@elsewhere.example'
let network = 10
const anywhere = () => originOf(network++)

async function found({ cookie }: NewSession, kind: UserKind = 'person'): Promise<FoundSession> {
  const session = await findSession(database, kind, cookie)
  assert(session)
  return session
}

async function signedIn(login: string, password = PASSWORD): Promise<NewSession> {
  const result = await signIn(deps, 'person', { login, password }, anywhere())
  assert('session' in result)
  return result.session
}

const outcomeOf = async (login: string, password: string) =>
  (await signIn(deps, 'person', { login, password }, anywhere())).outcome
const person = () => createTestPerson(database, tenantId, 'admin')

/** The session as it is when its factors were proven so many seconds ago. */
async function provenAgo(session: NewSession, seconds: number, kind?: UserKind): Promise<FoundSession> {
  await database.pool.query(
    `update sessions set proven_at = clock_timestamp() - make_interval(secs => $2) where id = $1`,
    [session.id, seconds],
  )
  return found(session, kind)
}

/** Gives a user an authenticator app. */
async function addTotp(session: FoundSession): Promise<{ totp: TOTP; codes: string[] }> {
  const { key } = await offerTotp(deps, session, 'Mail')
  const totp = new TOTP({ secret: key.reveal() })
  const codes = await confirmTotp(
    { ...deps, nowMs: () => 1_000_000 },
    session,
    totp.generate({ timestamp: 1_000_000 }),
    anywhere(),
  )
  assert(codes)
  return { totp, codes }
}

async function recordsOf(user: Uuid): Promise<string[]> {
  const records = await listAudit(database, operatorOf(tenantId), 500)
  return records.filter(({ resourceId }) => resourceId === user).map(({ operation }) => operation)
}

test('a name is kept without spaces about it, an empty one is none, and it has an end', async () => {
  const user = await person()
  const session = await found(user.session)
  for (const [given, kept] of [
    ['  Ada Lovelace ', 'Ada Lovelace'],
    ['x'.repeat(100), 'x'.repeat(100)],
    [' ', null],
  ] as const) {
    assert.equal(await setName(database, session, given, anywhere()), kept)
    assert.equal((await found(user.session)).name, kept)
  }
  for (const name of ['x'.repeat(101), 'a\nb', '\ud800']) {
    await assert.rejects(setName(database, session, name, anywhere()), { code: 'validation_error' })
  }
  assert((await recordsOf(user.id)).includes('name.set'))
})

test('notices are wanted until they are not', async () => {
  const user = await person()
  const wanted = async () =>
    (await database.pool.query('select notices from users where id = $1', [user.id])).rows[0].notices
  assert.equal(await wanted(), true)
  await setNotices(database, await found(user.session), false, anywhere())
  assert.equal(await wanted(), false)
  assert((await recordsOf(user.id)).includes('notices.set'))
})

test('another password ends all other sessions, and the former is no good', async () => {
  const user = await person()
  const other = await signedIn(user.login)
  await changePassword(deps, await found(user.session), ANOTHER, anywhere())
  assert(await findSession(database, 'person', user.session.cookie))
  assert.equal(await findSession(database, 'person', other.cookie), undefined)
  assert.equal(await outcomeOf(user.login, PASSWORD), 'wrong')
  assert.equal(await outcomeOf(user.login, ANOTHER), 'signed_in')
  await assert.rejects(changePassword(deps, await found(user.session), 'fourteen chars', anywhere()), {
    code: 'validation_error',
  })
})

test('eight characters are enough beside a second factor, which then cannot be removed', async () => {
  const user = await person()
  const session = await found(user.session)
  await addTotp(session)
  await assert.rejects(changePassword(deps, session, 'seven!7', anywhere()), { code: 'validation_error' })
  await changePassword(deps, session, 'eight!88', anywhere())
  await assert.rejects(removeFactor(database, session, 'totp', anywhere()), { code: 'not_allowed' })
  await changePassword(deps, session, ANOTHER, anywhere())
  await removeFactor(database, session, 'totp', anywhere())
})

test('recovery codes anew make the former worthless, and there are none without a second factor', async () => {
  const user = await person()
  const session = await found(user.session)
  await assert.rejects(renewRecoveryCodes(database, session, anywhere()), { code: 'not_allowed' })
  const { codes } = await addTotp(session)
  const renewed = await renewRecoveryCodes(database, session, anywhere())
  assert.equal(new Set([...codes, ...renewed]).size, 20)
  const half = await found(await signedIn(user.login))
  assert.equal((await proveCode(deps, half, codes[0] ?? '', anywhere())).outcome, 'wrong')
  assert.equal((await proveCode(deps, half, renewed[0] ?? '', anywhere())).outcome, 'proven')
  assert.equal((await listFactors(database, session)).recoveryCodes, 9)
  assert((await recordsOf(user.id)).includes('recoveryCodes.make'))
})

test('what a user signs in by is listed, and nothing secret of it', async () => {
  const user = await person()
  const session = await found(user.session)
  const before = await listFactors(database, session)
  assert.deepEqual(
    { ...before, passwordChangedAt: '' },
    { passwordChangedAt: '', totpAddedAt: null, passkeys: [], recoveryCodes: 0 },
  )
  await offerTotp(deps, session, 'Mail')
  assert.equal((await listFactors(database, session)).totpAddedAt, null, 'none that was not confirmed')
  await addTotp(session)
  assert((await listFactors(database, session)).totpAddedAt)
})

test('a session is ended by its own user alone: one, all others, or all', async () => {
  const [user, stranger] = [await person(), await person()]
  const sessions = [await signedIn(user.login), await signedIn(user.login), await signedIn(user.login)] as const
  const own = await found(user.session)
  const isOpen = async ({ cookie }: NewSession) => (await findSession(database, 'person', cookie)) !== undefined
  await assert.rejects(endOwnSessions(database, own, { id: stranger.session.id }, anywhere()), { code: 'not_found' })
  assert(await isOpen(stranger.session))
  assert.equal(await endOwnSessions(database, own, { id: sessions[0].id }, anywhere()), 1)
  await assert.rejects(endOwnSessions(database, own, { id: sessions[0].id }, anywhere()), { code: 'not_found' })
  assert.deepEqual(await Promise.all(sessions.map(isOpen)), [false, true, true])
  assert.equal(await endOwnSessions(database, own, 'others', anywhere()), 2)
  assert.deepEqual(
    (await listSessions(database, own)).map(({ id }) => id),
    [user.session.id],
  )
  const last = await signedIn(user.login)
  assert.equal(await endOwnSessions(database, own, 'all', anywhere()), 2)
  assert.deepEqual(
    [await isOpen(last), await isOpen(user.session), await isOpen(stranger.session)],
    [false, false, true],
  )
  const records = await recordsOf(user.id)
  assert.equal(records.filter((operation) => operation === 'session.end').length, 3)
})

test('signing out ends the session, also one that asks for a code, and is on record once', async () => {
  const user = await person()
  await addTotp(await found(user.session))
  const half = await signedIn(user.login)
  for (const session of [half, user.session]) {
    const before = await found(session)
    await signOut(database, before, anywhere())
    await signOut(database, before, anywhere())
    assert.equal(await findSession(database, 'person', session.cookie), undefined)
  }
  assert.equal((await recordsOf(user.id)).filter((operation) => operation === 'signOut').length, 2)
})

test('nothing of an account is changed while a second factor is asked for', async () => {
  const user = await person()
  await addTotp(await found(user.session))
  const half = await found(await signedIn(user.login))
  const origin = anywhere()
  for (const change of [
    setName(database, half, 'Eve', origin),
    setNotices(database, half, false, origin),
    changePassword(deps, half, ANOTHER, origin),
    renewRecoveryCodes(database, half, origin),
    endOwnSessions(database, half, 'all', origin),
    offerTotp(deps, half, 'Mail'),
    removeFactor(database, half, 'totp', origin),
    provePassword(deps, half, PASSWORD, origin),
    setRecoveryAddress(deps, half, ELSEWHERE, origin),
    confirmRecoveryAddress(database, half, 'token', origin),
    removeRecoveryAddress(database, half, origin),
  ]) {
    await assert.rejects(change, { code: 'not_signed_in' })
  }
})

test('whoever was signed out while the request was on its way changes nothing that one signs in by', async () => {
  const user = await person()
  const session = await found(user.session)
  const { key } = await offerTotp(deps, session, 'Mail')
  await endOwnSessions(database, session, 'all', anywhere())
  const code = new TOTP({ secret: key.reveal() }).generate({ timestamp: 1_000_000 })
  for (const change of [
    () => changePassword(deps, session, ANOTHER, anywhere()),
    () => offerTotp(deps, session, 'Mail'),
    () => confirmTotp({ ...deps, nowMs: () => 1_000_000 }, session, code, anywhere()),
    () => removeFactor(database, session, 'totp', anywhere()),
    () => renewRecoveryCodes(database, session, anywhere()),
  ]) {
    await assert.rejects(change, { code: 'not_signed_in' })
  }
  assert.equal(await outcomeOf(user.login, PASSWORD), 'signed_in')
})

test('a recovery address stays as it was for a mailbox user who was signed out while the request was on its way', async () => {
  const user = await createTestMailboxUser(database, tenantId, mailboxId)
  const session = await found(user.session, 'mailbox_user')
  await setRecoveryAddress(deps, session, ELSEWHERE, anywhere())
  const { token } = await database.transaction((tx) => makeLink(tx, session, 'recovery_address'))
  await endOwnSessions(database, session, 'all', anywhere())
  for (const change of [
    () => setRecoveryAddress(deps, session, 'eve@elsewhere.example', anywhere()),
    () => confirmRecoveryAddress(database, session, token, anywhere()),
    () => removeRecoveryAddress(database, session, anywhere()),
  ]) {
    await assert.rejects(change, { code: 'not_signed_in' })
  }
  assert.deepEqual(await findRecoveryAddress(database, session), { address: ELSEWHERE, verifiedAt: null })
})

test('the first second factor ends the sessions that were opened without it, and another one does not', async () => {
  const user = await person()
  const [former, own] = [await signedIn(user.login), await found(user.session)]
  const { totp } = await addTotp(own)
  assert.equal(await findSession(database, 'person', former.cookie), undefined)
  const proven = await proveCode(deps, await found(await signedIn(user.login)), totp.generate(), anywhere())
  assert(proven.outcome === 'proven')
  await removeFactor(database, await found(user.session), 'totp', anywhere())
  assert(await found(proven.session), 'what was opened with more stays')
})

test('passwords are set by so many at once, and sign-ins still have their turn', async () => {
  const user = await person()
  const session = await found(user.session)
  const { passwords } = createHashTurns()
  const busy = { database, hasher: passwords }
  const others = Array.from({ length: 64 }, () => passwords.hash(ANOTHER))
  await assert.rejects(changePassword(busy, session, ANOTHER, anywhere()), { code: 'service_unavailable' })
  const signingIn = signIn(busy, 'person', { login: user.login, password: PASSWORD }, anywhere())
  await Promise.all(others)
  assert.equal((await signingIn).outcome, 'signed_in')
  await changePassword(busy, session, ANOTHER, anywhere())
})

test('factors change until ten minutes after they were proven, and not a moment later', async () => {
  const user = await person()
  const mailboxUser = await createTestMailboxUser(database, tenantId, mailboxId)
  for (const [seconds, refused] of [
    [599, false],
    [601, true],
  ] as const) {
    const session = await provenAgo(user.session, seconds)
    const inMailbox = await provenAgo(mailboxUser.session, seconds, 'mailbox_user')
    const asked = [
      () => offerTotp(deps, session, 'Mail'),
      () => confirmTotp(deps, session, '000000', anywhere()),
      () => changePassword(deps, session, PASSWORD, anywhere()),
      () => setRecoveryAddress(deps, inMailbox, ELSEWHERE, anywhere()),
      () => removeRecoveryAddress(database, inMailbox, anywhere()),
    ]
    for (const ask of asked) {
      if (refused) await assert.rejects(ask(), { code: 'sign_in_again' })
      else await ask()
    }
  }
})

test('the password once more makes a session fresh, under another pair; with a second factor it is not enough', async () => {
  const user = await person()
  const stale = await provenAgo(user.session, 601)
  assert.equal((await provePassword(deps, stale, ANOTHER, anywhere())).outcome, 'wrong')
  const proven = await provePassword(deps, stale, PASSWORD, anywhere())
  assert(proven.outcome === 'proven')
  assert.equal(await findSession(database, 'person', user.session.cookie), undefined)
  const session = await found(proven.session)
  assert.deepEqual([session.fresh, session.inTenantId], [true, tenantId])
  const { totp } = await addTotp(session)
  assert.equal((await provePassword(deps, session, PASSWORD, anywhere())).outcome, 'second_factor')
  assert.equal((await proveCode(deps, session, totp.generate(), anywhere())).outcome, 'proven')
})

test('a mailbox user has the same account', async () => {
  const user: TestUser = await createTestMailboxUser(database, tenantId, mailboxId)
  const session = await found(user.session, 'mailbox_user')
  assert.equal(session.mustAddFactor, false)
  assert.equal(await setName(database, session, 'Bob', anywhere()), 'Bob')
  await changePassword(deps, session, ANOTHER, anywhere())
  assert.equal(await endOwnSessions(database, session, 'all', anywhere()), 1)
  assert.deepEqual((await recordsOf(user.id)).slice(0, 3), ['session.end', 'password.set', 'name.set'])
})
