// A worker process for the queue's tests: takes jobs, says so on standard output, and settles each after a while.
// Arguments: database URL, queue, lane cap, tenant cap, lease in ms, work in ms (below 0: until SIGUSR2), concurrency.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { settleJobs } from '../../src/lib/queue/settle-jobs.ts'
import { createWakeUps } from '../../src/lib/queue/wake-ups.ts'
import { startWorker } from '../../src/lib/queue/worker.ts'
import { openDatabase } from '../../src/lib/sql.ts'

const [url, queue, laneCap, tenantCap, leaseMs, workMs, concurrency] = process.argv.slice(2) as [
  string,
  string,
  ...string[],
]
const say = (line: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(line)}\n`)
const fail = (error: unknown) => say({ error: String(error) })

const work = () => (Number(workMs) < 0 ? once(process, 'SIGUSR2') : sleep(Number(workMs)))

const database = openDatabase({ url, onIdleError: () => {} })
const worker = startWorker({
  queue,
  database,
  wakeUps: createWakeUps(database, fail),
  concurrency: Number(concurrency),
  laneCap: Number(laneCap),
  tenantCap: Number(tenantCap),
  receptionBudget: 5,
  leaseMs: Number(leaseMs),
  pollMs: 50,
  onError: fail,
  async handle(job) {
    say({ took: job.id, lane: job.lane, receptions: job.receptions })
    await work()
    const settled = await database.transaction((tx) => settleJobs(tx, [{ job, how: { kind: 'done' } }]))
    say({ settled: job.id, held: settled.has(job.id) })
  },
})
process.once('SIGTERM', () => void worker.stop(5_000).then(() => process.exit(0)))
say({ ready: true })
