// The work queue over several worker processes: nothing lost, nothing settled by a stale claim, every cap kept.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { testQueueOf } from '../support/queue.ts'
import { until } from '../support/until.ts'

const { database, url } = await createTestDatabase()
const { enqueue, left } = testQueueOf(database)

/** The work of a job ends by SIGUSR2. */
const UNTIL_TOLD = -1

interface Line {
  took?: number
  lane?: Uuid
  settled?: number
  held?: boolean
  error?: string
  ready?: boolean
}

interface ProcessOptions {
  laneCap?: number
  tenantCap?: number
  leaseMs?: number
  /** How long each job takes. */
  workMs?: number
  concurrency?: number
}

function startProcess(queue: string, options: ProcessOptions = {}) {
  const { laneCap = 1_000, tenantCap = 1_000, leaseMs = 30_000, workMs = 0, concurrency = 20 } = options
  const script = new URL('../support/queue-process.ts', import.meta.url).pathname
  const child: ChildProcess = spawn(
    process.execPath,
    [script, url, queue, ...[laneCap, tenantCap, leaseMs, workMs, concurrency].map(String)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines: Line[] = []
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => lines.push(JSON.parse(line)))
  after(() => child.kill('SIGKILL'))
  const ready = until('the worker process is ready', () => lines.some((line) => line.ready))
  return { child, lines, ready }
}

test('two processes do every job once', async () => {
  const workers = [startProcess('twice'), startProcess('twice')]
  // One alone would be done with all before the other has begun.
  await Promise.all(workers.map(({ ready }) => ready))
  await enqueue('twice', newId(), 500)
  await enqueue('twice', newId(), 500)
  await until('all is done', async () => (await left('twice')) === 0)
  const took = await until('both reported all', () => {
    const taken = workers.flatMap((w) => w.lines).flatMap((line) => line.took ?? [])
    return taken.length >= 1000 && taken
  })
  assert.equal(took.length, 1000)
  assert.equal(new Set(took).size, 1000)
  for (const { lines, child } of workers) {
    assert(!lines.some((line) => line.error))
    assert(
      lines.some((line) => line.took),
      'both took part',
    )
    child.kill('SIGTERM')
  }
})

test('a worker that is stopped past its lease and woken later changes nothing', async () => {
  const sleeper = startProcess('stale', { leaseMs: 400, workMs: UNTIL_TOLD, concurrency: 1 })
  await sleeper.ready
  await enqueue('stale', newId())
  await until('it took the job', () => sleeper.lines.some((line) => line.took))
  sleeper.child.kill('SIGSTOP')
  const other = startProcess('stale', { workMs: UNTIL_TOLD })
  await until('another took the job', () => other.lines.some((line) => line.took))
  sleeper.child.kill('SIGUSR2')
  sleeper.child.kill('SIGCONT')
  const late = await until('the first settled', () => sleeper.lines.find((line) => line.settled))
  assert.equal(late.held, false, 'its claim was no longer good')
  assert.equal(await left('stale'), 1, 'the job is still with the other')
  other.child.kill('SIGUSR2')
  const right = await until('the other settled', () => other.lines.find((line) => line.settled))
  assert.equal(right.held, true)
  assert.equal(await left('stale'), 0)
})

test('what a killed worker held is done by another when the lease has run out', async () => {
  const victim = startProcess('killed', { leaseMs: 500, workMs: UNTIL_TOLD, concurrency: 10 })
  await victim.ready
  await enqueue('killed', newId(), 10)
  await until('it holds them all', () => victim.lines.filter((line) => line.took).length === 10)
  victim.child.kill('SIGKILL')
  const other = startProcess('killed')
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
