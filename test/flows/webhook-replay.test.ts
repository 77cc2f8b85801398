// Replays that meet the retry of what they replay: the earlier cycle posts nothing more, or what it posts counts nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/lib/sql.ts'
import { replayDelivery } from '../../src/webhooks/replay-delivery.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { deliveriesAre, emit, fireRetryTimer, subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

/** A delivery whose first attempt was refused, and whose retry is due at this moment. No worker runs. */
async function startWithRetryDue(later: number) {
  const receiver = await startReceiver({
    answer: (_, response) => {
      response.statusCode = receiver.delivered.length === 1 ? 500 : later
      response.end()
    },
  })
  const subscriber = await subscribe(url, database, receiver)
  const worker = startTestWebhooks(database, { backoff: [600, 600, 600, 600] })
  await emit(database, subscriber.tenant)
  const [delivery] = await until('the first attempt has failed', async () => {
    const items = await subscriber.deliveries()
    return items[0]?.attemptCount === 1 && items
  })
  await worker.stop()
  assert(delivery)
  await fireRetryTimer(database, delivery.id)
  return { receiver, subscriber, id: delivery.id }
}

test('a replay as the retry timer fires is posted once, and the retry not at all', async () => {
  const { receiver, subscriber, id } = await startWithRetryDue(200)
  assert.equal((await subscriber.replay(id)).status, 202)
  const workers = [startTestWebhooks(database), startTestWebhooks(database)]
  await until(
    'both jobs have ended',
    async () => !(await database.first(sql`select from jobs where subject_id = ${id}`)),
  )
  await Promise.all(workers.map((worker) => worker.stop()))
  const [delivery] = await subscriber.deliveries()
  assert.deepEqual([delivery?.status, delivery?.cycle, delivery?.attemptCount], ['delivered', 2, 1])
  assert.equal(receiver.delivered.length, 2)
})

for (const late of [200, 500]) {
  test(`a retry that is posted while the replay commits, and answered with ${late}, counts nothing`, async () => {
    const { receiver, subscriber, id } = await startWithRetryDue(late)
    const { tenant } = subscriber
    let worker: ReturnType<typeof startTestWebhooks> | undefined
    await database.transaction(async (tx) => {
      await replayDelivery(tx, operatorOf(tenant.tenantId), id)
      worker = startTestWebhooks(database, { backoff: [600, 600, 600, 600] })
      await until('the retry was posted', () => receiver.delivered.length === 2)
      await until('its result waits for the replay', () =>
        database.first(sql`select from pg_locks where not granted and locktype = 'transactionid'`),
      )
    })
    worker?.wake()
    await until('the replay was posted', () => receiver.delivered.length === 3)
    if (late === 200) await deliveriesAre(subscriber, 'delivered')
    const [delivery] = await until('its result stands', async () => {
      const items = await subscriber.deliveries()
      return items[0]?.attemptCount === 1 && items
    })
    await worker?.stop()
    assert.deepEqual([delivery?.cycle, delivery?.receptions, delivery?.lastStatusCode], [2, 1, late])
    const attempts = await subscriber.attempts(id)
    assert.deepEqual(
      attempts.map(({ cycle, number, statusCode }) => [cycle, number, statusCode]),
      [
        [1, 1, 500],
        [2, 1, late],
      ],
    )
    // Of the refused: the first attempt and the replay's. The one between them is of a cycle that is over.
    assert.equal((await subscriber.current()).consecutiveFailures, late === 200 ? 0 : 2)
  })
}
