// The replay of all that died since an instant: what it takes and what it leaves, over processes and beside others who
// replay the same, how it ends, and that it floods nobody.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laterBy } from '../../src/lib/instant.ts'
import { claimJobs, NO_LANE } from '../../src/lib/queue/claim-jobs.ts'
import { sql, type Timestamp } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { deleteEndpoint } from '../../src/webhooks/delete-endpoint.ts'
import { disableEndpoint } from '../../src/webhooks/disable-endpoint.ts'
import { listReplays, readReplay } from '../../src/webhooks/replays/read-replay.ts'
import { REPLAY_QUEUE, type ReplayScope } from '../../src/webhooks/replays/replay.ts'
import { startReplay } from '../../src/webhooks/replays/start-replay.ts'
import { sweepReplays } from '../../src/webhooks/replays/sweep-replays.ts'
import { createReplayer, REPLAY_RECEPTIONS } from '../../src/workers/webhooks/replay.ts'
import { type Answer, call, openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { operatorOf } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { emit, type Subscriber, subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

const EARLY = '2026-01-01'
const minutesAgo = (minutes: number): Timestamp => laterBy(-minutes * 60_000, new Date().toISOString())

interface Dead {
  id: Uuid
  deadAt: Timestamp
}

/** Has the subscriber's events die, a microsecond after each other. Gives them in that order. */
async function die(subscriber: Subscriber, count: number, first: Timestamp = minutesAgo(10)): Promise<Dead[]> {
  const eventIds = await emit(database, subscriber.tenant, count)
  await database.rows(sql`delete from jobs where tenant_id = ${subscriber.tenant.tenantId} and queue = 'webhooks'`)
  await database.rows(sql`
    update webhook_deliveries d
    set status = 'dead', next_attempt_at = null, last_error = 'http_status',
      dead_at = ${first}::timestamptz + n.place * interval '1 microsecond'
    from (
      select id, row_number() over (order by id) - 1 as place from webhook_deliveries
      where tenant_id = ${subscriber.tenant.tenantId} and event_id = any(${eventIds}::uuid[])
    ) n
    where d.tenant_id = ${subscriber.tenant.tenantId} and d.id = n.id`)
  return database.rows(sql<Dead>`
    select id, dead_at as "deadAt" from webhook_deliveries
    where tenant_id = ${subscriber.tenant.tenantId} and event_id = any(${eventIds}::uuid[]) order by dead_at`)
}

const subscribed = async (tenant?: Subscriber['tenant']) => {
  const receiver = await startReceiver()
  return { receiver, subscriber: await subscribe(url, database, receiver, tenant ? { tenant } : {}) }
}

const ask = ({ tenant, endpoint }: Subscriber, since: unknown, key = newId()): Promise<Answer> =>
  call(url, 'POST', `/v1/webhook-endpoints/${endpoint.id}/replay`, {
    key: tenant.key,
    body: { since },
    headers: { 'idempotency-key': key },
  })

const ended = ({ tenant }: Subscriber, id: Uuid) =>
  until('the replay has ended', async () => {
    const { body } = await call(url, 'GET', `/v1/webhook-replays/${id}`, { key: tenant.key })
    return body.status !== 'running' && body
  })

const byOperator = ({ tenant }: Subscriber, scope: ReplayScope, since = EARLY) =>
  database.transaction((tx) => startReplay(tx, operatorOf(tenant.tenantId), scope, { since }))

const cyclesOf = async ({ tenant }: Subscriber) =>
  new Map(
    (
      await database.rows(sql<{ id: Uuid; cycle: number }>`
        select id, cycle from webhook_deliveries where tenant_id = ${tenant.tenantId}`)
    ).map(({ id, cycle }) => [id, cycle]),
  )

/** One job of a replay, as a worker has it in its hands. */
async function claimReplay(leaseMs = 30_000) {
  const [job] = await claimJobs(database, {
    ...{ queue: REPLAY_QUEUE, limit: 1, laneCap: 1, receptionBudget: REPLAY_RECEPTIONS, leaseMs, after: NO_LANE },
  })
  assert(job)
  return job
}

test('what died at the instant or later is replayed once, with a new budget, and what died before is left', async () => {
  const { receiver, subscriber } = await subscribed()
  const dead = await die(subscriber, 5)
  const since = dead[2]?.deadAt
  const key = newId()
  const { status, body } = await ask(subscriber, since, key)
  assert.equal(status, 202)
  const { id, object, endpointId, appId, replayed, remaining, stoppedBecause, askedBy, endedAt } = body
  assert.deepEqual([object, endpointId, appId], ['webhook_replay', subscriber.endpoint.id, subscriber.tenant.appId])
  assert.deepEqual([body.status, body.since, replayed, remaining], ['running', since, 0, 3])
  assert.deepEqual([stoppedBecause, askedBy, endedAt], [null, 'application', null])
  assert.equal((await ask(subscriber, since, key)).body.id, id)
  const worker = startTestWebhooks(database)
  const done = await ended(subscriber, id)
  assert.deepEqual([done.status, done.replayed, done.remaining, done.stoppedBecause], ['done', 3, null, null])
  assert(done.endedAt > done.createdAt)
  await until('all three are delivered', async () => (await subscriber.deliveries('?status=delivered')).length === 3)
  await worker.stop()
  assert.deepEqual(worker.errors(), [])
  const cycles = await cyclesOf(subscriber)
  assert.deepEqual(
    dead.map((delivery) => cycles.get(delivery.id)),
    [1, 1, 2, 2, 2],
  )
  assert.equal(receiver.delivered.length, 3)
  // What died after it was asked for is not its own.
  assert.equal((await ask(subscriber, since, key)).body.status, 'running')
  assert.deepEqual((await listReplays(database, operatorOf(subscriber.tenant.tenantId), { endpointId })).items, [done])
})

test('what dies in the moment of the request, and is recorded by another process after it, is replayed as well', async () => {
  const { subscriber } = await subscribed()
  const { tenantId } = subscriber.tenant
  await die(subscriber, 2)
  const [waiting] = await emit(database, subscriber.tenant, 1)
  const worker = startTestWebhooks(database)
  await until('it is delivered', async () => (await subscriber.deliveries('?status=delivered')).length === 1)
  const id = await database.transaction(async (tx) => {
    await tx.rows(sql`
      update webhook_deliveries set status = 'dead', delivered_at = null, dead_at = clock_timestamp()
      where tenant_id = ${tenantId} and event_id = ${waiting}`)
    const { id } = await byOperator(subscriber, { endpointId: subscriber.endpoint.id })
    await until('a worker has looked at it', () =>
      database.first(sql`
        select from jobs where tenant_id = ${tenantId} and queue = ${REPLAY_QUEUE} and state = 'scheduled'`),
    )
    assert.equal((await readReplay(database, operatorOf(tenantId), id)).replayed, 0)
    return id
  })
  assert.equal((await ended(subscriber, id)).replayed, 3)
  await worker.stop()
  assert.deepEqual(worker.errors(), [])
})

test('whoever replays the same at once, in two processes, each delivery is replayed once by each and counted once', async () => {
  const { subscriber } = await subscribed()
  const { subscriber: other } = await subscribed(subscriber.tenant)
  const dead = await die(subscriber, 120)
  const singly = dead.filter((_, n) => n % 12 === 0)
  const { tenant, endpoint } = subscriber
  const [ofEndpoint, ofApp] = [
    await byOperator(subscriber, { endpointId: endpoint.id }),
    await byOperator(subscriber, { appId: tenant.appId }),
  ]
  const workers = [1, 2].map(() => startTestWebhooks(database, { replayPace: { batch: 7, mostWaiting: 1_000 } }))
  for (const { id } of singly) assert.equal((await subscriber.replay(id)).status, 202)
  const [one, two] = [await ended(subscriber, ofEndpoint.id), await ended(subscriber, ofApp.id)]
  await until('nothing waits', async () => {
    const left = await database.rows(sql`select from jobs where tenant_id = ${tenant.tenantId}`)
    return left.length === 0
  })
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(
    workers.flatMap((worker) => worker.errors()),
    [],
  )
  const cycles = await cyclesOf(subscriber)
  const begun = [...cycles.values()].reduce((sum, cycle) => sum + cycle - 1, 0)
  assert.equal(one.replayed + two.replayed + singly.length, begun)
  for (const { id } of dead) {
    const most = singly.some((single) => single.id === id) ? 3 : 2
    const cycle = cycles.get(id) as number
    assert(cycle >= 2 && cycle <= most, `${id} is in cycle ${cycle}`)
  }
  assert((await other.deliveries('?status=dead')).length === 0)
})

test('a batch whose worker has lost its claim, or is killed, is not recorded, and another goes on where it was', async () => {
  const { subscriber } = await subscribed()
  await die(subscriber, 10)
  const { id } = await byOperator(subscriber, { endpointId: subscriber.endpoint.id })
  await feedCaughtUp(database)
  const stale = await claimReplay(1)
  const job = await until('its lease has run out', () => claimReplay(30_000).catch(() => undefined))
  const replay = createReplayer(database, { batch: 4, mostWaiting: 100 })
  const lease = { lost: new AbortController().signal, held: () => true }
  await replay(stale, lease)
  assert.equal((await readReplay(database, operatorOf(subscriber.tenant.tenantId), id)).replayed, 0)
  // The server ends the connection of one that is killed, and with it the transaction.
  await assert.rejects(
    database.transaction(async (tx) => {
      await createReplayer({ ...database, transaction: (work) => work(tx) }, { batch: 4, mostWaiting: 100 })(job, lease)
      throw new Error('killed')
    }),
    /killed/,
  )
  assert.equal((await readReplay(database, operatorOf(subscriber.tenant.tenantId), id)).remaining, 10)
  await replay(job, lease)
  const { replayed, remaining } = await readReplay(database, operatorOf(subscriber.tenant.tenantId), id)
  assert.deepEqual([replayed, remaining], [4, 6])
  const worker = startTestWebhooks(database)
  assert.equal((await ended(subscriber, id)).replayed, 10)
  await worker.stop()
  assert.deepEqual(new Set((await cyclesOf(subscriber)).values()), new Set([2]))
})

test('an endpoint gets no more than it should have to do, and what remains when it is stopped stays dead', async () => {
  const receiver = await startReceiver({ answer: () => {} })
  const subscriber = await subscribe(url, database, receiver)
  const { tenant, endpoint } = subscriber
  const dead = await die(subscriber, 40)
  const worker = startTestWebhooks(database, { replayPace: { batch: 5, mostWaiting: 12 }, timeoutMs: 60_000 })
  const { body } = await ask(subscriber, EARLY)
  const look = async () => (await call(url, 'GET', `/v1/webhook-replays/${body.id}`, tenant)).body
  // One is under way, as the endpoint is new, and the others wait.
  const full = await until('it has enough to do', async () => {
    const replay = await look()
    return replay.replayed >= 12 && replay
  })
  await until('it was looked at again', () =>
    database.first(sql`
      select from jobs where tenant_id = ${tenant.tenantId} and queue = ${REPLAY_QUEUE} and state = 'scheduled'`),
  )
  assert.deepEqual(await look(), full)
  assert.deepEqual([full.replayed, full.remaining], [15, 25])

  const again = await ask(subscriber, EARLY)
  assert.deepEqual([again.status, again.body.code, again.body.details], [409, 'replay_running', { replayId: body.id }])
  const stop = () => call(url, 'POST', `/v1/webhook-replays/${body.id}/stop`, tenant)
  const { body: stopped, status } = await stop()
  assert.deepEqual([status, stopped.status, stopped.stoppedBecause], [200, 'stopped', 'asked'])
  assert.deepEqual([stopped.replayed, stopped.remaining], [15, null])
  assert.deepEqual((await stop()).body, stopped)
  await until('its job has come to nothing', async () => {
    const jobs = await database.rows(sql`
      select from jobs where tenant_id = ${tenant.tenantId} and queue = ${REPLAY_QUEUE}`)
    return jobs.length === 0
  })
  await Promise.all([receiver.stop(), worker.stop()])
  const cycles = await cyclesOf(subscriber)
  assert.deepEqual(
    dead.map(({ id }) => cycles.get(id)),
    dead.map((_, n) => (n < 15 ? 2 : 1)),
  )
  const next = await byOperator(subscriber, { endpointId: endpoint.id })
  assert.equal(next.remaining, 25)
  assert.equal((await stop()).body.id, body.id)
  await call(url, 'POST', `/v1/webhook-replays/${next.id}/stop`, tenant)
})

test('a disabled or deleted endpoint stops its replay, and that of its application passes it over', async () => {
  const { subscriber } = await subscribed()
  const { tenant } = subscriber
  const others = [(await subscribed(tenant)).subscriber, (await subscribed(tenant)).subscriber] as const
  const [disabled, deleted] = others
  await die(subscriber, 3)
  const operator = operatorOf(tenant.tenantId)
  const ofApp = await byOperator(subscriber, { appId: tenant.appId })
  assert.equal(ofApp.remaining, 9)
  const [first, second] = [
    await byOperator(subscriber, { endpointId: disabled.endpoint.id }),
    await byOperator(subscriber, { endpointId: deleted.endpoint.id }),
  ]
  await disableEndpoint(database, operator, disabled.endpoint.id)
  await deleteEndpoint(database, operator, deleted.endpoint.id)
  const worker = startTestWebhooks(database)
  const ends = await Promise.all([first, second, ofApp].map(({ id }) => ended(subscriber, id)))
  assert.deepEqual(
    ends.map(({ status, stoppedBecause, replayed }) => [status, stoppedBecause, replayed]),
    [
      ['stopped', 'endpoint_disabled', 0],
      ['stopped', 'endpoint_deleted', 0],
      ['done', null, 3],
    ],
  )
  await worker.stop()
  assert.deepEqual(worker.errors(), [])

  const refused = await ask(disabled, EARLY)
  assert.deepEqual([refused.status, refused.body.code], [409, 'endpoint_disabled'])
  await disableEndpoint(database, operator, subscriber.endpoint.id)
  await assert.rejects(byOperator(subscriber, { appId: tenant.appId }), { code: 'endpoint_disabled' })
})

test('since is an instant of the past, and how many remain is counted to 10,000', async () => {
  const { subscriber } = await subscribed()
  const { tenant, endpoint } = subscriber
  for (const since of ['soon', 'yesterday', '2026-02-30', '', 7, null, undefined, '2999-01-01T00:00:00Z']) {
    const { status, body } = await ask(subscriber, since)
    assert.deepEqual([status, body.code], [400, 'validation_error'], String(since))
    assert.equal(body.details.fields[0].path, 'since')
  }
  await die(subscriber, 1)
  const countAfter = async (more: number) => {
    await database.rows(sql`
      insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, environment_id, epoch, xid, seq,
        status, dead_at, created_at)
      select d.tenant_id, gen_random_uuid(), d.endpoint_id,
        gen_random_uuid(), d.event_type, d.environment_id, d.epoch, d.xid, d.seq, 'dead', d.dead_at, d.created_at
      from (select * from webhook_deliveries where tenant_id = ${tenant.tenantId} order by id limit 1) d
      cross join generate_series(1, ${more}::integer) as s (n)`)
    const replay = await byOperator(subscriber, { endpointId: endpoint.id })
    await call(url, 'POST', `/v1/webhook-replays/${replay.id}/stop`, tenant)
    return replay.remaining
  }
  assert.equal(await countAfter(9_998), 9_999)
  assert.equal(await countAfter(1), 10_000)
  assert.equal(await countAfter(1), 10_000)
})

test('a replay that stops its workers is stopped itself; one that ended 30 days ago is forgotten', async () => {
  const { subscriber } = await subscribed()
  const { tenant, endpoint } = subscriber
  await database.rows(sql`delete from jobs where queue = ${REPLAY_QUEUE}`)
  await database.rows(sql`
    update webhook_replays set status = 'done', ended_at = now() where status = 'running'`)
  const { id } = await byOperator(subscriber, { endpointId: endpoint.id })
  await database.rows(sql`
    update jobs set receptions = ${REPLAY_RECEPTIONS} where tenant_id = ${tenant.tenantId} and subject_id = ${id}`)
  const worker = startTestWebhooks(database)
  const { status, stoppedBecause } = await ended(subscriber, id)
  await worker.stop()
  assert.deepEqual([status, stoppedBecause], ['stopped', 'fault'])
  const endedAgo = (age: string) =>
    database.rows(sql`update webhook_replays set ended_at = now() - ${age}::interval where id = ${id}`)
  await endedAgo('29 days 23 hours 59 minutes')
  while (await sweepReplays(database, 1));
  assert.equal((await call(url, 'GET', `/v1/webhook-replays/${id}`, tenant)).status, 200)
  await endedAgo('30 days 1 minute')
  assert.equal(await sweepReplays(database, 10), 1)
  assert.equal((await call(url, 'GET', `/v1/webhook-replays/${id}`, tenant)).status, 404)
})

test('after all of this no replay is without its job, and nothing pending without its own', async () => {
  const checks = await checkInvariants(database, await openTestStore())
  const found = checks.filter(({ name, result }) => result !== 'ok' && /replay|pending|subject/.test(name))
  assert.deepEqual(found, [])
})
