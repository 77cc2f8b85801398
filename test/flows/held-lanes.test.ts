// Lanes that wait, as the queue keeps them: what is due in them is held where no claim meets it, and goes on one by one
// after the wait, or all together when the wait is ended.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimJobs, NO_LANE, nextDueInMs } from '../../src/lib/queue/claim-jobs.ts'
import { enqueueJobs } from '../../src/lib/queue/enqueue-jobs.ts'
import type { Job } from '../../src/lib/queue/job.ts'
import { holdLane, openLane } from '../../src/lib/queue/lanes.ts'
import { type JobSettlement, settleJobs } from '../../src/lib/queue/settle-jobs.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { flushStatistics } from '../support/statistics.ts'
import { until } from '../support/until.ts'

const { database } = await createTestDatabase()
const tenantId = newId()
const MINUTE_MS = 60_000

/** A lane of a queue of its own, with so many jobs. */
async function startLane(count: number) {
  const lane = { tenantId, queue: newId(), lane: newId() }
  await enqueue(lane, count)
  return lane
}

const enqueue = (lane: { tenantId: string; queue: string; lane: string }, count: number) =>
  database.transaction((tx) =>
    enqueueJobs(
      tx,
      Array.from({ length: count }, () => ({ ...lane, subjectId: newId() })),
    ),
  )

const claim = ({ queue }: { queue: string }): Promise<Job[]> =>
  claimJobs(database, {
    queue,
    limit: 2_000,
    laneCap: 128,
    tenantCap: 256,
    receptionBudget: 5,
    leaseMs: MINUTE_MS,
    after: NO_LANE,
  })

const settle = (jobs: Job[], how: JobSettlement) =>
  database.transaction((tx) =>
    settleJobs(
      tx,
      jobs.map((job) => ({ job, how })),
    ),
  )

const hold = (lane: Parameters<typeof holdLane>[1], forMs: number) =>
  database.transaction((tx) => holdLane(tx, lane, forMs))

const heldIn = async ({ queue }: { queue: string }) =>
  (
    await database.first(sql<{ n: number }>`
    select count(*)::integer as n from jobs where queue = ${queue} and state = 'held'`)
  )?.n

test('nothing of a lane that waits is handed out; then one at a time, and with its end all', async () => {
  const lane = await startLane(700)
  const [first] = await claim(lane)
  assert(first)
  await hold(lane, MINUTE_MS)
  await until('all that is due is held', async () => {
    assert.deepEqual(await claim(lane), [])
    return (await heldIn(lane)) === 700 - 128
  })
  const nextMs = (await nextDueInMs(database, lane.queue)) ?? Number.NaN
  assert(nextMs > MINUTE_MS / 2 && nextMs <= MINUTE_MS)
  await database.rows(sql`
    update jobs set state = 'ready', claim = null, leased_until = null where queue = ${lane.queue} and state = 'leased'`)
  await enqueue(lane, 1)
  await hold(lane, 0)
  const [one, ...more] = await until('one is handed out', async () => {
    const jobs = await claim(lane)
    return jobs.length > 0 && jobs
  })
  assert.deepEqual(more, [])
  assert.deepEqual(await claim(lane), [])
  await settle([one as Job], { kind: 'done' })
  // One that came to nothing is followed by the next: nobody says that the wait has ended.
  const next = await until('the next is handed out', async () => {
    const jobs = await claim(lane)
    return jobs.length > 0 && jobs
  })
  assert.equal(next.length, 1)
  await settle(next, { kind: 'giveBack' })
  await database.transaction((tx) => openLane(tx, lane, null))
  let handedOut = 0
  await until('all are handed out', async () => {
    const jobs = await claim(lane)
    handedOut += jobs.length
    await settle(jobs, { kind: 'done' })
    return handedOut === 700
  })
  await claim(lane)
  assert.deepEqual(await database.rows(sql`select lane from held_lanes where queue = ${lane.queue}`), [])
  assert.equal(await nextDueInMs(database, lane.queue), undefined)
})

test('the job of a worker that ended without a word is handed out again while the others are held', async () => {
  const lane = await startLane(3)
  await hold(lane, 0)
  const [lost] = await claim(lane)
  assert.deepEqual(await claim(lane), [])
  assert.equal(await heldIn(lane), 2)
  await database.rows(
    sql`update jobs set leased_until = clock_timestamp() where queue = ${lane.queue} and state = 'leased'`,
  )
  const [again, ...more] = await claim(lane)
  assert.deepEqual([again?.id, again?.receptions, more.length], [lost?.id, 2, 0])
  assert.equal(await heldIn(lane), 2)
})

test('thousands of lanes that wait, with what is due in them, cost a claim nothing', async () => {
  const queue = newId()
  await database.rows(sql`
    with made as (
      insert into lane_caps (tenant_id, queue, lane, cap)
      select md5((n / 50)::text)::uuid, ${queue}, gen_random_uuid(), 1 from generate_series(1, 5000) as n
      returning tenant_id, lane
    ),
    due as (
      insert into jobs (tenant_id, queue, lane, subject_id)
      select m.tenant_id, ${queue}, m.lane, gen_random_uuid() from made m cross join generate_series(1, 3)
    )
    insert into held_lanes (tenant_id, queue, lane, held_until, release_at)
    select m.tenant_id, ${queue}, m.lane, clock_timestamp() + interval '1 hour', clock_timestamp() + interval '1 hour'
    from made m`)
  await until('all of it is held', async () => {
    await claim({ queue })
    return (await heldIn({ queue })) === 15_000
  })
  const client = await database.connect('claims')
  const read = async () => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query<{ n: number }>(`
      select sum(idx_tup_read + idx_scan)::float8 as n from pg_stat_user_indexes
      where relname in ('jobs', 'lane_caps', 'held_lanes')`)
    return rows[0]?.n ?? Number.NaN
  }
  try {
    await client.query('vacuum jobs')
    await flushStatistics(database)
    const before = await read()
    for (let n = 0; n < 10; n++) {
      await enqueue({ tenantId, queue, lane: newId() }, 1)
      const { rows } = await client.query(`
        select id from claim_jobs('${queue}', 10, 128, 256, 5, '1 minute', gen_random_uuid(), '${NO_LANE.lane}', '${NO_LANE.lane}')`)
      assert.equal(rows.length, 1)
    }
    await flushStatistics(database)
    const looked = (await read()) - before
    assert(looked < 500, `${looked} look-ups and index entries for ten claims`)
  } finally {
    await client.end()
  }
})
