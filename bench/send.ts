// How many sends a second are accepted over HTTP, beside what pgbench reaches on the same server with the same rows and with
// eight: plain inserts, one function call and one transaction each. Interleaved, so that a machine that slows down slows both.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { openDatabase } from '../src/lib/sql.ts'
import { createTestTenant } from '../test/support/tenant.ts'
import { load, perSecond, startApi } from './api-load.ts'
import { createBenchFunctions } from './pgbench-functions.ts'
import { cpuMicrosOf, TELLS_CPU } from './process-cpu.ts'
import type { LoadSizes } from './sizes.ts'
import { median, ratio } from './statistics.ts'

const run = promisify(execFile)
const WHOLE_GROUP = 64
const SCRIPT = new URL('accept.pgbench.sql', import.meta.url).pathname
const EIGHT_ROWS_SCRIPT = new URL('accept-eight.pgbench.sql', import.meta.url).pathname

export interface SendFigures {
  accepted_per_s: number
  accepted_alone_per_s: number
  grouped_over_alone: number
  /** Absent where pgbench is not installed. */
  pgbench_16_per_s?: number
  pgbench_64_per_s?: number
  accepted_over_pgbench?: number
  /** pgbench with eight rows a message (ADR 32). */
  pgbench_0_per_s?: number
  accepted_over_pgbench_0?: number
  p50_ms: number
  p99_ms: number
  /** Of the API's process, in all threads, for one accepted send. Absent where the system does not say. */
  cpu_us?: number
}

/** `url` is a migrated database that nothing else uses. */
export async function benchSend(url: string, { seconds, rounds }: LoadSizes): Promise<SendFigures> {
  const database = openDatabase({ url })
  const tenant = await createTestTenant(database)
  await database.pool.query(`update plans set messages_per_month = 0`)
  await createBenchFunctions(database, tenant)
  const grouped = await startApi(url, WHOLE_GROUP)
  const alone = await startApi(url, 1)
  const pgbench = await findPgbench()
  const figures = {
    grouped: [] as number[],
    alone: [] as number[],
    pg16: [] as number[],
    pg64: [] as number[],
    eight: [] as number[],
    cpu: [] as number[],
  }
  try {
    for (const api of [grouped, alone]) await load([api], 1, 0, tenant)
    for (let round = 0; round < rounds; round++) {
      const before = await cpuMicrosOf(grouped.child)
      const result = await load([grouped], seconds, 0, tenant)
      figures.grouped.push(perSecond(result))
      figures.cpu.push(((await cpuMicrosOf(grouped.child)) - before) / result.accepted)
      if (pgbench) figures.pg16.push(runPgbench(pgbench, url, seconds, 16, SCRIPT))
      figures.alone.push(perSecond(await load([alone], seconds, 0, tenant)))
      if (pgbench) figures.pg64.push(runPgbench(pgbench, url, seconds, 64, SCRIPT))
      if (pgbench) figures.eight.push(runPgbench(pgbench, url, seconds, 16, EIGHT_ROWS_SCRIPT))
      await database.pool.query('checkpoint')
    }
    const accepted = median(figures.grouped)
    const calm = await load([grouped], seconds * 2, accepted / 2, tenant)
    const best = Math.max(median(figures.pg16), median(figures.pg64))
    return {
      accepted_per_s: Math.round(accepted),
      accepted_alone_per_s: Math.round(median(figures.alone)),
      grouped_over_alone: ratio(accepted, median(figures.alone)),
      ...(pgbench
        ? {
            pgbench_16_per_s: Math.round(median(figures.pg16)),
            pgbench_64_per_s: Math.round(median(figures.pg64)),
            accepted_over_pgbench: ratio(accepted, best),
            pgbench_0_per_s: Math.round(median(figures.eight)),
            accepted_over_pgbench_0: ratio(accepted, median(figures.eight)),
          }
        : {}),
      p50_ms: Math.round(calm.p50Ms * 10) / 10,
      p99_ms: Math.round(calm.p99Ms * 10) / 10,
      ...(TELLS_CPU ? { cpu_us: Math.round(median(figures.cpu)) } : {}),
    }
  } finally {
    for (const api of [grouped, alone]) api.child.kill('SIGKILL')
    await database.end()
  }
}

async function findPgbench(): Promise<string | undefined> {
  return run('pgbench', ['--version']).then(
    () => 'pgbench',
    () => undefined,
  )
}

function runPgbench(pgbench: string, url: string, seconds: number, clients: number, script: string): number {
  const { stdout, stderr, status } = spawnSync(
    pgbench,
    ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', script, url],
    { encoding: 'utf8' },
  )
  const found = /tps = ([\d.]+)/.exec(stdout)?.[1]
  if (status !== 0 || found === undefined) throw new Error(`pgbench failed: ${stderr}`)
  return Number(found)
}
