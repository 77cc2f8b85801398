// Limits over processes: however many there are and whatever comes at once, never more passes than the limit, and what it
// allows passes. Every process is a real one, on one database.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import type { Limit } from '../../src/lib/rate-limiter/rate-limiter.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import type { Burst, BurstResult } from '../support/limiter-process.ts'
import { until } from '../support/until.ts'

const { url, database } = await createTestDatabase()
const SCRIPT = new URL('../support/limiter-process.ts', import.meta.url).pathname
/** So that no window ends in the middle of a test. */
const YEAR_MS = 31_536_000_000

interface LimiterProcess {
  child: ChildProcess
  run(burst: Burst): Promise<BurstResult>
  /** Gives back what it holds, and ends. */
  stop(): Promise<void>
  kill(): Promise<void>
}

async function start(): Promise<LimiterProcess> {
  const child = spawn(process.execPath, [SCRIPT, url], { stdio: ['pipe', 'pipe', 'inherit'] })
  after(() => child.kill('SIGKILL'))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value as string)
  assert.deepEqual(await next(), { ready: true })
  const tell = (line: string) => void child.stdin.write(`${line}\n`)
  return {
    child,
    run(burst) {
      tell(JSON.stringify(burst))
      return next()
    },
    stop() {
      tell('stop')
      return exited
    },
    kill() {
      child.kill('SIGKILL')
      return exited
    },
  }
}

const processes = await Promise.all([start(), start(), start(), start()])
const limit = (most: number): Limit => ({ kind: 'tenant', subject: newId(), most, windowMs: YEAR_MS })
const sum = (results: BurstResult[], what: 'passed' | 'refused') => results.reduce((all, each) => all + each[what], 0)
/** So many requests of one subject, shared among processes that begin together. */
const burst = (among: LimiterProcess[], of: Limit, requests: number) =>
  Promise.all(
    among.map((each, i) => {
      const own = Math.floor(requests / among.length) + (i < requests % among.length ? 1 : 0)
      return each.run({ ...of, requests: own, atOnce: Math.min(own, 64) })
    }),
  )
/** What one process may hold ahead: a hundredth of the limit. */
const ahead = (most: number) => Math.floor(most / 100)

for (const count of [1, 2, 4]) {
  for (const most of [30, 100, 600, 50_000]) {
    test(`${count} processes let ${most} of twice as many through, all at once`, async () => {
      const among = processes.slice(0, count)
      const of = limit(most)
      let passed = sum(await burst(among, of, most * 2), 'passed')
      assert(passed <= most, `${passed} passed`)
      assert(passed >= most - (count - 1) * ahead(most), `only ${passed} passed`)
      // What one held that another had use for is given back, and passes.
      await until('the rest passes', async () => {
        passed += sum(await burst(among, of, count), 'passed')
        return passed >= most
      })
      assert.equal(passed, most)
    })
  }
}

for (const most of [30, 100, 600, 50_000]) {
  test(`exactly ${most} over three processes pass, but for what the two others hold ahead`, async () => {
    const of = limit(most)
    const results = await burst(processes.slice(0, 3), of, most)
    assert(sum(results, 'refused') <= 2 * ahead(most), `${sum(results, 'refused')} were refused`)
  })
}

test('windows that end under load let each as much through as the limit', async () => {
  const windowMs = 1_000
  const of = { ...limit(40), windowMs }
  const untilMs = Date.now() + 5 * windowMs
  const results = await Promise.all(processes.map((each) => each.run({ ...of, requests: 0, atOnce: 8, untilMs })))
  const passed = new Map<number, number>()
  for (const [window, count] of results.flatMap(({ windows }) => windows)) {
    passed.set(window, (passed.get(window) ?? 0) + count)
  }
  assert(passed.size >= 4, 'windows have ended')
  for (const [window, count] of passed) assert(count <= 40 * 1.05, `${count} in the window of ${window}`)
  const { rows } = await database.pool.query('select requests::int as n from rate_counts where subject = $1', [
    of.subject,
  ])
  assert(rows.every(({ n }) => n <= 40))
})

test('a process that is killed takes no more with it than a hundredth of the limit, nor than it let through', async () => {
  for (const [most, spent] of [
    [50_000, 20_000],
    [1_000_000, 50],
  ] as const) {
    const of = limit(most)
    const doomed = await start()
    const { passed } = await doomed.run({ ...of, requests: spent, atOnce: 16 })
    assert.equal(passed, spent)
    await doomed.kill()
    const { rows } = await database.pool.query('select requests::int as n from rate_counts where subject = $1', [
      of.subject,
    ])
    const lost = rows[0].n - spent
    assert(lost <= Math.min(most / 100, spent), `${lost} are lost`)
  }
})

test('a process that stops gives back what it holds', async () => {
  const of = limit(50_000)
  const ended = await start()
  await ended.run({ ...of, requests: 3_000, atOnce: 16 })
  await ended.stop()
  const { rows } = await database.pool.query('select requests::int as n from rate_counts where subject = $1', [
    of.subject,
  ])
  assert.deepEqual(rows, [{ n: 3_000 }])
})

test('a plan that is made smaller lets nothing more through in any process', async () => {
  const of = limit(50_000)
  await burst(processes, of, 4_000)
  const smaller = { ...of, most: 1_000 }
  assert.equal(sum(await burst(processes, smaller, 400), 'passed'), 0)
})
