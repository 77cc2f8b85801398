import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Counts, createRateLimiter, type Limit, type Standing } from './rate-limiter.ts'

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
        sums: rows.map(({ name, subject, windowStartMs, requests }) => {
          const key = `${name} ${subject} ${windowStartMs}`
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
const key: Limit = { name: 'key', subject: 'k', most: 3, windowMs: YEAR_MS }
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
  const standing = limiter.take({ name: 'ip', subject: '192.0.2.1', most: 1, windowMs: YEAR_MS })
  assert(!(standing instanceof Promise))
  assert.equal(standing.remaining, 0)
  assert.equal(shared.adds, 0)
  const again = limiter.take({ name: 'ip', subject: '192.0.2.1', most: 1, windowMs: YEAR_MS })
  assert(!(again instanceof Promise) && again.refused)
  return limiter.stop()
})

test('while the database is away this process counts alone', async () => {
  const errors: unknown[] = []
  const limiter = createRateLimiter({ add: () => Promise.reject(new Error('away')) }, (error) => errors.push(error))
  for (let i = 0; i < 3; i++) assert.equal((await limiter.take(key)).refused, false)
  assert.equal((await limiter.take(key)).refused, true)
  await limiter.stop()
  assert(errors.length > 0)
})
