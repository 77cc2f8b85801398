// What becomes of a claimed job: put back, given back, dead-lettered or renewed, whatever else happens to it at that moment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireDeadLetters, listDeadLetters, requeueDeadLetter } from '../../src/lib/queue/dead-letters.ts'
import type { Job } from '../../src/lib/queue/job.ts'
import { openLane } from '../../src/lib/queue/lanes.ts'
import { renewJobs } from '../../src/lib/queue/renew-jobs.ts'
import { type JobSettlement, settleJobs } from '../../src/lib/queue/settle-jobs.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { testQueueOf } from '../support/queue.ts'
import { until } from '../support/until.ts'

const { database } = await createTestDatabase()
const { tenantId, enqueue, claim, settle, left } = testQueueOf(database)

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
