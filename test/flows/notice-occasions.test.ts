// What Owners are told of: endpoints that fail, domains that fail, plans that run out, sign-ins from new devices – each
// occasion once, whoever finds it out.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPlan } from '../../src/apps/create-plan.ts'
import { createDnsResolver } from '../../src/lib/resolver.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { checkDomainNow } from '../../src/mailboxes/check-domain-now.ts'
import { tellOfPlanUsage } from '../../src/messages/tell-plan-usage.ts'
import { sweepDevices } from '../../src/users/known-devices.ts'
import { signIn } from '../../src/users/sign-in.ts'
import { tellOfFailingEndpoints } from '../../src/webhooks/tell-failing-endpoints.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestDns } from '../support/dns.ts'
import { hasher } from '../support/hash-turns.ts'
import { noticesOf } from '../support/notices.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, createTestPerson, PASSWORD, type TestUser } from '../support/people.ts'
import { startReceiver } from '../support/receiver.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { emit, type Subscriber, subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const { url } = await startTestApi(database)
/** As another process is connected. */
const other = openDatabase({ url: databaseUrl })
after(() => other.end())
const both = <T>(work: (of: typeof database) => Promise<T>) => Promise.all([database, other, database, other].map(work))

const kindsOf = async (tenantId: Uuid) => (await noticesOf(database, tenantId)).map(({ kind }) => kind)
const ownerOf = (tenantId: Uuid) => createTestPerson(database, tenantId, 'owner')

// Endpoints

/** An endpoint whose receiver refuses everything until it `recovers`. */
async function subscribeFailing(): Promise<Subscriber & { recovers(): void }> {
  let status = 500
  const receiver = await startReceiver({ answer: (_, response) => void response.writeHead(status).end() })
  const subscriber = await subscribe(url, database, receiver)
  return {
    ...subscriber,
    recovers() {
      status = 204
    },
  }
}

const failingSince = async ({ endpoint }: Subscriber) => {
  const row = await database.first(sql<{ since: string | null }>`
    select failing_since as since from webhook_endpoints where id = ${endpoint.id}`)
  return row?.since ?? null
}
const age = ({ endpoint }: Subscriber, interval: string) =>
  database.rows(sql`
    update webhook_endpoints set failing_since = clock_timestamp() - ${interval}::interval where id = ${endpoint.id}`)

test('an endpoint is failing from the first of its failures in a row until a delivery is accepted', async () => {
  const subscriber = await subscribeFailing()
  const webhooks = startTestWebhooks(database, { backoff: [0.01, 0.01, 0.01, 0.01] })
  assert.equal(await failingSince(subscriber), null)
  await emit(database, subscriber.tenant)
  const first = await until('it fails', () => failingSince(subscriber).then((since) => since ?? undefined))
  await until('it failed again', async () => (await subscriber.current()).consecutiveFailures > 2)
  assert.equal(await failingSince(subscriber), first)
  subscriber.recovers()
  await emit(database, subscriber.tenant)
  await until('it is well', async () => (await subscriber.current()).consecutiveFailures === 0)
  assert.equal(await failingSince(subscriber), null)
  await webhooks.stop()
})

test('Owners are told once of an endpoint that fails for an hour, and again when it fails anew', async () => {
  const subscriber = await subscribeFailing()
  const { tenantId } = subscriber.tenant
  const owner = await ownerOf(tenantId)
  await createTestPerson(database, tenantId, 'admin')
  await database.rows(sql`
    update webhook_endpoints set consecutive_failures = 3, failing_since = clock_timestamp() where id = ${subscriber.endpoint.id}`)
  await age(subscriber, '59 minutes')
  assert.equal(await tellOfFailingEndpoints(database, 100), 0)
  await age(subscriber, '61 minutes')
  await both((of) => tellOfFailingEndpoints(of, 100))
  assert.equal(await tellOfFailingEndpoints(database, 100), 0)
  const notices = await noticesOf(database, tenantId)
  assert.deepEqual(
    notices.map(({ kind, userId }) => [kind, userId]),
    [['endpoint_failing', owner.id]],
  )
  assert.deepEqual(notices[0]?.facts.host, new URL(subscriber.endpoint.url).host)

  // Whoever becomes an Owner meanwhile is told too.
  await ownerOf(tenantId)
  assert.equal(await tellOfFailingEndpoints(database, 100), 1)
  await age(subscriber, '2 hours')
  await tellOfFailingEndpoints(database, 100)
  assert.equal((await noticesOf(database, tenantId)).length, 4)
})

test('nobody is told of a failing endpoint that is disabled or deleted', async () => {
  const subscriber = await subscribeFailing()
  const { tenantId, key } = subscriber.tenant
  await ownerOf(tenantId)
  await age(subscriber, '2 hours')
  const path = `/v1/webhook-endpoints/${subscriber.endpoint.id}`
  await call(url, 'PATCH', path, { key, body: { enabled: false } })
  assert.equal(await tellOfFailingEndpoints(database, 100), 0)
  await call(url, 'PATCH', path, { key, body: { enabled: true } })
  assert.equal(await failingSince(subscriber), null)
  await age(subscriber, '2 hours')
  await call(url, 'DELETE', path, { key })
  assert.equal(await tellOfFailingEndpoints(database, 100), 0)
  assert.deepEqual(await kindsOf(tenantId), [], 'nor that somebody disabled it')
})

test('Owners are told once of an endpoint that its failures have disabled, in the transaction that does', async () => {
  const subscriber = await subscribeFailing()
  const { tenantId } = subscriber.tenant
  await Promise.all([ownerOf(tenantId), ownerOf(tenantId), createTestPerson(database, tenantId, 'admin')])
  const workers = [database, other].map((of) => startTestWebhooks(of, { backoff: [0.01, 0.01, 0.01, 0.01] }))
  await emit(database, subscriber.tenant, 10)
  await until('it is disabled', async () => !(await subscriber.current()).enabled)
  await Promise.all(workers.map((worker) => worker.stop()))
  const notices = await noticesOf(database, tenantId)
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ['endpoint_disabled', 'endpoint_disabled'],
  )
  assert(notices[0]?.facts.since <= (await subscriber.current()).disabledAt)
})

// Domains

test('Owners are told of a domain in use that begins to fail, once a day, and not of one that is being set up', async () => {
  const { tenantId } = await createTestTenant(database)
  await ownerOf(tenantId)
  const dns = await startTestDns()
  const resolver = createDnsResolver([dns.server])
  after(async () => {
    resolver.close()
    await dns.stop()
  })
  const check = (id: Uuid) => checkDomainNow({ database, resolver }, operatorOf(tenantId), id)
  const name = `d${newId().replaceAll('-', '')}.test`
  const added = await addDomain(database, operatorOf(tenantId), { domain: name, vouched: false })
  assert.equal((await check(added.id)).health, 'failing')
  assert.deepEqual(await kindsOf(tenantId), [])

  const inUse = await addDomain(database, operatorOf(tenantId), { domain: `in-use-${name}`, vouched: true })
  await Promise.all([1, 2, 3, 4].map(() => check(inUse.id)))
  assert.deepEqual(await kindsOf(tenantId), ['domain_failing'])
  await database.rows(sql`update domains set health = 'degraded' where id = ${inUse.id}`)
  await check(inUse.id)
  assert.deepEqual(await kindsOf(tenantId), ['domain_failing'])
})

// Plans

async function tenantOfPlan(messagesPerMonth: number) {
  const name = `plan-${newId()}`
  await createPlan(database, operator, name, { messagesPerMonth })
  const tenant = await createTestTenant(database, { plan: name })
  await ownerOf(tenant.tenantId)
  const use = async (recipients: number) => {
    const to = Array.from({ length: recipients }, (_, i) => `to${i}@example.test`)
    const answer = await send(url, tenant.key, { fromMailboxId: tenant.mailboxId, to, subject: 'Hi', text: 'Hello' })
    return answer.status
  }
  return { ...tenant, use }
}

test('Owners are told once a month when four fifths of the plan are used, and when all of it is', async () => {
  const { tenantId, use } = await tenantOfPlan(10)
  const look = () => both((of) => tellOfPlanUsage(of, 100))
  await use(7)
  await look()
  assert.deepEqual(await kindsOf(tenantId), [])
  await use(1)
  await look()
  await use(1)
  await look()
  assert.deepEqual(await kindsOf(tenantId), ['plan_80'])
  await use(1)
  assert.equal(await use(1), 402)
  await look()
  assert.deepEqual(await kindsOf(tenantId), ['plan_80', 'plan_100'])
  const [, all] = await noticesOf(database, tenantId)
  const { month, ...used } = all?.facts ?? {}
  assert.match(month, /^\d{4}-\d{2}$/)
  assert.deepEqual(used, { recipients: 10, limit: 10 })
})

test('whoever has used all of the plan at once is told that alone', async () => {
  const { tenantId, use } = await tenantOfPlan(5)
  await use(5)
  await tellOfPlanUsage(database, 100)
  await tellOfPlanUsage(database, 100)
  assert.deepEqual(await kindsOf(tenantId), ['plan_100'])
})

test('what was used in another month, and a plan without a limit, are nothing to be told of', async () => {
  const [past, unlimited] = [await tenantOfPlan(5), await tenantOfPlan(0)]
  await past.use(5)
  await unlimited.use(5)
  await database.rows(sql`
    update tenant_usage set month = month - interval '1 month' where tenant_id = ${past.tenantId}`)
  await tellOfPlanUsage(database, 100)
  assert.deepEqual([await kindsOf(past.tenantId), await kindsOf(unlimited.tenantId)], [[], []])
})

// Sign-ins

let requests = 0
async function enter(
  user: TestUser,
  clientAddress: string,
  userAgent: string | null,
  kind = 'person' as 'person' | 'mailbox_user',
  of = database,
) {
  const origin = { requestId: `request-${++requests}`, clientAddress, userAgent }
  const entered = await signIn({ database: of, hasher }, kind, { login: user.login, password: PASSWORD }, origin)
  assert.equal(entered.outcome, 'signed_in')
}
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

test('an Owner is told of a sign-in from a browser or a network that is new, and not of the first one', async () => {
  const { tenantId } = await createTestTenant(database)
  const owner = await ownerOf(tenantId)
  assert.deepEqual(await kindsOf(tenantId), [], 'the take-up')
  await enter(owner, '192.0.2.1', 'tests')
  assert.deepEqual(await kindsOf(tenantId), [], 'the same')
  await enter(owner, '192.0.2.1', FIREFOX)
  await enter(owner, '198.51.100.7', 'tests')
  await enter(owner, '198.51.100.7', 'tests')
  const notices = await noticesOf(database, tenantId)
  assert.deepEqual(
    notices.map(({ kind, userId }) => [kind, userId]),
    [
      ['new_sign_in', owner.id],
      ['new_sign_in', owner.id],
    ],
  )
  assert.deepEqual([notices[0]?.facts.userAgent, notices[1]?.facts.clientAddress], [FIREFOX, '198.51.100.7'])
  await enter(owner, '192.0.2.1', FIREFOX.replaceAll('145.0', '146.0').replace('rv:146.0', 'rv:145.0'))
  assert.equal((await noticesOf(database, tenantId)).length, 2, 'another version of the same browser')
})

test('of sign-ins from new devices a hundred are told of in a day, as the address may be that of somebody else', async () => {
  const { tenantId } = await createTestTenant(database)
  const owner = await ownerOf(tenantId)
  await enter(owner, '192.0.2.2', FIREFOX)
  assert.equal((await kindsOf(tenantId)).length, 1)
  await database.rows(sql`
    insert into notices (tenant_id, id, kind, occasion, user_id, facts, expires_at)
    select tenant_id, new_uuid(clock_timestamp()), kind, n::text, user_id, facts, expires_at
    from notices, generate_series(1, 98) n where tenant_id = ${tenantId}`)
  await enter(owner, '192.0.2.3', FIREFOX)
  assert.equal((await kindsOf(tenantId)).length, 100)
  await enter(owner, '192.0.2.4', FIREFOX)
  assert.equal((await kindsOf(tenantId)).length, 100)
  await database.rows(sql`
    update notices set created_at = created_at - interval '1 day' where tenant_id = ${tenantId} and occasion = '7'`)
  await enter(owner, '192.0.2.5', FIREFOX)
  assert.equal((await kindsOf(tenantId)).length, 101)
})

test('two sign-ins at once from one new device are told of once', async () => {
  const { tenantId } = await createTestTenant(database)
  const owner = await ownerOf(tenantId)
  await both((of) => enter(owner, '198.51.100.8', FIREFOX, 'person', of))
  assert.deepEqual(await kindsOf(tenantId), ['new_sign_in'])
})

test('a device that was not seen for ninety days is new again, also when the sweep has been', async () => {
  const { tenantId } = await createTestTenant(database)
  const owner = await ownerOf(tenantId)
  const notSeenFor = (days: number) =>
    database.rows(sql`
      update known_devices set last_seen_at = clock_timestamp() - make_interval(days => ${days}) where user_id = ${owner.id}`)
  await notSeenFor(89)
  await enter(owner, '192.0.2.1', 'tests')
  assert.deepEqual(await kindsOf(tenantId), [])
  await notSeenFor(91)
  await enter(owner, '192.0.2.1', 'tests')
  assert.equal((await noticesOf(database, tenantId)).length, 1)
  await enter(owner, '192.0.2.2', 'tests')
  await notSeenFor(91)
  assert.equal(await sweepDevices(database, 100), 1)
  assert.equal(await sweepDevices(database, 100), 0)
  await enter(owner, '192.0.2.3', 'tests')
  assert.equal((await noticesOf(database, tenantId)).length, 3)
})

test('nobody is told of sign-ins of Admins and mailbox users', async () => {
  const { tenantId, mailboxId } = await createTestTenant(database)
  await ownerOf(tenantId)
  const admin = await createTestPerson(database, tenantId, 'admin')
  const user = await createTestMailboxUser(database, tenantId, mailboxId)
  await enter(admin, '198.51.100.9', FIREFOX)
  await enter(user, '198.51.100.9', FIREFOX, 'mailbox_user')
  assert.deepEqual(await kindsOf(tenantId), [])
})
