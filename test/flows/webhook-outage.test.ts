// An endpoint whose attempts fail waits as a whole: nothing is posted to it before its time, what is pending keeps its budget,
// and one success lets all go.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { deliveriesAre, emit, endWait, type Subscriber, subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

/** As they are when nobody sets MDK_WEBHOOK_BACKOFF, in seconds. */
const WAITS = readConfig({}).webhooks.backoffSeconds

interface Outage {
  receiver: Receiver
  subscriber: Subscriber
  down: boolean
}

/** A receiver that can go down, and whoever subscribed it. It is down from the beginning. */
async function startOutage(): Promise<Outage> {
  const receiver = await startReceiver({
    answer: (_, response) => void response.writeHead(outage.down ? 503 : 200).end(),
  })
  const outage = { receiver, subscriber: await subscribe(url, database, receiver), down: true }
  return outage
}

const failuresAre = (subscriber: Subscriber, count: number) =>
  until(`${count} failures are counted`, async () => (await subscriber.current()).consecutiveFailures === count)

const isHeld = ({ endpoint }: Subscriber, count: number) =>
  until(`${count} jobs are held`, async () => {
    const rows = await database.rows(sql`select id from jobs where lane = ${endpoint.id} and state = 'held'`)
    return rows.length === count
  })

const patch = async ({ tenant, endpoint }: Subscriber, body: object) => {
  const answer = await call(url, 'PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { key: tenant.key, body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

test('a receiver that is down for a moment fails once, whatever is due to it, and hears everything when it is back', async () => {
  const outage = await startOutage()
  const { subscriber, receiver } = outage
  await emit(database, subscriber.tenant, 20)
  const workers = [startTestWebhooks(database, { backoff: WAITS }), startTestWebhooks(database, { backoff: WAITS })]
  await failuresAre(subscriber, 1)
  await isHeld(subscriber, 19)
  assert.equal(receiver.delivered.length, 1)
  const others = (await subscriber.deliveries()).filter(({ lastAttemptAt }) => lastAttemptAt === null)
  assert.equal(others.length, 19)
  const [failed] = (await subscriber.deliveries()).filter(({ lastAttemptAt }) => lastAttemptAt !== null)
  for (const { status, attemptCount, receptions, nextAttemptAt } of others) {
    assert.deepEqual([status, attemptCount, receptions], ['pending', 0, 0])
    const waitSeconds = (Date.parse(nextAttemptAt ?? '') - Date.parse(failed?.lastAttemptAt ?? '')) / 1000
    assert(waitSeconds >= 30 && waitSeconds < 65, `${waitSeconds} s`)
  }
  outage.down = false
  await endWait(database, subscriber.endpoint.id)
  for (const worker of workers) worker.wake()
  await until('all but the failed one are delivered', () => receiver.delivered.length === 20)
  await failuresAre(subscriber, 0)
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(
    workers.flatMap(({ disabled }) => disabled()),
    [],
  )
  const delivered = (await subscriber.deliveries()).filter(({ status }) => status === 'delivered')
  assert.deepEqual(
    delivered.map(({ attemptCount, receptions }) => [attemptCount, receptions]),
    Array(19).fill([1, 1]),
  )
  assert.deepEqual(await database.rows(sql`select lane from held_lanes where lane = ${subscriber.endpoint.id}`), [])
})

test('between ten failures in a row lie the waits of each, half an hour in all, and one attempt is made after each', async () => {
  const { subscriber, receiver } = await startOutage()
  const { id } = subscriber.endpoint
  await emit(database, subscriber.tenant, 20)
  const worker = startTestWebhooks(database, { backoff: WAITS })
  let leastSeconds = 0
  for (let failures = 1; failures < 10; failures++) {
    await failuresAre(subscriber, failures)
    const row = await database.first(sql<{ seconds: number }>`
      select extract(epoch from h.held_until - max(d.last_attempt_at))::float8 as seconds
      from held_lanes h join webhook_deliveries d on d.endpoint_id = h.lane
      where h.lane = ${id} group by h.held_until`)
    const least = WAITS[Math.min(failures, 4) - 1] as number
    leastSeconds += least
    // The time of the attempt is written a moment before its endpoint's wait begins.
    const seconds = row?.seconds ?? Number.NaN
    assert(seconds >= least && seconds < 2 * least + 5, `${seconds} s after failure ${failures}`)
    assert.equal(receiver.delivered.length, failures)
    await endWait(database, id)
    worker.wake()
  }
  await until('it is disabled', () => worker.disabled().length > 0)
  await deliveriesAre(subscriber, 'dead')
  // Those that have failed are due again in half a minute.
  await database.rows(sql`update jobs set due_at = clock_timestamp() where lane = ${id}`)
  worker.wake()
  await until('no job is left', async () => !(await database.first(sql`select from jobs where lane = ${id}`)))
  await worker.stop()
  assert.equal(receiver.delivered.length, 10)
  assert.equal(leastSeconds, 30 + 60 + 120 + 6 * 240)
})

test('the end of a wait and the success after it wake the worker, long before it would look again', async () => {
  let refused = 0
  const receiver = await startReceiver({
    answer: (_, response) => void response.writeHead(refused++ < 2 ? 500 : 200).end(),
  })
  const subscriber = await subscribe(url, database, receiver)
  await emit(database, subscriber.tenant, 600)
  const worker = startTestWebhooks(database, { backoff: [0.2, 0.2, 0.2, 0.2], pollMs: 3_600_000 })
  await until('all are delivered', () => receiver.delivered.length === 602)
  await until(
    'nothing waits',
    async () => !(await database.first(sql`select from jobs where lane = ${subscriber.endpoint.id}`)),
  )
  await worker.stop()
  const deliveries = await subscriber.deliveries('?limit=100')
  assert(deliveries.every(({ status }) => status === 'delivered'))
})

/** Receivers whose every request waits to be told what to answer, in the order in which they came. */
async function startAsking() {
  const asked: ((status: number) => void)[] = []
  const receiver = await startReceiver({
    answer: async (_, response) => {
      const status = await new Promise<number>((resolve) => asked.push(resolve))
      response.writeHead(status).end()
    },
  })
  const subscriber = await subscribe(url, database, receiver)
  // It is not new any more.
  await database.rows(sql`delete from lane_caps where lane = ${subscriber.endpoint.id}`)
  const answer = (nth: number, status: number) => (asked[nth] ?? assert.fail(`${nth} was not asked`))(status)
  return { subscriber, asked, answer }
}

test('of what was in flight together one failure counts, and a success among it lets all go', async () => {
  const { subscriber, asked, answer } = await startAsking()
  await emit(database, subscriber.tenant, 3)
  const worker = startTestWebhooks(database, { backoff: WAITS })
  await until('three are under way', () => asked.length === 3)
  answer(0, 500)
  await failuresAre(subscriber, 1)
  answer(1, 500)
  await until('two have failed', async () => {
    const deliveries = await subscriber.deliveries()
    return deliveries.filter(({ attemptCount }) => attemptCount === 1).length === 2
  })
  assert.equal((await subscriber.current()).consecutiveFailures, 1)
  await emit(database, subscriber.tenant, 5)
  worker.wake()
  await isHeld(subscriber, 5)
  answer(2, 200)
  await failuresAre(subscriber, 0)
  await until('the others are under way', () => asked.length === 8)
  for (let n = 3; n < 8; n++) answer(n, 200)
  await until(
    'they are delivered',
    async () => (await subscriber.deliveries()).filter(({ status }) => status === 'delivered').length === 6,
  )
  await worker.stop()
})

test('an attempt that fails after a later one succeeded counts nothing, and holds up nothing', async () => {
  const { subscriber, asked, answer } = await startAsking()
  await emit(database, subscriber.tenant, 2)
  const worker = startTestWebhooks(database, { backoff: WAITS })
  await until('two are under way', () => asked.length === 2)
  answer(0, 500)
  await failuresAre(subscriber, 1)
  await emit(database, subscriber.tenant)
  // Let another go while the second is still under way, as when its receiver takes longer than the wait.
  await database.rows(sql`delete from lane_caps where lane = ${subscriber.endpoint.id}`)
  await endWait(database, subscriber.endpoint.id)
  worker.wake()
  await until('a third is under way', () => asked.length === 3)
  answer(2, 200)
  await failuresAre(subscriber, 0)
  answer(1, 500)
  await until(
    'it has failed',
    async () => (await subscriber.deliveries()).filter(({ lastError }) => lastError).length === 2,
  )
  assert.equal((await subscriber.current()).consecutiveFailures, 0)
  await emit(database, subscriber.tenant)
  worker.wake()
  await until('the next is under way', () => asked.length === 4)
  answer(3, 200)
  await until(
    'it is delivered',
    async () => (await subscriber.deliveries()).filter(({ status }) => status === 'delivered').length === 2,
  )
  await worker.stop()
})

test('after enabling, what was under way and fails leaves one attempt at a time until one succeeds', async () => {
  const { subscriber, asked, answer } = await startAsking()
  await emit(database, subscriber.tenant, 3)
  const worker = startTestWebhooks(database, { backoff: WAITS })
  await until('three are under way', () => asked.length === 3)
  answer(0, 500)
  await failuresAre(subscriber, 1)
  await patch(subscriber, { enabled: true })
  await failuresAre(subscriber, 0)
  for (const late of [1, 2]) answer(late, 500)
  await until(
    'three have failed',
    async () => (await subscriber.deliveries()).filter(({ lastError }) => lastError).length === 3,
  )
  await emit(database, subscriber.tenant, 5)
  worker.wake()
  await until('one more is under way', () => asked.length === 4)
  const leased = await database.rows(sql`
    select id from jobs where lane = ${subscriber.endpoint.id} and state = 'leased'`)
  assert.equal(leased.length, 1)
  answer(3, 200)
  await until('the others are under way', () => asked.length === 8)
  for (let n = 4; n < 8; n++) answer(n, 200)
  await until(
    'they are delivered',
    async () => (await subscriber.deliveries()).filter(({ status }) => status === 'delivered').length === 5,
  )
  await worker.stop()
})

test('a replay waits like the others; enabling lets it go, and so does a new URL that passes the handshake', async () => {
  const outage = await startOutage()
  const { subscriber, receiver } = outage
  await emit(database, subscriber.tenant, 2)
  const [, replayed] = await subscriber.deliveries()
  const worker = startTestWebhooks(database, { backoff: WAITS })
  await failuresAre(subscriber, 1)
  assert.equal((await subscriber.replay(replayed?.id as string)).status, 202)
  await isHeld(subscriber, 2)
  for (const calm of [{ description: 'the same' }, { url: receiver.url }]) await patch(subscriber, calm)
  const tested = await call(url, 'POST', `/v1/webhook-endpoints/${subscriber.endpoint.id}/test`, {
    key: subscriber.tenant.key,
    headers: { 'idempotency-key': newId() },
  })
  assert.deepEqual([tested.status, tested.body.delivered, tested.body.statusCode], [200, false, 503])
  assert.equal(receiver.delivered.length, 2, 'the test is posted now, and ends no wait')
  assert.equal((await subscriber.current()).consecutiveFailures, 1)
  await patch(subscriber, { enabled: true })
  await failuresAre(subscriber, 1)
  assert.equal(receiver.delivered.length, 3, 'enabling has let one more go, which failed')
  outage.down = false
  await patch(subscriber, { url: receiver.url.replace('/hook', '/moved') })
  await failuresAre(subscriber, 0)
  await until('what is due is delivered', () =>
    subscriber.deliveries().then((all) => all.some(({ status }) => status === 'delivered')),
  )
  await worker.stop()
  assert.deepEqual(worker.errors(), [])
})

for (const [status, expected] of [
  [204, { status: 'delivered', attemptCount: 1, lastError: null, deadAt: null }],
  [500, { status: 'dead', attemptCount: 0, lastError: 'endpoint_disabled' }],
] as const) {
  test(`an attempt under way while its endpoint is disabled, answered with ${status}, leaves the delivery ${expected.status}`, async () => {
    const { subscriber, asked, answer } = await startAsking()
    await emit(database, subscriber.tenant)
    const worker = startTestWebhooks(database)
    await until('it is under way', () => asked.length === 1)
    await patch(subscriber, { enabled: false })
    await deliveriesAre(subscriber, 'dead')
    answer(0, status)
    const jobs = () => database.rows(sql`select id from jobs where lane = ${subscriber.endpoint.id}`)
    await until('its result is recorded', async () => (await jobs()).length === 0)
    await worker.stop()
    const [delivery] = await subscriber.deliveries()
    assert.deepEqual({ ...delivery, ...expected }, delivery)
    assert.equal((await subscriber.current()).consecutiveFailures, 0)
  })
}
