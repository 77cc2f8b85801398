// What an attempt came to, as it is recorded beside others who change the same rows at that moment; and what becomes of
// what is pending when its endpoint is disabled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimJobs, NO_LANE } from '../../src/lib/queue/claim-jobs.ts'
import type { Job } from '../../src/lib/queue/job.ts'
import { renewJobs } from '../../src/lib/queue/renew-jobs.ts'
import { settleJobs } from '../../src/lib/queue/settle-jobs.ts'
import { type Db, sql } from '../../src/lib/sql.ts'
import { MAX_CONSECUTIVE_FAILURES, MAX_RECEPTIONS, WEBHOOK_QUEUE } from '../../src/webhooks/delivery-state.ts'
import { endDeliveries } from '../../src/webhooks/end-deliveries.ts'
import { type LoadedDelivery, loadDeliveries } from '../../src/webhooks/load-deliveries.ts'
import { type AttemptResult, recordAttempts } from '../../src/webhooks/record-attempts.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { emit, type Subscriber, subscribe } from '../support/webhook-subscriber.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

const claim = (leaseMs = 30_000, db: Db = database): Promise<Job[]> =>
  claimJobs(db, {
    queue: WEBHOOK_QUEUE,
    limit: 1_000,
    laneCap: 1_000,
    receptionBudget: MAX_RECEPTIONS,
    leaseMs,
    after: NO_LANE,
  })

/** The jobs' deliveries, as if their endpoint had accepted each. */
async function accepted(jobs: readonly Job[], answer = { statusCode: 204, durationMs: 7 }): Promise<AttemptResult[]> {
  const deliveries = (await loadDeliveries(database, jobs)) as LoadedDelivery[]
  return jobs.map((job, n) => {
    const { endpoint, ...delivery } = deliveries[n] as LoadedDelivery
    // It has answered before: while it is new its counter would be looked at.
    const record = { delivery: { ...delivery, endpoint: { ...endpoint, single: false } }, attempt: answer }
    return { job, how: { kind: 'done' }, record: { ...record, status: 'delivered', lastError: null } }
  })
}

const RULES = { failureLimit: MAX_CONSECUTIVE_FAILURES, backoff: [30, 60, 120, 240] as const, random: () => 0 }
const record = (results: AttemptResult[]) => recordAttempts(database, results, RULES)
const jobsLeft = ({ tenant }: Subscriber) =>
  database.rows(sql<{ id: number }>`select id from jobs where tenant_id = ${tenant.tenantId}`)
const waitsForAnother = () =>
  until('the record waits for the other transaction', () =>
    database.first(sql`select from pg_locks where not granted and locktype = 'transactionid'`),
  )

async function subscribed(count: number): Promise<Subscriber> {
  const subscriber = await subscribe(url, database, await startReceiver())
  await emit(database, subscriber.tenant, count)
  // A new endpoint gets one attempt at a time.
  await database.rows(sql`delete from lane_caps where lane = ${subscriber.endpoint.id}`)
  return subscriber
}

test('accepted attempts are recorded with what was answered, and their jobs are gone', async () => {
  const subscriber = await subscribed(3)
  const jobs = await claim()
  assert.equal(jobs.length, 3)
  assert.deepEqual(await record(await accepted(jobs)), [])
  for (const delivery of await subscriber.deliveries()) {
    const { status, attemptCount, receptions, lastStatusCode, lastError, nextAttemptAt, lastAttemptAt } = delivery
    assert.deepEqual([status, attemptCount, receptions, lastStatusCode, lastError], ['delivered', 1, 1, 204, null])
    assert.deepEqual([nextAttemptAt, lastAttemptAt === null], [null, false])
  }
  assert.deepEqual(await jobsLeft(subscriber), [])
})

test('an accepted attempt that meets a renewal of its job on its way is not lost', async () => {
  const subscriber = await subscribed(2)
  const jobs = await claim()
  const results = await accepted(jobs)
  let recorded: Promise<unknown> | undefined
  await database.transaction(async (tx) => {
    await renewJobs(tx, jobs, 60_000)
    recorded = record(results)
    await waitsForAnother()
  })
  await recorded
  assert.deepEqual(
    (await subscriber.deliveries()).map(({ status }) => status),
    ['delivered', 'delivered'],
  )
  assert.deepEqual(await jobsLeft(subscriber), [])
})

test('an accepted attempt whose job is being claimed by another records nothing', async () => {
  const subscriber = await subscribed(2)
  const stale = await accepted(await claim(0))
  let recorded: Promise<unknown> | undefined
  let claims: Job[] = []
  await database.transaction(async (tx) => {
    claims = await claim(30_000, tx)
    recorded = record(stale)
    await waitsForAnother()
  })
  await recorded
  assert.equal(claims.length, 2)
  assert.deepEqual(
    (await subscriber.deliveries()).map(({ status, attemptCount }) => [status, attemptCount]),
    Array(2).fill(['pending', 0]),
  )
  assert.deepEqual((await jobsLeft(subscriber)).length, 2)
  await record(await accepted(claims))
  assert.deepEqual(await jobsLeft(subscriber), [])
})

test('two workers that record the same deliveries at once, in other orders, both come to an end', async () => {
  const subscriber = await subscribed(100)
  const stale = await accepted(await claim(0), { statusCode: 201, durationMs: 1 })
  const held = await accepted(await claim())
  await Promise.all([record(held), record(stale.toReversed()), record(held.toReversed())])
  const deliveries = await subscriber.deliveries('?limit=100')
  assert.deepEqual(
    deliveries.map(({ status, lastStatusCode, receptions }) => [status, lastStatusCode, receptions]),
    Array(100).fill(['delivered', 204, 2]),
  )
})

test('disabling buries all that is pending: what is due, what waits and what is in flight', async () => {
  const subscriber = await subscribed(1_300)
  const other = await subscribe(url, database, await startReceiver(), { tenant: subscriber.tenant })
  await emit(database, subscriber.tenant, 1)
  const { tenantId } = subscriber.tenant
  const mine = (await claim()).filter(({ lane }) => lane === subscriber.endpoint.id)
  const [delivered, waiting, due] = [mine.slice(0, 1), mine.slice(1, 600), mine.slice(600, 700)]
  await record(await accepted(delivered))
  await database.transaction((tx) =>
    settleJobs(tx, [
      ...waiting.map((job) => ({ job, how: { kind: 'putBack', dueInMs: 3_600_000, keepReceptions: true } as const })),
      ...due.map((job) => ({ job, how: { kind: 'giveBack' } as const })),
    ]),
  )
  await database.rows(sql`
    update webhook_endpoints set enabled = false, disabled_at = clock_timestamp(), disabled_reason = 'a test'
    where id = ${subscriber.endpoint.id}`)
  await endDeliveries(database, { tenantId, id: subscriber.endpoint.id })
  const counts = await database.rows(sql<{ mine: boolean; status: string; n: number }>`
    select endpoint_id <> ${other.endpoint.id} as mine, status, count(*)::integer as n from webhook_deliveries
    where tenant_id = ${tenantId} group by 1, 2 order by 1, 2`)
  assert.deepEqual(counts, [
    { mine: false, status: 'pending', n: 1 },
    { mine: true, status: 'dead', n: 1_300 },
    { mine: true, status: 'delivered', n: 1 },
  ])
})
