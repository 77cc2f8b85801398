// A worker of the queue: when it looks for work, what it does with a failure, and what it leaves behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobSettlement } from '../../src/lib/queue/settle-jobs.ts'
import { createWakeUps } from '../../src/lib/queue/wake-ups.ts'
import { startWorker, type WorkerOptions } from '../../src/lib/queue/worker.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { testQueueOf } from '../support/queue.ts'
import { until } from '../support/until.ts'

const { database, url } = await createTestDatabase()
const { enqueue, settle, left } = testQueueOf(database)

const MINUTE_MS = 60_000

/** One job at a time, and looks often, unless told otherwise. */
const startTestWorker = (options: Partial<WorkerOptions> & Pick<WorkerOptions, 'queue' | 'handle'>) =>
  startWorker({
    database,
    wakeUps: createWakeUps(database, () => {}),
    concurrency: 1,
    laneCap: 10,
    receptionBudget: 5,
    leaseMs: 30_000,
    pollMs: 50,
    onError: () => {},
    ...options,
  })

const unexpected = (error: unknown): never => {
  throw error
}

test('a stopped worker gives back what it could not finish, at no cost', async () => {
  const worker = startTestWorker({
    queue: 'drained',
    handle: () => new Promise(() => {}),
    concurrency: 5,
  })
  await enqueue('drained', newId(), 5)
  await until('all are in flight', async () => {
    const rows = await database.rows(sql`select id from jobs where queue = 'drained' and state = 'leased'`)
    return rows.length === 5
  })
  await worker.stop(0)
  const rows = await database.rows(sql<{ state: string; receptions: number }>`
    select distinct state, receptions from jobs where queue = 'drained'`)
  assert.deepEqual(rows, [{ state: 'ready', receptions: 0 }])
})

test('a handler that throws has its job again after a moment', async () => {
  let calls = 0
  const worker = startTestWorker({
    queue: 'throws',
    async handle(job) {
      calls += 1
      if (calls === 1) throw new Error('once')
      await settle([job], { kind: 'done' })
    },
  })
  await enqueue('throws', newId())
  await until('it was done the second time', async () => (await left('throws')) === 0)
  assert.equal(calls, 2)
  await worker.stop(1_000)
})

test('a retry that falls due between two polls does not wait for the next one', async () => {
  const receptions: number[] = []
  const worker = startTestWorker({
    queue: 'punctual',
    async handle(job) {
      receptions.push(job.receptions)
      const how = job.receptions === 1 ? { kind: 'putBack', dueInMs: 300, keepReceptions: true } : { kind: 'done' }
      await settle([job], how as JobSettlement)
      // A look that comes too early finds nothing, and must not forget when to come again.
      database.signal('punctual')
    },
    pollMs: MINUTE_MS,
    onError: unexpected,
  })
  await enqueue('punctual', newId())
  await until('it was done', async () => (await left('punctual')) === 0, MINUTE_MS / 2)
  assert.deepEqual(receptions, [1, 2])
  await worker.stop(1_000)
})

test('a worker says once that the database is away, and goes on trying', async () => {
  const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' })
  let attempts = 0
  const errors: unknown[] = []
  const worker = startTestWorker({
    queue: 'away',
    database: {
      ...nowhere,
      rows(statement) {
        attempts += 1
        return nowhere.rows(statement)
      },
    },
    wakeUps: { listen: () => () => {} },
    handle: async (job) => unexpected(job),
    onError: (error) => errors.push(error),
  })
  await until('it has tried again', () => attempts >= 3)
  assert.equal(errors.length, 1)
  await worker.stop(0)
  await nowhere.end()
})

test('wake-ups are heard again after their connection was lost', async () => {
  const wakeUps = createWakeUps(database, unexpected)
  const heard = new Set<string>()
  for (const queue of ['before', 'after']) wakeUps.listen(queue, () => heard.add(queue))
  const ring = (queue: string) =>
    until(`it hears ${queue}`, async () => {
      await database.rows(sql`select pg_notify('mdk_wake', ${queue})::text`)
      return heard.has(queue)
    })
  await ring('before')
  const listening = () =>
    database.rows(sql<{ pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and application_name = 'mdk wake-ups'`)
  const lost = (await listening()).map((row) => row.pid)
  await database.rows(sql`select pg_terminate_backend(pid)::text from unnest(${lost}::int[]) as pid`)
  await until('they are gone', async () => (await listening()).every((row) => !lost.includes(row.pid)))
  heard.clear()
  await ring('after')
  await wakeUps.stop()
})

test('a stopped worker notifies the others of what it gave back', async () => {
  const elsewhere = openDatabase({ url, onIdleError: () => {} })
  const [mine, others] = [createWakeUps(database, unexpected), createWakeUps(elsewhere, unexpected)]
  const worker = startTestWorker({
    queue: 'handed on',
    wakeUps: mine,
    handle: () => new Promise(() => {}),
    onError: unexpected,
  })
  await enqueue('handed on', newId())
  await until('it is in flight', async () => {
    const rows = await database.rows(sql`select id from jobs where queue = 'handed on' and state = 'leased'`)
    return rows.length === 1
  })
  const heard = new Set<string>()
  for (const queue of ['handed on', 'listening']) others.listen(queue, () => heard.add(queue))
  await until('the others listen', () => {
    database.signal('listening')
    return heard.has('listening')
  })
  // Whoever begins to listen is called for every topic, in case something was signalled before.
  heard.clear()
  await worker.stop(0)
  await mine.stop()
  await until('the others heard', () => heard.has('handed on'))
  await others.stop()
  await elsewhere.end()
})
