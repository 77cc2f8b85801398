// Stopped addresses: what is sent to them fails at once and is submitted to nobody, whoever stops them at whatever moment.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Environment } from '../../src/access/actor.ts'
import { listAudit } from '../../src/audit/list-audit.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import type { RelayReport } from '../../src/mail/reports/relay-report.ts'
import { applyReports } from '../../src/messages/apply-reports.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { addSuppression } from '../../src/suppressions/add-suppression.ts'
import { setAutomaticStops } from '../../src/suppressions/automatic-stops.ts'
import { bouncesOfAddress } from '../../src/suppressions/bounces-of-address.ts'
import { importSuppressions } from '../../src/suppressions/import-suppressions.ts'
import { type BouncedQuery, listBouncedAddresses } from '../../src/suppressions/list-bounced-addresses.ts'
import { listSuppressions } from '../../src/suppressions/list-suppressions.ts'
import { recordBounces } from '../../src/suppressions/record-bounces.ts'
import { removeSuppression } from '../../src/suppressions/remove-suppression.ts'
import { type Answer, call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { mdkInside } from '../support/mdk.ts'
import { operatorOf } from '../support/operator.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { flushStatistics } from '../support/statistics.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const otherProcess = openDatabase({ url: databaseUrl })
after(() => otherProcess.end())
const store = await openTestStore()
const api = await startTestApi(database, { store })
const otherApi = await startTestApi(otherProcess, { store })
const folder = await temporaryFolder('suppressions-test-')
after(() => rm(folder, { recursive: true, force: true }))
const sink = await startSmtpSink({
  onRecipient: (address) =>
    address.startsWith('nobody')
      ? '550 5.1.1 no such user'
      : address.startsWith('policy')
        ? '550 5.7.1 not you'
        : undefined,
})
after(() => sink.stop())

const ADA = 'Ada@Example.test'
const GRACE = 'grace@example.test'
const JOAN = 'joan@example.test'

interface Tenant extends TestTenant {
  environmentId: Uuid
}

async function made(environment: Environment = 'production'): Promise<Tenant> {
  const tenant = await createTestTenant(database, { environment })
  return { ...tenant, environmentId: environment === 'production' ? tenant.tenantId : tenant.appId }
}

function ok(answer: Answer, status = 200) {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

const mail = (tenant: Tenant, to: string[], more: object = {}) => ({
  ...{ fromMailboxId: tenant.mailboxId, to, subject: 'Hello', text: 'x' },
  ...more,
})

const sent = async (tenant: Tenant, to: string[], more: object = {}, at = api.url): Promise<Uuid> =>
  ok(await send(at, tenant.key, mail(tenant, to, more)), 202).id

const read = async (tenant: Tenant, id: Uuid) =>
  ok(await call(api.url, 'GET', `/v1/messages/${id}`, { key: tenant.key })).message

const standing = async (tenant: Tenant, id: Uuid): Promise<string[]> => {
  const { recipients } = await read(tenant, id)
  return recipients.map((one: { address: string; status: string; diagnostic: string | null }) =>
    [one.address, one.status, ...(one.diagnostic ? [one.diagnostic] : [])].join(' '),
  )
}

const eventsOf = async (tenant: Tenant, id: Uuid) => {
  await feedCaughtUp(database)
  const { items } = ok(await call(api.url, 'GET', `/v1/events?resourceId=${id}`, { key: tenant.key }))
  return items.map(({ type, data }: { type: string; data: { status: string; recipient?: string } }) =>
    [type, data.status, ...(data.recipient ? [data.recipient] : [])].join(' '),
  )
}

const countOf = async (tenantId: Uuid) => {
  const row = await database.first(sql<{ counted: number; there: number }>`
    select t.suppressions as counted, (select count(*) from suppressions s where s.tenant_id = t.id) as there
    from tenants t where t.id = ${tenantId}`)
  return row ?? assert.fail()
}

const stop = (tenant: Tenant, address: string, on = database) =>
  addSuppression(on, operatorOf(tenant.tenantId, tenant.environmentId), { address })

const stopped = async (tenant: Tenant) =>
  (await listSuppressions(database, operatorOf(tenant.tenantId, tenant.environmentId), { limit: 100 })).items

const listed = (tenant: Tenant, query: Partial<BouncedQuery> = {}) =>
  listBouncedAddresses(database, operatorOf(tenant.tenantId, tenant.environmentId), { limit: 100, ...query })

test('a tenant that stops nobody has nothing looked up, however many addresses others have stopped', async () => {
  const [others, tenant] = [await made(), await made()]
  const many = Array.from({ length: 5_000 }, (_, n) => `m${n}@example.test`).join('\n')
  await importSuppressions(database, operatorOf(others.tenantId), [many])
  await database.pool.query('analyze suppressions')
  const looks = async () => {
    await Promise.all([flushStatistics(database), flushStatistics(otherProcess)])
    const { rows } = await database.pool.query(
      `select seq_scan as whole, idx_scan as found from pg_stat_user_tables where relname = 'suppressions'`,
    )
    return rows[0] as { whole: string; found: string }
  }
  const before = await looks()
  await submitted(tenant, [ADA, GRACE], [JOAN])
  assert.deepEqual(await looks(), before)
  await sent(others, [ADA, GRACE, 'M7@example.test'])
  // A connection that is at work at that moment hands in what it has counted a little later.
  await until('what was looked up is counted', async () => Number((await looks()).found) >= Number(before.found) + 3)
  const after = await looks()
  assert.equal(after.whole, before.whole)
  assert.equal(Number(after.found), Number(before.found) + 3)
})

test('a message whose recipients are all stopped fails at once, says so of each in order, and is nobody’s work', async () => {
  const tenant = await made()
  await stop(tenant, ADA)
  await stop(tenant, GRACE)
  const id = await sent(tenant, ['ada@EXAMPLE.test'], { cc: [GRACE] })
  const message = await read(tenant, id)
  assert.equal(message.status, 'failed')
  assert.equal(message.sentAt, null)
  assert.deepEqual(await standing(tenant, id), ['ada@EXAMPLE.test failed suppressed', `${GRACE} failed suppressed`])
  assert.deepEqual(
    message.recipients.map((one: { attempts: number; updatedAt: string }) => [one.attempts, one.updatedAt]),
    [
      [0, message.createdAt],
      [0, message.createdAt],
    ],
  )
  assert.deepEqual(await eventsOf(tenant, id), [
    'message.queued queued',
    'message.failed queued ada@EXAMPLE.test',
    `message.failed failed ${GRACE}`,
  ])
  assert.deepEqual(await database.rows(sql`select from jobs where subject_id = ${id}`), [])
  const failed = ok(await call(api.url, 'GET', '/v1/messages?status=failed', { key: tenant.key }))
  assert.deepEqual(
    failed.items.map((item: { id: Uuid }) => item.id),
    [id],
  )
  const [once, again] = [
    await send(api.url, tenant.key, mail(tenant, [ADA]), 'a key of ours'),
    await send(api.url, tenant.key, mail(tenant, [ADA]), 'a key of ours'),
  ]
  assert.equal(again.body.id, once.body.id)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('of a message to some who are stopped the others get it, and its status is as of any mixed outcome', async () => {
  const tenant = await made()
  await stop(tenant, GRACE)
  const id = await sent(tenant, [ADA, GRACE], { bcc: [JOAN] })
  assert.equal((await read(tenant, id)).status, 'queued')
  assert.deepEqual(await standing(tenant, id), [`${ADA} queued`, `${GRACE} failed suppressed`, `${JOAN} queued`])
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  await until('it is sent', async () => (await read(tenant, id)).status === 'sent')
  await outbound.stop()
  assert.deepEqual(sink.mails.find(({ bytes }) => bytes.includes(tenant.address))?.to, [ADA, JOAN])
  assert.deepEqual(await eventsOf(tenant, id), [
    'message.queued queued',
    `message.failed queued ${GRACE}`,
    'message.sent sent',
  ])
})

test('an address beyond ASCII is stopped in every spelling', async () => {
  const tenant = await made()
  await stop(tenant, 'jürgen@münchen.example')
  const id = await sent(tenant, ['Jürgen@MÜNCHEN.example', 'jürgen@xn--mnchen-3ya.example.org'])
  assert.deepEqual(await standing(tenant, id), [
    'Jürgen@MÜNCHEN.example failed suppressed',
    'jürgen@xn--mnchen-3ya.example.org queued',
  ])
})

test('what one tenant or environment has stopped means nothing in another', async () => {
  const production = await made()
  const sandbox = await made('sandbox')
  const other = await made()
  await stop(production, ADA)
  await stop(sandbox, GRACE)
  assert.deepEqual(await standing(other, await sent(other, [ADA, GRACE])), [`${ADA} queued`, `${GRACE} queued`])
  assert.deepEqual(await standing(production, await sent(production, [ADA, GRACE])), [
    `${ADA} failed suppressed`,
    `${GRACE} queued`,
  ])
  const id = await sent(sandbox, [ADA, GRACE])
  assert.deepEqual(await standing(sandbox, id), [`${ADA} queued`, `${GRACE} failed suppressed`])
  await feedCaughtUp(database)
  const { items } = ok(await call(api.url, 'GET', '/v1/events?type=message.failed', { key: sandbox.key }))
  assert.equal(items[0].data.demo, true)

  // Of the same tenant, beside its sandbox.
  const inProduction = operatorOf(sandbox.tenantId)
  assert.deepEqual((await listSuppressions(database, inProduction, { limit: 10 })).items, [])
  await assert.rejects(removeSuppression(database, inProduction, { address: GRACE }), { code: 'not_found' })
})

test('requests that are written together fail for those alone who are stopped', async () => {
  const one = await made()
  const two = await made()
  await stop(one, ADA)
  const ids = await Promise.all([one, two, one, two].flatMap((tenant) => [sent(tenant, [ADA]), sent(tenant, [GRACE])]))
  const statuses = await Promise.all(ids.map(async (id, n) => (await read(n % 4 < 2 ? one : two, id)).status))
  assert.deepEqual(statuses, ['failed', 'queued', 'queued', 'queued', 'failed', 'queued', 'queued', 'queued'])
})

test('a stop that was answered holds for every send that begins afterwards, in every process, and so does letting back', async () => {
  const tenant = await made()
  for (let round = 0; round < 5; round++) {
    let isStopped = false
    let left = 6
    const ids: { id: Uuid; after: boolean }[] = []
    const sender = async (at: string) => {
      while (left > 0) {
        const after = isStopped
        if (after) left -= 1
        ids.push({ id: await sent(tenant, [ADA], {}, at), after })
      }
    }
    const senders = [api, otherApi, api, otherApi].map(({ url }) => sender(url))
    await stop(tenant, ADA, round % 2 === 0 ? database : otherProcess)
    isStopped = true
    await Promise.all(senders)
    for (const { id, after } of ids) if (after) assert.equal((await read(tenant, id)).status, 'failed')
    await removeSuppression(otherProcess, operatorOf(tenant.tenantId), { address: ADA })
    assert.equal((await read(tenant, await sent(tenant, [ADA]))).status, 'queued')
  }
})

test('who adds the first while another removes the last leaves a count that is right', async () => {
  const tenant = await made()
  const actor = operatorOf(tenant.tenantId)
  let last = 'a0@example.test'
  await stop(tenant, last)
  for (let round = 1; round <= 20; round++) {
    const next = `a${round}@example.test`
    const sides = [database, otherProcess]
    if (round % 2 === 0) sides.reverse()
    const [here, there] = sides as [typeof database, typeof database]
    await Promise.all([removeSuppression(here, actor, { address: last }), stop(tenant, next, there)])
    assert.deepEqual(await countOf(tenant.tenantId), { counted: 1, there: 1 })
    assert.deepEqual(await standing(tenant, await sent(tenant, [last, next])), [
      `${last} queued`,
      `${next} failed suppressed`,
    ])
    last = next
  }
  const both = await Promise.all([database, otherProcess].map((side) => stop(tenant, ADA, side)))
  assert.deepEqual(both.map(({ added }) => added).sort(), [false, true])
  assert.equal(both[0]?.id, both[1]?.id)
  const ends = await Promise.allSettled(
    [database, otherProcess].map((side) => removeSuppression(side, actor, { address: ADA })),
  )
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.deepEqual(await countOf(tenant.tenantId), { counted: 1, there: 1 })
})

test('whoever is stopped while a message waits gets nothing of it', async () => {
  const tenant = await made()
  const [some, all] = [await sent(tenant, [ADA, GRACE]), await sent(tenant, [ADA])]
  await stop(tenant, ADA)
  assert.deepEqual(await standing(tenant, some), [`${ADA} queued`, `${GRACE} queued`])
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  await until('both are done with', async () => {
    const [one, other] = [await read(tenant, some), await read(tenant, all)]
    return one.status === 'sent' && other.status === 'failed'
  })
  await outbound.stop()
  assert.deepEqual(
    sink.mails.filter(({ bytes }) => bytes.includes(tenant.address)).map(({ to }) => to),
    [[GRACE]],
  )
  assert.deepEqual((await standing(tenant, some))[0], `${ADA} failed suppressed`)
  assert.deepEqual(await eventsOf(tenant, some), [
    'message.queued queued',
    `message.failed queued ${ADA}`,
    'message.sent sent',
  ])
  assert.deepEqual(await eventsOf(tenant, all), ['message.queued queued', `message.failed failed ${ADA}`])
})

test('there is room for a million, and for no more, however many come at once', async () => {
  const tenant = await made()
  await database.rows(sql`update tenants set suppressions = 999998 where id = ${tenant.tenantId}`)
  const full = { code: 'plan_capacity_exceeded' }
  await stop(tenant, ADA)
  const last = await Promise.allSettled([stop(tenant, GRACE), stop(tenant, JOAN, otherProcess)])
  assert.deepEqual(last.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await assert.rejects(stop(tenant, 'another@example.test'), full)
  assert.equal((await stop(tenant, ADA)).added, false)
  await removeSuppression(database, operatorOf(tenant.tenantId), { address: ADA })
  await assert.rejects(
    importSuppressions(database, operatorOf(tenant.tenantId), ['a@example.test\nb@example.test']),
    full,
  )
  assert.equal((await importSuppressions(database, operatorOf(tenant.tenantId), ['a@example.test'])).added, 1)
  await database.rows(sql`delete from suppressions where tenant_id = ${tenant.tenantId}`)
  await database.rows(sql`update tenants set suppressions = 0 where id = ${tenant.tenantId}`)
})

/** As a relay's report over HTTP is carried out, by one of two processes. */
async function report(reports: RelayReport[], on = database) {
  const { ignored } = await applyReports({ database: on, store, returnPath: () => undefined }, reports)
  assert.equal(ignored, 0)
}

const bounced = (messageId: Uuid, recipient: string, enhancedCode = '5.1.1'): RelayReport => {
  const words = { smtpCode: 550, enhancedCode, diagnostic: `550 ${enhancedCode} said so` }
  return { messageId, recipient: { addresses: [recipient], outcome: 'bounced', ...words } }
}
const complained = (messageId: Uuid, recipient: string): RelayReport => ({
  ...{ messageId, recipient: { addresses: [recipient], outcome: 'complained' } },
})

async function submitted(tenant: Tenant, ...recipients: string[][]) {
  const ids = await Promise.all(recipients.map((to) => sent(tenant, to)))
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  await until('all are out', async () =>
    (await Promise.all(ids.map((id) => read(tenant, id)))).every(({ status }) => status !== 'queued'),
  )
  await outbound.stop()
  return ids
}

test('bounces and complaints are listed by address, with how often, which words and from which messages', async () => {
  const tenant = await made()
  const ids = await submitted(tenant, [ADA], ['ada@example.test', GRACE], [JOAN])
  const [first, second] = ids as [Uuid, Uuid]
  await report([bounced(first, ADA)])
  await report([bounced(second, 'ada@example.test', '5.7.1'), complained(second, GRACE)])
  await report([bounced(first, ADA), complained(second, GRACE)])
  const { items } = await listed(tenant)
  assert.deepEqual(
    items.map(({ address, bounces, complaints, last, stopped }) => [address, bounces, complaints, last?.kind, stopped]),
    [
      [GRACE, 0, 1, 'complained', null],
      ['ada@example.test', 2, 0, 'bounced', null],
    ],
  )
  const [grace, ada] = items
  assert.deepEqual(ada?.last, {
    ...{ kind: 'bounced', messageId: second, smtpCode: 550, enhancedCode: '5.7.1', diagnostic: '550 5.7.1 said so' },
  })
  assert((ada?.firstAt ?? '') < (ada?.lastAt ?? ''))
  const each = await bouncesOfAddress(database, operatorOf(tenant.tenantId), 'ADA@example.TEST')
  assert.deepEqual(
    each.map(({ messageId, enhancedCode, subject }) => [messageId, enhancedCode, subject]),
    [
      [second, '5.7.1', 'Hello'],
      [first, '5.1.1', 'Hello'],
    ],
  )
  assert.deepEqual(await stopped(tenant), [])

  // Narrowed, and page by page.
  await stop(tenant, JOAN)
  const addresses = async (query: Partial<BouncedQuery>) =>
    (await listed(tenant, query)).items.map(({ address }) => address)
  assert.deepEqual(await addresses({ status: 'bounced' }), ['ada@example.test'])
  assert.deepEqual(await addresses({ status: 'complained' }), [GRACE])
  assert.deepEqual(await addresses({ status: 'stopped' }), [JOAN])
  assert.deepEqual(await addresses({ recipient: 'Ada@EXAMPLE.test' }), ['ada@example.test'])
  assert.deepEqual(await addresses({ recipient: JOAN }), [JOAN])
  assert.deepEqual(await addresses({ recipient: JOAN, status: 'bounced' }), [])
  assert.deepEqual(await addresses({ recipient: ADA, status: 'stopped' }), [])
  assert.deepEqual(await addresses({ since: grace?.lastAt as string }), [GRACE])
  assert.deepEqual(await addresses({ until: grace?.lastAt as string }), ['ada@example.test'])
  const page = await listed(tenant, { limit: 1 })
  assert.deepEqual(
    page.items.map(({ address }) => address),
    [GRACE],
  )
  assert.deepEqual(await addresses({ limit: 1, cursor: page.nextCursor as string }), ['ada@example.test'])
  assert.equal((await listed(tenant, { limit: 2 })).nextCursor, null)
  for (const cursor of ['', 'x', '1', `1.${'x'.repeat(36)}`, `99999999999999999.${newId()}`]) {
    await assert.rejects(listed(tenant, { cursor }), { code: 'invalid_cursor' })
  }
  await assert.rejects(listed(tenant, { since: 'yesterday' }), { code: 'validation_error' })
  assert.deepEqual((await listed(await made())).items, [])
})

/** Bounces and complaints as they were recorded then. */
async function recordedThen(tenant: Tenant, given: [address: string, at: string, kind?: 'bounced' | 'complained'][]) {
  for (const [address, at, kind = 'bounced'] of given) {
    const bounce = { tenantId: tenant.tenantId, environmentId: tenant.environmentId, messageId: newId(), address, kind }
    const words = { smtpCode: 550, enhancedCode: '5.1.1', diagnostic: at }
    await database.transaction((tx) => recordBounces(tx, [{ ...bounce, ...words }]))
    await database.pool.query('update bounces set at = $3 where tenant_id = $1 and diagnostic = $2', [
      tenant.tenantId,
      at,
      at,
    ])
  }
}

test('who bounced in a month is listed as of that month, also who bounced again later, and counted in it', async () => {
  const tenant = await made()
  await recordedThen(tenant, [
    [JOAN, '2026-02-28T23:59:59.999999Z'],
    [GRACE, '2026-03-01T00:00:00Z'],
    [ADA, '2026-03-10T00:00:00Z'],
    [ADA, '2026-03-20T00:00:00Z', 'complained'],
    [GRACE, '2026-03-31T23:59:59.999999Z'],
    [ADA, '2026-04-01T00:00:00Z'],
  ])
  const march = { since: '2026-03-01', until: '2026-04-01' }
  const of = async (query: Partial<BouncedQuery>) =>
    (await listed(tenant, query)).items.map(({ address, bounces, complaints, firstAt, lastAt, last }) => [
      ...[address, bounces, complaints, firstAt && Date.parse(firstAt), lastAt && Date.parse(lastAt)],
      last?.diagnostic,
    ])
  const day = (text: string) => Date.parse(text)
  const grace = [GRACE, 2, 0, day('2026-03-01'), day('2026-03-31T23:59:59.999Z'), '2026-03-31T23:59:59.999999Z']
  const ada = ['ada@example.test', 1, 1, day('2026-03-10'), day('2026-03-20'), '2026-03-20T00:00:00Z']
  assert.deepEqual(await of(march), [grace, ada])
  assert.deepEqual(await of({ ...march, status: 'complained' }), [ada])
  const bouncedThen = ['ada@example.test', 1, 1, day('2026-03-10'), day('2026-03-10'), '2026-03-10T00:00:00Z']
  assert.deepEqual(await of({ ...march, status: 'bounced' }), [grace, bouncedThen])
  assert.deepEqual(await of({ ...march, recipient: ADA }), [ada])
  assert.deepEqual(await of({ ...march, recipient: JOAN }), [])
  assert.deepEqual(
    (await of({ until: '2026-03-01' })).map(([address]) => address),
    [JOAN],
  )
  assert.deepEqual(
    (await of({ since: '2026-04-01' })).map(([address]) => address),
    ['ada@example.test'],
  )
  const first = await listed(tenant, { ...march, limit: 1 })
  assert.deepEqual(
    first.items.map(({ address }) => address),
    [GRACE],
  )
  assert.deepEqual(await of({ ...march, limit: 1, cursor: first.nextCursor as string }), [ada])
  assert.deepEqual((await listed(await made(), march)).items, [])
})

test('a page of a month looks through so many bounces at most, however often one address bounced, and skips nobody', async () => {
  const tenant = await made()
  await database.pool.query(
    `insert into bounces (tenant_id, environment_id, address, id, message_id, kind, at)
     select $1, $1, case when n % 1000 = 0 then 'a' || n || '@example.test' else 'flood@example.test' end, gen_random_uuid(),
       gen_random_uuid(), 'bounced', '2026-03-20'::timestamptz - n * interval '1 second' from generate_series(1, 5000) n`,
    [tenant.tenantId],
  )
  const pages: string[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listed(tenant, { since: '2026-03-01', until: '2026-04-01', ...(cursor ? { cursor } : {}) })
    pages.push(page.items.map(({ address, bounces }) => `${address.split('@')[0]} ${bounces}`))
    cursor = page.nextCursor
  }
  assert.deepEqual(pages, [['flood 4995', 'a1000 1', 'a2000 1'], ['a3000 1', 'a4000 1'], ['a5000 1']])
})

test('nothing is stopped by itself until the tenant wants it; then what is gone for good or complains is, once, with why', async () => {
  const tenant = await made()
  const ids = await submitted(tenant, [ADA], [ADA], [GRACE], [GRACE], [JOAN])
  const [one, two, three, four, five] = ids as [Uuid, Uuid, Uuid, Uuid, Uuid]
  await report([bounced(one, ADA)])
  assert.deepEqual(await stopped(tenant), [])
  await setAutomaticStops(database, operatorOf(tenant.tenantId), true)
  // Both reports of each at once, over two processes' connections.
  await Promise.all([
    report([bounced(two, ADA)]),
    report([complained(three, GRACE)]),
    report([complained(four, GRACE)], otherProcess),
  ])
  await report([bounced(five, JOAN, '5.7.1')])
  const stops = (await stopped(tenant)).sort((a, b) => (a.address < b.address ? -1 : 1))
  assert.deepEqual(
    stops.map(({ address, reason, account, personId }) => [address, reason, account, personId]),
    [
      ['ada@example.test', 'bounce', null, null],
      [GRACE, 'complaint', null, null],
    ],
  )
  assert.equal(stops[0]?.messageId, two)
  assert([three, four].includes(stops[1]?.messageId ?? ''))
  assert.deepEqual(await countOf(tenant.tenantId), { counted: 2, there: 2 })
  assert.equal((await listed(tenant, { recipient: GRACE })).items[0]?.complaints, 2)
  assert.equal((await read(tenant, await sent(tenant, [ADA]))).status, 'failed')

  // Let back it stays so, until it bounces again.
  await removeSuppression(database, operatorOf(tenant.tenantId), { address: ADA })
  await report([bounced(two, ADA)])
  assert.equal((await stopped(tenant)).length, 1)
})

test('whom the relay refuses as there is no such mailbox bounces too; whom it refuses otherwise does not', async () => {
  const tenant = await made()
  await setAutomaticStops(database, operatorOf(tenant.tenantId), true)
  await submitted(tenant, ['nobody@example.test'], ['policy@example.test'])
  assert.deepEqual(
    (await listed(tenant)).items.map(({ address, stopped }) => [address, stopped?.reason]),
    [['nobody@example.test', 'bounce']],
  )
})

test('a sandbox has bounces and stops of its own', async () => {
  const tenant = await made('sandbox')
  await setAutomaticStops(database, operatorOf(tenant.tenantId), true)
  await submitted(tenant, ['bounced@example.test', 'silent@example.test'])
  assert.deepEqual(
    (await stopped(tenant)).map(({ address }) => address),
    ['bounced@example.test'],
  )
  assert.deepEqual((await listBouncedAddresses(database, operatorOf(tenant.tenantId), { limit: 10 })).items, [])
  const id = await sent(tenant, ['bounced@example.test'])
  assert.deepEqual(await standing(tenant, id), ['bounced@example.test failed suppressed'])
})

test('mdk suppression adds, lists, removes and imports, and tells the lines that are no address', async () => {
  const tenant = await made()
  const run = (...args: string[]) =>
    mdkInside({ MDK_DATABASE_URL: databaseUrl }, 'suppression', ...args, '--tenant', tenant.tenantId)
  const added = await run('add', ADA, '--note', 'asked us to')
  assert.deepEqual(added.json, { ...added.json, address: 'ada@example.test', added: true })
  assert.equal((await run('add', 'ada@example.test')).json.added, false)
  const [shown] = (await run('list')).json.items
  assert.equal(shown.id, added.json.id)
  assert.deepEqual([shown.reason, shown.note, shown.personId], ['manual', 'asked us to', null])
  assert.match(shown.account, /./)
  assert.equal((await run('add', 'nobody')).status, 1)

  const lines = Array.from({ length: 2_500 }, (_, n) => `${n},r${n}@example.test`)
  lines.splice(1_000, 1, '1000,not an address')
  lines.push('2500,R7@EXAMPLE.test')
  const file = join(folder, 'stopped.csv')
  await writeFile(file, `id,email\n${lines.join('\n')}\n`)
  const imported = await run('import', file)
  assert.equal(imported.status, 1)
  const { faults, ...counts } = imported.json
  assert.deepEqual(counts, { added: 2_499, known: 1, refused: 1 })
  assert.deepEqual(faults, [{ line: 1_002, text: 'not an address', message: 'is no email address' }])
  assert.match(imported.stderr, /line 1002: .*not an address/)
  assert.deepEqual(await countOf(tenant.tenantId), { counted: 2_500, there: 2_500 })
  const page = (await run('list', '--limit', '2400')).json
  const rest = (await run('list', '--limit', '2400', '--cursor', page.nextCursor)).json
  assert.equal(new Set([...page.items, ...rest.items].map(({ address }) => address)).size, 2_500)
  assert.equal(rest.nextCursor, null)
  assert.equal((await run('import', join(folder, 'missing.csv'))).status, 1)

  assert.equal((await run('remove', 'ADA@example.test')).json.id, added.json.id)
  assert.equal((await run('remove', ADA)).status, 1)
  assert.equal((await run('remove', page.items[0].id)).status, 0)
  const operations = (await listAudit(database, operatorOf(tenant.tenantId), 20)).map(({ operation, resourceId }) => [
    operation,
    resourceId,
  ])
  assert.deepEqual(operations.slice(0, 4), [
    ['suppression.remove', page.items[0].id],
    ['suppression.remove', added.json.id],
    ['suppression.import', null],
    ['suppression.add', added.json.id],
  ])
  // Which address it was is known when its id leads nowhere any more.
  const { rows } = await database.pool.query(
    `select details ->> 'address' as address from audit_log where tenant_id = $1 and resource_type = 'suppression' order by at desc`,
    [tenant.tenantId],
  )
  const addresses = [page.items[0].address, 'ada@example.test', null, 'ada@example.test']
  assert.deepEqual(
    rows.map(({ address }) => address),
    addresses,
  )
})

test('after all of it every invariant holds', async () => {
  const broken = (await checkInvariants(database, store)).filter(({ result }) => result !== 'ok')
  assert.deepEqual(broken, [])
})
