// What is tried against sessions and sign-ins by those who are not in: planted cookies, used codes and links, guesses, odd
// requests, and words or times that give something away.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { createTenant } from '../../src/apps/create-tenant.ts'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { createHashTurns } from '../../src/lib/hash-turns.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { acceptInvitation } from '../../src/people/accept-invitation.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { removePerson } from '../../src/people/remove-person.ts'
import { resetPerson } from '../../src/people/reset-person.ts'
import { setRole } from '../../src/people/set-role.ts'
import { CONSOLE_OPERATIONS } from '../../src/servers/console/operations.ts'
import { makeLink } from '../../src/users/links.ts'
import { endSessions, findSession } from '../../src/users/sessions.ts'
import { personRef } from '../../src/users/user.ts'
import { createTestDatabase } from '../support/database.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { addTestTotp, createTestPerson, originOf, PASSWORD, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { createVisitor, type Visitor } from '../support/visitor.ts'

const { database } = await createTestDatabase()
const { tenantId } = await createTestTenant(database)
const trustedProxies = [parseNetwork('127.0.0.1')]
const site = await startTestSite('console', database, { config: { trustedProxies } })
/** Another process, as it were: it shares nothing but the database. */
const second = await startTestSite('console', database, { config: { trustedProxies } })
const visit = (at = site) => createVisitor(at, 'console')
const enter = (visitor: Visitor, login: string, password = PASSWORD) =>
  visitor.send('/sign-in', { login, password, to: '/' })
const isIn = async (visitor: Visitor) => (await visitor.open('/data/session')).status === 200
const newPerson = (role: 'owner' | 'admin' = 'owner') => createTestPerson(database, tenantId, role)

test('a cookie that somebody else has put there is worth nothing after a sign-in, a second factor or another role', async () => {
  const [mallory, victim] = [await newPerson(), await newPerson('admin')]
  const totp = await addTestTotp(database, personRef(victim.id))
  const planted = visit()
  await enter(planted, mallory.login)
  const browser = visit()
  browser.cookie = planted.cookie
  await enter(browser, victim.login)
  assert.notEqual(browser.cookie, planted.cookie)
  assert.equal(await isIn(planted), false)

  // Half a session, planted.
  const half = visit()
  half.cookie = browser.cookie
  await browser.send('/sign-in', { code: totp.generate() })
  assert.equal(await isIn(browser), true)
  assert.equal(await isIn(half), false)
  assert.equal((await half.send('/sign-in', { code: totp.generate() })).location, '/sign-in?to=%2F')
  assert.equal(await isIn(half), false)

  const before = visit()
  before.cookie = browser.cookie
  await setRole(database, operatorOf(tenantId), victim.id, 'owner')
  assert.equal(await isIn(browser), true)
  assert.equal(await isIn(before), false)
  assert.notEqual(browser.cookie, before.cookie)
})

test('made-up cookies, and those of another name or spelling, open nothing', async () => {
  const { session } = await newPerson()
  const [id, secret] = session.cookie.split('.') as [string, string]
  const good = `__Host-mdk_console=${session.cookie}`
  const ask = async (cookie: string) => (await site.ask('GET', '/data/session', { headers: { cookie } })).status
  assert.equal(await ask(good), 200)
  assert.equal(await ask(`theme=dark; ${good}; a=b`), 200)
  for (const cookie of [
    // A sibling host or port may set these, as they lack the prefix.
    `mdk_console=${session.cookie}`,
    `__host-mdk_console=${session.cookie}`,
    `__Secure-mdk_console=${session.cookie}`,
    `__Host-mdk_webmail=${session.cookie}`,
    `__Host-mdk_console=${id}.${'A'.repeat(43)}`,
    `__Host-mdk_console=${id}`,
    `__Host-mdk_console=.${secret}`,
    `__Host-mdk_console=${id.toUpperCase()}.${secret}`,
    `__Host-mdk_console=${session.cookie}\u00e9`,
    `__Host-mdk_console=%00${session.cookie}`,
    `__Host-mdk_console=${'x'.repeat(8_000)}`,
    `__Host-mdk_console=`,
    // Of two of one name nobody knows which is ours.
    `${good}; ${good}`,
    `__Host-mdk_console=${id}.${'A'.repeat(43)}; ${good}`,
    `${good}; __Host-mdk_console =x`,
  ]) {
    assert.equal(await ask(cookie), 401, cookie)
    const { status, headers } = await site.ask('GET', '/sign-in', { headers: { cookie } })
    assert.deepEqual([status, headers.get('set-cookie')], [200, null])
  }
})

test('over plain http the cookie with the prefix is not read, and a form needs the origin of the site', async () => {
  const plain = await startTestSite('console', database, {
    config: { console: { host: '127.0.0.1', port: 0, publicUrl: 'http://console.example.com' } },
  })
  const { login, session } = await newPerson()
  const headers = (name: string) => ({ cookie: `${name}=${session.cookie}` })
  assert.equal((await plain.ask('GET', '/data/session', { headers: headers('mdk_console') })).status, 200)
  assert.equal((await plain.ask('GET', '/data/session', { headers: headers('__Host-mdk_console') })).status, 401)
  const body = new URLSearchParams({ login, password: PASSWORD }).toString()
  for (const [origin, status] of [
    ['http://console.example.com', 303],
    // As no-referrer has it.
    ['null', 403],
    ['http://console.example.com:8082', 403],
    ['http://webmail.example.com', 403],
    ['https://console.example.com', 403],
    [undefined, 403],
  ] as const) {
    const answer = await post(plain.listensAt, '/sign-in', body, origin === undefined ? {} : { origin })
    assert.equal(answer.status, status, origin)
    assert.equal(answer.cookies.length, status === 303 ? 1 : 0)
    for (const cookie of answer.cookies)
      assert.match(cookie, /^mdk_console=\S+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.equal(answer.headers['referrer-policy'], 'same-origin')
  }
})

/** With no header but these. */
async function post(at: string, path: string, body: string | Buffer, headers: Record<string, string>, method = 'POST') {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return new Promise<{ status: number; cookies: string[]; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const asked = httpRequest(new URL(path, at), { method, headers: { ...type, ...headers } }, async (answer) => {
        const text = (await answer.toArray()).join('')
        const { statusCode = 0, headers: given } = answer
        resolve({ status: statusCode, cookies: given['set-cookie'] ?? [], headers: given, text })
      })
      asked.once('error', reject).end(body)
    },
  )
}

test('a sign-in from another page is refused before anything is looked at, in HTML', async () => {
  const { login } = await newPerson()
  for (const path of ['/sign-in', '/sign-out', '/enter/x']) {
    for (const from of ['cross-site', 'same-site']) {
      const answer = await visit().send(
        path,
        { login, password: PASSWORD },
        { 'sec-fetch-site': from, origin: site.url },
      )
      assert.deepEqual([answer.status, answer.alerts], [403, ['The request comes from another site.']])
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
      assert.deepEqual(answer.headers.getSetCookie(), [])
    }
  }
})

test('a code counts once, whichever process sees it again, and for all of its time', async () => {
  const { id, login } = await newPerson()
  const totp = await addTestTotp(database, personRef(id))
  const [first, other] = [visit(), visit(second)]
  await enter(first, login)
  await enter(other, login)
  const code = totp.generate()
  const answers = await Promise.all([first, other].map((visitor) => visitor.send('/sign-in', { code })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 401])
  const earlier = totp.generate({ timestamp: Date.now() - 30_000 })
  const late = visit()
  await enter(late, login)
  for (const used of [code, earlier]) assert.equal((await late.send('/sign-in', { code: used })).status, 401)
})

test('a link lets in one of those who use it at the same time, and nobody afterwards', async () => {
  const [known, lost] = [await newPerson(), await newPerson()]
  const email = `${newId()}@example.com`
  const form = { password: PASSWORD, again: PASSWORD }
  const links = {
    invitation: (await invitePerson(database, operatorOf(tenantId), { email, role: 'admin' })).token,
    reset: (await resetPerson(database, operatorOf(tenantId), lost.id)).token,
    sign_in: (await database.transaction((tx) => makeLink(tx, personRef(known.id), 'sign_in', tenantId))).token,
  }
  for (const [purpose, token] of Object.entries(links)) {
    const path = `/enter/${token}`
    const visitors = [visit(), visit(second), visit(), visit(second)]
    const answers = await Promise.all(visitors.map((visitor) => visitor.send(path, form)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404, 404, 404], purpose)
    assert.equal((await visit().send(path, form)).status, 404)
    assert.equal((await visit().open(path)).status, 404)
  }
})

test('of two resets of one user the later is good, and only until it is used', async () => {
  const { id, login } = await newPerson()
  const resets = await Promise.all([0, 1].map(() => resetPerson(database, operatorOf(tenantId), id)))
  const password = (i: number) => `four other words of number ${i}`
  const answers = await Promise.all(
    resets.map(({ token }, i) =>
      visit(i ? second : site).send(`/enter/${token}`, { password: password(i), again: password(i) }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404])
  const good = answers.findIndex(({ status }) => status === 303)
  assert.equal((await enter(visit(), login, password(good))).status, 303)
  assert.equal((await enter(visit(), login, password(1 - good))).status, 401)
})

test('links and cookies of the console are worth nothing at the webmail', async () => {
  const webmail = await startTestSite('webmail', database, { config: { trustedProxies } })
  const { token } = await invitePerson(database, operatorOf(tenantId), {
    email: `${newId()}@example.com`,
    role: 'owner',
  })
  const { id } = await newPerson()
  const link = await database.transaction((tx) => makeLink(tx, personRef(id), 'sign_in', tenantId))
  for (const given of [token, link.token]) {
    const visitor = createVisitor(webmail, 'webmail')
    assert.equal((await visitor.open(`/enter/${given}`)).status, 404)
    assert.equal((await visitor.send(`/enter/${given}`, { password: PASSWORD, again: PASSWORD })).status, 404)
    assert.equal(visitor.cookie, undefined)
  }
  assert.equal((await visit().open(`/enter/${token}`)).status, 200)
})

test('no path but one of this origin is led to, and nothing in it becomes a header or HTML', async () => {
  const { login } = await newPerson()
  for (const to of [
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/\t/evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    ' /',
    '/a\r\nset-cookie: x=1',
    '/"><script>alert(1)</script>',
    '/\u0000',
  ]) {
    const visitor = visit()
    const page = await visitor.open(`/sign-in?to=${encodeURIComponent(to)}`)
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /<script>|evil\.example|javascript:/)
    const shown = /name="to" value="([^"]*)"/.exec(page.text)?.[1]
    const { status, location, headers } = await visitor.send('/sign-in', {
      login,
      password: PASSWORD,
      to: to.replace('\0', ''),
    })
    assert.equal(status, 303)
    assert.match(location ?? '', /^\/(?![/\\])[\x21-\x7e]*$/, JSON.stringify(to))
    assert.doesNotMatch(location ?? '', /evil\.example/)
    assert.match(shown ?? '', /^\/(?![/\\])[\x21-\x7e]*$/)
    assert.equal(headers.get('x'), null)
    assert.equal(headers.getSetCookie().length, 1)
    const there = await visitor.open(`/sign-in?to=${encodeURIComponent(to)}`)
    assert.match(there.location ?? '', /^\/(?![/\\])[\x21-\x7e]*$/)
  }
  // Twice, and as what is no text.
  for (const query of ['to=/a&to=//evil.example', 'to[]=/a', 'to']) {
    assert.equal((await visit().open(`/sign-in?${query}`)).status, 200)
  }
})

test('whatever is echoed is text: logins, names of tenants, addresses of invitations, paths', async () => {
  const hostile = `"><img src=x onerror=alert(1)>'<script>alert(1)</script>`
  const wrong = await enter(visit(), hostile, 'x')
  const { id: named } = await createTenant(database, operator, { name: hostile, plan: 'unlimited' })
  const invitation = await invitePerson(database, operatorOf(named), { email: `o'neil&co@example.com`, role: 'owner' })
  const welcome = await visit().open(`/enter/${invitation.token}`)
  const gone = await visit().open(`/enter/${encodeURIComponent(hostile)}`)
  for (const { text } of [wrong, welcome, gone]) assert.doesNotMatch(text, /<img|<script>|onerror=alert\(1\)>'/)
  assert.match(wrong.text, /&lt;script&gt;/)
  assert.match(welcome.text, /o&apos;neil&amp;co@example\.com|o&#39;neil&amp;co@example\.com/)
})

test('odd bodies are refused in HTML, and none is a fault of ours', async () => {
  const form = 'application/x-www-form-urlencoded'
  const cases: [body: string, headers: Record<string, string>, status: number][] = [
    ['login=a&login=b&password=c', {}, 400],
    ['login=a%00b&password=c', {}, 400],
    [`login=a&password=${'x'.repeat(16 * 1024)}`, {}, 413],
    [`login=${'a'.repeat(15_000)}&password=x`, {}, 401],
    ['{"login":"a","password":"b"}', { 'content-type': 'application/json' }, 415],
    ['login=a&password=b', { 'content-type': 'text/plain' }, 415],
    ['--x--', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ['login=a&password=b', { 'content-encoding': 'gzip' }, 415],
    ['login=a&password=b', { 'content-type': `${form}; charset=utf-16` }, 401],
    ['login=%ff%fe&password=%zz%', {}, 401],
    ['login=a%F0%9F%98%80&password=%F0%9F%98%80', {}, 401],
    ['__proto__=1&constructor=2&login=a&password=b', {}, 401],
    ['passkey=', {}, 401],
    ['passkey=null', {}, 401],
    ['passkey={"id":"a%5Cu0000","response":{}}', {}, 401],
    ['passkey={"id":{},"response":{}}', {}, 401],
    ['passkey={"id":"abc","response":null}', {}, 401],
    ['passkey={"id":"abc","response":{"clientDataJSON":5}}', {}, 401],
    ['code=1', {}, 303],
    ['', {}, 400],
  ]
  for (const [body, headers, expected] of cases) {
    const answer = await visit().send('/sign-in', body, headers)
    assert.equal(answer.status, expected, body.slice(0, 60))
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.deepEqual(answer.headers.getSetCookie(), [])
    if (expected === 303) continue
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'/)
  }
  const { session } = await newPerson()
  const data = await site.ask('POST', '/data/step-up', { session, headers: { 'content-type': form } })
  assert.equal(data.status, 415)
})

test('no text in a query of the console’s data is a fault of ours', async () => {
  const { session } = await newPerson()
  const faults: string[] = []
  for (const { method, path, query } of CONSOLE_OPERATIONS as readonly {
    method: string
    path: string
    query?: TSchema
  }[]) {
    if (method !== 'GET' || !query) continue
    const names = Object.keys((query as { properties?: object }).properties ?? {})
    for (const name of names) {
      for (const value of ['%00', 'a%00@example.test', '%ED%A0%80', '9'.repeat(300), '9999-12-31T23:59:59-23:59']) {
        const asked = `${path.replaceAll(/:\w+/g, newId())}?${name}=${value}`
        const { status } = await site.ask('GET', asked, { session })
        if (status >= 500) faults.push(asked)
      }
    }
  }
  assert.deepEqual(faults, [])
})

test('whoever sends a body slowly does nothing with a session, a role or a tenant that was lost meanwhile', async () => {
  const elsewhere = await createTestTenant(database)
  const lost: [act: (person: TestUser) => Promise<unknown>, status: number, code: string][] = [
    [({ id }) => database.transaction((tx) => endSessions(tx, personRef(id), 'all')), 401, 'not_signed_in'],
    [({ id }) => setRole(database, operatorOf(tenantId), id, 'admin'), 403, 'not_allowed'],
    [
      async ({ id, login, session }) => {
        const { token } = await invitePerson(database, operatorOf(elsewhere.tenantId), { email: login, role: 'owner' })
        const found = await findSession(database, 'person', session.cookie)
        assert(found && (await acceptInvitation(database, found, token, originOf(1))))
        await removePerson(database, operatorOf(tenantId), id)
      },
      401,
      'not_signed_in',
    ],
  ]
  for (const [lose, status, code] of lost) {
    const person = await newPerson()
    const { cookie, id } = person.session
    await database.rows(sql`update sessions set last_used_at = last_used_at - interval '2 minutes' where id = ${id}`)
    const email = `${newId()}@example.com`
    const answer = new Promise<string>((resolve, reject) => {
      const headers = { cookie: `__Host-mdk_console=${cookie}`, 'sec-fetch-site': 'same-origin' }
      const asked = httpRequest(new URL('/data/people', site.listensAt), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      })
      asked.once('error', reject)
      asked.once('response', async (given) => resolve(`${given.statusCode} ${(await given.toArray()).join('')}`))
      asked.write('{')
      until('the door has seen the session', () =>
        database.first(sql`select from sessions where id = ${id} and last_used_at > now() - interval '1 minute'`),
      )
        .then(() => lose(person))
        .then(() => asked.end(`"email":"${email}","role":"owner"}`), reject)
    })
    assert.match(await answer, new RegExp(`^${status} .*"code":"${code}"`))
    assert.deepEqual(await database.rows(sql`select from users where login = ${email}`), [])
  }
})

test('HEAD and OPTIONS change nothing, and other methods are not there', async () => {
  const { session } = await newPerson()
  const cookie = `__Host-mdk_console=${session.cookie}`
  for (const path of ['/sign-in', '/sign-out', '/forgotten', '/enter/x', '/sign-in/passkey']) {
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await post(site.listensAt, path, '', { cookie, 'sec-fetch-site': 'same-origin' }, method)
      assert.deepEqual(answer.cookies, [], `${method} ${path}`)
      if (method === 'HEAD') assert(answer.status < 405, `${answer.status}`)
      else assert.equal(answer.status, 405)
      assert.equal(answer.headers['access-control-allow-origin'], undefined)
    }
  }
  assert.equal((await site.ask('GET', '/data/session', { session })).status, 200)
})

test('a form that is sent twice at once leaves its sender signed in', async () => {
  const { login } = await newPerson()
  const visitor = visit()
  const answers = await Promise.all([0, 1, 2].map(() => enter(visitor, login)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303],
  )
  assert.equal(await isIn(visitor), true)
  const out = await Promise.all([0, 1].map(() => visitor.send('/sign-out', {})))
  assert.deepEqual(
    out.map(({ status }) => status),
    [303, 303],
  )
  assert.equal(await isIn(visitor), false)
})

test('an account that is guessed at from many addresses waits, and its user is not locked out for long', async () => {
  const { login } = await newPerson()
  const statuses: number[] = []
  for (let i = 0; i < 8; i++) statuses.push((await enter(visit(), login, `guess ${i}`)).status)
  assert.deepEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401])
  assert(statuses.includes(429), `${statuses}`)
  const waits = await enter(visit(), login)
  assert.equal(waits.status, 429)
  assert(Number(waits.headers.get('retry-after')) <= 60)
})

test('one address that tries many accounts waits, whether they exist or not, and others do not', async () => {
  const guesser = visit()
  const statuses: number[] = []
  for (let i = 0; i < 24; i++) statuses.push((await enter(guesser, `nobody-${i}@example.com`)).status)
  assert.deepEqual(statuses.slice(0, 20), Array(20).fill(401))
  assert(statuses.slice(20).includes(429), `${statuses}`)
  const { login } = await newPerson()
  assert.equal((await enter(guesser, login)).status, 429)
  assert.equal((await enter(visit(), login)).status, 303)
})

test('codes are guessed at no faster by starting over', async () => {
  const { id, login } = await newPerson()
  await addTestTotp(database, personRef(id))
  const statuses: number[] = []
  for (let i = 0; i < 7; i++) {
    const visitor = visit()
    const first = await enter(visitor, login)
    statuses.push(first.status === 303 ? (await visitor.send('/sign-in', { code: `00000${i}` })).status : first.status)
  }
  assert(statuses.includes(429), `${statuses}`)
  assert(!statuses.includes(303))
})

test('words, status and headers are the same whether there is such an account or not', async () => {
  const suspended = await createTestTenant(database)
  const unreachable = await createTestPerson(database, suspended.tenantId, 'owner')
  await setTenantStatus(database, operator, suspended.tenantId, 'suspended')
  const invited = `${newId()}@example.com`
  await invitePerson(database, operatorOf(tenantId), { email: invited, role: 'owner' })
  const { id, login } = await newPerson()
  await addTestTotp(database, personRef(id))
  const logins = { unknown: `${newId()}@example.com`, invited, unreachable: unreachable.login, known: login }
  const shown = new Set<string>()
  for (const [name, given] of Object.entries(logins)) {
    const password = name === 'unreachable' ? PASSWORD : 'a wrong password here'
    const { status, text, headers } = await enter(visit(), given, password)
    const kept = [...headers].filter(
      ([header]) => !['date', 'x-request-id', 'content-length', 'keep-alive'].includes(header),
    )
    shown.add(JSON.stringify([status, text.replaceAll(given, 'LOGIN'), kept]))
  }
  assert.equal(shown.size, 1)
})

test('the time of an answer does not tell whether there is such an account', async () => {
  const ROUNDS = 15
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  const people = await Promise.all(Array.from({ length: ROUNDS }, () => newPerson()))
  // At the cost that the service hashes with; those of tests are lighter.
  const hash = await createHashTurns().passwords.hash(PASSWORD)
  await database.rows(
    sql`update passwords set hash = ${hash} where user_id = any (${people.map(({ id }) => id)}::uuid[])`,
  )
  for (const { login } of people) {
    // Interleaved, so that whatever else this machine does concerns both.
    for (const [name, given] of [
      ['known', login],
      ['unknown', `${newId()}@example.com`],
    ] as const) {
      const visitor = visit()
      const begun = performance.now()
      assert.equal((await enter(visitor, given, 'a wrong password here')).status, 401)
      times[name].push(performance.now() - begun)
    }
  }
  const [known, unknown] = [median(times.known), median(times.unknown)]
  // A hash takes most of it: without one for an unknown account the medians would be far apart.
  assert(Math.abs(known - unknown) < 0.5 * Math.max(known, unknown), `${known} ms and ${unknown} ms`)
})

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number
}
