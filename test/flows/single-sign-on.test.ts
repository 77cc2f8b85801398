// Single sign-on at the console: pages, cookies and data, as browsers meet them, with a real provider.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import type { NewSession } from '../../src/users/sessions.ts'
import { createTestDatabase } from '../support/database.ts'
import { OpenIdVisitor, startOpenIdProvider } from '../support/openid-provider.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createTestPerson } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase()
const { tenantId } = await createTestTenant(database)
const { tenantId: otherTenant } = await createTestTenant(database)
const { tenantId: second } = await createTestTenant(database)
const config = { singleSignOn: { allow: [parseNetwork('127.0.0.1')] } }
const site = await startTestSite('console', database, { config })
const beginning = `/sign-in/sso/${tenantId}`
const provider = await startOpenIdProvider({
  redirectUris: [tenantId, second].map((id) => `${site.url}/sign-in/sso/${id}/callback`),
})
after(() => provider.stop())
const { issuer, clientId, clientSecret } = provider
const owner = await createTestPerson(database, tenantId, 'owner')
const named = await site.ask('PUT', '/data/single-sign-on', {
  session: owner.session,
  body: { issuer, clientId, clientSecret },
})
assert.equal(named.status, 204, named.text)

const ROUND = '__Host-mdk_sso'
const SESSION = '__Host-mdk_console'
/** What a browser keeps of an answer: value and attributes of each cookie. */
function cookiesOf({ headers }: { headers: Headers }): Map<string, { value: string; attributes: string }> {
  return new Map(
    headers.getSetCookie().map((line) => {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
      return [name, { value, attributes }]
    }),
  )
}

/** Begins at a page of ours, signs in at the provider, and comes back as a browser does: from another site. */
async function roundTrip(path: string, account: string | undefined, visitor = new OpenIdVisitor()) {
  const begun = await site.ask('GET', path, { headers: { 'sec-fetch-site': 'none' } })
  assert.equal(begun.status, 303, begun.text)
  return comeBack(cookiesOf(begun).get(ROUND)?.value ?? '', begun.headers.get('location') ?? '', account, visitor)
}

async function comeBack(round: string, url: string, account: string | undefined, visitor = new OpenIdVisitor()) {
  provider.account = account
  const back = await visitor.signIn(url)
  assert.equal(back.origin, site.url)
  return site.ask('GET', `${back.pathname}${back.search}`, {
    headers: { 'sec-fetch-site': 'cross-site', cookie: `${ROUND}=${round}` },
  })
}

const leadsTo = (page: { text: string }) => /http-equiv="refresh" content="0; url=([^"]*)"/.exec(page.text)?.[1]
function sessionIn(page: { headers: Headers }): NewSession | undefined {
  const cookie = cookiesOf(page).get(SESSION)?.value
  return cookie ? { id: cookie.split('.')[0] as Uuid, cookie } : undefined
}

async function newcomer(account: string): Promise<NewSession> {
  const { token } = await invitePerson(database, operatorOf(tenantId), {
    email: `${newId()}@example.com`,
    role: 'owner',
  })
  const session = sessionIn(await roundTrip(`/enter/${token}/sso`, account))
  assert(session)
  return session
}

test('an invitation offers single sign-on, and is taken up by it', async () => {
  const { token } = await invitePerson(database, operatorOf(tenantId), { email: 'ada@example.com', role: 'admin' })
  const page = await site.ask('GET', `/enter/${token}`)
  assert.match(page.text, new RegExp(`href="/enter/${token}/sso"[^>]*>Use single sign-on instead<`))
  const session = sessionIn(await roundTrip(`/enter/${token}/sso`, 'ada'))
  assert(session)
  const { body } = await site.ask('GET', '/data/session', { session })
  assert.deepEqual([body.login, body.role, body.bySingleSignOn, body.fresh], ['ada@example.com', 'admin', true, true])
  assert.equal((await site.ask('GET', `/enter/${token}/sso`)).status, 403)
  const { token: elsewhere } = await invitePerson(database, operatorOf(otherTenant), {
    email: 'grace@example.com',
    role: 'admin',
  })
  assert(!(await site.ask('GET', `/enter/${elsewhere}`)).text.includes('single sign-on'))
  assert.equal((await site.ask('GET', `/enter/${elsewhere}/sso`)).status, 404)
})

test('whom a provider alone lets in comes into a second tenant by its provider, and each session stays in its own', async () => {
  const first = await newcomer('two-places')
  const { session } = await createTestPerson(database, second, 'owner')
  await site.ask('PUT', '/data/single-sign-on', { session, body: { issuer, clientId, clientSecret } })
  const { body: here } = await site.ask('GET', '/data/session', { session: first })
  const { token } = await invitePerson(database, operatorOf(second), { email: here.login, role: 'admin' })
  for (const visiting of [null, first]) {
    const page = await site.ask('GET', `/enter/${token}`, { session: visiting })
    assert.match(page.text, new RegExp(`href="/enter/${token}/sso"[^>]*>Use single sign-on<`))
    assert(!page.text.includes('name="password"'))
  }
  const there = sessionIn(await roundTrip(`/enter/${token}/sso`, 'two-places'))
  assert(there)
  for (const [held, tenant] of [
    [first, tenantId],
    [there, second],
  ] as const) {
    const { body } = await site.ask('GET', '/data/surroundings', { session: held })
    assert.deepEqual([body.tenant.id, body.tenants.length], [tenant, 1])
    const other = tenant === second ? tenantId : second
    const entered = await site.ask('PUT', '/data/session/tenant', { session: held, body: { tenantId: other } })
    assert.equal(entered.status, 404)
  }
})

test('the way back is a page that goes on by itself, with a session that other sites cannot use', async () => {
  await newcomer('back')
  const begun = await site.ask('GET', `${beginning}?to=${encodeURIComponent('/messages?status=failed')}`)
  const round = cookiesOf(begun).get(ROUND)
  assert.match(round?.attributes ?? '', /; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const page = await comeBack(round?.value ?? '', begun.headers.get('location') ?? '', 'back')
  assert.deepEqual([page.status, leadsTo(page)], [200, '/messages?status=failed'])
  assert.match(cookiesOf(page).get(SESSION)?.attributes ?? '', /HttpOnly; Secure; SameSite=Strict$/)
  assert.equal(cookiesOf(page).get(ROUND)?.value, '')
  assert.match(page.headers.get('cache-control') ?? '', /no-store/)
  // Who is in is led on at once.
  const again = await site.ask('GET', `${beginning}?to=/people`, { session: sessionIn(page) ?? null })
  assert.deepEqual([again.status, again.headers.get('location')], [303, '/people'])
})

test('the sign-in leads to the organization that the browser last came in by, and asks no stranger for one', async () => {
  const form = await site.ask('GET', '/sign-in?to=/people')
  assert.match(form.text, /href="\/sign-in\/sso\?to=%2Fpeople"[^>]*>Single sign-on</)
  const asked = await site.ask('GET', '/sign-in/sso?to=/people')
  assert.deepEqual([asked.status, asked.text.includes(`${site.url}/sign-in/sso/…`)], [200, true])
  assert(!asked.text.includes('<form') && !asked.text.includes(tenantId))
  await newcomer('regular')
  const kept = cookiesOf(await roundTrip(beginning, 'regular')).get('__Host-mdk_sso_tenant')
  assert.equal(kept?.value, tenantId)
  const again = async (value: string) =>
    site.ask('GET', '/sign-in/sso?to=/people', { headers: { cookie: `__Host-mdk_sso_tenant=${value}` } })
  assert.equal((await again(tenantId)).headers.get('location'), `${beginning}?to=%2Fpeople`)
  for (const value of ['', 'x', '..%2f..%2fevil.example', `${tenantId}/callback`]) {
    assert.equal((await again(value)).status, 200, value)
  }
})

test('it leads to pages of this origin alone', async () => {
  await newcomer('wanderer')
  for (const to of ['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
    const page = await roundTrip(`${beginning}?to=${encodeURIComponent(to)}`, 'wanderer')
    assert.deepEqual([page.status, leadsTo(page)], [200, '/'], to)
  }
})

test('an answer without the cookie of the browser that asked signs nobody in', async () => {
  await newcomer('victim')
  const begun = await site.ask('GET', beginning)
  provider.account = 'victim'
  const back = await new OpenIdVisitor().signIn(begun.headers.get('location') ?? '')
  const other = await site.ask('GET', beginning)
  for (const cookie of ['', `${ROUND}=${cookiesOf(other).get(ROUND)?.value}`, `${ROUND}=x`, `${ROUND}=`]) {
    const page = await site.ask('GET', `${back.pathname}${back.search}`, {
      headers: { 'sec-fetch-site': 'cross-site', cookie },
    })
    assert([400, 401].includes(page.status), `${page.status}`)
    assert.equal(sessionIn(page), undefined)
  }
})

test('tenants without single sign-on, suspended ones and those that are none answer alike', async () => {
  const { tenantId: suspended } = await createTestTenant(database)
  await database.rows(sql`
    insert into single_sign_on (tenant_id, issuer, client_id, client_secret)
    select ${suspended}, issuer, client_id, client_secret from single_sign_on where tenant_id = ${tenantId}`)
  await setTenantStatus(database, operator, suspended, 'suspended')
  const answers = await Promise.all(
    [otherTenant, suspended, newId(), 'x', "'--", `${tenantId}0`].map((id) =>
      site.ask('GET', `/sign-in/sso/${encodeURIComponent(id)}`),
    ),
  )
  const [first, ...others] = answers.map(({ status, text }) => ({ status, text }))
  assert.equal(first?.status, 404)
  for (const other of others) assert.deepEqual(other, first)
  const capital = await site.ask('GET', `/sign-in/sso/${tenantId.toUpperCase()}`)
  assert.equal(capital.status, 303)
})

test('what keeps somebody out is said in our words, and nothing of the provider’s is shown', async () => {
  const declined = await roundTrip(beginning, undefined)
  assert.equal(declined.status, 401)
  assert.match(declined.text, /Your organization.*did not let you in/)
  assert(!declined.text.includes('declined</b>') && !declined.text.includes('access_denied'))
  const stranger = await roundTrip(beginning, 'stranger')
  assert.equal(stranger.status, 403)
  assert.match(stranger.text, /Ask an Owner for an invitation/)
  for (const page of [declined, stranger]) {
    assert.equal(sessionIn(page), undefined)
    assert.match(page.text, /<main/)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  }
})

test('somebody links single sign-on by a form of ours, freshly signed in, and no other site does it for them', async () => {
  const { session } = await createTestPerson(database, tenantId, 'admin')
  const form = (headers: Record<string, string> = {}) =>
    fetch(`${site.listensAt}${beginning}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ purpose: 'link', to: '/account' }),
      headers: { 'sec-fetch-site': 'same-origin', cookie: `${SESSION}=${session.cookie}`, ...headers },
    })
  for (const from of ['cross-site', 'same-site']) assert.equal((await form({ 'sec-fetch-site': from })).status, 403)
  const begun = await form()
  const page = { headers: begun.headers, text: await begun.text() }
  const round = cookiesOf(page).get(ROUND)?.value ?? ''
  const linked = await comeBack(round, leadsTo(page)?.replaceAll('&amp;', '&') ?? '', 'linked-by-form')
  assert.deepEqual([linked.status, leadsTo(linked), sessionIn(linked)], [200, '/account', undefined])
  assert(sessionIn(await roundTrip(beginning, 'linked-by-form')))
  await database.rows(sql`update sessions set proven_at = proven_at - interval '1 hour' where id = ${session.id}`)
  assert.equal((await form()).status, 403)
})

test('who came by single sign-on proves it there again, and may then do what asks for it', async () => {
  const session = await newcomer('prover')
  const invite = (by: NewSession) =>
    site.ask('DELETE', '/data/single-sign-on', { session: by, headers: { 'sec-fetch-site': 'same-origin' } })
  await database.rows(sql`update sessions set proven_at = proven_at - interval '1 hour' where id = ${session.id}`)
  assert.equal((await invite(session)).body.code, 'sign_in_again')
  const begun = await fetch(`${site.listensAt}${beginning}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ purpose: 'prove', to: '/settings' }),
    headers: { 'sec-fetch-site': 'same-origin', cookie: `${SESSION}=${session.cookie}` },
  })
  const page = { headers: begun.headers, text: await begun.text() }
  const url = leadsTo(page)?.replaceAll('&amp;', '&') ?? ''
  assert.match(url, /[?&]prompt=login&/)
  const proven = await comeBack(cookiesOf(page).get(ROUND)?.value ?? '', url, 'prover')
  assert.equal(leadsTo(proven), '/settings')
  const renewed = sessionIn(proven) as NewSession
  assert.equal((await site.ask('GET', '/data/session', { session: renewed })).body.fresh, true)
  assert.equal((await site.ask('GET', '/data/session', { session })).status, 401)
})

test('settings are read by both roles, set by Owners, and show no secret', async () => {
  const admin = await createTestPerson(database, tenantId, 'admin')
  const shown = await site.ask('GET', '/data/single-sign-on', { session: admin.session })
  assert.deepEqual(shown.body, {
    provider: { issuer, clientId, setAt: shown.body.provider.setAt },
    signInUrl: `${site.url}${beginning}`,
    callbackUrl: `${site.url}${beginning}/callback`,
  })
  const body = { issuer, clientId, clientSecret }
  for (const [method, path] of [
    ['PUT', '/data/single-sign-on'],
    ['DELETE', '/data/single-sign-on'],
    ['DELETE', `/data/people/${owner.id}/single-sign-on`],
  ] as const) {
    const given = method === 'PUT' ? { body } : {}
    assert.equal((await site.ask(method, path, { session: admin.session, ...given })).body.code, 'not_allowed')
    assert.equal((await site.ask(method, path, given)).status, 401)
  }
  const wrong = await site.ask('PUT', '/data/single-sign-on', {
    session: owner.session,
    body: { ...body, issuer: 'http://10.0.0.1' },
  })
  assert.deepEqual([wrong.status, wrong.body.details.fields[0].path], [400, 'issuer'])
  const { tenantId: empty } = await createTestTenant(database)
  const stranger = await createTestPerson(database, empty, 'owner')
  assert.equal((await site.ask('GET', '/data/single-sign-on', { session: stranger.session })).body.provider, null)
  assert.equal((await site.ask('DELETE', '/data/single-sign-on', { session: stranger.session })).status, 404)
})

test('an Owner takes a person’s link away, and the person is out at once', async () => {
  const session = await newcomer('unlinked')
  const { body } = await site.ask('GET', '/data/session', { session })
  const path = `/data/people/${body.userId}/single-sign-on`
  assert.equal((await site.ask('DELETE', path, { session: owner.session })).status, 204)
  assert.equal((await site.ask('GET', '/data/session', { session })).status, 401)
  assert.equal((await roundTrip(beginning, 'unlinked')).status, 403)
  assert.equal((await site.ask('DELETE', path, { session: owner.session })).status, 404)
})

test('the log says why somebody did not come in, and holds neither codes, cookies, tokens nor secrets', async () => {
  await newcomer('logged')
  const begun = await site.ask('GET', beginning)
  const round = cookiesOf(begun).get(ROUND)?.value ?? ''
  provider.account = 'logged'
  const back = await new OpenIdVisitor().signIn(begun.headers.get('location') ?? '')
  const headers = { 'sec-fetch-site': 'cross-site', cookie: `${ROUND}=${round}` }
  const page = await site.ask('GET', `${back.pathname}${back.search}`, { headers })
  await site.ask('GET', `${back.pathname}${back.search}`, { headers })
  const log = JSON.stringify(site.lines)
  assert.match(log, /single sign-on let nobody in/)
  assert.match(log, /"outcome":"refused","detail":"the provider says invalid_grant"/)
  const { searchParams: asked } = new URL(begun.headers.get('location') ?? '')
  for (const secret of [
    back.searchParams.get('code'),
    asked.get('state'),
    asked.get('nonce'),
    round,
    sessionIn(page)?.cookie,
    clientSecret,
  ]) {
    assert(secret && !log.includes(secret), secret ?? 'nothing to look for')
  }
})
