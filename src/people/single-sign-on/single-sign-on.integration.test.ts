// People who come in by their tenant's provider: a real one.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { hasher } from '../../../test/support/hash-turns.ts'
import { OpenIdVisitor, startOpenIdProvider } from '../../../test/support/openid-provider.ts'
import { operator, operatorOf } from '../../../test/support/operator.ts'
import { createTestPerson, originOf, PASSWORD } from '../../../test/support/people.ts'
import { CONSOLE_URL, singleSignOnOver } from '../../../test/support/single-sign-on.ts'
import { createTestTenant } from '../../../test/support/tenant.ts'
import type { Person } from '../../access/actor.ts'
import type { Problem } from '../../access/problem.ts'
import { setTenantStatus } from '../../apps/set-tenant-status.ts'
import { listAudit } from '../../audit/list-audit.ts'
import { Secret } from '../../lib/secret.ts'
import { sql } from '../../lib/sql.ts'
import { newId, type Uuid } from '../../lib/uuid.ts'
import { offerTotp } from '../../users/add-totp.ts'
import { endOwnSessions } from '../../users/end-own-sessions.ts'
import { makeLink } from '../../users/links.ts'
import { type FoundSession, findSession, listSessions, type NewSession } from '../../users/sessions.ts'
import { setName } from '../../users/set-name.ts'
import { setNotices } from '../../users/set-notices.ts'
import { takeUpLink } from '../../users/take-up-link.ts'
import { personRef } from '../../users/user.ts'
import { invitePerson } from '../invite-person.ts'
import { joinTenant } from '../join-tenant.ts'
import { removePerson } from '../remove-person.ts'
import { beginRound, linkTo, proveAgain } from './begin-round.ts'
import { removeSingleSignOn } from './remove-single-sign-on.ts'
import type { RoundPurpose } from './round.ts'
import { setSingleSignOn } from './set-single-sign-on.ts'
import { showSingleSignOn } from './show-single-sign-on.ts'
import { unlinkPerson } from './unlink-person.ts'
import { singleSignOnUrls } from './urls.ts'

const { database } = await createTestDatabase()
const { tenantId } = await createTestTenant(database)
const { tenantId: otherTenant } = await createTestTenant(database)
const callbackOf = (tenant: Uuid) => singleSignOnUrls(CONSOLE_URL, tenant).callback
const provider = await startOpenIdProvider({ redirectUris: [tenantId, otherTenant].map(callbackOf) })
after(() => provider.stop())
const sso = singleSignOnOver(database)
const settings = { ...provider, clientSecret: new Secret(provider.clientSecret) }
await sso.set(tenantId, settings)

/** Goes to the provider, signs in there, and comes back. */
async function roundTrip(
  account: string | undefined,
  purpose: RoundPurpose = { kind: 'sign_in' },
  { tenant = tenantId, visitor = new OpenIdVisitor() } = {},
) {
  const begun = await sso.begin(tenant, purpose, '/messages')
  provider.account = account
  return sso.finish(tenant, begun.cookie, await visitor.signIn(begun.url))
}

async function invited(account: string, tenant = tenantId): Promise<{ id: Uuid; session: NewSession }> {
  const { id, token } = await invitePerson(database, operatorOf(tenant), {
    email: `${newId()}@example.com`,
    role: 'owner',
  })
  const finished = await roundTrip(account, { kind: 'invitation', token }, { tenant })
  assert(finished.outcome === 'signed_in', finished.outcome)
  return { id, session: finished.session }
}

async function signedIn(account: string): Promise<NewSession> {
  const finished = await roundTrip(account)
  assert(finished.outcome === 'signed_in', finished.outcome)
  return finished.session
}

const takeUp = (token: string) =>
  takeUpLink({ database, hasher, join: joinTenant }, 'person', { token, password: PASSWORD }, originOf(1))
const look = ({ cookie }: NewSession) => findSession(database, 'person', cookie)
async function found(session: NewSession): Promise<FoundSession> {
  const there = await look(session)
  assert(there)
  return there
}
const refusedWith = (code: string) => (error: Problem) => error.code === code
const acts = async (person: Uuid) =>
  (await listAudit(database, operatorOf(tenantId), 200))
    .filter(({ personId }) => personId === person)
    .map(({ operation }) => operation)

test('an invitation is taken up by single sign-on, once; then the provider is enough', async () => {
  const { id, token } = await invitePerson(database, operatorOf(tenantId), { email: 'ada@example.com', role: 'admin' })
  const finished = await roundTrip('ada', { kind: 'invitation', token })
  assert(finished.outcome === 'signed_in')
  assert.equal(finished.to, '/messages')
  const session = await found(finished.session)
  assert.deepEqual(
    [session.userId, session.role, session.inTenantId, session.whole, session.fresh, session.onlyTenantId],
    [id, 'admin', tenantId, true, true, tenantId],
  )
  assert.equal((await roundTrip('ada', { kind: 'invitation', token })).outcome, 'no_invitation')
  assert.equal((await found(await signedIn('ada'))).userId, id)
  assert.deepEqual(await acts(id), ['signIn', 'signIn'])
})

test('who is known to the provider and to nobody here does not come in, whatever address the provider gives', async () => {
  assert.deepEqual(await roundTrip('mallory'), { outcome: 'unknown' })
})

test('an invitation of another tenant, of somebody with a password, or for a subject that is somebody else’s lets nobody in', async () => {
  await invited('known')
  const { login } = await createTestPerson(database, otherTenant, 'owner')
  const invite = async (tenant: Uuid, email: string) =>
    (await invitePerson(database, operatorOf(tenant), { email, role: 'owner' })).token
  const cases = [
    [await invite(otherTenant, 'elsewhere@example.com'), 'new-1', 'no_invitation'],
    [await invite(tenantId, login), 'new-2', 'no_invitation'],
    ['x'.repeat(43), 'new-3', 'no_invitation'],
    [await invite(tenantId, 'another@example.com'), 'known', 'somebody_else'],
  ] as const
  for (const [token, account, outcome] of cases) {
    assert.equal((await roundTrip(account, { kind: 'invitation', token })).outcome, outcome)
    assert.equal((await roundTrip(account)).outcome, account === 'known' ? 'signed_in' : 'unknown')
  }
})

test('a person who came by single sign-on has an account: a link of another tenant gives it no password', async () => {
  const { id } = await invited('brook')
  const { login = '' } = (await database.first(sql<{ login: string }>`select login from users where id = ${id}`)) ?? {}
  const { token } = await invitePerson(database, operatorOf(otherTenant), { email: login, role: 'owner' })
  assert.equal(await takeUp(token), undefined)
})

test('somebody who is signed in links single sign-on, and comes in by it from then on', async () => {
  const { id, session } = await createTestPerson(database, tenantId, 'admin')
  assert.equal((await roundTrip('link-me', linkTo(await found(session)))).outcome, 'linked')
  assert.equal((await found(await signedIn('link-me'))).userId, id)
  assert((await acts(id)).includes('identity.link'))
  const other = await createTestPerson(database, tenantId, 'admin')
  assert.equal((await roundTrip('link-me', linkTo(await found(other.session)))).outcome, 'somebody_else')
})

test('nothing is linked to a session that has ended meanwhile, nor to somebody without a role in the tenant', async () => {
  const { session } = await createTestPerson(database, tenantId, 'admin')
  const purpose = linkTo(await found(session))
  await database.rows(sql`delete from sessions where id = ${session.id}`)
  assert.equal((await roundTrip('late', purpose)).outcome, 'stale')
  const stranger = await createTestPerson(database, otherTenant, 'owner')
  assert.equal((await roundTrip('late', linkTo(await found(stranger.session)))).outcome, 'stale')
  assert.equal((await roundTrip('late')).outcome, 'unknown')
})

test('a provider opens its own tenant alone, and adds no factor by which to get into another', async () => {
  const { id, login, session } = await createTestPerson(database, otherTenant, 'owner')
  await invitePerson(database, operatorOf(tenantId), { email: login, role: 'admin' })
  await database.rows(sql`update memberships set joined_at = clock_timestamp() where person_id = ${id}`)
  const inTenant = { ...(await found(session)), inTenantId: tenantId }
  assert.equal((await roundTrip('both', linkTo(inTenant))).outcome, 'linked')
  const vouched = await signedIn('both')
  // Also when the browser asks to look at the other one.
  await database.rows(sql`update sessions set in_tenant_id = ${otherTenant} where id = ${vouched.id}`)
  const limited = await found(vouched)
  assert.deepEqual([limited.inTenantId, limited.role], [tenantId, 'admin'])
  await assert.rejects(offerTotp({ database, box: sso.box }, limited, 'Console'), refusedWith('not_allowed'))
  assert.throws(() => linkTo(limited), refusedWith('not_allowed'))
  // Nor does it see or touch what is the person's everywhere.
  assert.deepEqual(
    (await listSessions(database, limited, limited.onlyTenantId)).map((listed) => listed.id),
    [vouched.id],
  )
  for (const which of [{ id: session.id }, 'others'] as const)
    await endOwnSessions(database, limited, which, originOf(1)).catch(refusedWith('not_found'))
  assert(await look(session))
  await assert.rejects(setNotices(database, limited, false, originOf(1)), refusedWith('not_allowed'))
  await assert.rejects(setName(database, limited, 'Mallory', originOf(1)), refusedWith('not_allowed'))
  const alone = await invited('alone')
  assert.equal(await setName(database, await found(alone.session), 'Alone', originOf(1)), 'Alone')
  await removePerson(database, operatorOf(tenantId), id)
  assert.equal(await look(vouched), undefined)
  assert.deepEqual(await database.rows(sql`select from sessions where id = ${vouched.id}`), [])
  assert((await found(session)).inTenantId === otherTenant)
})

test('what ends it ends it at once: the link, the role, the tenant, the provider', async () => {
  const ends: [string, (person: Uuid) => Promise<unknown>, back?: () => Promise<unknown>][] = [
    ['link', (person) => unlinkPerson(database, operatorOf(tenantId), person)],
    ['role', (person) => removePerson(database, operatorOf(tenantId), person)],
    [
      'tenant',
      () => setTenantStatus(database, operator, tenantId, 'suspended'),
      () => setTenantStatus(database, operator, tenantId, 'active'),
    ],
    ['provider', () => removeSingleSignOn(database, operatorOf(tenantId)), () => sso.set(tenantId, settings)],
  ]
  await createTestPerson(database, tenantId, 'owner')
  for (const [what, end, back] of ends) {
    const { id, session } = await invited(`ends-${what}`)
    const begun = await sso.begin(tenantId)
    await end(id)
    assert.equal(await look(session), undefined, what)
    provider.account = `ends-${what}`
    const returned = await new OpenIdVisitor().signIn(begun.url)
    const finished = await sso.finish(tenantId, begun.cookie, returned)
    assert.equal(finished.outcome, back ? 'stale' : 'unknown', what)
    if (back)
      assert.equal((await beginRound(sso, tenantId, { purpose: { kind: 'sign_in' }, to: '/' })).outcome, 'absent')
    await back?.()
  }
  assert.equal((await roundTrip('ends-provider')).outcome, 'unknown')
})

test('whoever came by single sign-on proves it there again, having signed in since', async () => {
  const { id, session } = await invited('step')
  const stale = async (of: NewSession) => {
    await database.rows(sql`update sessions set proven_at = proven_at - interval '1 hour' where id = ${of.id}`)
    const there = await found(of)
    assert.equal(there.fresh, false)
    return proveAgain(there) as RoundPurpose
  }
  const visitor = new OpenIdVisitor()
  await roundTrip('step', undefined, { visitor })
  const proven = await roundTrip('step', await stale(session), { visitor })
  assert(proven.outcome === 'signed_in')
  const fresh = await found(proven.session)
  assert.deepEqual([fresh.userId, fresh.fresh, fresh.onlyTenantId], [id, true, tenantId])
  assert.equal(await look(session), undefined)
  await invited('step-else')
  assert.equal((await roundTrip('step-else', await stale(proven.session))).outcome, 'somebody_else')
  assert.equal((await found(proven.session)).fresh, false)
})

test('a reset takes the identity away with everything else that one signs in with', async () => {
  const { id } = await invited('reset')
  assert.equal((await roundTrip('reset')).outcome, 'signed_in')
  const { token } = await database.transaction((tx) => makeLink(tx, personRef(id), 'reset', tenantId))
  assert(await takeUp(token))
  assert.equal((await roundTrip('reset')).outcome, 'unknown')
})

test('the provider’s settings are the Owner’s, freshly signed in, and show no secret', async () => {
  const person = (role: 'owner' | 'admin', signedInRecently = true): Person => ({
    ...{ kind: 'person', tenantId, environmentId: tenantId, personId: newId(), role, signedInRecently },
    origin: originOf(1),
  })
  await assert.rejects(setSingleSignOn(sso, person('admin'), settings), refusedWith('not_allowed'))
  await assert.rejects(setSingleSignOn(sso, person('owner', false), settings), refusedWith('sign_in_again'))
  await setSingleSignOn(sso, person('owner'), settings)
  const shown = await showSingleSignOn(database, person('admin'))
  assert.deepEqual(
    { ...shown, setAt: undefined },
    { issuer: provider.issuer, clientId: provider.clientId, setAt: undefined },
  )
  const { secret } = (await database.first(sql<{ secret: Buffer }>`
    select client_secret as secret from single_sign_on where tenant_id = ${tenantId}`)) as { secret: Buffer }
  assert(!secret.toString('latin1').includes(provider.clientSecret))
  assert.equal(await showSingleSignOn(database, operatorOf(newId())), undefined)
})

test('no Owner is left outside: single sign-on goes only when one of them can sign in without it', async () => {
  const { tenantId: tenant } = await createTestTenant(database)
  const own = await startOpenIdProvider({ redirectUris: [callbackOf(tenant)] })
  await sso.set(tenant, { ...own, clientSecret: new Secret(own.clientSecret) })
  const { id, token } = await invitePerson(database, operatorOf(tenant), { email: 'sole@example.com', role: 'owner' })
  const begun = await sso.begin(tenant, { kind: 'invitation', token })
  const joined = await sso.finish(tenant, begun.cookie, await new OpenIdVisitor().signIn(begun.url))
  assert(joined.outcome === 'signed_in')
  const owner: Person = {
    ...{ kind: 'person', tenantId: tenant, environmentId: tenant, personId: id, role: 'owner', signedInRecently: true },
    origin: originOf(1),
  }
  await assert.rejects(removeSingleSignOn(database, owner), refusedWith('not_allowed'))
  await assert.rejects(setSingleSignOn(sso, owner, settings), refusedWith('not_allowed'))
  await setSingleSignOn(sso, owner, { ...own, clientSecret: new Secret('another') })
  assert(await look(joined.session))
  await createTestPerson(database, tenant, 'owner')
  await removeSingleSignOn(database, owner)
  assert.equal(await look(joined.session), undefined)
  await assert.rejects(removeSingleSignOn(database, owner), refusedWith('not_found'))
  await own.stop()
})

test('whoever comes in, leaves, is unlinked and loses the provider at the same time waits for nobody for ever', async () => {
  const { tenantId: tenant } = await createTestTenant(database)
  const own = await startOpenIdProvider({ redirectUris: [callbackOf(tenant)] })
  const ownSettings = { ...own, clientSecret: new Secret(own.clientSecret) }
  for (let round = 0; round < 10; round++) {
    await sso.set(tenant, ownSettings)
    own.account = `racer-${round}`
    const { id, token } = await invitePerson(database, operatorOf(tenant), {
      email: `${newId()}@example.com`,
      role: 'admin',
    })
    const visitor = new OpenIdVisitor()
    const comeIn = async (purpose: RoundPurpose) => {
      const begun = await sso.begin(tenant, purpose)
      const back = await visitor.signIn(begun.url)
      return () => sso.finish(tenant, begun.cookie, back)
    }
    const takeUps = [await comeIn({ kind: 'invitation', token }), await comeIn({ kind: 'invitation', token })]
    const results = await Promise.allSettled([
      ...takeUps.map((finish) => finish()),
      takeUp(token),
      removePerson(database, operatorOf(tenant), id),
      unlinkPerson(database, operatorOf(tenant), id),
      ...(round % 2 === 0 ? [removeSingleSignOn(database, operatorOf(tenant))] : []),
    ])
    for (const result of results) {
      if (result.status === 'rejected')
        assert.equal((result.reason as Problem).code, 'not_found', String(result.reason))
    }
    const left = await database.rows(sql`select from identities where person_id = ${id}`)
    assert.deepEqual(left, [])
  }
  await own.stop()
})
