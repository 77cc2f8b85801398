import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createThreadPool } from './thread-pool.ts'

// Nothing is asked of the threads: none is ever started.
const ENTRY = new URL('file:///nowhere')
const LIMITS = { entry: ENTRY, timeoutMs: 1_000, heapMiB: 16 }

/** Work that ends when it is told to. */
function held(): { work(): Promise<void>; end(): void; began: Promise<void> } {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: began, resolve: begin } = Promise.withResolvers<void>()
  const work = () => {
    begin()
    return ended
  }
  return { work, end, began }
}

test('one owner leaves a thread for another, however much it has waiting', async () => {
  const pool = createThreadPool({ ...LIMITS, threads: 3, mostOfOne: 2 })
  after(() => pool.stop())
  const works = Array.from({ length: 10 }, held)
  const done = works.map(({ work }) => pool.use('one', work))
  await Promise.all(works.slice(0, 2).map(({ began }) => began))
  await pool.use('other', async () => {})
  for (const { end } of works) end()
  await Promise.all(done)
})

test('owners who wait take turns', async () => {
  const pool = createThreadPool({ ...LIMITS, threads: 1 })
  after(() => pool.stop())
  const first = held()
  const order: string[] = []
  const use = (owner: string, i: number) => pool.use(owner, async () => void order.push(`${owner}${i}`))
  const done = [pool.use('a', first.work)]
  await first.began
  for (const owner of ['a', 'b', 'c']) for (const i of [1, 2]) done.push(use(owner, i))
  first.end()
  await Promise.all(done)
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
})

test('what fails gives its thread back, and a stopped pool refuses what waits', async () => {
  const pool = createThreadPool({ ...LIMITS, threads: 1 })
  await assert.rejects(
    pool.use('a', () => Promise.reject(new Error('no'))),
    /no/,
  )
  const first = held()
  const using = pool.use('a', first.work)
  await first.began
  const waiting = assert.rejects(
    pool.use('b', async () => {}),
    /stopped/,
  )
  const stopped = pool.stop()
  await waiting
  first.end()
  await Promise.all([using, stopped])
  await assert.rejects(
    pool.use('a', async () => {}),
    /stopped/,
  )
})
