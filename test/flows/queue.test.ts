// The work queue over several worker processes: nothing lost, nothing settled by a stale claim, every lane served.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { claimJobs, NO_LANE, nextDueInMs } from '../../src/lib/queue/claim-jobs.ts'
import { expireDeadLetters, listDeadLetters, requeueDeadLetter } from '../../src/lib/queue/dead-letters.ts'
import { enqueueJobs } from '../../src/lib/queue/enqueue-jobs.ts'
import type { Job, Lane } from '../../src/lib/queue/job.ts'
import { holdLane, openLane } from '../../src/lib/queue/lanes.ts'
import { measureQueues } from '../../src/lib/queue/measure-queues.ts'
import { renewJobs } from '../../src/lib/queue/renew-jobs.ts'
import { awaitResumption, resumeJobs } from '../../src/lib/queue/resume-jobs.ts'
import { type JobSettlement, settleJobs } from '../../src/lib/queue/settle-jobs.ts'
import { createWakeUps } from '../../src/lib/queue/wake-ups.ts'
import { startWorker } from '../../src/lib/queue/worker.ts'
import { type Db, openDatabase, type Sql, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { flushStatistics } from '../support/statistics.ts'
import { until } from '../support/until.ts'

const { database, url } = await createTestDatabase()
const tenantId = newId()

const enqueue = (queue: string, lane: Uuid, count = 1) =>
  database.transaction((tx) =>
    enqueueJobs(
      tx,
      Array.from({ length: count }, () => ({ tenantId, queue, lane, subjectId: newId() })),
    ),
  )
const claim = (queue: string, change: Partial<Parameters<typeof claimJobs>[1]> = {}, db: Db = database) =>
  claimJobs(db, {
    queue,
    limit: 100,
    laneCap: 1000,
    receptionBudget: 5,
    leaseMs: 30_000,
    after: NO_LANE,
    ...change,
  })
const settle = (jobs: Job[], how: JobSettlement) =>
  database.transaction((tx) =>
    settleJobs(
      tx,
      jobs.map((job) => ({ job, how })),
    ),
  )
const left = async (queue: string) =>
  (await database.first(sql<{ n: number }>`select count(*) as n from jobs where queue = ${queue}`))?.n

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const unexpected = (error: unknown): never => {
  throw error
}

interface Line {
  took?: number
  lane?: Uuid
  settled?: number
  held?: boolean
  error?: string
  ready?: boolean
}

function startProcess(
  queue: string,
  o: { laneCap?: number; tenantCap?: number; leaseMs?: number; workMs?: number; concurrency?: number },
) {
  const script = new URL('../support/queue-process.ts', import.meta.url).pathname
  const args = [o.laneCap ?? 1000, o.tenantCap ?? 1000, o.leaseMs ?? 30_000, o.workMs ?? 0, o.concurrency ?? 20].map(
    String,
  )
  const child: ChildProcess = spawn(process.execPath, [script, url, queue, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: Line[] = []
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => lines.push(JSON.parse(line)))
  after(() => child.kill('SIGKILL'))
  const ready = until('the worker process is ready', () => lines.some((line) => line.ready))
  return { child, lines, ready }
}

test('two processes do every job once', async () => {
  await enqueue('twice', newId(), 500)
  await enqueue('twice', newId(), 500)
  const workers = [startProcess('twice', {}), startProcess('twice', {})]
  await until('all is done', async () => (await left('twice')) === 0)
  const took = await until('both reported all', () => {
    const taken = workers.flatMap((w) => w.lines).flatMap((line) => line.took ?? [])
    return taken.length >= 1000 && taken
  })
  assert.equal(took.length, 1000)
  assert.equal(new Set(took).size, 1000)
  for (const w of workers)
    assert.deepEqual(
      w.lines.filter((line) => line.error),
      [],
    )
  for (const w of workers)
    assert(
      w.lines.some((line) => line.took),
      'both took part',
    )
  for (const w of workers) w.child.kill('SIGTERM')
})

test('a worker that is stopped past its lease and woken later changes nothing', async () => {
  const sleeper = startProcess('stale', { leaseMs: 400, workMs: 200, concurrency: 1 })
  await sleeper.ready
  await enqueue('stale', newId())
  await until('it took the job', () => sleeper.lines.some((line) => line.took))
  sleeper.child.kill('SIGSTOP')
  const other = startProcess('stale', { leaseMs: 5_000, workMs: 1_000 })
  await until('another took the job', () => other.lines.some((line) => line.took))
  sleeper.child.kill('SIGCONT')
  const late = await until('the first settled', () => sleeper.lines.find((line) => line.settled))
  assert.equal(late.held, false, 'its claim was no longer good')
  assert.equal(await left('stale'), 1, 'the job is still with the other')
  const right = await until('the other settled', () => other.lines.find((line) => line.settled))
  assert.equal(right.held, true)
  assert.equal(await left('stale'), 0)
})

test('what a killed worker held is done by another when the lease has run out', async () => {
  const victim = startProcess('killed', { leaseMs: 500, workMs: 60_000, concurrency: 10 })
  await victim.ready
  await enqueue('killed', newId(), 10)
  await until('it holds them all', () => victim.lines.filter((line) => line.took).length === 10)
  victim.child.kill('SIGKILL')
  const other = startProcess('killed', {})
  await until('all is done', async () => (await left('killed')) === 0)
  await until('the other reports all', () => other.lines.filter((line) => line.held).length === 10)
})

test('a lane is never given more than its cap, over two processes', async () => {
  await enqueue('capped', newId(), 60)
  const workers = [
    startProcess('capped', { laneCap: 3, workMs: 10, concurrency: 10 }),
    startProcess('capped', { laneCap: 3, workMs: 10, concurrency: 10 }),
  ]
  let most = 0
  await until('all is done', async () => {
    const row = await database.first(sql<{ leased: number; total: number }>`
      select count(*) filter (where state = 'leased') as leased, count(*) as total from jobs where queue = 'capped'`)
    most = Math.max(most, row?.leased ?? 0)
    return row?.total === 0
  })
  assert(most > 0 && most <= 3, `${most} in flight`)
  for (const w of workers) w.child.kill('SIGTERM')
})

test('a stopped worker gives back what it could not finish, at no cost', async () => {
  const worker = startWorker({
    queue: 'drained',
    database,
    wakeUps: createWakeUps(database, () => {}),
    handle: () => new Promise(() => {}),
    concurrency: 5,
    laneCap: 100,
    receptionBudget: 5,
    leaseMs: 30_000,
    pollMs: 50,
    onError: () => {},
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
  const worker = startWorker({
    queue: 'throws',
    database,
    wakeUps: createWakeUps(database, () => {}),
    async handle(job) {
      calls += 1
      if (calls === 1) throw new Error('once')
      await settle([job], { kind: 'done' })
    },
    concurrency: 1,
    laneCap: 10,
    receptionBudget: 5,
    leaseMs: 30_000,
    pollMs: 50,
    onError: () => {},
  })
  await enqueue('throws', newId())
  await until('it was done the second time', async () => (await left('throws')) === 0)
  assert.equal(calls, 2)
  await worker.stop(1_000)
})

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

test('a tenant is never given more than its cap, over two processes and all its lanes', async () => {
  for (let lane = 0; lane < 6; lane++) await enqueue('tenant-capped', newId(), 10)
  const workers = [
    startProcess('tenant-capped', { tenantCap: 3, workMs: 10, concurrency: 10 }),
    startProcess('tenant-capped', { tenantCap: 3, workMs: 10, concurrency: 10 }),
  ]
  let most = 0
  await until('all is done', async () => {
    const row = await database.first(sql<{ leased: number; total: number }>`
      select count(*) filter (where state = 'leased') as leased, count(*) as total
      from jobs where queue = 'tenant-capped'`)
    most = Math.max(most, row?.leased ?? 0)
    return row?.total === 0
  })
  assert(most > 0 && most <= 3, `${most} in flight`)
  for (const w of workers) w.child.kill('SIGTERM')
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

test('a job put back is due by the clock of the database, and no sooner', async () => {
  await enqueue('later', newId())
  const jobs = await claim('later')
  await settle(jobs, { kind: 'putBack', dueInMs: 3_600_000, keepReceptions: true, payload: { attempt: 1 } })
  assert.equal((await claim('later')).length, 0)
  await database.rows(sql`update jobs set due_at = clock_timestamp() where queue = 'later'`)
  const [again] = await claim('later')
  assert.deepEqual([again?.receptions, again?.payload], [2, { attempt: 1 }])
  assert.deepEqual(await settle(jobs, { kind: 'done' }), new Set(), 'the first claim is stale')
  assert.equal(await left('later'), 1)
})

test('receptions begin anew when the worker says so, and are not counted for what is given back', async () => {
  await enqueue('counted', newId())
  for (const [how, receptions] of [
    [{ kind: 'putBack', dueInMs: 0, keepReceptions: true }, 1],
    [{ kind: 'putBack', dueInMs: 0, keepReceptions: true }, 2],
    [{ kind: 'giveBack' }, 3],
    [{ kind: 'putBack', dueInMs: 0, keepReceptions: false }, 3],
    [{ kind: 'done' }, 1],
  ] as [JobSettlement, number][]) {
    const jobs = await claim('counted')
    assert.equal(jobs[0]?.receptions, receptions)
    await settle(jobs, how)
  }
  assert.equal(await left('counted'), 0)
})

test('beyond its budget a job is handed out as exhausted, dead-lettered, listed, and can be replayed', async () => {
  await enqueue('poison', newId())
  for (let i = 0; i < 5; i++) {
    const jobs = await claim('poison', { leaseMs: 0 })
    assert.equal(jobs[0]?.exhausted, false)
  }
  const jobs = await claim('poison')
  assert.equal(jobs[0]?.exhausted, true)
  await settle(jobs, { kind: 'deadLetter', reason: 'receptions_exhausted' })
  assert.equal(await left('poison'), 0)

  const ttl = 14 * 86_400_000
  const [letter] = await listDeadLetters(database, { queue: 'poison', limit: 10 }, ttl)
  assert.equal(letter?.reason, 'receptions_exhausted')
  assert.equal(Date.parse(letter?.expiresAt ?? '') - Date.parse(letter?.deadAt ?? ''), ttl)
  const id = letter?.id as number
  const replayed = await database.transaction((tx) => requeueDeadLetter(tx, id))
  assert.equal(replayed?.queue, 'poison')
  assert.equal(await database.transaction((tx) => requeueDeadLetter(tx, id)), undefined)
  const [claimed] = await claim('poison')
  assert.deepEqual([claimed?.receptions, claimed?.exhausted], [1, false])
})

test('dead letters go when their time is over', async () => {
  await enqueue('old', newId(), 2)
  await settle(await claim('old'), { kind: 'deadLetter', reason: 'test' })
  await database.rows(sql`
    update dead_letters set dead_at = clock_timestamp() - interval '15 days' where queue = 'old'`)
  assert.deepEqual(await listDeadLetters(database, { queue: 'old', limit: 10 }, 14 * 86_400_000), [])
  assert.equal(await expireDeadLetters(database, 14 * 86_400_000, 1), 1)
  assert.equal(await expireDeadLetters(database, 14 * 86_400_000, 10), 1)
})

test('renewal says which jobs are still held', async () => {
  await enqueue('renewed', newId(), 2)
  const [mine, lost] = (await claim('renewed', { leaseMs: 60_000 })) as [Job, Job]
  await database.rows(sql`update jobs set leased_until = clock_timestamp() where id = ${lost.id}`)
  await claim('renewed')
  assert.deepEqual(await renewJobs(database, [mine, lost], 60_000), new Set([mine.id]))
})

test('a renewal waits for no settlement on its way, and counts its jobs as held', async () => {
  await enqueue('crossing', newId(), 2)
  const jobs = await claim('crossing')
  await database.transaction(async (tx) => {
    await settleJobs(tx, [{ job: jobs[0] as Job, how: { kind: 'done' } }])
    const held = await renewJobs(database, jobs, 60_000)
    assert.deepEqual(held, new Set(jobs.map((job) => job.id)))
  })
  assert.deepEqual(await renewJobs(database, jobs, 60_000), new Set([jobs[1]?.id]))
})

test('a settlement that meets another claim of its job on its way changes nothing', async () => {
  await enqueue('reclaimed', newId(), 2)
  const stale = await claim('reclaimed', { leaseMs: 0 })
  const hows: JobSettlement[] = [{ kind: 'done' }, { kind: 'putBack', dueInMs: 60_000, keepReceptions: false }]
  let settled: Promise<Set<number>> | undefined
  let claims: Job[] = []
  await database.transaction(async (tx) => {
    claims = await claim('reclaimed', {}, tx)
    settled = database.transaction((other) =>
      settleJobs(
        other,
        stale.map((job, n) => ({ job, how: hows[n] as JobSettlement })),
      ),
    )
    await until('the settlement waits for the claim', () =>
      database.first(sql`select from pg_locks where not granted and locktype = 'transactionid'`),
    )
  })
  assert.deepEqual(await settled, new Set())
  assert.equal(claims.length, 2)
  assert.deepEqual(await settle(claims, { kind: 'done' }), new Set(claims.map((job) => job.id)))
})

test('a settlement that meets a renewal on its way is not lost', async () => {
  const hows = [
    { kind: 'done' },
    { kind: 'deadLetter', reason: 'tried' },
    { kind: 'putBack', dueInMs: 0, keepReceptions: true },
    { kind: 'giveBack' },
  ] as const
  await enqueue('overtaken', newId(), hows.length)
  const jobs = await claim('overtaken')
  const settlements = jobs.map((job, n) => ({ job, how: hows[n] as JobSettlement }))
  let settled: Promise<Set<number>> | undefined
  await database.transaction(async (tx) => {
    await renewJobs(tx, jobs, 60_000)
    settled = database.transaction((other) => settleJobs(other, settlements))
    await until('the settlement waits for the renewal', () =>
      database.first(sql`select from pg_locks where not granted and locktype = 'transactionid'`),
    )
  })
  assert.deepEqual(await settled, new Set(jobs.map((job) => job.id)))
  const rows = await database.rows(sql<{ state: string }>`select state from jobs where queue = 'overtaken'`)
  assert.deepEqual(rows, [{ state: 'ready' }, { state: 'ready' }])
})

test('what is due at once is signalled by the commit that makes it so; what waits, has ended or was lost is not', async (t) => {
  const heard: string[] = []
  t.after(database.onSignal((topic) => void heard.push(topic)))
  const signalledBy = async (work: () => Promise<unknown>) => {
    heard.length = 0
    await work()
    return heard.slice()
  }
  const lane = newId()
  assert.deepEqual(await signalledBy(() => enqueue('signals', lane, 6)), ['signals'])
  const jobs = await claim('signals')
  const [atOnce, back, later, waiting, done, lost] = jobs as [Job, Job, Job, Job, Job, Job]
  for (const [job, how, expected] of [
    [atOnce, { kind: 'putBack', dueInMs: 0, keepReceptions: true }, ['signals']],
    [back, { kind: 'giveBack' }, ['signals']],
    [later, { kind: 'putBack', dueInMs: 60_000, keepReceptions: true }, []],
    [waiting, { kind: 'giveBack', dueInMs: 60_000 }, []],
    [done, { kind: 'done' }, []],
    [{ ...lost, claim: newId() }, { kind: 'giveBack' }, []],
  ] as const) {
    assert.deepEqual(await signalledBy(() => settle([job], how)), expected, how.kind)
  }
  const open = () => database.transaction((tx) => openLane(tx, { tenantId, queue: 'signals', lane }, null))
  assert.deepEqual(await signalledBy(open), ['signals'])
})

test('a retry that falls due between two polls does not wait for the next one', async () => {
  const receptions: number[] = []
  const worker = startWorker({
    queue: 'punctual',
    database,
    wakeUps: createWakeUps(database, () => {}),
    async handle(job) {
      receptions.push(job.receptions)
      const how = job.receptions === 1 ? { kind: 'putBack', dueInMs: 300, keepReceptions: true } : { kind: 'done' }
      await settle([job], how as JobSettlement)
      // A look that comes too early finds nothing, and must not forget when to come again.
      database.signal('punctual')
    },
    concurrency: 1,
    laneCap: 10,
    receptionBudget: 5,
    leaseMs: 30_000,
    pollMs: 60_000,
    onError: unexpected,
  })
  await enqueue('punctual', newId())
  await until('it was done', async () => (await left('punctual')) === 0, 5_000)
  assert.deepEqual(receptions, [1, 2])
  await worker.stop(1_000)
})

test('a worker says once that the database is away, and goes on trying', async () => {
  const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' })
  let attempts = 0
  const errors: unknown[] = []
  const worker = startWorker({
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
    concurrency: 1,
    laneCap: 1,
    receptionBudget: 5,
    leaseMs: 30_000,
    pollMs: 10,
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
  const worker = startWorker({
    queue: 'handed on',
    database,
    wakeUps: mine,
    handle: () => new Promise(() => {}),
    concurrency: 1,
    laneCap: 1,
    receptionBudget: 5,
    leaseMs: 30_000,
    pollMs: 50,
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
