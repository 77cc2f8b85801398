// What an Owner sets for a tenant and sees of its use, over two consoles: who sees what messages say, the name, sums; and finding
// things by a few words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '../../src/apps/create-app.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { recordKeyUse } from '../../src/apps/record-key-use.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { CONSOLE_OPERATIONS } from '../../src/servers/console/operations.ts'
import { followAll } from '../support/activity.ts'
import { call, openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson, type TestUser } from '../support/people.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { subscribe } from '../support/webhook-subscriber.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const api = await startTestApi(database, { store })
const [first, second] = [
  await startTestSite('console', database, { store }),
  await startTestSite('console', database, { store }),
]

interface Place {
  tenant: TestTenant
  owner: TestUser
  admin: TestUser
}

async function makePlace(plan?: string): Promise<Place> {
  const tenant = await createTestTenant(database, plan === undefined ? {} : { plan })
  const [owner, admin] = await Promise.all([
    createTestPerson(database, tenant.tenantId, 'owner'),
    createTestPerson(database, tenant.tenantId, 'admin'),
  ])
  return { tenant, owner, admin }
}

async function given({ session }: TestUser, method: string, path: string, body?: unknown, status = 200, site = first) {
  const answer = await site.ask(method, path, { session, body })
  assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
  return answer.body
}

async function post(key: string, path: string, body: unknown) {
  const answer = await call(api.url, 'POST', path, { key, body, headers: { 'idempotency-key': newId() } })
  assert(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

async function send({ key, mailboxId }: TestTenant, more: object = {}): Promise<Uuid> {
  const mail = { fromMailboxId: mailboxId, to: ['ada@example.test'], subject: 'Hello', text: 'x', ...more }
  return (await post(key, '/v1/messages', mail)).id
}

const actsOf = async (tenantId: Uuid, operations: string[]) => {
  const { rows } = await database.pool.query(
    'select operation, person_id, at from audit_log where tenant_id = $1 and operation = any ($2) order by at, id',
    [tenantId, operations],
  )
  return rows as { operation: string; person_id: Uuid; at: Date }[]
}

test('what messages say shows in no answer of the console once an Owner has hidden it, in every process, and to keys as before', async () => {
  const { tenant, owner, admin } = await makePlace()
  const canary = `canary${newId().replaceAll('-', '')}`
  const receiver = await startReceiver()
  await subscribe(api.url, database, receiver, { tenant })
  const { id: sandbox } = await createApp(database, operatorOf(tenant.tenantId), { name: 'S', environment: 'sandbox' })
  const { key } = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
    ...{ appId: sandbox, scopes: ['messages:send', 'attachments:write'] },
  })
  const worker = await startTestOutbound(database, { relayUrl: 'smtp://127.0.0.1:1', store })
  // One in production, and one in a sandbox, which is built.
  const places = await Promise.all(
    [tenant, { ...tenant, key }].map(async (place, i) => {
      const file = { mailboxId: place.mailboxId, filename: 'a.txt', mediaType: 'text/plain' }
      const contentBase64 = Buffer.from(canary).toString('base64')
      const { attachment } = await post(place.key, '/v1/attachments', { ...file, contentBase64 })
      const messageId = await send(place, {
        text: canary,
        html: `<p>${canary}</p>`,
        attachmentIds: [attachment.id],
      })
      return { messageId, attachmentId: attachment.id as Uuid, environment: i === 0 ? '' : `sandbox:${sandbox}` }
    }),
  )
  const built = places[1]
  assert(built)
  await until('it is built', async () => {
    const path = `/data/messages/${built.messageId}?environment=${built.environment}`
    return (await given(owner, 'GET', path)).sizeBytes !== null
  })
  await followAll(database)

  const shown = async (by: TestUser, site: typeof first) => {
    const codes: Record<string, string> = {}
    const texts: string[] = []
    for (const { messageId, attachmentId, environment } of places) {
      for (const { method, path, query } of CONSOLE_OPERATIONS) {
        if (method !== 'GET') continue
        const at = path.replace(':messageId', messageId).replace(':attachmentId', attachmentId)
        // What an export is narrowed by stands in the audit log: these give all that there is.
        const isSearch = JSON.stringify(query ?? {}).includes('"q"') && !path.startsWith('/data/exports')
        const words = isSearch ? [`q=${canary}`] : []
        const asked = [...words, ...(environment ? [`environment=${environment}`] : [])].join('&')
        const answer = await site.ask(method, `${at}${asked && `?${asked}`}`, { session: by.session })
        if (path.includes(':messageId')) codes[path] = answer.body?.code ?? String(answer.status)
        texts.push(answer.text)
        assert(answer.status !== 500, `${path}: ${answer.text}`)
      }
    }
    return { codes, isThere: texts.some((text) => text.includes(canary)) }
  }
  const before = await shown(owner, first)
  assert(before.isThere)
  assert.equal(before.codes['/data/messages/:messageId/content'], '200')

  await given(admin, 'PUT', '/data/settings/content', { people: false }, 403)
  await given(owner, 'PUT', '/data/settings/content', { people: false }, 204)
  for (const by of [owner, admin]) {
    for (const site of [second, first]) {
      const { codes, isThere } = await shown(by, site)
      assert(!isThere)
      assert.deepEqual(codes, {
        '/data/messages/:messageId': '200',
        '/data/messages/:messageId/events': '200',
        '/data/messages/:messageId/content': 'content_hidden',
        '/data/messages/:messageId/source': 'content_hidden',
        '/data/messages/:messageId/raw': 'content_hidden',
        '/data/messages/:messageId/attachments/:attachmentId': 'content_hidden',
      })
    }
  }
  const [inProduction] = places
  const read = await call(api.url, 'GET', `/v1/messages/${inProduction?.messageId}`, { key: tenant.key })
  assert.equal(read.body.message.text, canary)
  assert.equal((await given(admin, 'GET', '/data/surroundings', undefined, 200, second)).peopleSeeContent, false)

  await given(owner, 'PUT', '/data/settings/content', { people: true }, 204)
  assert((await shown(admin, second)).isThere)
  assert.deepEqual(
    (await actsOf(tenant.tenantId, ['content.hide', 'content.show'])).map(({ operation, person_id }) => [
      operation,
      person_id,
    ]),
    [
      ['content.hide', owner.id],
      ['content.show', owner.id],
    ],
  )
  await worker.stop()
})

test('whoever looks while it is being hidden was let in before, or is refused: no look is recorded behind it', async () => {
  const { tenant, owner, admin } = await makePlace()
  const id = await send(tenant)
  for (let round = 0; round < 5; round++) {
    await given(owner, 'PUT', '/data/settings/content', { people: true }, 204)
    const looks = Array.from({ length: 12 }, (_, i) =>
      (i % 2 === 0 ? first : second).ask('GET', `/data/messages/${id}/content`, { session: admin.session }),
    )
    const [hiding, ...answers] = await Promise.all([
      second.ask('PUT', '/data/settings/content', { session: owner.session, body: { people: false } }),
      ...looks,
    ])
    assert.equal(hiding.status, 204)
    for (const { status, body } of answers) assert(status === 200 || body.code === 'content_hidden', String(status))
    const acts = await actsOf(tenant.tenantId, ['content.hide', 'message.view'])
    assert.equal(acts.at(-1)?.operation, 'content.hide')
    await given(admin, 'GET', `/data/messages/${id}/content`, undefined, 403)
  }
})

test('an Owner gives the tenant another name, which each console shows with the next request', async () => {
  const { tenant, owner, admin } = await makePlace()
  const rename = (by: TestUser, name: unknown, status: number) =>
    given(by, 'PUT', '/data/settings/name', { name }, status)
  await rename(owner, 'Example Group', 204)
  const { tenant: shown, tenants } = await given(admin, 'GET', '/data/surroundings', undefined, 200, second)
  assert.deepEqual([shown, tenants[0]], Array(2).fill({ id: tenant.tenantId, name: 'Example Group' }))
  await rename(admin, 'Mine', 403)
  for (const name of ['', '   ', 'x'.repeat(256), 'a\nb', 'a\u0000b', 7, null]) await rename(owner, name, 400)
  await rename(owner, 'x'.repeat(255), 204)
  await rename(owner, 'x', 204)
  assert.equal((await given(admin, 'GET', '/data/settings')).tenant.name, 'x')
  const acts = await actsOf(tenant.tenantId, ['tenant.rename'])
  assert.deepEqual(
    acts.map(({ person_id }) => person_id),
    [owner.id, owner.id, owner.id],
  )
})

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)

test('the sums of usage are those of what stands behind them', async () => {
  const { tenant, owner, admin } = await makePlace('standard')
  const actor = operatorOf(tenant.tenantId)
  const { id: sandbox } = await createApp(database, actor, { name: 'Sandbox', environment: 'sandbox' })
  const { id: other } = await createApp(database, actor, { name: 'Shop', environment: 'production' })
  const keyOf = (appId: Uuid) => createKey({ database, keyHasher }, actor, { appId, scopes: ['messages:send'] })
  const [inShop, inSandbox] = [await keyOf(other), await keyOf(sandbox)]
  for (let i = 0; i < 3; i++) await send(tenant, { to: ['a@example.test', 'b@example.test'] })
  await send({ ...tenant, key: inShop.key })
  await send({ ...tenant, key: inSandbox.key })
  await followAll(database)

  const usage = (timeZone: string) => given(admin, 'GET', `/data/usage?timeZone=${timeZone}`)
  for (const timeZone of ['UTC', 'Pacific/Kiritimati', 'Asia/Kathmandu']) {
    const { messages } = await usage(timeZone)
    assert.equal(messages.isCurrent, true)
    assert.deepEqual(
      messages.apps.map(({ name, environment, sent }: { name: string; environment: string; sent: number[] }) => [
        name,
        environment,
        sum(sent),
      ]),
      [
        ['Example', 'production', 3],
        ['Sandbox', 'sandbox', 1],
        ['Shop', 'production', 1],
      ],
    )
    const { activity } = await given(owner, 'GET', `/data/overview?days=30&timeZone=${timeZone}`)
    const inProduction = messages.apps.filter(
      ({ environment }: { environment: string }) => environment === 'production',
    )
    const counted = sum(inProduction.flatMap(({ sent }: { sent: number[] }) => sent)) + sum(messages.others)
    assert.equal(counted, activity.sums['message.queued'])
    for (const { id, sent } of inProduction) {
      const { since } = messages.days[0]
      const { until: end } = messages.days.at(-1)
      const { items } = await given(
        owner,
        'GET',
        `/data/messages?${new URLSearchParams({ app: id, since, until: end })}`,
      )
      assert.equal(items.length, sum(sent))
    }
  }
  await given(owner, 'GET', '/data/usage?timeZone=Mars', undefined, 400)
  // What nobody sent by a key is counted of none.
  await database.rows(sql`
    update events set app_id = null, key_id = null where tenant_id = ${tenant.tenantId} and app_id = ${other}`)
  await database.rows(sql`delete from activity_counts where tenant_id = ${tenant.tenantId}`)
  await database.rows(sql`delete from activity_cursors where tenant_id = ${tenant.tenantId}`)
  await followAll(database)
  const { messages: forgotten } = await usage('UTC')
  assert.deepEqual([forgotten.apps.length, sum(forgotten.others)], [2, 1])

  // More keys than are shown: what is beyond is counted together.
  const uses = await Promise.all(
    Array.from({ length: 52 }, async (_, i) => ({
      tenantId: tenant.tenantId,
      keyId: (await keyOf(other)).id,
      requests: i + 1,
    })),
  )
  await recordKeyUse(database, uses)
  const behind = await database.first(sql<{ sum: number }>`
    select sum(requests)::bigint as sum from api_key_requests where tenant_id = ${tenant.tenantId}`)
  const { requests } = await usage('UTC')
  assert.equal(requests.keys.length, 50)
  assert.equal(requests.days.length, 7)
  const shown = sum(requests.keys.flatMap((each: { requests: number[] }) => each.requests))
  assert.equal(shown + sum(requests.others), behind?.sum)
  assert(sum(requests.others) > 0)
  const { app, keys } = await given(owner, 'GET', `/data/apps/${other}`)
  const most = keys.find(({ id }: { id: Uuid }) => id === requests.keys[0].id)
  assert.deepEqual(
    requests.keys[0].requests,
    most.requests.map(({ requests }: { requests: number }) => requests),
  )
  assert.equal(requests.keys[0].app.name, app.name)
  const { plan, keptDays } = await given(admin, 'GET', '/data/settings')
  assert.equal(plan.requestsPerDay.used, behind?.sum)
  assert.deepEqual([plan.name, plan.requestsPerDay.limit, plan.requestsPerMinute], ['standard', 50_000, 100])
  assert.deepEqual([plan.messages.used, plan.applications.used, plan.applications.limit], [8, 3, 100])
  assert.deepEqual([keptDays.messages, keptDays.trash, keptDays.bounces], [null, 30, 400])

  const stranger = await makePlace()
  const { messages: none, requests: nothing, stored } = await given(stranger.owner, 'GET', '/data/usage')
  assert.deepEqual([none.apps, nothing.keys, stored], [[], [], []])
})

test('what a mailbox has stored is the sum of its messages, and the largest come first', async () => {
  const { tenant, owner } = await makePlace()
  const { id: appId } = await createApp(database, operatorOf(tenant.tenantId), { name: 'S', environment: 'sandbox' })
  const { key } = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
    ...{ appId, scopes: ['messages:send'] },
  })
  const address = `large${tenant.address}`
  const { id: large } = await createMailbox(database, operatorOf(tenant.tenantId), { address, displayName: 'Large' })
  const worker = await startTestOutbound(database, { relayUrl: 'smtp://127.0.0.1:1', store })
  const inSandbox = `?environment=sandbox:${appId}`
  await send({ ...tenant, key })
  for (let i = 0; i < 2; i++) await send({ ...tenant, key, mailboxId: large }, { text: 'x'.repeat(5_000) })
  const { stored, behind } = await until('they are built and counted', async () => {
    const { items } = await given(owner, 'GET', `/data/messages${inSandbox}`)
    const heads = await Promise.all(
      items.map(({ id }: { id: Uuid }) => given(owner, 'GET', `/data/messages/${id}${inSandbox}`)),
    )
    const sizeIn = (mailboxId: Uuid) =>
      sum(heads.flatMap(({ sizeBytes, mailboxes }) => (mailboxes[0].mailboxId === mailboxId ? [sizeBytes] : [])))
    await followAll(database)
    const { stored } = await given(owner, 'GET', `/data/usage${inSandbox}`)
    const isBuilt = heads.every(({ sizeBytes }) => sizeBytes !== null)
    return isBuilt && stored.length === 2 && { stored, behind: [sizeIn(large), sizeIn(tenant.mailboxId)] }
  })
  await worker.stop()
  assert.deepEqual(
    stored.map(({ id, bytes }: { id: Uuid; bytes: number }) => [id, bytes]),
    [
      [large, behind[0]],
      [tenant.mailboxId, behind[1]],
    ],
  )
  assert.deepEqual((await given(owner, 'GET', '/data/usage')).stored, [])
})

test('each figure of the Overview is the number of what its link leads to', async () => {
  const { tenant, owner } = await makePlace()
  for (let i = 0; i < 3; i++) await send(tenant)
  const cancelled = await send(tenant)
  await given(owner, 'POST', `/data/messages/${cancelled}/cancel`, undefined, 204)
  await followAll(database)
  for (const days of [1, 30]) {
    const { activity, waiting } = await given(owner, 'GET', `/data/overview?days=${days}&timeZone=Europe/Berlin`)
    const whole = { since: activity.bars[0].since, until: activity.bars.at(-1).until }
    for (const [type, count] of Object.entries(activity.sums)) {
      const { items } = await given(owner, 'GET', `/data/events?${new URLSearchParams({ type, ...whole })}`)
      assert.equal(items.length, count, type)
    }
    assert.deepEqual([activity.sums['message.queued'], activity.sums['message.failed']], [4, 1])
    const { items } = await given(owner, 'GET', '/data/messages?status=queued')
    assert.equal(items.length, waiting.queued)
  }
})

test('a thing is found by its id or by words, where it is and nowhere else', async () => {
  const { tenant, owner, admin } = await makePlace()
  const stranger = await makePlace()
  const { id: sandbox } = await createApp(database, operatorOf(tenant.tenantId), {
    ...{ name: 'Tryout', environment: 'sandbox' },
  })
  const receiver = await startReceiver()
  const { endpoint } = await subscribe(api.url, database, receiver, { tenant })
  const endpointId = endpoint.id
  const messageId = await send(tenant, { to: ['grace@example.test'], subject: 'Invoice seven' })
  await followAll(database)
  const find = async (q: string, by = owner, more = '') =>
    (await given(by, 'GET', `/data/find?q=${encodeURIComponent(q)}${more}`)).items as {
      kind: string
      id: Uuid
      words: string
      resourceId: Uuid | null
    }[]
  const { rows } = await database.pool.query(
    `select e.id as event, d.id as delivery, (select id from domains where tenant_id = $1) as domain
     from events e join webhook_deliveries d on d.event_id = e.id where e.resource_id = $2`,
    [tenant.tenantId, messageId],
  )
  const { event, delivery, domain } = rows[0]
  const refused = await call(api.url, 'GET', '/v1/messages?limit=0', { key: tenant.key })
  const request = refused.body.requestId
  await until('the refused request is kept', async () => (await find(request)).length > 0)
  const things = { message: messageId, event, delivery, request, endpoint: endpointId, app: tenant.appId, domain }
  for (const [kind, id] of Object.entries({ ...things, mailbox: tenant.mailboxId })) {
    for (const q of [id, ` ${id.toUpperCase()} `]) {
      const [found, ...more] = await find(q, admin)
      assert.deepEqual([found?.kind, found?.id, more.length], [kind, id, 0])
    }
    assert.deepEqual(await find(id, stranger.owner), [])
    // Those that lie in an environment are in no other.
    const isEverywhere = ['app', 'domain', 'mailbox'].includes(kind)
    assert.equal((await find(id, owner, `&environment=sandbox:${sandbox}`)).length, isEverywhere ? 1 : 0)
  }
  for (const [q, kind, id] of [
    ['INVOICE sev', 'message', messageId],
    ['grace@example.test', 'message', messageId],
    [`<${messageId}@example.test>`, 'message', messageId],
    [tenant.address, 'mailbox', tenant.mailboxId],
    ['SENDER@', 'mailbox', tenant.mailboxId],
    [(tenant.address.split('@')[1] ?? '').slice(3, 20), 'domain', domain],
    [receiver.url.replace(/^\w+:\/\//, ''), 'endpoint', endpointId],
    ['tryOUT', 'app', sandbox],
  ] as const) {
    assert(
      (await find(q)).some((found) => found.kind === kind && found.id === id),
      q,
    )
    assert(!(await find(q, stranger.owner)).some((found) => found.id === id), q)
  }
  for (const q of ['%', '_', "'", '\\', '(', ':*', '  ', '\u{10ffff}']) await find(q)
  for (const query of ['', '?q=', `?q=${'x'.repeat(201)}`, '?q=a%00b']) {
    await given(owner, 'GET', `/data/find${query}`, undefined, 400)
  }
})
