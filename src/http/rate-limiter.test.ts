import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { Counts } from './rate-ledger.ts'
import { createRateLimiter, type Limit, type LimitKind, type Standing } from './rate-limiter.ts'

/** What processes share. */
function sharedCounts(): Counts & { sums: Map<string, number>; adds: number } {
  const sums = new Map<string, number>()
  const shared = {
    sums,
    adds: 0,
    async add(rows: Parameters<Counts['add']>[0]) {
      shared.adds++
      return {
        nowMs: Date.now(),
        sums: rows.map(({ kind, subject, windowStartMs, requests }) => {
          const key = `${kind} ${subject} ${windowStartMs}`
          sums.set(key, (sums.get(key) ?? 0) + requests)
          return sums.get(key) as number
        }),
      }
    },
  }
  return shared
}

// So that no window ends in the middle of a test.
const YEAR_MS = 31_536_000_000
const key: Limit = { kind: 'key', subject: 'k', most: 3, windowMs: YEAR_MS }
const fail = (error: unknown) => assert.fail(String(error))

test('exactly so many pass in a window, and the refused are not counted', async () => {
  const shared = sharedCounts()
  const limiter = createRateLimiter(shared, fail)
  const standings: Standing[] = []
  for (let i = 0; i < 5; i++) standings.push(await limiter.take(key))
  assert.deepEqual(
    standings.map(({ refused, remaining }) => [refused, remaining]),
    [
      [false, 2],
      [false, 1],
      [false, 0],
      [true, 0],
      [true, 0],
    ],
  )
  await limiter.stop()
  assert.deepEqual([...shared.sums.values()], [3])
})

test('what other processes and earlier ones have counted counts', async () => {
  const shared = sharedCounts()
  const first = createRateLimiter(shared, fail)
  await first.take(key)
  await first.take(key)
  await first.stop()
  const second = createRateLimiter(shared, fail)
  assert.equal((await second.take(key)).remaining, 0)
  assert.equal((await second.take(key)).refused, true)
  await second.stop()
})

test('addresses never wait for the database, and are counted all the same', () => {
  const shared = sharedCounts()
  const limiter = createRateLimiter(shared, fail)
  const standing = limiter.take({ kind: 'ip', subject: '192.0.2.1', most: 1, windowMs: YEAR_MS })
  assert(!(standing instanceof Promise))
  assert.equal(standing.remaining, 0)
  assert.equal(shared.adds, 0)
  const again = limiter.take({ kind: 'ip', subject: '192.0.2.1', most: 1, windowMs: YEAR_MS })
  assert(!(again instanceof Promise) && again.refused)
  return limiter.stop()
})

const ALL_KINDS: LimitKind[] = ['ip', 'signed', 'report', 'key', 'tenant']
const of = (kind: LimitKind, subject: string): Limit => ({ kind, subject, most: 3, windowMs: YEAR_MS })

test('a flood of one kind pushes out none of another, and of its own only what its bound does not hold', async () => {
  // Nothing is added up meanwhile.
  mock.timers.enable({ apis: ['setInterval'] })
  for (const flooded of ALL_KINDS) {
    const limiter = createRateLimiter(sharedCounts(), fail, 10)
    for (const kind of ALL_KINDS) await limiter.take(of(kind, 'known'))
    for (let i = 0; i < 9; i++) await limiter.take(of(flooded, String(i)))
    for (const kind of ALL_KINDS) assert.equal((await limiter.take(of(kind, 'known'))).remaining, 1, kind)
    await limiter.take(of(flooded, 'one too many'))
    for (const kind of ALL_KINDS) {
      // What was forgotten before it was added up is counted anew.
      assert.equal((await limiter.take(of(kind, 'known'))).remaining, kind === flooded ? 2 : 0, kind)
    }
    await limiter.stop()
  }
  mock.timers.reset()
})

test('what was pushed out is added up all the same, within the bound', async () => {
  for (const [subjects, addedUp] of [
    [10, 10],
    [11, 10],
    [50, 10],
  ] as const) {
    const shared = sharedCounts()
    const limiter = createRateLimiter(shared, fail, 10)
    for (let i = 0; i < subjects; i++) await limiter.take(of('ip', String(i)))
    await limiter.stop()
    assert.equal(shared.sums.size, addedUp)
    assert([...shared.sums.keys()].at(-1)?.startsWith(`ip ${subjects - 1} `), 'the latest are there')
  }
})

test('more than go in one statement are added up in several', async () => {
  const shared = sharedCounts()
  const limiter = createRateLimiter(shared, fail)
  for (let i = 0; i < 2_500; i++) await limiter.take(of('ip', String(i)))
  await limiter.stop()
  assert.deepEqual([shared.adds, shared.sums.size], [3, 2_500])
})

test('while the database is away this process counts alone', async () => {
  const errors: unknown[] = []
  const limiter = createRateLimiter({ add: () => Promise.reject(new Error('away')) }, (error) => errors.push(error))
  for (let i = 0; i < 3; i++) assert.equal((await limiter.take(key)).refused, false)
  assert.equal((await limiter.take(key)).refused, true)
  await limiter.stop()
  assert(errors.length > 0)
})
