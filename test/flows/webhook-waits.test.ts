// What is between the attempts of a delivery, as the database keeps it: the four waits, duplicates that come meanwhile,
// and the receptions that end it before its attempts do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { enqueueJobs } from '../../src/lib/queue/enqueue-jobs.ts'
import { sql } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { MAX_RECEPTIONS, WEBHOOK_QUEUE } from '../../src/webhooks/delivery-state.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import {
  deliveriesAre,
  emit,
  endWait,
  fireRetryTimer,
  type Subscriber,
  subscribe,
  type TestDelivery,
} from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

/** As they are when nobody sets MDK_WEBHOOK_BACKOFF, in seconds. */
const WAITS = readConfig({}).webhooks.backoffSeconds

const startRefusing = (): Promise<Receiver> =>
  startReceiver({ answer: (_, response) => void response.writeHead(500).end() })

/** The subscriber's only delivery once so many attempts of it have failed. */
const failedAttempts = (subscriber: Subscriber, count: number): Promise<TestDelivery> =>
  until(`${count} attempts have failed`, async () => {
    const [delivery] = await subscriber.deliveries()
    return delivery?.attemptCount === count && delivery
  })

const jobsOf = (id: Uuid) => database.rows(sql<{ id: number }>`select id from jobs where subject_id = ${id}`)

const reasonsOf = (id: Uuid) =>
  database.rows(sql<{ reason: string }>`select reason from dead_letters where subject_id = ${id}`)

test('a delivery waits 30–60, 60–120, 120–240 and 240–480 seconds between its five attempts', async () => {
  const receiver = await startRefusing()
  const subscriber = await subscribe(url, database, receiver)
  const worker = startTestWebhooks(database, { backoff: WAITS })
  await emit(database, subscriber.tenant)
  const bounds: [least: number, most: number][] = [
    [30, 60],
    [60, 120],
    [120, 240],
    [240, 480],
  ]
  for (const [n, [least, most]] of bounds.entries()) {
    const { id, status, nextAttemptAt, lastAttemptAt } = await failedAttempts(subscriber, n + 1)
    assert.equal(status, 'pending')
    const waitSeconds = (Date.parse(nextAttemptAt ?? '') - Date.parse(lastAttemptAt ?? '')) / 1000
    // The time of the attempt is written a moment after its wait has begun.
    assert(waitSeconds > least - 5 && waitSeconds <= most, `${waitSeconds} s after attempt ${n + 1}`)
    await fireRetryTimer(database, id)
    worker.wake()
  }
  const { id, status, nextAttemptAt, lastError } = await failedAttempts(subscriber, 5)
  await worker.stop()
  assert.deepEqual([status, nextAttemptAt, lastError], ['dead', null, 'http_status'])
  assert.equal(receiver.delivered.length, 5)
  assert.deepEqual(await jobsOf(id), [])
})

test('a second record of a delivery that waits posts nothing, and leaves the wait as it is', async () => {
  const receiver = await startRefusing()
  const subscriber = await subscribe(url, database, receiver)
  const worker = startTestWebhooks(database, { backoff: WAITS })
  await emit(database, subscriber.tenant)
  const waiting = await failedAttempts(subscriber, 1)
  const jobs = await jobsOf(waiting.id)
  const { tenantId } = subscriber.tenant
  const record = { tenantId, queue: WEBHOOK_QUEUE, lane: subscriber.endpoint.id, subjectId: waiting.id }
  await database.transaction((tx) => enqueueJobs(tx, [record, record]))
  await endWait(database, subscriber.endpoint.id)
  worker.wake()
  await until('the duplicates are gone', async () => (await jobsOf(waiting.id)).length === 1)
  await worker.stop()
  assert.deepEqual(await jobsOf(waiting.id), jobs)
  const [delivery] = await subscriber.deliveries()
  // Its own wait, without that of its endpoint.
  assert(Date.parse(delivery?.nextAttemptAt ?? '') <= Date.parse(waiting.nextAttemptAt ?? ''))
  assert.deepEqual({ ...delivery, nextAttemptAt: waiting.nextAttemptAt }, waiting)
  assert.equal(receiver.delivered.length, 1)
})

for (const [what, dueBefore] of [
  ['handed out', '0 seconds'],
  ['given back, and then handed out', '1 second'],
] as const) {
  test(`a delivery that is ${what} before it is due, because the clock went back, waits until it is`, async () => {
    const receiver = await startReceiver()
    const subscriber = await subscribe(url, database, receiver)
    await emit(database, subscriber.tenant)
    const [delivery] = await subscriber.deliveries()
    const { id } = delivery ?? assert.fail()
    // As after the clock was put back by an hour.
    await database.rows(sql`
      update webhook_deliveries set next_attempt_at = next_attempt_at + interval '1 hour' where id = ${id}`)
    await database.rows(sql`
      update jobs j set due_at = d.next_attempt_at - ${dueBefore}::interval
      from webhook_deliveries d where d.id = ${id} and j.subject_id = d.id`)
    const jobs = await jobsOf(id)
    const worker = startTestWebhooks(database)
    await until('it waits', () =>
      database.first(sql`select from jobs where subject_id = ${id} and state = 'scheduled'`),
    )
    const waiting = await database.rows(sql<{ id: number; receptions: number; right: boolean }>`
      select j.id, j.receptions, j.due_at between d.next_attempt_at and d.next_attempt_at + interval '1 minute' as right
      from jobs j join webhook_deliveries d on d.id = j.subject_id where d.id = ${id}`)
    assert.deepEqual(waiting, [{ id: jobs[0]?.id, receptions: 0, right: true }])
    assert.equal(receiver.delivered.length, 0)
    await fireRetryTimer(database, id)
    worker.wake()
    const [delivered] = await deliveriesAre(subscriber, 'delivered')
    await worker.stop()
    assert.deepEqual([delivered?.attemptCount, delivered?.receptions], [1, 1])
    assert.equal(receiver.delivered.length, 1)
  })
}

test('of records that all come before their delivery is due one is left', async () => {
  const receiver = await startReceiver()
  const subscriber = await subscribe(url, database, receiver)
  await emit(database, subscriber.tenant)
  const [delivery] = await subscriber.deliveries()
  const { id } = delivery ?? assert.fail()
  await database.rows(sql`
    update webhook_deliveries set next_attempt_at = next_attempt_at + interval '1 hour' where id = ${id}`)
  const record = { tenantId: subscriber.tenant.tenantId, queue: WEBHOOK_QUEUE, lane: subscriber.endpoint.id }
  // The last is of a cycle that is not the current one.
  const more = [{}, {}, { payload: { cycle: 2 } }].map((change) => ({ ...record, subjectId: id, ...change }))
  await database.transaction((tx) => enqueueJobs(tx, more))
  const [first] = await database.rows(sql<{ id: number }>`select id from jobs where subject_id = ${id} order by id`)
  const worker = startTestWebhooks(database)
  await until('one is left', async () => (await jobsOf(id)).length === 1)
  await until('it waits', () => database.first(sql`select from jobs where subject_id = ${id} and state = 'scheduled'`))
  await worker.stop()
  assert.deepEqual(await jobsOf(id), [first])
  assert.equal(receiver.delivered.length, 0)
})

for (const [what, received, posts] of [
  ['fails at its fifth reception', MAX_RECEPTIONS - 1, 2],
  ['would be received a sixth time', MAX_RECEPTIONS, 1],
] as const) {
  test(`a delivery that ${what} is dead, although attempts are left`, async () => {
    const receiver = await startRefusing()
    const subscriber = await subscribe(url, database, receiver)
    const worker = startTestWebhooks(database, { backoff: WAITS })
    await emit(database, subscriber.tenant)
    const { id } = await failedAttempts(subscriber, 1)
    // As after workers that ended before they could say what came of it.
    await database.rows(sql`update jobs set receptions = ${received} where subject_id = ${id}`)
    await fireRetryTimer(database, id)
    worker.wake()
    const [dead] = await deliveriesAre(subscriber, 'dead')
    await worker.stop()
    assert.deepEqual(
      [dead?.lastError, dead?.attemptCount, dead?.receptions],
      ['receptions_exhausted', posts, MAX_RECEPTIONS],
    )
    assert.equal(receiver.delivered.length, posts)
    assert.deepEqual(await reasonsOf(id), [{ reason: 'receptions_exhausted' }])
  })
}

test('many attempts of two workers that fail at once count once, and the tenth failure disables the endpoint once', async () => {
  const together = 40
  let failing = false
  const held: (() => void)[] = []
  const receiver = await startReceiver({
    async answer(_, response) {
      if (failing && held.length < together) await new Promise<void>((resolve) => held.push(resolve))
      response.writeHead(failing ? 500 : 200).end()
    },
  })
  const subscriber = await subscribe(url, database, receiver)
  const { tenant, endpoint } = subscriber
  const workers = [startTestWebhooks(database), startTestWebhooks(database)]
  const disabled = () => workers.flatMap((worker) => worker.disabled())
  await emit(database, tenant)
  await deliveriesAre(subscriber, 'delivered')
  failing = true
  for (let round = 0; round < 4; round++) {
    await emit(database, tenant, together / 4)
    for (const worker of workers) worker.wake()
  }
  await until('all of them are under way', () => held.length === together)
  for (const fail of held) fail()
  await until('it is disabled', () => disabled().length > 0)
  await until('nothing is pending', async () =>
    (await subscriber.deliveries('?limit=100')).every(({ status }) => status !== 'pending'),
  )
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(disabled(), [endpoint.id])
  const { enabled, consecutiveFailures } = await subscriber.current()
  assert.deepEqual({ enabled, consecutiveFailures }, { enabled: false, consecutiveFailures: 10 })
  // The one that was accepted, those that failed together, and nine more, one after the other.
  assert.equal(receiver.delivered.length, 1 + together + 9)
})
