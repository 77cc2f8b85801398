// How often a delivery was handed out, as its record shows it at every moment: while it is in a worker's hands, after the
// worker has failed or fallen silent, and when its attempt is recorded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimJobs, NO_LANE } from '../../src/lib/queue/claim-jobs.ts'
import type { Job } from '../../src/lib/queue/job.ts'
import { type JobSettlement, settleJobs } from '../../src/lib/queue/settle-jobs.ts'
import { sql } from '../../src/lib/sql.ts'
import { MAX_RECEPTIONS, WEBHOOK_QUEUE } from '../../src/webhooks/delivery-state.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { deliveriesAre, emit, fireRetryTimer, type Subscriber, subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

const receptions = async (subscriber: Subscriber) =>
  (await subscriber.deliveries()).map((delivery) => delivery.receptions)

const claim = (leaseMs = 30_000): Promise<Job[]> =>
  claimJobs(database, {
    queue: WEBHOOK_QUEUE,
    limit: 100,
    laneCap: 100,
    receptionBudget: MAX_RECEPTIONS,
    leaseMs,
    after: NO_LANE,
  })

const settle = (jobs: Job[], how: JobSettlement) =>
  database.transaction((tx) =>
    settleJobs(
      tx,
      jobs.map((job) => ({ job, how })),
    ),
  )

async function subscribed(count: number): Promise<Subscriber> {
  const subscriber = await subscribe(url, database, await startReceiver())
  await emit(database, subscriber.tenant, count)
  // A new endpoint gets one attempt at a time.
  await database.rows(sql`delete from lane_caps where lane = ${subscriber.endpoint.id}`)
  return subscriber
}

test('a delivery shows a reception as soon as it is handed out, and as long as nothing is recorded', async () => {
  const subscriber = await subscribed(3)
  assert.deepEqual(await receptions(subscriber), [0, 0, 0])
  const jobs = await claim()
  assert.equal(jobs.length, 3)
  assert.deepEqual(await receptions(subscriber), [1, 1, 1])
  // As a worker does whose handler has failed: it waits, and its reception counts.
  await settle(jobs.slice(0, 1), { kind: 'putBack', dueInMs: 3_600_000, keepReceptions: true })
  assert.deepEqual(await receptions(subscriber), [1, 1, 1])
  // And one that stops: given back, it costs none.
  await settle(jobs.slice(1), { kind: 'giveBack' })
  assert.deepEqual((await receptions(subscriber)).sort(), [0, 0, 1])
  await settle(await claim(), { kind: 'done' })
})

test('receptions of workers that fell silent are shown before another has the delivery, and after', async () => {
  const subscriber = await subscribed(1)
  for (let received = 1; received <= MAX_RECEPTIONS + 1; received++) {
    const [job] = await until('its lease has run out', async () => {
      const jobs = await claim(1)
      return jobs.length > 0 && jobs
    })
    assert.equal(job?.receptions, received)
    // One more than there may be only ends it.
    assert.deepEqual(await receptions(subscriber), [Math.min(received, MAX_RECEPTIONS)])
  }
  await database.rows(sql`update jobs set state = 'ready', claim = null, leased_until = null
    where tenant_id = ${subscriber.tenant.tenantId}`)
  assert.deepEqual(await receptions(subscriber), [MAX_RECEPTIONS])
  await settle(await claim(), { kind: 'done' })
})

test('an attempt that is under way is shown, and a replay begins anew while it is', async () => {
  const answering = Promise.withResolvers<void>()
  const receiver = await startReceiver({
    answer: async (_, response) => {
      if (receiver.delivered.length === 2) await answering.promise
      response.writeHead(receiver.delivered.length === 1 ? 500 : 200).end()
    },
  })
  const subscriber = await subscribe(url, database, receiver)
  const worker = startTestWebhooks(database, { backoff: [600, 600, 600, 600] })
  await emit(database, subscriber.tenant)
  const [failed] = await until('the first attempt has failed', async () => {
    const items = await subscriber.deliveries()
    return items[0]?.attemptCount === 1 && items
  })
  assert(failed)
  assert.equal(failed.receptions, 1)
  await fireRetryTimer(database, failed.id)
  worker.wake()
  await until('the second is under way', () => receiver.delivered.length === 2)
  const [posting] = await subscriber.deliveries()
  assert.deepEqual([posting?.status, posting?.attemptCount, posting?.receptions], ['pending', 1, 2])
  assert.equal((await subscriber.replay(failed.id)).status, 202)
  const [replayed] = await subscriber.deliveries()
  assert.deepEqual([replayed?.cycle, replayed?.receptions], [2, 0])
  answering.resolve()
  const [delivered] = await deliveriesAre(subscriber, 'delivered')
  await worker.stop()
  assert.deepEqual([delivered?.cycle, delivered?.receptions], [2, 1])
})
