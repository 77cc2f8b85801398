// Invitations, roles, and the last Owner.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { hasher } from '../../test/support/hash-turns.ts'
import { operatorOf } from '../../test/support/operator.ts'
import { createTestPerson, originOf, PASSWORD } from '../../test/support/people.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import { DIRECTORY, type Person } from '../access/actor.ts'
import type { PersonRole } from '../access/permissions.ts'
import type { Problem } from '../access/problem.ts'
import { sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { findLink, makeLink } from '../users/links.ts'
import { findSession } from '../users/sessions.ts'
import { signInByLink } from '../users/sign-in-by-link.ts'
import { isEnough, takeUpLink } from '../users/take-up-link.ts'
import { personRef } from '../users/user.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { invitePerson } from './invite-person.ts'
import { joinTenant } from './join-tenant.ts'
import { listPeople } from './list-people.ts'
import { personOf } from './person-of.ts'
import { removePerson } from './remove-person.ts'
import { resetPerson } from './reset-person.ts'
import { setRole } from './set-role.ts'
import { isSecondFactorRequired, setSecondFactorRequired } from './set-second-factor-required.ts'

const { database } = await createTestDatabase()
const { tenantId } = await createTestTenant(database)
const { tenantId: otherTenant } = await createTestTenant(database)

const invite = (email: string, tenant = tenantId, role: PersonRole = 'admin') =>
  invitePerson(database, operatorOf(tenant), { email, role })
const takeUp = (token: string, password = PASSWORD) =>
  takeUpLink({ database, hasher, join: joinTenant }, 'person', { token, password }, originOf(1))
const listed = async (id: Uuid, tenant = tenantId) =>
  (await listPeople(database, operatorOf(tenant))).find((person) => person.id === id)
const personAs = (personId: Uuid, role: PersonRole, signedInRecently = true): Person => ({
  kind: 'person',
  tenantId,
  environmentId: tenantId,
  personId,
  role,
  signedInRecently,
  origin: originOf(1),
})

function refusedWith(code: string): (error: Problem) => boolean {
  return (error) => error.code === code
}

test('an invitation is taken up once, and makes somebody with a role who is signed in', async () => {
  const { id, token } = await invite('Ada@Example.com')
  assert.equal((await listed(id))?.status, 'invited')
  const sessions = await Promise.all([takeUp(token), takeUp(token), takeUp(token)])
  const [session, ...others] = sessions.filter((made) => made !== undefined)
  assert(session)
  assert.deepEqual(others, [])
  const found = await findSession(database, 'person', session.cookie)
  assert.deepEqual([found?.userId, found?.role, found?.inTenantId], [id, 'admin', tenantId])
  const person = await listed(id)
  assert.deepEqual([person?.email, person?.status, person?.factors.password], ['ada@example.com', 'active', true])
  assert.equal(await takeUp(token), undefined)
})

test('a new invitation makes the former worthless, and an old one is no good after 72 hours', async () => {
  const first = await invite('grace@example.com')
  const second = await invite('grace@example.com', tenantId, 'owner')
  assert.equal(second.id, first.id)
  assert.equal(await takeUp(first.token), undefined)
  const expire = (before: string) =>
    database.pool.query(
      `update user_links set expires_at = expires_at - interval '72 hours' + interval '${before}' where user_id = $1`,
      [first.id],
    )
  await expire('10 seconds')
  assert(await findLink(database, 'person', second.token))
  await database.pool.query(`update user_links set expires_at = clock_timestamp() where user_id = $1`, [first.id])
  assert.equal(await takeUp(second.token), undefined)
})

test('a password that is too weak leaves the invitation as it is', async () => {
  const { id, token } = await invite('weak@example.com')
  await assert.rejects(takeUp(token, 'too short'), refusedWith('validation_error'))
  assert.equal((await listed(id))?.status, 'invited')
  assert(await takeUp(token))
})

test('who made a link does not become somebody who can sign in already', async () => {
  const { id, login } = await createTestPerson(database, otherTenant, 'owner')
  const { id: invited, token } = await invite(login)
  assert.equal(invited, id)
  assert.equal(await takeUp(token, 'a password of my own choosing'), undefined)
  assert.equal((await listed(id))?.status, 'invited')
})

test('an invitation does not let its holder become somebody with a role elsewhere who has lost all factors', async () => {
  const { id, token: former } = await invite('factorless@example.com', otherTenant, 'owner')
  const { token } = await invite('factorless@example.com')
  const { token: operators } = await database.transaction((tx) => makeLink(tx, personRef(id), 'sign_in', otherTenant))
  assert(await signInByLink({ database, join: joinTenant }, 'person', operators, originOf(1)))
  // Also by one that the tenant itself has made before.
  for (const link of [token, former]) assert.equal(await takeUp(link), undefined)
  const found = await findLink(database, 'person', token)
  assert.equal(found && isEnough(found), false)
  const { token: reset } = await resetPerson(database, operatorOf(otherTenant), id)
  assert(await takeUp(reset))
})

test('two invitations of one new person, by two tenants, let in one of those who hold a link', async () => {
  const links = [await invite('twice@example.com'), await invite('twice@example.com', otherTenant)]
  const sessions = await Promise.all(links.map(({ token }) => takeUp(token)))
  assert.equal(sessions.filter((session) => session !== undefined).length, 1)
})

test('an invitation that is taken back is no good', async () => {
  const { id, token } = await invite('gone@example.com')
  await removePerson(database, operatorOf(tenantId), id)
  assert.equal(await takeUp(token), undefined)
  assert.equal(await listed(id), undefined)
  const left = await database.rows(sql`select id from users where id = ${id}`)
  assert.deepEqual(left, [])
})

test('whoever has a role elsewhere stays, and is gone here', async () => {
  const { id, login, session } = await createTestPerson(database, otherTenant, 'owner')
  await invite(login)
  await removePerson(database, operatorOf(tenantId), id)
  assert.equal(await listed(id), undefined)
  assert.equal((await listed(id, otherTenant))?.role, 'owner')
  assert(await findSession(database, 'person', session.cookie))
})

test('whoever has only an invitation left takes it up like anybody who is new', async () => {
  const { id, login, session } = await createTestPerson(database, otherTenant, 'admin')
  const { token } = await invite(login)
  assert.equal(await takeUp(token), undefined, 'who can sign in has to')
  await removePerson(database, operatorOf(otherTenant), id)
  assert.equal(await findSession(database, 'person', session.cookie), undefined)
  const again = await takeUp(token, 'another four unrelated words')
  assert(again)
  assert.equal((await findSession(database, 'person', again.cookie))?.inTenantId, tenantId)
})

test('the last Owner is neither removed nor demoted, and an invited one does not count', async () => {
  const { tenantId: tenant } = await createTestTenant(database)
  const { id } = await createTestPerson(database, tenant, 'owner')
  await invite('invited-owner@example.com', tenant, 'owner')
  await assert.rejects(removePerson(database, operatorOf(tenant), id), refusedWith('not_allowed'))
  await assert.rejects(setRole(database, operatorOf(tenant), id, 'admin'), refusedWith('not_allowed'))
  await setRole(database, operatorOf(tenant), id, 'owner')
  const { id: second } = await createTestPerson(database, tenant, 'owner')
  await removePerson(database, operatorOf(tenant), id)
  await assert.rejects(removePerson(database, operatorOf(tenant), second), refusedWith('not_allowed'))
})

test('of two Owners who remove and demote each other at the same time one stays', async () => {
  for (let round = 0; round < 10; round++) {
    const { tenantId: tenant } = await createTestTenant(database)
    const first = await createTestPerson(database, tenant, 'owner')
    const second = await createTestPerson(database, tenant, 'owner')
    const results = await Promise.allSettled([
      removePerson(database, operatorOf(tenant), first.id),
      setRole(database, operatorOf(tenant), second.id, 'admin'),
    ])
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const owners = (await listPeople(database, operatorOf(tenant))).filter(({ role }) => role === 'owner')
    assert.equal(owners.length, 1)
  }
})

test('an Admin sees people and changes none; an Owner must have signed in a moment ago', async () => {
  const { id } = await createTestPerson(database, tenantId, 'owner')
  const admin = personAs(newId(), 'admin')
  assert((await listPeople(database, admin)).length > 0)
  await assert.rejects(
    invitePerson(database, admin, { email: 'x@example.com', role: 'admin' }),
    refusedWith('not_allowed'),
  )
  await assert.rejects(removePerson(database, admin, id), refusedWith('not_allowed'))
  await assert.rejects(setRole(database, admin, id, 'admin'), refusedWith('not_allowed'))
  const stale = personAs(id, 'owner', false)
  await assert.rejects(
    invitePerson(database, stale, { email: 'x@example.com', role: 'admin' }),
    refusedWith('sign_in_again'),
  )
  assert((await invitePerson(database, personAs(id, 'owner'), { email: 'x@example.com', role: 'admin' })).token)
})

/** Whether somebody with this session may do what people change with; what it is refused by otherwise. */
async function actingAs(cookie: string): Promise<Person | string> {
  const session = await findSession(database, 'person', cookie)
  if (!session) return 'not_signed_in'
  try {
    return await personOf(database, session, originOf(1))
  } catch (error) {
    return (error as Problem).code
  }
}

test('a reset by an Owner takes every factor and session away, once, within half an hour', async () => {
  const { id: owner } = await createTestPerson(database, tenantId, 'owner')
  const { id, login, session } = await createTestPerson(database, tenantId, 'admin')
  const { token } = await resetPerson(database, personAs(owner, 'owner'), id)
  assert(await findSession(database, 'person', session.cookie), 'nothing changes until the link is used')
  await database.pool.query(
    `insert into totp_keys (tenant_id, user_id, secret, confirmed_at) values ($1, $2, '', clock_timestamp())`,
    [DIRECTORY, id],
  )
  const age = (before: string) =>
    database.pool.query(
      `update user_links set expires_at = clock_timestamp() + interval '${before}' where user_id = $1`,
      [id],
    )
  await age('-1 second')
  assert.equal(await takeUp(token), undefined)
  await age('1 minute')
  const [made, ...others] = (await Promise.all([takeUp(token), takeUp(token)])).filter((made) => made !== undefined)
  assert(made && others.length === 0)
  assert.equal(await findSession(database, 'person', session.cookie), undefined)
  const person = await listed(id)
  assert.deepEqual(person?.factors, { password: true, totp: false, passkeys: 0, recoveryCodes: 0, singleSignOn: false })
  assert.equal(person?.email, login)
  assert.equal(await takeUp(token), undefined)
})

test('a link to reset lasts for half an hour, and a second takes the place of the first', async () => {
  const { id } = await createTestPerson(database, tenantId, 'admin')
  const first = await resetPerson(database, operatorOf(tenantId), id)
  const minutes = (Date.parse(first.expiresAt) - Date.now()) / 60_000
  assert(minutes > 28 && minutes < 32, String(minutes))
  const second = await resetPerson(database, operatorOf(tenantId), id)
  assert.equal(await takeUp(first.token), undefined)
  assert(await takeUp(second.token))
})

test('an Owner resets nobody who has a role elsewhere, also not by a link from before; the operator does', async () => {
  const { id: owner } = await createTestPerson(database, tenantId, 'owner')
  const { id, login, session } = await createTestPerson(database, tenantId, 'admin')
  const early = await resetPerson(database, personAs(owner, 'owner'), id)
  const { token } = await invite(login, otherTenant)
  const found = await findSession(database, 'person', session.cookie)
  assert(found)
  assert.equal(await acceptInvitation(database, found, token, originOf(1)), otherTenant)
  assert.equal(await takeUp(early.token), undefined)
  await assert.rejects(resetPerson(database, personAs(owner, 'owner'), id), (error: Problem) => {
    return error.code === 'not_allowed' && /operator/.test(error.message)
  })
  const { token: byOperator } = await resetPerson(database, operatorOf(tenantId), id)
  assert(await takeUp(byOperator))
})

test('who is only invited, or of another tenant, is not reset', async () => {
  const { id } = await invite('not-yet@example.com')
  await assert.rejects(resetPerson(database, operatorOf(tenantId), id), refusedWith('not_allowed'))
  const { id: stranger } = await createTestPerson(database, otherTenant, 'admin')
  await assert.rejects(resetPerson(database, operatorOf(tenantId), stranger), refusedWith('not_found'))
})

test('where a second factor is required, who has none may do nothing but add one, from the next request on', async () => {
  const { tenantId: tenant } = await createTestTenant(database)
  const { id, session } = await createTestPerson(database, tenant, 'owner')
  const first = await actingAs(session.cookie)
  assert(typeof first === 'object')
  assert.deepEqual([first.tenantId, first.personId, first.role, first.signedInRecently], [tenant, id, 'owner', true])
  await assert.rejects(setSecondFactorRequired(database, { ...first, role: 'admin' }, true), refusedWith('not_allowed'))
  const stale = { ...first, signedInRecently: false }
  await assert.rejects(setSecondFactorRequired(database, stale, true), refusedWith('sign_in_again'))
  await setSecondFactorRequired(database, first, true)
  assert.equal(await isSecondFactorRequired(database, first), true)
  assert.equal(await actingAs(session.cookie), 'second_factor_required')
  const totp = (confirmed: string) =>
    database.pool.query(
      `insert into totp_keys (tenant_id, user_id, secret, confirmed_at) values ($1, $2, '', ${confirmed})
       on conflict (tenant_id, user_id) do update set confirmed_at = excluded.confirmed_at`,
      [DIRECTORY, id],
    )
  await totp('null')
  assert.equal(await actingAs(session.cookie), 'second_factor_required')
  await totp('clock_timestamp()')
  assert(typeof (await actingAs(session.cookie)) === 'object')
  await totp('null')
  await setSecondFactorRequired(database, operatorOf(tenant), false)
  assert(typeof (await actingAs(session.cookie)) === 'object')
})

test('people of another tenant are not there', async () => {
  const { id } = await createTestPerson(database, otherTenant, 'admin')
  await assert.rejects(removePerson(database, operatorOf(tenantId), id), refusedWith('not_found'))
  await assert.rejects(setRole(database, operatorOf(tenantId), id, 'owner'), refusedWith('not_found'))
  assert.equal(await listed(id), undefined)
})

test('what is no address is refused, and so is one that has a role already', async () => {
  for (const email of ['', 'ada', 'ada@', 'Ada <ada@example.com>']) {
    await assert.rejects(invite(email), refusedWith('validation_error'), email)
  }
  const { login } = await createTestPerson(database, tenantId, 'admin')
  await assert.rejects(invite(login), refusedWith('validation_error'))
})
