// What is new, as the pages of the console and the webmail hear of it: each its own, without a gap, and no longer than they may.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { createApp } from '../../src/apps/create-app.ts'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { appendEvents, type NewEvent } from '../../src/events/append.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { removePerson } from '../../src/people/remove-person.ts'
import { setRole } from '../../src/people/set-role.ts'
import { setSecondFactorRequired } from '../../src/people/set-second-factor-required.ts'
import type { SiteName } from '../../src/servers/sessions/site.ts'
import { endSessions, type NewSession, startSession } from '../../src/users/sessions.ts'
import { personRef } from '../../src/users/user.ts'
import { call, startTestApi } from '../support/api.ts'
import { type ReadStream, readStream } from '../support/change-stream.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, createTestPerson, originOf, type TestUser } from '../support/people.ts'
import { startTestSite, type TestSite } from '../support/site.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database } = await createTestDatabase()
const api = await startTestApi(database)
/** Clients are told apart by what a proxy says of them. */
const behindProxy = { config: { trustedProxies: [parseNetwork('127.0.0.0/8')] } }
const sites: Record<SiteName, TestSite> = {
  console: await startTestSite('console', database, behindProxy),
  webmail: await startTestSite('webmail', database, behindProxy),
}

/** A tenant of which nothing is left to be heard. */
async function makeTenant(options: Parameters<typeof createTestTenant>[1] = {}): Promise<TestTenant> {
  const tenant = await createTestTenant(database, options)
  await feedCaughtUp(database)
  return tenant
}

let clients = 0

/** Each from an address of its own unless one is given, behind all that has been committed. */
async function open(
  name: SiteName,
  user: Pick<TestUser, 'session'>,
  { query = '', headers = {}, at = sites[name].listensAt }: { query?: string; headers?: object; at?: string } = {},
): Promise<ReadStream> {
  clients += 1
  await feedCaughtUp(database)
  return readStream(`${at}/changes${query}`, {
    cookie: `__Host-mdk_${name}=${user.session.cookie}`,
    'x-forwarded-for': `198.51.${clients >> 8}.${clients & 255}`,
    ...headers,
  })
}

/** Appends an event; gives the id of what it is about. */
async function append(tenantId: Uuid, event: Partial<NewEvent> = {}): Promise<Uuid> {
  const resourceId = newId()
  const common = {
    tenantId,
    environmentId: tenantId,
    type: 'message.updated',
    resourceType: 'message',
    data: {},
  } as const
  await database.transaction((tx) => appendEvents(tx, [{ ...common, resourceId, ...event }]))
  return resourceId
}

async function anotherMailbox({ tenantId, address }: TestTenant): Promise<Uuid> {
  const domain = address.split('@')[1]
  const { id } = await createMailbox(database, operatorOf(tenantId), {
    address: `${newId()}@${domain}`,
    displayName: 'Another',
  })
  return id
}

describe('what is heard', () => {
  test('a console hears which messages changed and in which mailboxes, and never what they say', async () => {
    const tenant = await makeTenant()
    const [owner, admin] = [
      await createTestPerson(database, tenant.tenantId, 'owner'),
      await createTestPerson(database, tenant.tenantId, 'admin'),
    ]
    const streams = [await open('console', owner), await open('console', admin)]
    const sent = await call(api.url, 'POST', '/v1/messages', {
      key: tenant.key,
      headers: { 'idempotency-key': newId() },
      body: {
        fromMailboxId: tenant.mailboxId,
        to: ['somebody@example.com'],
        subject: 'Confidential',
        text: 'Confidential',
      },
    })
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    for (const stream of streams) {
      const [event] = await stream.have(1)
      assert.deepEqual(event?.data, {
        type: 'message.queued',
        id: sent.body.id,
        mailboxIds: [tenant.mailboxId],
      })
      assert.doesNotMatch(stream.text(), /Confidential|somebody/)
      const { 'content-type': type, 'cache-control': cache, 'x-accel-buffering': buffering } = stream.headers
      assert.deepEqual([type, cache, buffering], ['text/event-stream; charset=utf-8', 'no-store', 'no'])
      assert.equal(stream.headers['content-encoding'], undefined)
      assert.equal(stream.headers['cross-origin-resource-policy'], 'same-origin')
      // The API goes on from the same place.
      const behind = await call(api.url, 'GET', `/v1/events?cursor=${event?.id}`, { key: tenant.key })
      assert.deepEqual([behind.status, behind.body.items], [200, []])
    }
    const domainId = await append(tenant.tenantId, { type: 'domain.health_changed', resourceType: 'domain' })
    const events = await (streams[0] as ReadStream).have(2)
    assert.deepEqual(events[1]?.data, { type: 'domain.health_changed', id: domainId })
  })

  test('a console hears the environment that its page shows, of its own tenant alone', async () => {
    const [tenant, foreign] = [await makeTenant(), await makeTenant()]
    const sandbox = await makeTenant({ environment: 'sandbox' })
    const owner = await createTestPerson(database, sandbox.tenantId, 'owner')
    const [production, inSandbox] = [
      await open('console', owner, { query: '?environment=production' }),
      await open('console', owner, { query: `?environment=sandbox:${sandbox.appId}` }),
    ]
    await append(foreign.tenantId)
    const there = await append(sandbox.tenantId, { environmentId: sandbox.appId })
    const here = await append(sandbox.tenantId)
    assert.equal((await production.have(1))[0]?.data.id, here)
    assert.equal((await inSandbox.have(1))[0]?.data.id, there)
    assert.deepEqual([production.events().length, inSandbox.events().length], [1, 1])

    for (const [query, status] of [
      [`?environment=sandbox:${newId()}`, 404],
      // Of another tenant, and of production.
      [`?environment=sandbox:${foreign.appId}`, 404],
      [`?environment=sandbox:${tenant.appId}`, 404],
      ['?environment=elsewhere', 400],
      ['?unknown=1', 400],
      ['?lastEventId=a&lastEventId=b', 400],
    ] as const) {
      assert.equal((await open('console', owner, { query })).status, status, query)
    }
  })

  test('a webmail hears of the mailboxes that its user has by then, of each no other’s, and of production alone', async () => {
    const tenant = await makeTenant()
    const { tenantId, mailboxId } = tenant
    const [second, others] = [await anotherMailbox(tenant), await anotherMailbox(tenant)]
    const user = await createTestMailboxUser(database, tenantId, mailboxId)
    const stream = await open('webmail', user, { query: '?environment=production' })
    const own = await append(tenantId, { type: 'message.received', data: { mailboxIds: [others, mailboxId] } })
    await append(tenantId, { data: { mailboxId: others } })
    await append(tenantId, { type: 'domain.health_changed', resourceType: 'domain' })
    await append(tenantId, { environmentId: tenant.appId, data: { mailboxId } })
    await append(tenantId, { type: 'mailbox.suspended', resourceType: 'mailbox', resourceId: mailboxId })
    assert.deepEqual(
      (await stream.have(2)).map((event) => event.data),
      [
        { type: 'message.received', id: own, mailboxIds: [mailboxId] },
        { type: 'mailbox.suspended', id: mailboxId, mailboxIds: [mailboxId] },
      ],
    )
    assert(!stream.text().includes(others))

    // Given another mailbox, and then without the first.
    await addMailboxUser(database, operatorOf(tenantId), { mailboxId: second, login: user.login, access: 'read' })
    await until('the second is heard', async () => {
      await append(tenantId, { data: { mailboxId: second } })
      return stream.events().some(({ data }) => data.mailboxIds?.includes(second))
    })
    await removeMailboxUser(database, operatorOf(tenantId), { mailboxId, userId: user.id })
    await until('the first is not heard', async () => {
      const unheard = await append(tenantId, { data: { mailboxId } })
      const heard = await append(tenantId, { data: { mailboxId: second } })
      await until('the second is', () => stream.events().some(({ data }) => data.id === heard))
      return !stream.events().some(({ data }) => data.id === unheard)
    })
  })
})

describe('who comes back', () => {
  test('goes on behind the last event, by the header or the query, at whichever process, and behind nothing as well', async () => {
    const tenant = await makeTenant()
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const other = await startTestSite('console', database, behindProxy)
    const first = await open('console', owner)
    await until('it has begun', () => first.lastId() !== '')
    const begin = first.lastId()
    const ids = [await append(tenant.tenantId), await append(tenant.tenantId), await append(tenant.tenantId)]
    const events = await first.have(3)
    first.close()
    for (const [cursor, left] of [
      [begin, ids],
      [events[0]?.id, ids.slice(1)],
      [events[1]?.id, ids.slice(2)],
    ] as const) {
      for (const options of [
        { headers: { 'last-event-id': cursor } },
        { query: `?lastEventId=${cursor}` },
        { headers: { 'last-event-id': cursor }, at: other.listensAt },
        // What the browser says is newer than what the page said once.
        { headers: { 'last-event-id': cursor }, query: `?lastEventId=${begin}` },
      ]) {
        const back = await open('console', owner, options as Parameters<typeof open>[2])
        assert.deepEqual(
          (await back.have(left.length)).map((event) => event.data.id),
          left,
        )
        back.close()
        await until('its place is free', async () => {
          const again = await open('console', owner)
          again.close()
          return again.status === 200
        })
      }
    }
  })

  test('with a cursor that is no good begins now, and is asked to fetch all anew', async () => {
    const tenant = await makeTenant()
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    await append(tenant.tenantId)
    const production = await open('console', owner)
    await until('it has begun', () => production.lastId() !== '')
    for (const options of [
      { headers: { 'last-event-id': 'x'.repeat(4_000) } },
      { query: `?lastEventId=${'x'.repeat(4_000)}` },
      { query: `?environment=sandbox:${(await sandboxOf(tenant)).id}&lastEventId=${production.lastId()}` },
    ]) {
      const stream = await open('console', owner, options)
      const [event] = await stream.have(1)
      assert.deepEqual(event?.data, { type: 'reload' })
      stream.close()
    }
  })

  async function sandboxOf({ tenantId }: TestTenant): Promise<{ id: Uuid }> {
    return createApp(database, operatorOf(tenantId), { name: 'Sandbox', environment: 'sandbox' })
  }
})

describe('who may', () => {
  test('nobody without a session of the site, from another site, or by another method', async () => {
    const tenant = await makeTenant()
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const user = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    for (const [name, held] of [
      ['console', user],
      ['webmail', owner],
    ] as const) {
      const stranger = await open(name, held)
      assert.equal(stranger.status, 401)
      const key = await readStream(`${sites[name].listensAt}/changes`, { authorization: `Bearer ${tenant.key}` })
      assert.equal(key.status, 401)
    }
    const crossed = await open('console', owner, { headers: { 'sec-fetch-site': 'same-site' } })
    assert.equal(crossed.status, 403)
    assert.equal((await sites.console.ask('POST', '/changes', { session: owner.session })).status, 405)
    // Whoever asks for the headers alone gets no stream, and takes nobody's place.
    for (let n = 0; n < 5; n++) await sites.console.ask('HEAD', '/changes', { session: owner.session })
    assert.equal((await open('console', owner)).status, 200)
  })

  test('a stream ends when its session, its role, its person or its tenant does, though nothing happens', async () => {
    const tenant = await makeTenant()
    const { tenantId } = tenant
    await createTestPerson(database, tenantId, 'owner')
    const person = (role: 'owner' | 'admin') => createTestPerson(database, tenantId, role)
    const user = await createTestMailboxUser(database, tenantId, tenant.mailboxId)
    const ends: [string, TestUser, SiteName, (user: TestUser) => Promise<unknown>][] = [
      [
        'session',
        await person('admin'),
        'console',
        ({ id }) => database.transaction((tx) => endSessions(tx, personRef(id), 'all')),
      ],
      ['role', await person('admin'), 'console', ({ id }) => setRole(database, operatorOf(tenantId), id, 'owner')],
      ['person', await person('owner'), 'console', ({ id }) => removePerson(database, operatorOf(tenantId), id)],
      [
        'mailbox user',
        user,
        'webmail',
        ({ id }) => removeMailboxUser(database, operatorOf(tenantId), { mailboxId: tenant.mailboxId, userId: id }),
      ],
      [
        'factor',
        await person('owner'),
        'console',
        async () => {
          await setSecondFactorRequired(database, operatorOf(tenantId), true)
          // Who comes back is asked for a factor, and hears nothing.
          assert.equal((await open('console', await person('admin'))).status, 403)
        },
      ],
      [
        'tenant',
        await createTestMailboxUser(database, tenantId, tenant.mailboxId),
        'webmail',
        () => setTenantStatus(database, operator, tenantId, 'suspended'),
      ],
    ]
    for (const [, who, name, end] of ends) {
      const stream = await open(name, who)
      assert.equal(stream.status, 200)
      await end(who)
      await stream.ended
    }
  })

  test('a stream is no use of its session, which ends when its user asks for nothing', async () => {
    const tenant = await makeTenant()
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const lastUse = async () => {
      const row = await database.first(sql<{ ago: number }>`
        select extract(epoch from clock_timestamp() - last_used_at)::integer as ago from sessions
        where id = ${owner.session.id}`)
      return row?.ago as number
    }
    await database.rows(sql`
      update sessions set last_used_at = clock_timestamp() - interval '59 minutes' where id = ${owner.session.id}`)
    const stream = await open('console', owner)
    assert.equal(stream.status, 200)
    assert((await lastUse()) >= 59 * 60)
    await database.rows(sql`
      update sessions set last_used_at = clock_timestamp() - interval '61 minutes' where id = ${owner.session.id}`)
    await stream.ended
  })
})

describe('how many', () => {
  test('four of a session: a fifth is 429, and has a place when one has ended', async () => {
    const tenant = await makeTenant()
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const streams = await Promise.all(Array.from({ length: 4 }, () => open('console', owner)))
    assert.deepEqual(
      streams.map((stream) => stream.status),
      [200, 200, 200, 200],
    )
    const fifth = await open('console', owner)
    assert.equal(fifth.status, 429)
    assert.match(String(fifth.headers['retry-after']), /^\d+$/)
    await fifth.ended
    const { error, details } = JSON.parse(fifth.text())
    assert.deepEqual([error, details], ['rate_limited', { limit: 'session' }])
    streams[0]?.close()
    await until('its place is free', async () => (await open('console', owner)).status === 200)
  })

  test('who goes away while a stream begins leaves no place taken', async () => {
    const tenant = await makeTenant()
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    const headers = { cookie: `__Host-mdk_console=${owner.session.cookie}`, 'sec-fetch-site': 'same-origin' }
    for (let n = 0; n < 40; n++) {
      const sent = request(`${sites.console.listensAt}/changes`, { headers, agent: false }).on('error', () => {})
      sent.end()
      await new Promise((resolve) => sent.once('socket', (socket) => socket.once('connect', resolve)))
      // At once, and a little later.
      for (let turn = 0; turn < n; turn++) await new Promise(setImmediate)
      sent.destroy()
    }
    await until('all four places are free', async () => {
      const streams = await Promise.all(Array.from({ length: 4 }, () => open('console', owner)))
      const isFree = streams.every((stream) => stream.status === 200)
      if (!isFree) for (const stream of streams) stream.close()
      return isFree
    })
  })

  test('fifty of an address, an IPv6 network as one: the next is 429, and others have theirs', async () => {
    const tenant = await makeTenant()
    const signedIn = await sessionsOf(await createTestPerson(database, tenant.tenantId, 'admin'), 13)
    const from = (n: number, address: string) =>
      open('console', signedIn[n >> 2] as { session: NewSession }, { headers: { 'x-forwarded-for': address } })
    for (let n = 0; n < 50; n++) assert.equal((await from(n, `2001:db8::${n.toString(16)}`)).status, 200)
    const next = await from(50, '2001:db8::ffff:1')
    assert.equal(next.status, 429)
    await next.ended
    assert.deepEqual(JSON.parse(next.text()).details, { limit: 'ip' })
    assert.equal((await from(50, '2001:db8:0:1::1')).status, 200)
  })
})

test('a stop ends five hundred streams at once', async () => {
  const site = await startTestSite('console', database, behindProxy)
  const tenant = await makeTenant()
  const streams: ReadStream[] = []
  for (const count of [63, 62]) {
    for (const one of await sessionsOf(await createTestPerson(database, tenant.tenantId, 'admin'), count)) {
      for (let i = 0; i < 4; i++) streams.push(await open('console', one, { at: site.listensAt }))
    }
  }
  assert(streams.every((stream) => stream.status === 200))
  const id = await append(tenant.tenantId)
  await until('all have heard', () => streams.every((stream) => stream.events()[0]?.data.id === id))
  const before = performance.now()
  await site.stop()
  await Promise.all(streams.map((stream) => stream.ended))
  const tookMs = performance.now() - before
  // What has to be cut takes 20 seconds.
  assert(tookMs < 10_000, `${tookMs} ms`)
})

/** So many further sessions of a person. */
function sessionsOf({ id }: TestUser, count: number): Promise<{ session: NewSession }[]> {
  return database.transaction(async (tx) => {
    const signedIn: { session: NewSession }[] = []
    for (let n = 0; n < count; n++) {
      signedIn.push({ session: await startSession(tx, personRef(id), { whole: true }, originOf(1)) })
    }
    return signedIn
  })
}
