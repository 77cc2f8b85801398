import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { enableCompileCache } from 'node:module'
import { after, test } from 'node:test'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { createThreadPool } from './thread-pool.ts'

// Says the names of its environment when it starts, and answers whatever it is asked.
const ENTRY = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads'
  const channel = new BroadcastChannel('mdk-thread-pool-test')
  channel.postMessage(Object.keys(process.env))
  channel.close()
  parentPort.on('message', () => parentPort.postMessage({ kind: 'answer', answer: null }))
`)}`,
)
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

test('the next thread starts before it is needed, with nothing of our environment but the compiled code', async () => {
  const folder = await temporaryFolder('mdk-compiled-')
  after(() => rm(folder, { recursive: true, force: true }))
  enableCompileCache(folder)
  const starts = new BroadcastChannel('mdk-thread-pool-test')
  const environments: unknown[] = []
  const { promise: twice, resolve } = Promise.withResolvers<void>()
  starts.onmessage = (event) => {
    if (environments.push((event as MessageEvent).data) === 2) resolve()
  }
  const pool = createThreadPool({ ...LIMITS, timeoutMs: 60_000, threads: 3 })
  try {
    for (let i = 0; i < 3; i++) await pool.use('one', (thread) => thread.ask(null))
    await twice
    assert.deepEqual(environments, [['NODE_COMPILE_CACHE'], ['NODE_COMPILE_CACHE']])
  } finally {
    await pool.stop()
    starts.close()
  }
})

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

test('a thread that is long in loading has as much time for its task as any other', async () => {
  const serveThread = new URL('./thread-pool/serve-thread.ts', import.meta.url)
  const entry = new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { setTimeout } from 'node:timers/promises'
    import { serveThread } from '${serveThread}'
    await setTimeout(1_000)
    serveThread((task) => (task === 'never' ? new Promise(() => {}) : Promise.resolve({ answer: task })))
  `)}`,
  )
  const pool = createThreadPool({ ...LIMITS, entry, timeoutMs: 500, threads: 1 })
  after(() => pool.stop())
  const ask = (task: string) => pool.use('one', (thread) => thread.ask(task))
  assert.deepEqual(await ask('first'), { kind: 'answer', answer: 'first' })
  assert.deepEqual(await ask('never'), { kind: 'fault', fault: 'timeout' })
  assert.deepEqual(await ask('next'), { kind: 'answer', answer: 'next' })
})
