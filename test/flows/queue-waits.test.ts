// Jobs that wait: what goes on when something is back, and how old what waits is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_LANE } from '../../src/lib/queue/claim-jobs.ts'
import { holdLane } from '../../src/lib/queue/lanes.ts'
import { measureQueues } from '../../src/lib/queue/measure-queues.ts'
import { awaitResumption, resumeJobs } from '../../src/lib/queue/resume-jobs.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { testQueueOf } from '../support/queue.ts'
import { flushStatistics } from '../support/statistics.ts'

const { database } = await createTestDatabase()
const { tenantId, enqueue, claim, settle } = testQueueOf(database)

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Puts off for an hour what is enqueued in each lane, until something is back: `resumableInMs` at the soonest. */
async function putOff(queue: string, lanes: readonly Uuid[], count: number, resumableInMs = 0): Promise<void> {
  for (const lane of lanes) await enqueue(queue, lane, count)
  const jobs = await claim(queue, { limit: lanes.length * count, laneCap: count })
  assert.equal(jobs.length, lanes.length * count)
  await settle(jobs, { kind: 'putBack', dueInMs: 3_600_000, keepReceptions: false, resumableInMs })
}

const readyIn = async (queue: string, lane: Uuid) =>
  (
    await database.first(sql<{ n: number }>`
      select count(*) as n from jobs where queue = ${queue} and lane = ${lane} and state = 'ready'`)
  )?.n

test('what was put off until something is back goes on before it is due, and nothing else does', async () => {
  const lane = newId()
  await putOff('resumed', [lane], 3)
  await putOff('resumed', [newId()], 1, 3_600_000)
  await enqueue('resumed', newId())
  await settle(await claim('resumed'), { kind: 'putBack', dueInMs: 3_600_000, keepReceptions: false })
  assert.equal(await awaitResumption(database, 'resumed'), true)
  assert.equal((await claim('resumed')).length, 0)
  assert.equal((await resumeJobs(database, 'resumed', 10, NO_LANE)).count, 3)
  const jobs = await claim('resumed')
  assert.deepEqual(new Set(jobs.map((job) => job.lane)), new Set([lane]))
  assert.equal((await resumeJobs(database, 'resumed', 10, NO_LANE)).count, 0)
  // Who puts a job off for a reason of its own waits for nothing that comes back.
  await settle(jobs, { kind: 'putBack', dueInMs: 3_600_000, keepReceptions: false })
  assert.equal((await resumeJobs(database, 'resumed', 10, NO_LANE)).count, 0)
})

test('lanes have equal shares of what goes on, and what is due in a lane counts', async () => {
  const lanes = [newId(), newId()] as const
  await putOff('resumed in shares', lanes, 20)
  await enqueue('resumed in shares', lanes[0], 3)
  const ready = () => Promise.all(lanes.map((lane) => readyIn('resumed in shares', lane)))
  assert.equal((await resumeJobs(database, 'resumed in shares', 10, NO_LANE)).count, 7)
  assert.deepEqual(await ready(), [5, 5])
  assert.equal((await resumeJobs(database, 'resumed in shares', 10, NO_LANE)).count, 0, 'none has been taken up')
  const jobs = await claim('resumed in shares', { limit: 4 })
  assert.equal((await resumeJobs(database, 'resumed in shares', 10, NO_LANE)).count, 4)
  await settle(jobs, { kind: 'done' })
})

test('of more lanes than go on at once each has its turn before any has a second', async () => {
  const lanes = Array.from({ length: 7 }, newId)
  await putOff('resumed in turns', lanes, 2)
  let after = NO_LANE
  const rounds: Uuid[][] = []
  while (rounds.length < 6) {
    after = (await resumeJobs(database, 'resumed in turns', 3, after)).after
    rounds.push((await claim('resumed in turns')).map(({ lane }) => lane))
  }
  assert.equal(new Set(rounds.slice(0, 3).flat()).size, 7)
  // The last lane of a round has all of its share.
  assert.deepEqual(
    rounds.map((round) => round.length),
    [3, 3, 2, 3, 3, 0],
  )
})

test('two processes that let jobs go on at once let each go on once', async () => {
  const lane = newId()
  await putOff('resumed by two', [lane], 100)
  const resumed = await Promise.all(
    Array.from({ length: 8 }, () => resumeJobs(database, 'resumed by two', 1_000, NO_LANE)),
  )
  assert.equal(sum(resumed.map(({ count }) => count)), 100)
  assert.equal((await claim('resumed by two')).length, 100)
})

test('the figures of a queue show its depth, the age of what is oldest and how long it has been due', async () => {
  await enqueue('figures', newId(), 3)
  await database.rows(sql`
    update jobs set created_at = clock_timestamp() - interval '1 minute', due_at = clock_timestamp() - interval '1 minute'
    where id in (select id from jobs where queue = 'figures' limit 1)`)
  // What is in a worker's hands does not wait.
  await enqueue('figures', newId())
  const newest = await database.first(sql<{ id: number }>`select max(id) as id from jobs where queue = 'figures'`)
  await database.rows(sql`
    update jobs set state = 'leased', claim = gen_random_uuid(), leased_until = clock_timestamp() + interval '1 hour'
    where id = ${newest?.id}`)
  const [figures, empty] = await measureQueues(database, ['figures', 'empty'])
  assert.equal(figures?.depth, 3)
  assert(Math.abs((figures?.oldestSeconds ?? 0) - 60) < 5)
  assert(Math.abs((figures?.overdueSeconds ?? 0) - 60) < 5)
  assert.deepEqual(empty, { queue: 'empty', depth: 0, oldestSeconds: 0, overdueSeconds: 0 })
})

for (const [what, how] of [
  ['was put off', { kind: 'putBack', dueInMs: 3_600_000, keepReceptions: false }],
  ['was put off and is due again', { kind: 'putBack', dueInMs: 0, keepReceptions: false }],
  ['was given back', { kind: 'giveBack' }],
  ['is in the hands of a worker', undefined],
] as const) {
  test(`a job that ${what} is as old as it was when it was made`, async () => {
    const queue = `aged: ${what}`
    await enqueue(queue, newId())
    await database.rows(sql`
      update jobs set created_at = clock_timestamp() - interval '1 hour', due_at = clock_timestamp() - interval '1 hour'
      where queue = ${queue}`)
    const jobs = await claim(queue)
    if (how) await settle(jobs, how)
    await enqueue(queue, newId())
    const [figures] = await measureQueues(database, [queue])
    assert(Math.abs((figures?.oldestSeconds ?? 0) - 3_600) < 5)
    assert((figures?.overdueSeconds ?? 0) < 5, 'and has not been due for that long')
  })
}

test('a job that is held with its lane is as old as it was when it was made', async () => {
  const lane = newId()
  await enqueue('aged: held', lane, 2)
  await database.rows(sql`
    update jobs set created_at = clock_timestamp() - interval '1 hour', due_at = clock_timestamp() - interval '1 hour'
    where queue = 'aged: held'`)
  await database.transaction((tx) => holdLane(tx, { tenantId, queue: 'aged: held', lane }, 3_600_000))
  assert.deepEqual(await claim('aged: held'), [])
  const [figures] = await measureQueues(database, ['aged: held'])
  assert(Math.abs((figures?.oldestSeconds ?? 0) - 3_600) < 5)
  assert.equal(figures?.overdueSeconds, 0)
})

test('the oldest of a hundred thousand jobs is found by a look at a few of them', async () => {
  await database.rows(sql`
    insert into jobs (tenant_id, queue, lane, subject_id, state, due_at, created_at)
    select ${tenantId}, 'aged: many', ${newId()}, gen_random_uuid(), 'scheduled', clock_timestamp() + interval '1 hour',
      clock_timestamp() - n * interval '1 second'
    from generate_series(1, 100000) n`)
  const read = async () => {
    await flushStatistics(database)
    const row = await database.first(sql<{ n: number }>`
      select idx_tup_read::float8 as n from pg_stat_user_indexes where indexrelname = 'jobs_put_off'`)
    return row?.n ?? Number.NaN
  }
  const before = await read()
  const [figures] = await measureQueues(database, ['aged: many'])
  assert(Math.abs((figures?.oldestSeconds ?? 0) - 100_000) < 30)
  assert((await read()) - before < 10)
  await database.rows(sql`delete from jobs where queue = 'aged: many'`)
})

test('what is done at once has no entry among those that were put off', async () => {
  await enqueue('done at once', newId(), 3)
  await database.rows(sql`
    insert into jobs (tenant_id, queue, lane, subject_id)
    select ${tenantId}, 'done at once', ${newId()}, gen_random_uuid() from generate_series(1, 100)`)
  await claim('done at once')
  const put = await database.first(sql<{ n: number }>`
    select count(*) as n from jobs where queue = 'done at once' and due_at > created_at`)
  assert.equal(put?.n, 0)
})
