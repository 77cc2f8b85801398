// Domains and mailboxes, as Owners of a tenant look after them and Admins see them, in two processes of the console.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createApp } from '../../src/apps/create-app.ts'
import { listAudit } from '../../src/audit/list-audit.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestDns } from '../support/dns.ts'
import { noticesOf } from '../support/notices.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, createTestPerson, type TestUser } from '../support/people.ts'
import { startTestSite, type TestSite } from '../support/site.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database, url } = await createTestDatabase()
const second = openDatabase({ url })
after(() => second.end())
const dns = await startTestDns()
after(() => dns.stop())
const config = {
  dnsServers: [dns.server],
  noticesFrom: 'notices@service.test',
  webmail: { host: '127.0.0.1', port: 0, publicUrl: 'https://webmail.test' },
}
const one = await startTestSite('console', database, { config })
const two = await startTestSite('console', second, { config })

const tenant = await createTestTenant(database)
const { tenantId, mailboxId, address } = tenant
const [ada, joe, eve] = [
  await createTestPerson(database, tenantId, 'owner'),
  await createTestPerson(database, tenantId, 'admin'),
  await createTestPerson(database, (await createTestTenant(database)).tenantId, 'owner'),
]
const as =
  ({ session }: TestUser, site: TestSite = one) =>
  (method: string, path: string, body?: unknown) =>
    site.ask(method, path, { session, body })
const domainOf = (text: string) => text.slice(text.indexOf('@') + 1)
const operations = async () => (await listAudit(database, operatorOf(tenantId), 1_000)).map((act) => act.operation)

async function addNext(name = `${newId()}.test`): Promise<{ id: string; name: string }> {
  const { status, text, body } = await as(ada)('POST', '/data/domains', { domain: name })
  assert.equal(status, 201, text)
  return { id: body.id, name }
}

test('a domain that is added is checked at once, and says of each record what to publish and what was found instead', async () => {
  const name = 'shop.test'
  dns.zone = { 'shop.test': { TXT: ['v=spf1 a', 'v=spf1 mx'] }, '_dmarc.shop.test': 'servfail' }
  const { id } = await addNext(` ${name.toUpperCase()}. `)
  const { body: shown } = await as(joe, two)('GET', `/data/domains/${id}`)
  assert.deepEqual([shown.domain, shown.verified, shown.health, shown.mailboxCount], [name, false, 'failing', 0])
  assert(shown.checkedAt && Date.parse(shown.nextCheckAt) > Date.parse(shown.checkedAt))
  const of = (purpose: string) => shown.records.find((record: { purpose: string }) => record.purpose === purpose)
  assert.deepEqual([of('spf').check.fault, of('spf').check.found], ['several', ['v=spf1 a', 'v=spf1 mx']])
  assert.deepEqual(of('verification').check.fault, 'nothing')
  assert.deepEqual(of('dmarc').check.fault, 'no_answer')
  assert.match(of('dkim').value, /^v=DKIM1; k=rsa; p=/)
  assert.match(of('dkim').zoneLine, /^mdk-\w+\._domainkey\.shop\.test\. IN TXT "v=DKIM1/)

  // Published, it is found as soon as somebody asks, who may be an Admin.
  dns.zone = { [of('verification').name]: { TXT: [of('verification').value] } }
  await database.rows(sql`update domains set check_begun_at = null where id = ${id}`)
  assert.equal((await as(joe, two)('POST', `/data/domains/${id}/check`)).status, 204)
  const { body: list } = await as(joe)('GET', '/data/domains')
  const listed = list.items.find((domain: { id: string }) => domain.id === id)
  assert.deepEqual([listed.verified, listed.atFault], [true, ['dkim', 'spf', 'mx', 'dmarc']])
  const done = await operations()
  assert(done.includes('domain.add') && done.includes('domain.check'))
})

test('of many who ask for a check at once one asks the DNS, and the others are told to wait', async () => {
  const { id } = await addNext()
  const ask = (site: TestSite) => as(ada, site)('POST', `/data/domains/${id}/check`)
  assert.equal((await ask(one)).status, 429, 'it was checked when it was added')
  await database.rows(sql`update domains set check_begun_at = check_begun_at - interval '3 seconds' where id = ${id}`)
  const asked = dns.questions.length
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => ask(i % 2 ? one : two)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array(9).fill(429)])
  const refused = answers.find(({ status }) => status === 429)
  assert.equal(refused?.headers.get('retry-after'), '3')
  assert.deepEqual(refused?.body.details, { retryAfterSeconds: 3 })
  assert(dns.questions.length - asked <= 12, `${dns.questions.length - asked} questions`)
  assert.equal((await as(ada)('POST', `/data/domains/${newId()}/check`)).status, 404)
})

test('a hundred domains may be added by the people of a tenant, whichever of two who ask at once', async () => {
  const full = await createTestTenant(database)
  const owner = await createTestPerson(database, full.tenantId, 'owner')
  await database.rows(sql`
    insert into domains (tenant_id, id, domain, verified, verification_token, health, check_due_at)
    select ${full.tenantId}, gen_random_uuid(), 'n' || n || '.full.test', false, 'x', 'pending', 'infinity'
    from generate_series(1, 98) as n`)
  const add = (site: TestSite) => as(owner, site)('POST', '/data/domains', { domain: `${newId()}.test` })
  const answers = await Promise.all([add(one), add(two), add(one), add(two)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 402, 402, 402])
  const refused = answers.find(({ status }) => status !== 201)
  assert.deepEqual(refused?.body.details, { resource: 'domains', limit: 100, used: 100, resetsAt: null })
  await addDomain(database, operatorOf(full.tenantId), { domain: `${newId()}.test`, vouched: true, checked: false })
})

test('a name that is none or is taken is refused beside its field, and nobody vouches for their own domain', async () => {
  for (const domain of ['no domain', 'localhost', '-.test', 'a'.repeat(300), domainOf(address)]) {
    const { status, body } = await as(ada)('POST', '/data/domains', { domain })
    assert.deepEqual([status, body.details.fields[0].path], [400, 'domain'], domain)
  }
  const vouched = { domain: `${newId()}.test`, vouched: true }
  assert.equal((await as(ada)('POST', '/data/domains', vouched)).status, 400)
})

test('a domain is removed, unless it has mailboxes', async () => {
  const { id } = await addNext()
  assert.equal((await as(ada)('DELETE', `/data/domains/${id}`)).status, 204)
  assert.equal((await as(ada, two)('GET', `/data/domains/${id}`)).status, 404)
  const { body } = await as(ada)('GET', '/data/domains')
  const used = body.items.find(({ domain }: { domain: string }) => domain === domainOf(address))
  const refused = await as(ada)('DELETE', `/data/domains/${used.id}`)
  assert.deepEqual([refused.status, refused.body.code], [403, 'not_allowed'])
  assert.match(refused.body.message, /has a mailbox/)
  assert((await operations()).includes('domain.remove'))
})

test('a mailbox is made on a verified domain, renamed, suspended and resumed', async () => {
  const made = await as(ada)('POST', '/data/mailboxes', { address: `Hello@${domainOf(address)}`, name: 'Hello' })
  assert.equal(made.status, 201, made.text)
  const { id } = made.body
  const shown = async () => (await as(joe, two)('GET', `/data/mailboxes/${id}`)).body
  const { createdAt, ...rest } = await shown()
  assert(Date.parse(createdAt))
  assert.deepEqual(rest, {
    ...{ id, address: `hello@${domainOf(address)}`, displayName: 'Hello', status: 'active' },
    ...{ users: 0, unread: 0, storedBytes: 0 },
  })
  for (const status of ['suspended', 'active']) {
    assert.equal((await as(ada)('PUT', `/data/mailboxes/${id}/status`, { status })).status, 204)
    assert.equal((await shown()).status, status)
  }
  assert.equal((await as(ada)('PUT', `/data/mailboxes/${id}/name`, { name: 'Sales' })).status, 204)
  assert.equal((await shown()).displayName, 'Sales')
  const unverified = await addNext()
  for (const [wrong, field] of [
    [{ address: `x@${unverified.name}`, name: 'X' }, 'address'],
    [{ address: 'x@elsewhere.test', name: 'X' }, 'address'],
    [{ address: 'nothing', name: 'X' }, 'address'],
    [{ address: `x@${domainOf(address)}`, name: ' ' }, 'name'],
  ] as const) {
    const { status, body } = await as(ada)('POST', '/data/mailboxes', wrong)
    assert.deepEqual([status, body.details.fields[0].path], [400, field])
  }
})

test('mailboxes are listed by address, page by page, by status and by a part of what they are called', async () => {
  const many = await createTestTenant(database)
  const owner = await createTestPerson(database, many.tenantId, 'owner')
  const domain = domainOf(many.address)
  await database.rows(sql`
    insert into mailboxes (tenant_id, id, domain_id, address, display_name, status)
    select b.tenant_id, gen_random_uuid(), b.domain_id, 'box' || lpad(n::text, 3, '0') || '@' || ${domain},
      'Name 50%_' || n, case when n % 2 = 0 then 'active' else 'suspended' end
    from mailboxes b, generate_series(1, 100) as n where b.id = ${many.mailboxId}`)
  const addresses = async (query: string) => {
    const all: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor && `&cursor=${encodeURIComponent(cursor)}`
      const { body } = await as(owner)('GET', `/data/mailboxes?${query}${more}`)
      assert(body.items.length <= 50)
      all.push(...body.items.map((item: { address: string }) => item.address))
      cursor = body.nextCursor
    }
    return all
  }
  const all = await addresses('')
  assert.deepEqual([all.length, new Set(all).size, [...all].sort().join()], [101, 101, all.join()])
  assert.equal((await addresses('status=suspended')).length, 50)
  const { text } = await as(owner)('GET', '/data/exports/mailboxes.csv?status=suspended&q=box01')
  const lines = text.split('\r\n').filter((line) => line !== '')
  assert.equal(lines[0], 'id,address,displayName,status,users,unread,storedBytes,createdAt')
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(',').slice(1, 7).join()),
    [11, 13, 15, 17, 19].map((n) => `box0${n}@${domain},Name 50%_${n},suspended,0,0,0`),
  )
  assert.equal((await addresses('q=BOX01')).length, 10)
  assert.equal((await addresses(`q=${encodeURIComponent('name 50%_100')}`)).length, 1)
  assert.equal((await addresses('q=%25')).length, 100, 'it is no pattern')
  assert.equal((await as(owner)('GET', '/data/mailboxes?status=closed')).status, 400)
  assert.equal((await as(eve)('GET', '/data/mailboxes')).body.items.length, 1)
})

test('a user is given a mailbox by a link into the webmail, invited again, reset, and let read or write', async () => {
  const users = `/data/mailboxes/${mailboxId}/users`
  const added = await as(ada)('POST', users, { login: 'Grace@Elsewhere.example', access: 'read' })
  assert.equal(added.status, 201, added.text)
  const { id, link, canBeMailed } = added.body
  assert.match(link, /^https:\/\/webmail\.test\/enter\/[\w-]{43}$/)
  assert.equal(canBeMailed, true)
  const listed = async () =>
    (await as(joe, two)('GET', users)).body.items.find((user: { id: string }) => user.id === id)
  assert.deepEqual(await listed(), {
    ...{ id, login: 'grace@elsewhere.example', name: null, access: 'read', others: [], status: 'invited' },
    ...{ hasRecoveryAddress: false, lastSeenAt: null },
  })
  const again = await as(ada)('POST', `/data/mailbox-users/${id}/invitation`)
  assert.equal(again.status, 201)
  assert.notEqual(again.body.link, link)
  const links = await database.rows(sql`select from user_links where user_id = ${id} and purpose = 'invitation'`)
  assert.equal(links.length, 1, 'the former is no good any more')
  assert.match((await as(ada)('POST', `/data/mailbox-users/${id}/reset`)).body.link, /\/enter\//)
  assert.equal((await as(ada)('PUT', `${users}/${id}/access`, { access: 'write' })).status, 204)
  assert.equal((await listed()).access, 'write')
  assert.equal((await as(ada)('DELETE', `${users}/${id}`)).status, 204)
  assert.equal(await listed(), undefined)
  for (const refused of [
    await as(ada)('POST', users, { login: 'nobody', access: 'read' }),
    await as(ada)('POST', users, { login: 'x@example.com', access: 'own' }),
  ]) {
    assert.equal(refused.status, 400)
  }
  for (const absent of [
    await as(ada)('PUT', `${users}/${id}/access`, { access: 'read' }),
    await as(ada)('DELETE', `${users}/${id}`),
    await as(ada)('POST', `/data/mailbox-users/${id}/invitation`),
    await as(ada)('POST', `/data/mailbox-users/${id}/reset`),
    await as(ada)('GET', `/data/mailboxes/${newId()}/users`),
  ]) {
    assert.equal(absent.status, 404)
  }
  const done = await operations()
  for (const act of ['add', 'invite', 'reset', 'setAccess', 'remove']) assert(done.includes(`mailboxUser.${act}`), act)
})

test('a link is mailed to where its user reads mail, and never into the mailbox that it leads to', async () => {
  const users = `/data/mailboxes/${mailboxId}/users`
  const mail = (link: string, to?: string) =>
    as(ada)('POST', '/data/links/mail', {
      ...{ kind: 'mailbox_user', token: link.slice(link.lastIndexOf('/') + 1) },
      ...(to === undefined ? {} : { to }),
    })
  const whereTo = async (userId: string) => {
    const notices = await database.rows(sql<{ to: string | null }>`
      select facts ->> 'to' as to from notices where tenant_id = ${tenantId} and user_id = ${userId} order by created_at`)
    return notices.map(({ to }) => to)
  }
  const { body: self } = await as(ada)('POST', users, { login: address, access: 'write' })
  for (const refused of [
    await mail(self.link),
    await mail(self.link, address.toUpperCase()),
    await mail(self.link, 'x'),
  ]) {
    assert.deepEqual([refused.status, refused.body.details.fields[0].path], [400, 'to'])
  }
  assert.equal((await mail(self.link, ' Self@Home.example ')).status, 204)
  assert.deepEqual(await whereTo(self.id), ['self@home.example'])

  const { body: grace } = await as(ada)('POST', users, { login: 'grace@home.example', access: 'write' })
  assert.equal((await mail(grace.link)).status, 204)
  assert.deepEqual(await whereTo(grace.id), ['grace@home.example'])

  const joined = await createTestMailboxUser(database, tenantId, mailboxId)
  for (const [verified, to] of [
    ['null', joined.login],
    ['clock_timestamp()', 'safe@home.example'],
  ] as const) {
    await database.pool.query(
      `insert into recovery_addresses (tenant_id, user_id, address, verified_at) values ($1, $2, 'safe@home.example', ${verified})
       on conflict (tenant_id, user_id) do update set verified_at = excluded.verified_at`,
      [tenantId, joined.id],
    )
    const { body } = await as(ada)('POST', `/data/mailbox-users/${joined.id}/reset`)
    assert.equal((await mail(body.link)).status, 204)
    assert.equal((await whereTo(joined.id)).at(-1), to)
  }
  assert((await noticesOf(database, tenantId)).length >= 4)
})

test('an Admin sees all of it and changes nothing, and no other tenant sees any', async () => {
  const { id } = await addNext()
  const user = await createTestMailboxUser(database, tenantId, mailboxId)
  const users = `/data/mailboxes/${mailboxId}/users`
  for (const path of [
    '/data/domains',
    `/data/domains/${id}`,
    '/data/mailboxes',
    `/data/mailboxes/${mailboxId}`,
    users,
  ]) {
    assert.equal((await as(joe)('GET', path)).status, 200, path)
  }
  const changes: [string, string, unknown?][] = [
    ['POST', '/data/domains', { domain: 'admin.test' }],
    ['DELETE', `/data/domains/${id}`],
    ['POST', '/data/mailboxes', { address: `x@${domainOf(address)}`, name: 'X' }],
    ['PUT', `/data/mailboxes/${mailboxId}/status`, { status: 'suspended' }],
    ['PUT', `/data/mailboxes/${mailboxId}/name`, { name: 'X' }],
    ['POST', users, { login: 'x@example.com', access: 'read' }],
    ['PUT', `${users}/${user.id}/access`, { access: 'read' }],
    ['DELETE', `${users}/${user.id}`],
    ['POST', `/data/mailbox-users/${user.id}/invitation`],
    ['POST', `/data/mailbox-users/${user.id}/reset`],
  ]
  for (const [method, path, body] of changes) {
    assert.equal((await as(joe)(method, path, body)).status, 403, `${method} ${path}`)
    const isOwn = method === 'POST' && /^\/data\/(?:domains|mailboxes)$/.test(path)
    if (!isOwn) assert.equal((await as(eve)(method, path, body)).status, 404, `${method} ${path}`)
  }
  for (const path of [`/data/domains/${id}`, `/data/mailboxes/${mailboxId}`, users]) {
    assert.equal((await as(eve)('GET', path)).status, 404, path)
  }
  assert.equal((await as(eve)('POST', `/data/domains/${id}/check`)).status, 404)
})

test('links and access are given by whoever signed in of late alone', async () => {
  const old = await createTestPerson(database, tenantId, 'owner')
  const user = await createTestMailboxUser(database, tenantId, mailboxId)
  await database.rows(sql`update sessions set proven_at = proven_at - interval '11 minutes' where user_id = ${old.id}`)
  const users = `/data/mailboxes/${mailboxId}/users`
  for (const answer of [
    await as(old)('POST', users, { login: 'x@example.com', access: 'read' }),
    await as(old)('PUT', `${users}/${user.id}/access`, { access: 'read' }),
    await as(old)('DELETE', `${users}/${user.id}`),
    await as(old)('POST', `/data/mailbox-users/${user.id}/reset`),
    await as(old)('POST', `/data/mailbox-users/${user.id}/invitation`),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [403, 'sign_in_again'])
  }
})

test('domains and mailboxes are the same in a sandbox, and what mailboxes have there is its own', async () => {
  const { id } = await createApp(database, operatorOf(tenantId), { name: 'Trial', environment: 'sandbox' })
  const there = (path: string) => as(joe)('GET', `${path}?environment=sandbox:${id}`)
  assert.deepEqual((await there('/data/domains')).body, (await as(joe)('GET', '/data/domains')).body)
  await database.rows(sql`
    insert into mailbox_amounts (tenant_id, environment_id, mailbox_id, folder, messages, size_bytes, unread)
    values (${tenantId}, ${id}, ${mailboxId}, 'sent', 1, 5, 0), (${tenantId}, ${tenantId}, ${mailboxId}, 'inbox', 1, 70, 1),
      (${tenantId}, ${tenantId}, ${mailboxId}, 'inbox', 0, -7, -1), (${tenantId}, ${tenantId}, ${mailboxId}, 'spam', 2, 4, 2)`)
  const of = async ({ body }: { body: { storedBytes: number; unread: number } }) => [body.storedBytes, body.unread]
  assert.deepEqual(await of(await there(`/data/mailboxes/${mailboxId}`)), [5, 0])
  assert.deepEqual(await of(await as(joe)('GET', `/data/mailboxes/${mailboxId}`)), [67, 0])
})

test('a message list that is narrowed to a mailbox that is not there says so as the page does', async () => {
  const { status, body } = await as(joe)('GET', `/data/messages?mailbox=${newId()}`)
  assert.deepEqual([status, body.message, body.details], [404, 'There is no such mailbox.', { field: 'mailbox' }])
})
