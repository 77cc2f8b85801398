// Answers that prove nothing, providers that misbehave, and browsers that did not ask.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { OpenIdVisitor, startOpenIdProvider } from '../../../test/support/openid-provider.ts'
import { operatorOf } from '../../../test/support/operator.ts'
import { ROGUE_CLIENT, startRogueProvider } from '../../../test/support/rogue-provider.ts'
import { CONSOLE_URL, singleSignOnOver } from '../../../test/support/single-sign-on.ts'
import { createTestTenant } from '../../../test/support/tenant.ts'
import type { Problem } from '../../access/problem.ts'
import { Secret } from '../../lib/secret.ts'
import { sql } from '../../lib/sql.ts'
import { newId } from '../../lib/uuid.ts'
import { findSession } from '../../users/sessions.ts'
import { invitePerson } from '../invite-person.ts'
import { beginRound, proveAgain } from './begin-round.ts'
import { openRound, ROUND_SECONDS, type RoundPurpose, sealRound } from './round.ts'
import { singleSignOnUrls } from './urls.ts'

const { database } = await createTestDatabase()
const { tenantId } = await createTestTenant(database)
const { tenantId: otherTenant } = await createTestTenant(database)
const provider = await startOpenIdProvider({ redirectUris: [singleSignOnUrls(CONSOLE_URL, tenantId).callback] })
const rogue = await startRogueProvider()
after(() => Promise.all([provider.stop(), rogue.stop()]))
const DEADLINE_MS = 400
const sso = singleSignOnOver(database, { timeoutMs: DEADLINE_MS })
await sso.set(tenantId, { ...provider, clientSecret: new Secret(provider.clientSecret) })
const rogueSettings = { ...ROGUE_CLIENT, issuer: rogue.issuer, clientSecret: new Secret(ROGUE_CLIENT.clientSecret) }
await sso.set(otherTenant, rogueSettings)

/** `ada`, at both providers. */
for (const [tenant, back] of [
  [tenantId, (url: string) => new OpenIdVisitor().signIn(url)],
  [otherTenant, (url: string) => rogue.answerTo(url)],
] as const) {
  const { token } = await invitePerson(database, operatorOf(tenant), { email: `${newId()}@example.com`, role: 'owner' })
  const begun = await sso.begin(tenant, { kind: 'invitation', token })
  assert.equal((await sso.finish(tenant, begun.cookie, await back(begun.url))).outcome, 'signed_in')
}

const begin = () => sso.begin(tenantId)
const comeBack = (url: string) => new OpenIdVisitor().signIn(url)
/** A round to the rogue provider, which answers as it is told. */
async function rogueRound(told: Partial<Pick<typeof rogue, 'claims' | 'signature' | 'metadata'>> = {}, over = {}) {
  const former = { claims: rogue.claims, signature: rogue.signature, metadata: rogue.metadata }
  const { cookie, url } = await sso.begin(otherTenant)
  Object.assign(rogue, told)
  try {
    return await sso.finish(otherTenant, cookie, rogue.answerTo(url, over))
  } finally {
    Object.assign(rogue, former)
  }
}

test('an answer counts once, and of two that come with it at the same time one', async () => {
  const { cookie, url } = await begin()
  const back = await comeBack(url)
  assert.equal((await sso.finish(tenantId, cookie, back)).outcome, 'signed_in')
  assert.equal((await sso.finish(tenantId, cookie, back)).outcome, 'refused')
  // Also where the provider takes a code as often as it comes.
  const again = await sso.begin(otherTenant)
  const returned = rogue.answerTo(again.url)
  const outcomes = await Promise.all([0, 1, 2].map(() => sso.finish(otherTenant, again.cookie, returned)))
  assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['signed_in', 'stale', 'stale'])
})

test('an answer counts in the browser that asked alone, and with its own state', async () => {
  const mine = await begin()
  const theirs = await begin()
  const back = await comeBack(theirs.url)
  assert.equal((await sso.finish(tenantId, mine.cookie, back)).outcome, 'refused')
  assert.equal((await sso.finish(tenantId, '', back)).outcome, 'stale')
  const bare = new URL(back)
  bare.searchParams.delete('state')
  assert.equal((await sso.finish(tenantId, theirs.cookie, bare)).outcome, 'refused')
  const twice = new URL(back)
  twice.searchParams.append('state', 'x')
  assert.equal((await sso.finish(tenantId, theirs.cookie, twice)).outcome, 'refused')
  assert.equal((await sso.finish(tenantId, theirs.cookie, back)).outcome, 'signed_in')
})

test('what the browser keeps cannot be made up, changed, or used for another tenant or longer than ten minutes', async () => {
  const { cookie, url } = await begin()
  const back = await comeBack(url)
  const octets = Buffer.from(cookie, 'base64url')
  octets[octets.length - 1] = (octets.at(-1) ?? 0) ^ 1
  for (const made of ['x', octets.toString('base64url'), `${cookie}AAAA`, 'A'.repeat(5_000), '\0']) {
    assert.equal((await sso.finish(tenantId, made, back)).outcome, 'stale')
  }
  assert.equal((await sso.finish(otherTenant, cookie, back)).outcome, 'stale')
  const now = Date.now()
  const round = openRound(sso.box, cookie, now)
  assert(round)
  assert(openRound(sso.box, cookie, round.begunAtMs + ROUND_SECONDS * 1000 - 1))
  assert.equal(openRound(sso.box, cookie, round.begunAtMs + ROUND_SECONDS * 1000), undefined)
  const other = sealRound(singleSignOnOver(database).box, round)
  assert.equal((await sso.finish(tenantId, other, back)).outcome, 'stale')
})

test('a code of one provider is nowhere sent to another', async () => {
  const { url } = await begin()
  const back = await comeBack(url)
  // The victim's browser has begun at the rogue's; what the honest provider answers arrives there.
  const atRogue = await sso.begin(otherTenant)
  let heard = ''
  rogue.routes.set('/token', (request, response) => {
    heard = request.url ?? ''
    response.end()
  })
  const stolen = new URL(back)
  stolen.searchParams.set('state', new URL(atRogue.url).searchParams.get('state') ?? '')
  assert.equal((await sso.finish(otherTenant, atRogue.cookie, stolen)).outcome, 'refused')
  rogue.routes.clear()
  assert.equal(heard, '')
  // Nor do the two have an address in common, where a provider does not say who it is.
  const asked = (of: string) => new URL(of).searchParams.get('redirect_uri')
  assert.notEqual(asked(url), asked(atRogue.url))
})

test('an ID token of another issuer, client, round or time, or with a signature that is none, lets nobody in', async () => {
  assert.equal((await rogueRound()).outcome, 'signed_in')
  const seconds = Math.floor(Date.now() / 1000)
  const cases: Record<string, Parameters<typeof rogueRound>[0]> = {
    issuer: { claims: { iss: provider.issuer } },
    client: { claims: { aud: 'another-client' } },
    'among others': { claims: { aud: [ROGUE_CLIENT.clientId, 'another'], azp: 'another' } },
    nonce: { claims: { nonce: 'another' } },
    'no nonce': { claims: { nonce: undefined } },
    expired: { claims: { exp: seconds - 60 } },
    'not yet': { claims: { nbf: seconds + 600 } },
    'no time': { claims: { iat: undefined } },
    none: { signature: 'none' },
    'unknown key': { signature: 'unknown key' },
    'client secret': { signature: 'client secret' },
    'no subject': { claims: { sub: undefined } },
    'subject of NUL': { claims: { sub: 'a\0' } },
    'endless subject': { claims: { sub: 'a'.repeat(256) } },
    'subject of another type': { claims: { sub: { $ne: 1 } } },
  }
  for (const [what, told] of Object.entries(cases)) assert.equal((await rogueRound(told)).outcome, 'refused', what)
  assert.equal((await rogueRound({}, { iss: provider.issuer })).outcome, 'refused', 'iss of the answer')
})

test('an address says nothing: another subject with it is nobody', async () => {
  const { email } = (await database.first(sql<{ email: string }>`
    select u.login as email from users u join memberships m on m.person_id = u.id where m.tenant_id = ${otherTenant}`)) as {
    email: string
  }
  const claims = { sub: 'mallory', email, email_verified: true, preferred_username: email }
  assert.deepEqual(await rogueRound({ claims }), { outcome: 'unknown' })
})

test('proving it again wants a sign-in since the round began, and a provider that says when', async () => {
  const seconds = Math.floor(Date.now() / 1000)
  const joined = await rogueRound({ claims: { auth_time: seconds - 3_600 } })
  assert(joined.outcome === 'signed_in')
  const session = await findSession(database, 'person', joined.session.cookie)
  assert(session)
  // Whoever signed in there an hour ago comes in, and has proven it an hour ago.
  assert.equal(session.fresh, false)
  const prove = async (claims: Record<string, unknown>) => {
    const { cookie, url } = await sso.begin(otherTenant, proveAgain(session) as RoundPurpose)
    const { searchParams } = new URL(url)
    assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0'])
    rogue.claims = claims
    const finished = await sso.finish(otherTenant, cookie, rogue.answerTo(url))
    rogue.claims = {}
    return finished.outcome
  }
  assert.equal(await prove({ auth_time: seconds - 3_600 }), 'refused')
  assert.equal(await prove({}), 'refused')
  assert.equal(await prove({ auth_time: Math.floor(Date.now() / 1000) }), 'signed_in')
})

test('who is declined at the provider is told so, and nothing of the provider’s words goes on', async () => {
  const { cookie, url } = await begin()
  provider.account = undefined
  const declined = await sso.finish(tenantId, cookie, await comeBack(url))
  provider.account = 'ada'
  assert.deepEqual(declined, { outcome: 'declined', detail: 'the provider says access_denied' })
  const hostile = await sso.begin(otherTenant)
  const words = rogue.answerTo(hostile.url, { error: '<script>', error_description: 'https://evil.example/' })
  assert.deepEqual(await sso.finish(otherTenant, hostile.cookie, words), {
    outcome: 'declined',
    detail: 'the provider says something else',
  })
})

test('a provider that is away, slow, endless, or sends us elsewhere lets nobody in, and is not waited for', async () => {
  const answers: Record<string, (typeof rogue)['routes'] extends Map<string, infer Route> ? Route : never> = {
    slow: () => {},
    drips: (_request, response) => {
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    },
    endless: (_request, response) => response.end(' '.repeat(70_000)),
    elsewhere: (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'cut off': (_request, response) => response.destroy(),
    nonsense: (_request, response) => response.end('<h1>It works!</h1>'),
    'a list': (_request, response) => response.end('[]'),
    'an error': (_request, response) => response.writeHead(500).end('{}'),
    nothing: (_request, response) => response.writeHead(204).end(),
  }
  for (const path of ['/token', '/keys']) {
    for (const [what, route] of Object.entries(answers)) {
      rogue.routes.set(path, route)
      const { outcome } = await rogueRound()
      assert(outcome === 'unavailable' || outcome === 'refused', `${path} ${what}: ${outcome}`)
    }
    rogue.routes.clear()
  }
  for (const [what, route] of Object.entries(answers)) {
    rogue.routes.set('/.well-known/openid-configuration', route)
    await assert.rejects(
      sso.set(otherTenant, rogueSettings),
      (error: Problem) => error.code === 'validation_error' && JSON.stringify(error.details).includes('"issuer"'),
      what,
    )
    // What it said before does not count for those who begin meanwhile.
    const begun = await beginRound(sso, otherTenant, { purpose: { kind: 'sign_in' }, to: '/' })
    assert.equal(begun.outcome, 'unavailable', what)
  }
  rogue.routes.clear()
})

test('an issuer that is none, that is inside, or that calls itself another way is refused with the reason', async () => {
  const cases: [issuer: string, reason: RegExp][] = [
    ['id.example.com', /must be a URL/],
    [`${rogue.issuer}/?x=1`, /without a query/],
    ['https://10.0.0.1', /cannot be read.*not public/],
    ['https://169.254.169.254/latest', /cannot be read.*not public/],
    ['http://192.0.2.1:8080', /cannot be read/],
    ['https://localhost:8443', /cannot be read/],
    ['file:///etc/passwd', /is not the address|cannot be read/],
    ['javascript:alert(1)', /is not the address|cannot be read/],
    [`${rogue.issuer}/realm`, /is not the address of an OpenID Connect provider/],
  ]
  for (const [issuer, reason] of cases) {
    await assert.rejects(sso.set(otherTenant, { ...rogueSettings, issuer }), (error: Problem) => {
      const [fault] = (error.details as { fields: { path: string; message: string }[] }).fields
      assert.equal(fault?.path, 'issuer')
      assert.match(fault?.message ?? '', reason)
      return true
    })
  }
  const lies = [
    { issuer: 'https://login.example.com' },
    { issuer: `${rogue.issuer}/{tenantid}` },
    { token_endpoint: undefined },
    { jwks_uri: 7 },
  ]
  for (const metadata of lies) {
    rogue.metadata = metadata
    await assert.rejects(sso.set(otherTenant, rogueSettings), (error: Problem) => error.code === 'validation_error')
  }
  rogue.metadata = {}
  await sso.set(otherTenant, rogueSettings)
})

test('a provider leads its visitors, and us, to web pages outside and nowhere else', async () => {
  for (const endpoint of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd']) {
    rogue.metadata = { authorization_endpoint: endpoint }
    await sso.set(otherTenant, rogueSettings)
    assert.equal((await beginRound(sso, otherTenant, { purpose: { kind: 'sign_in' }, to: '/' })).outcome, 'unavailable')
  }
  for (const inside of ['http://127.0.0.2:8080/', 'http://10.0.0.1/', 'https://169.254.169.254/']) {
    rogue.metadata = { token_endpoint: `${inside}token` }
    await sso.set(otherTenant, rogueSettings)
    const { outcome } = await rogueRound()
    assert.equal(outcome, 'unavailable', inside)
  }
  rogue.metadata = {}
  await sso.set(otherTenant, rogueSettings)
})

test('strangers who begin again and again make us ask the provider once', async () => {
  await sso.set(tenantId, { ...provider, clientSecret: new Secret(provider.clientSecret) })
  const asked = () => provider.requests.get('/.well-known') ?? 0
  const before = asked()
  await Promise.all(Array.from({ length: 50 }, begin))
  assert(asked() - before <= 1, `asked ${asked() - before} times`)
})

test('a wrong secret of the client is told apart in the log, and lets nobody in', async () => {
  await sso.set(tenantId, { ...provider, clientSecret: new Secret('wrong') })
  const { cookie, url } = await begin()
  assert.deepEqual(await sso.finish(tenantId, cookie, await comeBack(url)), {
    outcome: 'refused',
    detail: 'the provider says invalid_client',
  })
})
