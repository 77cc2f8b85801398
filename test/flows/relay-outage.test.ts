// A relay that goes and comes back: what waited for it goes on within moments, whichever process put it off, and nothing else
// is asked for sooner than it should be.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound, type TestOutboundOptions } from '../support/workers.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const tenant = await createTestTenant(database)

const CONNECTIONS = 4
const FIRST_WAIT_MS = 1_000

const accept = async (to: string, from = tenant): Promise<Uuid> => {
  const answer = await send(url, from.key, { fromMailboxId: from.mailboxId, to: [to], subject: 'Hi', text: 'Hello' })
  assert.equal(answer.status, 202)
  return answer.body.id
}

async function acceptMany(count: number, from = tenant): Promise<void> {
  for (let left = count; left > 0; left -= 50) {
    await Promise.all(Array.from({ length: Math.min(50, left) }, (_, i) => accept(`to${left - i}@example.test`, from)))
  }
}

async function startWorker(relayUrl: string, options: Partial<TestOutboundOptions> = {}) {
  const worker = await startTestOutbound(database, {
    relayUrl,
    connections: CONNECTIONS,
    backoff: { firstMs: FIRST_WAIT_MS, mostMs: 3_600_000 },
    ...options,
  })
  // Also when the test fails before it comes to that: nothing of it works beside the next.
  after(() => worker.stop())
  return worker
}

/** A port at which nothing listens, until a relay is started there. */
async function portOfNobody(): Promise<number> {
  const gone = await startSmtpSink()
  await gone.stop()
  return gone.port
}

async function startRelay(port: number): Promise<SmtpSink & { most: number }> {
  let open = 0
  const sink: SmtpSink & { most: number } = Object.assign(
    await startSmtpSink({
      port,
      server: {
        onConnect(_session, done) {
          sink.most = Math.max(sink.most, ++open)
          done()
        },
        onClose: () => void open--,
      },
    }),
    { most: 0 },
  )
  after(sink.stop)
  return sink
}

interface Waiting {
  state: string
  attempt: number
  waits: boolean
}

/** What is left in the queue, and whether each waits for longer than any test. */
const waiting = () =>
  database.rows(sql<Waiting>`
    select state, (payload->>'attempt')::integer as attempt, due_at > clock_timestamp() + interval '10 minutes' as waits
    from jobs where queue = 'outbound'`)

/** As if the outage had lasted so long that the waits have grown: nothing is due for an hour. */
async function letWaitsGrow(count: number): Promise<void> {
  await until('all were put off', async () => {
    const jobs = await waiting()
    return jobs.length === count && jobs.every(({ state, attempt }) => state === 'scheduled' && attempt > 0)
  })
  const grown = await until('all wait', async () => {
    await database.rows(sql`
      update jobs set due_at = clock_timestamp() + interval '1 hour' where queue = 'outbound' and state = 'scheduled'`)
    const jobs = await waiting()
    return jobs.every(({ state, waits }) => state === 'scheduled' && waits) && jobs
  })
  assert.equal(grown.length, count)
}

const isDrained = async () => (await waiting()).length === 0
const idsOf = (sink: SmtpSink) => sink.mails.map(({ from }) => from)

test('600 messages of two workers go at once when the relay is back, each once and over no more connections', async () => {
  const port = await portOfNobody()
  const workers = await Promise.all([1, 2].map(() => startWorker(`smtp://127.0.0.1:${port}`)))
  // More than go on at once.
  await acceptMany(600)
  await letWaitsGrow(600)
  const sink = await startRelay(port)
  await until('all have gone', isDrained)
  assert.equal(new Set(idsOf(sink)).size, 600)
  assert.equal(sink.mails.length, 600)
  assert(sink.most <= 2 * CONNECTIONS, `${sink.most} connections`)
  await Promise.all(workers.map((worker) => worker.stop()))
})

test('a worker that was started after the outage lets go what others had put off', async () => {
  const port = await portOfNobody()
  const before = await startWorker(`smtp://127.0.0.1:${port}`)
  const id = await accept('one@example.test')
  await letWaitsGrow(1)
  await before.stop()
  const sink = await startRelay(port)
  const worker = await startWorker(sink.url)
  await until('it has gone', isDrained)
  const { recipients } = (await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key })).body.message
  assert.deepEqual([recipients[0].status, recipients[0].nextAttemptAt], ['sent', null])
  await worker.stop()
})

test('what was deferred for a reason of its own waits on while what waited for the relay goes', async () => {
  const port = await portOfNobody()
  const busy = await startSmtpSink({ port, onRecipient: () => '451 4.7.1 greylisted' })
  const worker = await startWorker(busy.url)
  await acceptMany(3)
  await until('the relay has deferred them', async () => (await waiting()).every(({ attempt }) => attempt > 0))
  await letWaitsGrow(3)
  await busy.stop()
  await acceptMany(5)
  await letWaitsGrow(8)
  const sink = await startRelay(port)
  await until('the others have gone', () => sink.mails.length === 5)
  await until('nothing is on its way', async () => (await waiting()).length === 3)
  assert(
    (await waiting()).every(({ state, waits }) => state === 'scheduled' && waits),
    'the three that were deferred wait for their time',
  )
  await database.rows(sql`update jobs set due_at = clock_timestamp() where queue = 'outbound'`)
  await until('they have gone too', isDrained)
  await worker.stop()
})

test('a crowd of one tenant that waits does not keep the message of another waiting', async () => {
  const port = await portOfNobody()
  const worker = await startWorker(`smtp://127.0.0.1:${port}`)
  // More than go on at once.
  await acceptMany(600)
  const other = await createTestTenant(database)
  await accept('lone@example.test', other)
  await letWaitsGrow(601)
  const sink = await startRelay(port)
  await until('all have gone', isDrained)
  const place = sink.mails.findIndex(({ to }) => to.includes('lone@example.test'))
  assert(place >= 0 && place < 500, `it was number ${place}`)
  await worker.stop()
})

test('a relay that comes and goes is asked for no message sooner than its first wait, and all go in the end', async () => {
  const port = await portOfNobody()
  const workers = await Promise.all([1, 2].map(() => startWorker(`smtp://127.0.0.1:${port}`)))
  const beganMs = performance.now()
  await acceptMany(300)
  const taken: string[] = []
  for (let round = 0; round < 6; round++) {
    const relay = await startSmtpSink({ port })
    await until('it has taken some', async () => relay.mails.length > 0 || (await isDrained()))
    await relay.stop()
    taken.push(...idsOf(relay))
    if (await isDrained()) break
  }
  const most = Math.max(0, ...(await waiting()).map(({ attempt }) => attempt ?? 0))
  assert(most <= 1 + (performance.now() - beganMs) / FIRST_WAIT_MS, `a message was tried ${most} times`)
  const sink = await startRelay(port)
  await until('all have gone', isDrained)
  taken.push(...idsOf(sink))
  assert.equal(new Set(taken).size, 300)
  await Promise.all(workers.map((worker) => worker.stop()))
})
