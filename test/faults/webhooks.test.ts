// Webhooks under faults: workers killed and stopped, PostgreSQL restarted, connections cut. Every event arrives, what
// comes again keeps its id, and nobody writes over what another has recorded.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { isUnavailable, sql } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { emit, type Subscriber, subscribe, type TestDelivery } from '../support/webhook-subscriber.ts'
import { assertWhole } from '../support/whole.ts'

// A server that may be restarted without disturbing other tests.
const { database, url: databaseUrl } = await createTestDatabase({ alone: true })
const { url } = await startTestApi(database)
const dataDir = await temporaryFolder('mdk-webhooks-')
after(() => rm(dataDir, { recursive: true, force: true }))

const LONG_MS = 90_000

const startWorker = (env: Record<string, string> = {}) =>
  startService(
    {
      MDK_DATABASE_URL: databaseUrl,
      MDK_DATA_DIR: dataDir,
      MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT,
      MDK_WEBHOOK_ALLOW: '127.0.0.0/8',
      MDK_WEBHOOK_BACKOFF: '50ms,50ms,50ms,50ms',
      MDK_LOG_LEVEL: 'info',
      ...env,
    },
    ['serve', '--roles', 'webhooks'],
  )

/** Attempts that this worker has ended, by what became of them. */
async function attemptsOf(worker: TestService): Promise<Record<string, number>> {
  const text = await (await fetch(`${worker.opsUrl}/metrics`)).text()
  const lines = text.matchAll(/^mdk_webhook_attempts_total\{result="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, result, count]) => [result, Number(count)]))
}

/** How often each event came, which must be all of these and no other. */
function timesEach(receiver: Receiver, eventIds: readonly Uuid[]): number[] {
  const times = new Map<string, number>()
  for (const { event, headers } of receiver.delivered) {
    assert.equal(headers['service-webhook-id'], event.id)
    times.set(event.id, (times.get(event.id) ?? 0) + 1)
  }
  assert.deepEqual(new Set(times.keys()), new Set(eventIds))
  return [...times.values()]
}

const nothingLeft = () =>
  until(
    'nothing waits any more',
    async () => (await database.rows(sql`select id from jobs limit 1`).catch(() => ['?'])).length === 0,
    LONG_MS,
  )

/** How many deliveries stand alike in what counts. */
const standing = ({ endpoint }: Subscriber) =>
  database.rows(sql<{ status: string; attempts: number; receptions: number; count: number }>`
    select status, attempts, receptions, count(*) as count from webhook_deliveries
    where endpoint_id = ${endpoint.id} group by 1, 2, 3`)

test('two workers make exactly one POST for each of 4,000 deliveries', async () => {
  const receivers = await Promise.all([startReceiver(), startReceiver()])
  const subscribers = await Promise.all(receivers.map((receiver) => subscribe(url, database, receiver)))
  // A busy machine is no fault.
  const patient = { MDK_WEBHOOK_TIMEOUT: '30s', MDK_LEASE: '90s' }
  const workers = await Promise.all([startWorker(patient), startWorker(patient)])
  const emitted = subscribers.map(() => [] as Uuid[])
  for (let round = 0; round < 10; round++) {
    for (const [i, { tenant }] of subscribers.entries()) emitted[i]?.push(...(await emit(database, tenant, 200)))
  }
  await nothingLeft()
  const accepted = (await Promise.all(workers.map(attemptsOf))).map(({ accepted = 0, ...failed }) => {
    assert.deepEqual(failed, {})
    return accepted
  })
  for (const worker of workers) assert.equal(await worker.stop(), 0)
  assert(
    accepted.every((count) => count > 0),
    'both have worked',
  )
  assert.equal(
    accepted.reduce((sum, count) => sum + count),
    4_000,
  )
  for (const [i, receiver] of receivers.entries()) {
    assert(timesEach(receiver, emitted[i] ?? []).every((times) => times === 1))
    assert.deepEqual(await standing(subscribers[i] as Subscriber), [
      { status: 'delivered', attempts: 1, receptions: 1, count: 2_000 },
    ])
  }
})

test('with workers killed, PostgreSQL restarted and connections cut, every event arrives under its own id', async () => {
  const receivers = await Promise.all([startReceiver(), startReceiver(), startReceiver()])
  const subscribers = await Promise.all(receivers.map((receiver) => subscribe(url, database, receiver)))
  const hasty = { MDK_WEBHOOK_TIMEOUT: '2s', MDK_LEASE: '10s' }
  const workers = await Promise.all([startWorker(hasty), startWorker(hasty)])
  const arrived = () => receivers.reduce((sum, { delivered }) => sum + delivered.length, 0)

  const killWorker = async (which: 0 | 1) => {
    await workers[which]?.kill()
    // One that finds no database at its start ends, and is started again, as by a supervisor.
    workers[which] = await until('a worker starts', () => startWorker(hasty).catch(() => undefined), LONG_MS)
  }
  const emitting = (async () => {
    for (let round = 0; round < 10; round++) for (const { tenant } of subscribers) await emitSurely(tenant, 100)
  })()
  const faults = [() => killWorker(0), cutConnections, crashPostgres, () => killWorker(1), cutConnections]
  for (const [n, fault] of faults.entries()) {
    await until(`${n} faults are survived`, () => arrived() > 500 * (n + 1) - 250, LONG_MS)
    await fault()
  }
  await emitting
  await nothingLeft()
  for (const worker of workers) assert.equal(await worker.stop(), 0)
  for (const [i, subscriber] of subscribers.entries()) {
    // A transaction whose answer was lost may have been committed: the log has what there was to report.
    const events = await database.rows(sql<{ id: Uuid }>`
      select id from events where tenant_id = ${subscriber.tenant.tenantId} and type = 'message.updated'`)
    assert(events.length >= 1_000)
    const times = timesEach(
      receivers[i] as Receiver,
      events.map(({ id }) => id),
    )
    assert(times.every((count) => count <= 5))
    const rows = await standing(subscriber)
    assert.deepEqual([...new Set(rows.map(({ status }) => status))], ['delivered'])
    assert.equal(
      rows.reduce((sum, { count }) => sum + count, 0),
      events.length,
    )
  }
  assert.deepEqual(await database.rows(sql`select id from dead_letters`), [])
})

test('a wait is not shortened by a worker that is killed and a PostgreSQL that recovers, and ends at its time', async () => {
  const arrivals: number[] = []
  const receiver: Receiver = await startReceiver({
    answer: (_, response) => {
      arrivals.push(Date.now())
      response.writeHead(arrivals.length === 1 ? 500 : 200).end()
    },
  })
  const subscriber = await subscribe(url, database, receiver)
  const patient = { MDK_WEBHOOK_BACKOFF: '5s,1h,1h,1h' }
  const killed = await startWorker(patient)
  await emit(database, subscriber.tenant)
  const [waiting] = await until('the first attempt has failed', async () => {
    const deliveries = await subscriber.deliveries()
    return deliveries[0]?.attemptCount === 1 && deliveries
  })
  await killed.kill()
  await crashPostgres()
  const next = await until('a worker starts', () => startWorker(patient).catch(() => undefined), LONG_MS)
  const [delivered] = await until('the second attempt is made', async () => {
    const deliveries = await subscriber.deliveries().catch(() => [])
    return deliveries[0]?.status === 'delivered' && deliveries
  })
  assert.equal(await next.stop(), 0)
  assert.deepEqual([delivered?.cycle, delivered?.attemptCount, delivered?.receptions], [1, 2, 2])
  const dueAt = Date.parse(waiting?.nextAttemptAt ?? '')
  assert(dueAt - (arrivals[0] as number) >= 5_000)
  assert((arrivals[1] as number) >= dueAt, 'it was not posted before its time')
  assert.equal(receiver.delivered.length, 2)
})

for (const [answer, expected] of [
  [200, { status: 'delivered', attemptCount: 1, receptions: 2, lastStatusCode: 200, failures: 0 }],
  [500, { status: 'pending', attemptCount: 1, receptions: 2, lastStatusCode: 500, failures: 1 }],
] as const) {
  test(`a worker stopped mid-POST past its lease and woken later changes nothing of what another recorded: ${answer}`, async () => {
    const receiver: Receiver = await startReceiver({
      // The first attempt is left to wait for ever.
      answer: (_, response) => {
        if (receiver.delivered.length > 1) response.writeHead(answer).end()
      },
    })
    const subscriber = await subscribe(url, database, receiver)
    const hasty = { MDK_WEBHOOK_TIMEOUT: '4s', MDK_LEASE: '8s', MDK_WEBHOOK_BACKOFF: '1h,1h,1h,1h' }
    const stopped = await startWorker(hasty)
    await emit(database, subscriber.tenant)
    await until('it is posting', () => receiver.delivered.length === 1)
    stopped.child.kill('SIGSTOP')
    const other = await startWorker(hasty)
    const look = async () => {
      const [delivery] = await subscriber.deliveries()
      const { consecutiveFailures: failures } = await subscriber.current()
      return { delivery, failures }
    }
    const before = await until('the other has recorded', async () => {
      const now = await look()
      return now.delivery?.attemptCount === 1 && now
    })
    const { status, attemptCount, receptions, lastStatusCode } = before.delivery as TestDelivery
    assert.deepEqual({ status, attemptCount, receptions, lastStatusCode, failures: before.failures }, expected)
    stopped.child.kill('SIGCONT')
    await until('it has given up its attempt', async () => (await attemptsOf(stopped)).timeout === 1)
    // A worker that stops has recorded before whatever it could.
    assert.equal(await stopped.stop(), 0)
    assert.equal(await other.stop(), 0)
    assert.deepEqual(await look(), before)
    assert.equal(receiver.delivered.length, 2)
  })
}

test('after all of it everything holds', async () => {
  await assertWhole(database, await openTestStore())
})

/** Appends events, again when the database went away before it said that they are in. */
async function emitSurely(tenant: Subscriber['tenant'], count: number): Promise<void> {
  await until(
    'the events are appended',
    () =>
      emit(database, tenant, count).then(
        () => true,
        (error) => {
          if (!isUnavailable(error)) throw error
          return false
        },
      ),
    LONG_MS,
  )
}

/** Ends every connection to the database but the one that asks. */
async function cutConnections(): Promise<void> {
  await database.rows(sql`
    select pg_terminate_backend(pid)::text from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
}

/** Kills one of the server's processes, upon which it ends all others and recovers from its log. */
async function crashPostgres(): Promise<void> {
  const [backend] = await database.rows(sql<{ pid: number }>`select pg_backend_pid() as pid`)
  process.kill(backend?.pid as number, 'SIGKILL')
}
