// What a claim of the queue takes: every lane served in turn, each no further than its cap and its tenant’s.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NO_LANE, nextDueInMs } from '../../src/lib/queue/claim-jobs.ts'
import { enqueueJobs } from '../../src/lib/queue/enqueue-jobs.ts'
import type { Job, Lane } from '../../src/lib/queue/job.ts'
import { awaitResumption } from '../../src/lib/queue/resume-jobs.ts'
import { type Db, type Sql, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { testQueueOf } from '../support/queue.ts'
import { flushStatistics } from '../support/statistics.ts'

const { database } = await createTestDatabase()
const { tenantId, enqueue, claim, settle } = testQueueOf(database)

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

test('one job behind fifty thousand of another lane is claimed in the next round', async () => {
  const [busy, quiet] = [newId(), newId()]
  await database.rows(sql`
    insert into jobs (tenant_id, queue, lane, subject_id)
    select ${tenantId}, 'fair', ${busy}, gen_random_uuid() from generate_series(1, 50000)`)
  await claim('fair', { limit: 50 })
  await enqueue('fair', quiet)
  const jobs = await claim('fair', { limit: 50, after: { tenantId, lane: busy } })
  assert.equal(jobs.filter((job) => job.lane === quiet).length, 1)
  assert.equal(jobs.length, 50)
})

test('a claim takes one of each lane in turn, and what a short lane leaves goes to the others', async () => {
  const lanes = [newId(), newId(), newId()] as const
  await enqueue('shares', lanes[0], 1)
  await enqueue('shares', lanes[1], 3)
  await enqueue('shares', lanes[2], 20)
  const share = async (limit: number) => {
    const jobs = await claim('shares', { limit })
    await settle(jobs, { kind: 'giveBack' })
    return lanes.map((lane) => jobs.filter((job) => job.lane === lane).length)
  }
  assert.deepEqual(await share(2), [1, 1, 0])
  assert.deepEqual(await share(6), [1, 3, 2])
  assert.deepEqual(await share(10), [1, 3, 6])
  assert.deepEqual(await share(100), [1, 3, 20])
  await enqueue('shares', lanes[0], 20)
  await enqueue('shares', lanes[1], 20)
  assert.deepEqual(await share(6), [2, 2, 2])
})

test('claim after claim goes on where the last one ended, once around and on', async () => {
  const lanes = [newId(), newId(), newId(), newId(), newId()]
  for (const lane of lanes) await enqueue('rounds', lane, 10)
  const served: number[] = []
  let after: Lane = NO_LANE
  for (let i = 0; i < 5; i++) {
    const jobs = await claim('rounds', { limit: 2, after })
    served.push(...jobs.map((job) => lanes.indexOf(job.lane)))
    after = jobs.at(-1) as Job
  }
  assert.deepEqual(served, [0, 1, 2, 3, 4, 0, 1, 2, 3, 4])
})

test('what a session planned while the queue was empty serves when it is full', async () => {
  const client = await database.connect('planned early')
  const claimTen = (tenantCap: number | null = 50) =>
    client.query<{ tenant_id: Uuid; id: number }>(`
      select tenant_id, id from claim_jobs('planned', 10, 100, ${tenantCap}, 5, '1 minute', '${NO_LANE.lane}', '${NO_LANE.tenantId}', '${NO_LANE.lane}')`)
  const rowsOf = async <Row>({ name, text, values }: Sql<Row>): Promise<Row[]> =>
    (await client.query({ name, text, values: [...values] })).rows
  const db: Db = { rows: rowsOf, first: async (statement) => (await rowsOf(statement))[0] }
  const statements = async () => {
    const { rows } = await claimTen()
    const claims = JSON.stringify(rows.map((row) => ({ ...row, claim: NO_LANE.lane, kind: 'done' })))
    await client.query(`select renew_jobs($1, '1 minute')`, [claims])
    const none = Array(10).fill(0)
    const accepted = [
      Array(10).fill(tenantId),
      none.map(newId),
      rows.map(({ id }) => id),
      none.map(newId),
      ...Array(5).fill(none),
    ]
    await client.query(`select record_accepted('{}', '{}', $1, $2, $3, $4, $5, $6, $7, $8, $9)`, accepted)
    await client.query('select settle_jobs($1)', [claims])
    await client.query(`select from measure_queue('unplanned')`)
    await client.query(`select from resume_jobs('unplanned', 500, '${NO_LANE.tenantId}', '${NO_LANE.lane}')`)
    await awaitResumption(db, 'unplanned')
    await nextDueInMs(db, 'unplanned')
    return rows.length
  }
  const read = async () => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query<{ n: number }>(`
      select (t.seq_tup_read + sum(i.idx_tup_read))::float8 as n
      from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
      where t.relname = 'jobs' group by t.seq_tup_read`)
    return rows[0]?.n ?? Number.NaN
  }
  try {
    await client.query('truncate jobs')
    await client.query('vacuum analyze jobs')
    // After five runs a named statement keeps one plan for all values.
    for (let i = 0; i < 6; i++) await statements()
    await client.query(`
      insert into jobs (tenant_id, queue, lane, subject_id)
      select '${tenantId}', 'planned', gen_random_uuid(), gen_random_uuid() from generate_series(1, 20000)`)
    await flushStatistics(database)
    const before = await read()
    assert.equal(await statements(), 10)
    const looked = (await read()) - before
    assert(looked > 0 && looked < 300, `${looked} index entries and rows read for ten jobs`)
    const uncapped = await read()
    assert.equal((await claimTen(null)).rows.length, 10)
    assert((await read()) - uncapped < 300, 'nor for ten of a queue whose tenants have no cap')
  } finally {
    await client.query('delete from jobs')
    await client.end()
  }
})

test('a lane with a cap of its own keeps to it', async () => {
  const lane = newId()
  await enqueue('special', lane, 5)
  await database.rows(sql`
    insert into lane_caps (tenant_id, queue, lane, cap) values (${tenantId}, 'special', ${lane}, 1)`)
  assert.equal((await claim('special')).length, 1)
  assert.equal((await claim('special')).length, 0)

  const [wide, other] = [newId(), newId()]
  await enqueue('special', wide, 5)
  await enqueue('special', other, 5)
  await database.rows(sql`
    insert into lane_caps (tenant_id, queue, lane, cap) values (${tenantId}, 'special', ${wide}, 4)`)
  for (const tenantCap of [undefined, 100]) {
    const caps = { laneCap: 2, ...(tenantCap && { tenantCap }) }
    const jobs = [...(await claim('special', { ...caps, limit: 3 })), ...(await claim('special', caps))]
    assert.deepEqual(
      [wide, other].map((of) => jobs.filter((job) => job.lane === of).length),
      [4, 2],
    )
    assert.equal((await claim('special', caps)).length, 0)
    await settle(jobs, { kind: 'giveBack' })
  }
})

test('claims fill up to the caps of lanes and tenants, and wherever they begin nothing claimable is left', async () => {
  const upTo = (max: number) => fc.integer({ min: 1, max })
  const scenario = fc.record({
    jobsOfTenantsLanes: fc.array(fc.array(upTo(8), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
    laneCap: upTo(6),
    tenantCap: upTo(8),
    limits: fc.array(upTo(20), { minLength: 4, maxLength: 4 }),
    begin: fc.nat(),
  })
  const property = fc.asyncProperty(scenario, async ({ jobsOfTenantsLanes, laneCap, tenantCap, limits, begin }) => {
    const queue = newId()
    const lanes = jobsOfTenantsLanes.flatMap((jobsOfLanes) => {
      const tenant = newId()
      return jobsOfLanes.map((count) => ({ tenantId: tenant, lane: newId(), count }))
    })
    const jobs = lanes.flatMap(({ count, ...lane }) => Array(count).fill({ ...lane, queue, subjectId: newId() }))
    await database.transaction((tx) => enqueueJobs(tx, jobs))
    const held: Job[] = []
    let after: Lane = lanes[begin % lanes.length] ?? NO_LANE
    for (const limit of limits) {
      const claimable = [...new Set(lanes.map((lane) => lane.tenantId))].map((tenant) => {
        const inLanes = lanes
          .filter((lane) => lane.tenantId === tenant)
          .map(({ lane, count }) => Math.min(count, laneCap) - held.filter((job) => job.lane === lane).length)
        return Math.min(sum(inLanes), tenantCap - held.filter((job) => job.tenantId === tenant).length)
      })
      const claimed = await claim(queue, { laneCap, tenantCap, limit, after })
      assert.equal(claimed.length, Math.min(limit, sum(claimable)))
      held.push(...claimed)
      after = claimed.at(-1) ?? after
    }
    for (const { lane, tenantId: tenant } of lanes) {
      assert(held.filter((job) => job.lane === lane).length <= laneCap)
      assert(held.filter((job) => job.tenantId === tenant).length <= tenantCap)
    }
  })
  // A tenant whose lanes the claim meets both first and last.
  const met = { jobsOfTenantsLanes: [[1, 1, 1, 1, 1, 1], [4]], laneCap: 6, tenantCap: 4, limits: [8], begin: 1 }
  await fc.assert(property, { numRuns: 100, examples: [[met]] })
})

test('a tenant without room is passed over however many lanes it has', async () => {
  const [busy, quiet] = [newId(), newId()]
  await database.rows(sql`
    insert into jobs (tenant_id, queue, lane, subject_id)
    select ${busy}, 'passed-over', gen_random_uuid(), gen_random_uuid() from generate_series(1, 500)`)
  assert.equal((await claim('passed-over', { tenantCap: 5 })).length, 5)
  await enqueue('passed-over', quiet, 3)
  const jobs = await claim('passed-over', { tenantCap: 5, limit: 4 })
  assert.deepEqual(new Set(jobs.map((job) => job.lane)), new Set([quiet]))
  assert.equal(jobs.length, 3)
})
