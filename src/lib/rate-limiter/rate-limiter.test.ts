import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { Unused, Windows, Wish } from './rate-ledger.ts'
import { createRateLimiter, type Limit, type LimitKind } from './rate-limiter.ts'
import type { Standing } from './rate-share.ts'

/** What processes share, and how it was asked. */
function sharedWindows(): Windows & { reserved: Map<string, number>; asked: Wish[][] } {
  const reserved = new Map<string, number>()
  const asked: Wish[][] = []
  return {
    reserved,
    asked,
    async reserve(wishes) {
      asked.push([...wishes])
      return wishes.map(({ kind, subject, windowMs, most, wanted }) => {
        const windowStartMs = Date.now() - (Date.now() % windowMs)
        const key = `${kind} ${subject} ${windowStartMs}`
        const before = reserved.get(key) ?? 0
        const granted = Math.max(0, Math.min(wanted, most - before))
        reserved.set(key, before + granted)
        return { granted, reserved: before + granted, windowStartMs, leftMs: windowStartMs + windowMs - Date.now() }
      })
    },
    async giveBack(unused: readonly Unused[]) {
      for (const { kind, subject, windowStartMs, requests } of unused) {
        const key = `${kind} ${subject} ${windowStartMs}`
        reserved.set(key, (reserved.get(key) as number) - requests)
      }
    },
  }
}

// So that no window ends in the middle of a test.
const YEAR_MS = 31_536_000_000
const key: Limit = { kind: 'key', subject: 'k', most: 3, windowMs: YEAR_MS }
const fail = (error: unknown) => assert.fail(String(error))
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('exactly so many pass in a window, and the refused are not counted', async () => {
  const shared = sharedWindows()
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
  assert.deepEqual([...shared.reserved.values()], [3])
})

test('what other processes and earlier ones have let through counts', async () => {
  const shared = sharedWindows()
  const first = createRateLimiter(shared, fail)
  await first.take(key)
  await first.take(key)
  await first.stop()
  const second = createRateLimiter(shared, fail)
  assert.equal((await second.take(key)).remaining, 0)
  assert.equal((await second.take(key)).refused, true)
  await second.stop()
})

test('those that come together share one reservation, in their order', async () => {
  const shared = sharedWindows()
  const limiter = createRateLimiter(shared, fail)
  const standings = await Promise.all(Array.from({ length: 40 }, () => limiter.take({ ...key, most: 30 })))
  assert.deepEqual(
    standings.map(({ refused }) => refused),
    Array.from({ length: 40 }, (_, i) => i >= 30),
  )
  assert.deepEqual(
    shared.asked.flat().map(({ wanted }) => wanted),
    [1, 39],
  )
  await limiter.stop()
})

test('a subject in steady use waits for nothing, and a refused one asks nothing', async () => {
  const shared = sharedWindows()
  const limiter = createRateLimiter(shared, fail)
  const steady = { ...key, most: 1_000 }
  for (let i = 0; i < 50; i++) await limiter.take(steady)
  let waited = 0
  for (let i = 0; i < 500; i++) {
    const taken = limiter.take(steady)
    if (taken instanceof Promise) waited += 1
    await taken
    await turn()
  }
  assert.equal(waited, 0)
  while (!(await limiter.take(steady)).refused) await turn()
  const asked = shared.asked.length
  for (let i = 0; i < 1_000; i++) assert(!(limiter.take(steady) instanceof Promise))
  assert.equal(shared.asked.length, asked)
  await limiter.stop()
})

const ALL_KINDS: LimitKind[] = ['ip', 'signed', 'report', 'key', 'tenant']
const of = (kind: LimitKind, subject: string): Limit => ({ kind, subject, most: 3, windowMs: YEAR_MS })

test('a flood of one kind pushes out none of another, and whom it pushes out is still counted', async () => {
  for (const flooded of ALL_KINDS) {
    const shared = sharedWindows()
    const limiter = createRateLimiter(shared, fail, 10)
    for (const kind of ALL_KINDS) await limiter.take(of(kind, 'known'))
    for (let i = 0; i < 20; i++) await limiter.take(of(flooded, String(i)))
    for (const kind of ALL_KINDS) assert.equal((await limiter.take(of(kind, 'known'))).remaining, 1, kind)
    await limiter.stop()
  }
})

test('many subjects at once take one statement for a thousand, one after the other', async () => {
  const shared = sharedWindows()
  const limiter = createRateLimiter(shared, fail)
  await Promise.all(Array.from({ length: 2_500 }, (_, i) => limiter.take(of('ip', String(i)))))
  assert.deepEqual(
    shared.asked.map((wishes) => wishes.length),
    [1_000, 1_000, 500],
  )
  await limiter.stop()
})

test('what is held and not used is given back, and is another process’s', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const shared = sharedWindows()
  const limiter = createRateLimiter(shared, fail)
  const busy = { ...key, most: 1_000 }
  for (let i = 0; i < 100; i++) await limiter.take(busy)
  assert(([...shared.reserved.values()][0] as number) > 100)
  // What the last second had use for is kept for the next, and then no longer.
  mock.timers.tick(2_000)
  await turn()
  assert.deepEqual([...shared.reserved.values()], [100])
  await limiter.stop()
  mock.timers.reset()
})

test('a limit that changes holds from the next request on, for what is held too', async () => {
  const shared = sharedWindows()
  const limiter = createRateLimiter(shared, fail)
  for (let i = 0; i < 500; i++) await limiter.take({ ...key, most: 1_000 })
  assert.equal((await limiter.take({ ...key, most: 500 })).refused, true)
  assert.equal((await limiter.take({ ...key, most: 1_000 })).refused, false)
  await limiter.stop()
})

test('a window that ended while its reservation was on its way counts for nothing', async () => {
  const shared = sharedWindows()
  const starts: number[] = []
  const late: Windows = {
    ...shared,
    async reserve(wishes) {
      const answers = await shared.reserve(wishes)
      starts.push(answers[0]?.windowStartMs as number)
      return answers.map((each) => (starts.length === 1 ? { ...each, leftMs: 0 } : each))
    },
  }
  const limiter = createRateLimiter(late, fail)
  assert.equal((await limiter.take(key)).refused, false)
  assert.equal(starts.length, 2)
  await limiter.stop()
  assert.deepEqual([...shared.reserved.values()], [1])
})

test('while the database is away this process counts alone, and nobody waits once that is known', async () => {
  const errors: unknown[] = []
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: '57P01' }))
  const limiter = createRateLimiter({ reserve: away, giveBack: away }, (error) => errors.push(error))
  assert.deepEqual(
    [(await limiter.take(key)).refused, limiter.take(key), limiter.take(key)].map((each) =>
      each instanceof Promise ? 'waits' : typeof each === 'boolean' ? each : each.refused,
    ),
    [false, false, false],
  )
  assert.equal((await limiter.take(key)).refused, true)
  await limiter.stop()
  assert.equal(errors.length, 1)
})

test('a window that was full before the database went away stays full', async () => {
  const shared = sharedWindows()
  let isAway = false
  const windows: Windows = {
    ...shared,
    reserve: (wishes) => (isAway ? Promise.reject(new Error('away')) : shared.reserve(wishes)),
  }
  const limiter = createRateLimiter(windows, () => {})
  for (let i = 0; i < 3; i++) await limiter.take(key)
  isAway = true
  assert.equal((await limiter.take(key)).refused, true)
  await limiter.stop()
})
