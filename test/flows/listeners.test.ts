// The console and the webmail as listeners, whatever they show: whose credentials are good where, what other sites may make a
// browser do, and when an end is seen.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { openDatabase } from '../../src/lib/sql.ts'
import { setRole } from '../../src/people/set-role.ts'
import { createSite, keepSession } from '../../src/servers/sessions/site.ts'
import { endSessions } from '../../src/users/sessions.ts'
import { personRef } from '../../src/users/user.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, createTestPerson } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase()
const tenant = await createTestTenant(database)
const api = await startTestApi(database)
const sites = {
  console: await startTestSite('console', database),
  webmail: await startTestSite('webmail', database),
}
const { mailboxId } = tenant
const person = await createTestPerson(database, tenant.tenantId, 'owner')
const user = await createTestMailboxUser(database, tenant.tenantId, mailboxId)

test('each credential is good on its own listener, and 401 on every other', async () => {
  const credentials = {
    key: { authorization: `Bearer ${tenant.key}` },
    console: { cookie: `__Host-mdk_console=${person.session.cookie}` },
    webmail: { cookie: `__Host-mdk_webmail=${user.session.cookie}` },
    // A session of the one in the cookie of the other.
    crossed: {
      cookie: `__Host-mdk_console=${user.session.cookie}; __Host-mdk_webmail=${person.session.cookie}`,
    },
    none: {},
  }
  for (const [held, headers] of Object.entries(credentials)) {
    const atApi = await fetch(`${api.url}/v1/mailboxes`, { headers })
    assert.equal(atApi.status, held === 'key' ? 200 : 401, `${held} at the API`)
    assert.equal(((await atApi.json()) as { code?: string }).code, held === 'key' ? undefined : 'invalid_api_key')
    for (const [name, site] of Object.entries(sites)) {
      const answer = await site.ask('GET', '/data/session', { headers })
      assert.equal(answer.status, held === name ? 200 : 401, `${held} at the ${name}`)
      if (held !== name) assert.equal(answer.body.code, 'not_signed_in')
    }
  }
  const { body: signedIn } = await sites.console.ask('GET', '/data/session', { session: person.session })
  assert.deepEqual(
    [signedIn.userId, signedIn.login, signedIn.tenantId, signedIn.role, signedIn.fresh],
    [person.id, person.login, tenant.tenantId, 'owner', true],
  )
})

test('what mdk dev adds to the console is not there otherwise', async () => {
  const { session } = person
  for (const path of ['/data/captured', `/data/captured/${person.id}`, `/data/captured/${person.id}/source`]) {
    assert.equal((await sites.console.ask('GET', path, { session })).status, 404, path)
  }
  const { text } = await sites.console.ask('GET', '/', { session })
  const scripts = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, address = '']) => address)
  assert(scripts.length > 0)
  for (const address of scripts) assert(!(await sites.console.ask('GET', address)).text.includes('/captured'), address)
})

test('who is not signed in is led from any page to the sign-in, and from there back to a page of this origin', async () => {
  for (const site of Object.values(sites)) {
    for (const path of ['/', '/messages?status=failed', '/anything/else']) {
      const { status, headers } = await site.ask('GET', path)
      assert.deepEqual([status, headers.get('location')], [303, `/sign-in?to=${encodeURIComponent(path)}`])
    }
    const { status, body } = await site.ask('GET', '/data/anything')
    assert.deepEqual([status, body.code, body.error], [401, 'not_signed_in', 'not_signed_in'])
    assert.equal(body.requestId.length, 36)
  }
  assert.equal((await sites.console.ask('GET', '/data/anything', { session: person.session })).status, 404)
})

test('what changes something comes from a page of this origin, or is refused before anything of it is looked at', async () => {
  const { host } = new URL(sites.console.url)
  const { url } = sites.console
  const cases: [Record<string, string>, boolean][] = [
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    // Another port of this host sends the cookie along.
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: url }, false],
    [{ 'sec-fetch-site': '', origin: url }, false],
    [{ origin: url, host }, true],
    [{ origin: 'http://elsewhere.test', host }, false],
    [{ origin: `${url}.elsewhere.test`, host }, false],
    [{ origin: 'null', host }, false],
    [{ host }, false],
  ]
  for (const [headers, passes] of cases) {
    const { status, body } = await read('POST', headers)
    // Nobody listens there.
    assert.deepEqual(
      [status, body.code],
      passes ? [404, 'not_found'] : [403, 'cross_site_refused'],
      JSON.stringify(headers),
    )
  }
  // Data is not read from elsewhere either, and a navigation from elsewhere finds the page.
  assert.equal((await read('GET', { 'sec-fetch-site': 'same-site' })).status, 403)
  assert.equal((await read('GET', {})).status, 404)
  assert.equal((await sites.console.ask('GET', '/', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 303)

  function read(method: string, headers: Record<string, string>) {
    return askRaw(sites.console.listensAt, method, '/data/nothing', {
      ...headers,
      cookie: `__Host-mdk_console=${person.session.cookie}`,
    })
  }
})

/** As it is given: `fetch` says `sec-fetch-mode` and the host by itself. */
async function askRaw(at: string, method: string, path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; body: { code: string } }>((resolve, reject) => {
    request(new URL(path, at), { method, headers }, async (answer) => {
      const text = (await answer.toArray()).join('')
      resolve({ status: answer.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : {} })
    })
      .once('error', reject)
      .end()
  })
}

test('a configured origin is the only one that is ours', async () => {
  const publicUrl = 'https://console.example.com'
  const site = await startTestSite('console', database, {
    config: { console: { host: '127.0.0.1', port: 0, publicUrl } },
  })
  assert.equal(site.url, publicUrl)
  for (const [origin, code] of [
    [publicUrl, 'not_signed_in'],
    ['http://console.example.com', 'cross_site_refused'],
    ['https://console.example.com:8443', 'cross_site_refused'],
  ]) {
    const { body } = await askRaw(site.listensAt, 'POST', '/data/nothing', { origin: origin as string })
    assert.equal(body.code, code, origin)
  }
})

test('cookies have the prefix and Secure where browsers take them, and neither over plain http to another host', () => {
  const cookieAt = (name: 'console' | 'webmail', publicUrl: string | undefined, host = '127.0.0.1') => {
    let cookie = ''
    const reply = { header: (_: string, value: string) => (cookie = value) }
    const site = createSite(name, { publicUrl, host }, () => 'http://localhost:1')
    keepSession(reply as never, site, { id: person.id, cookie: 'id.secret' })
    return cookie
  }
  const secure = '__Host-mdk_console=id.secret; Max-Age=86400; Path=/; HttpOnly; Secure; SameSite=Strict'
  assert.equal(cookieAt('console', 'https://console.example.com'), secure)
  assert.equal(cookieAt('console', undefined), secure)
  assert.equal(cookieAt('console', 'http://localhost:8081'), secure)
  assert.equal(
    cookieAt('webmail', 'https://mail.example.com'),
    '__Host-mdk_webmail=id.secret; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
  )
  const plain = 'mdk_console=id.secret; Max-Age=86400; Path=/; HttpOnly; SameSite=Strict'
  assert.equal(cookieAt('console', 'http://console.example.com'), plain)
  assert.equal(cookieAt('console', undefined, '0.0.0.0'), plain)
})

test('every answer is for this origin alone, kept by nobody, and framed by nobody', async () => {
  for (const site of Object.values(sites)) {
    for (const path of ['/', '/data/session']) {
      const { headers } = await site.ask('GET', path, { session: person.session })
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('x-dns-prefetch-control'), 'off')
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
    }
  }
})

test('an end of a session, another role and a suspended tenant count with the next request of every process', async () => {
  const others = await createTestTenant(database)
  const [first, second] = [await startTestSite('console', database), sites.console]
  const owner = await createTestPerson(database, others.tenantId, 'owner')
  const admin = await createTestPerson(database, others.tenantId, 'admin')
  const status = async (session: typeof owner.session) => {
    const answers = await Promise.all([first, second].map((site) => site.ask('GET', '/data/session', { session })))
    return answers.map((answer) => answer.status)
  }
  assert.deepEqual(await status(owner.session), [200, 200])

  const { body: before } = await first.ask('GET', '/data/session', { session: admin.session })
  assert.equal(before.role, 'admin')
  await setRole(database, operatorOf(others.tenantId), admin.id, 'owner')
  // A new pair comes with the answer, and the old one is no good any more.
  const promoted = await second.ask('GET', '/data/session', { session: admin.session })
  assert.deepEqual([promoted.status, promoted.body.role], [200, 'owner'])
  const cookie = /^__Host-mdk_console=([^;]+);/.exec(promoted.headers.get('set-cookie') ?? '')?.[1] ?? ''
  assert.deepEqual(await status(admin.session), [401, 401])
  assert.deepEqual(await status({ ...admin.session, cookie }), [200, 200])

  await setTenantStatus(database, operator, others.tenantId, 'suspended')
  assert.deepEqual(await status(owner.session), [401, 401])
  await setTenantStatus(database, operator, others.tenantId, 'active')
  assert.deepEqual(await status(owner.session), [200, 200])

  await database.transaction((tx) => endSessions(tx, personRef(owner.id), 'all'))
  assert.deepEqual(await status(owner.session), [401, 401])
})

test('while the database is away pages say so in HTML, and data in JSON', async () => {
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' })
  after(() => away.end())
  const site = await startTestSite('console', away)
  for (const path of ['/', '/people?environment=production', '/enter/x']) {
    const { status, headers, text } = await site.ask('GET', path, { session: person.session })
    assert.deepEqual([status, headers.get('content-type')], [503, 'text/html; charset=utf-8'], path)
    assert.match(text, /The service is unavailable at the moment\. Try again in a few seconds\./)
  }
  for (const path of ['/data/session', '/data/nothing']) {
    const { status, body } = await site.ask('GET', path, { session: person.session })
    assert.deepEqual([status, body.code], [503, 'service_unavailable'], path)
  }
})

test('a session has 1,200 requests of data a minute, whatever others ask', async () => {
  const site = await startTestSite('console', database)
  const busy = await createTestPerson(database, tenant.tenantId, 'admin')
  const ask = async (session = busy.session) => (await site.ask('GET', '/data/session', { session })).status
  const counts = new Map<number, number>()
  // A minute of the clock may end meanwhile: then as many more pass.
  const startedIn = Math.floor(Date.now() / 60_000)
  for (let i = 0; i < 24; i++) {
    const statuses = await Promise.all(Array.from({ length: 51 }, () => ask()))
    for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  if (Math.floor(Date.now() / 60_000) === startedIn)
    assert.deepEqual([...counts].sort(), [
      [200, 1_200],
      [429, 24],
    ])
  else assert((counts.get(200) ?? 0) >= 1_200)
  assert.equal(await ask(person.session), 200)
})
