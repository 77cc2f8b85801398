// What an attempt came to, as it is recorded beside others who change the same rows at that moment; and what becomes of
// what is pending when its endpoint is disabled.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
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
import { sweepDeletedEndpoints, sweepOldDeliveries } from '../../src/webhooks/sweep-webhooks.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { deliveriesAre, emit, endWait, type Subscriber, subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

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

const rowsOf = ({ tenant }: Subscriber) =>
  database.rows(sql<{ cycle: number; number: number; error: string | null }>`
    select cycle, number, error from webhook_attempts where tenant_id = ${tenant.tenantId} order by cycle, number`)

test('every failed attempt is kept with what was answered, a success is the delivery itself until it is replayed', async () => {
  const ANSWERS: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"no stock\\u0000"}'),
    (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end('it has moved\r\n\0'),
    (response) => response.socket?.destroy(),
    // It never ends.
    (response) => {
      response.writeHead(404, { 'content-type': 'text/plain' })
      const more = () => {
        while (!response.destroyed && response.write('ü'.repeat(40_000)));
      }
      response.on('drain', more)
      more()
    },
    (response) => response.end('accepted with words that nobody keeps'),
    (response) => response.writeHead(500, { 'content-type': 'image/png' }).end('\x89PNG'),
    (response) => response.writeHead(204).end(),
  ]
  const receiver = await startReceiver({
    answer: (_, response) => ANSWERS[receiver.delivered.length - 1]?.(response),
  })
  const subscriber = await subscribe(url, database, receiver)
  const worker = startTestWebhooks(database)
  await emit(database, subscriber.tenant)
  const [delivery] = await deliveriesAre(subscriber, 'delivered')
  assert(delivery)
  const first = [
    [1, 1, 'failed', 500, 'http_status', '{"error":"no stock\\u0000"}'],
    [1, 2, 'failed', 302, 'redirect', 'it has moved\n'],
    [1, 3, 'failed', null, 'network', null],
    [1, 4, 'failed', 404, 'http_status', 'ü'.repeat(500)],
    [1, 5, 'accepted', 200, null, null],
  ]
  const shown = async () =>
    (await subscriber.attempts(delivery.id)).map(({ cycle, number, outcome, statusCode, error, answer, ...rest }) => {
      assert.deepEqual(Object.keys(rest).sort(), ['at', 'durationMs'])
      return [cycle, number, outcome, statusCode, error, answer]
    })
  assert.deepEqual(await shown(), first)
  assert.equal((await rowsOf(subscriber)).length, 4)
  const [, , , , accepted] = await subscriber.attempts(delivery.id)
  assert.equal(accepted?.at, delivery.lastAttemptAt)

  assert.equal((await subscriber.replay(delivery.id)).status, 202)
  await deliveriesAre(subscriber, 'delivered')
  await worker.stop()
  assert.deepEqual(worker.errors(), [])
  assert.deepEqual(await shown(), [
    ...first,
    [2, 1, 'failed', 500, 'http_status', null],
    [2, 2, 'accepted', 204, null, null],
  ])
  assert.deepEqual((await subscriber.attempts(delivery.id))[4], accepted)
  await until('the endless answer has been cut', () => receiver.open === 0)
  const times = (await subscriber.attempts(delivery.id)).map(({ at }) => at)
  assert.deepEqual(times, times.toSorted())
})

test('an attempt counts by its own error, once for its number, and what ended without a request is none', async () => {
  const subscriber = await subscribed(3)
  const own = (job: Job) => job.tenantId === subscriber.tenant.tenantId
  const [exhausted, ended, again] = await accepted((await claim()).filter(own))
  assert(exhausted?.record && ended?.record && again?.record)
  const failed = { statusCode: 500, durationMs: 7, error: 'http_status', answer: 'no' } as const
  const dead = { kind: 'deadLetter', reason: 'receptions_exhausted' } as const
  Object.assign(exhausted, { how: dead })
  Object.assign(exhausted.record, { status: 'dead', lastError: 'receptions_exhausted', attempt: failed })
  Object.assign(ended.record, { status: 'dead', lastError: 'endpoint_disabled', attempt: undefined })
  Object.assign(again, { how: { kind: 'putBack', dueInMs: 0, keepReceptions: true } })
  Object.assign(again.record, { status: 'pending', lastError: 'http_status', attempt: failed, dueInMs: 0 })
  await record([exhausted, ended, again])
  const kept = [
    { cycle: 1, number: 1, error: 'http_status' },
    { cycle: 1, number: 1, error: 'http_status' },
  ]
  assert.deepEqual(await rowsOf(subscriber), kept)
  // As when the queue has handed it out twice.
  await endWait(database, subscriber.endpoint.id)
  const job = (await claim()).find(own)
  assert(job)
  const attempt = { ...failed, error: 'network', statusCode: null } as const
  await record([{ ...again, job, record: { ...again.record, attempt } }])
  assert.deepEqual(await rowsOf(subscriber), kept)
  const [delivery] = await subscriber.attempts(again.record.delivery.id)
  assert.deepEqual([delivery?.statusCode, delivery?.answer], [500, 'no'])
  assert.deepEqual(await subscriber.attempts(ended.record.delivery.id), [])
})

test('of a delivery that was replayed again and again the newest 100 attempts are shown', async () => {
  const subscriber = await subscribed(1)
  const [delivery] = await subscriber.deliveries()
  assert(delivery)
  await database.rows(sql`
    insert into webhook_attempts (tenant_id, delivery_id, cycle, number, at, error, duration_ms)
    select ${subscriber.tenant.tenantId}, ${delivery.id}, n, 1, clock_timestamp(), 'dns', n
    from generate_series(1, 100) as s (n)`)
  await database.rows(sql`
    update webhook_deliveries set cycle = 101 where tenant_id = ${subscriber.tenant.tenantId}`)
  assert.deepEqual(
    (await subscriber.attempts(delivery.id)).map(({ cycle }) => cycle),
    Array.from({ length: 100 }, (_, n) => n + 1),
  )
  await database.rows(sql`
    update webhook_deliveries
    set status = 'delivered', attempts = 1, next_attempt_at = null, delivered_at = now(), last_attempt_at = now(),
      last_status_code = 200, last_duration_ms = 1
    where tenant_id = ${subscriber.tenant.tenantId}`)
  assert.deepEqual(
    (await subscriber.attempts(delivery.id)).map(({ cycle }) => cycle),
    Array.from({ length: 100 }, (_, n) => n + 2),
  )
})

test('attempts go with their delivery, whatever takes it away', async () => {
  const subscribers = [await subscribed(2), await subscribed(2)] as const
  for (const { tenant } of subscribers) {
    await database.rows(sql`
      insert into webhook_attempts (tenant_id, delivery_id, cycle, number, at, error, duration_ms)
      select tenant_id, id, 1, 1, clock_timestamp(), 'dns', 1 from webhook_deliveries
      where tenant_id = ${tenant.tenantId}`)
  }
  const [old, deleted] = subscribers
  await database.rows(sql`
    update webhook_endpoints set deleted_at = clock_timestamp() where tenant_id = ${deleted.tenant.tenantId}`)
  while (await sweepDeletedEndpoints(database, 1));
  assert.deepEqual(await rowsOf(deleted), [])
  assert.equal((await rowsOf(old)).length, 2)
  // They end, and grow old: their attempts go with them to other ids.
  const { rows } = await database.pool.query(
    `with old as (
       insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, environment_id, epoch, xid, seq,
         status, dead_at, created_at)
       select tenant_id, uuid_at(created_at - interval '31 days'), endpoint_id, event_id, event_type, environment_id, epoch,
         xid, seq, 'dead', created_at, created_at - interval '31 days'
       from webhook_deliveries where tenant_id = $1 limit 1
       returning tenant_id, id
     )
     insert into webhook_attempts (tenant_id, delivery_id, cycle, number, at, error, duration_ms)
     select tenant_id, id, 1, 1, now(), 'dns', 1 from old returning delivery_id`,
    [old.tenant.tenantId],
  )
  assert.equal(rows.length, 1)
  assert.equal((await rowsOf(old)).length, 3)
  while (await sweepOldDeliveries(database, 1));
  assert.equal((await rowsOf(old)).length, 2)
})
