// Measures the service against the limits of what it stands on, in one run: `npm run bench`. Prints a table, and with
// --json one JSON object as its last line. --smoke runs everything for a second, to see that it runs at all.
import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { openServiceDatabase } from '../src/database.ts'
import { startEmbeddedPostgres } from '../src/lib/embedded-postgres.ts'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { benchProcesses } from './processes.ts'
import { benchScale } from './scale.ts'
import { benchSend } from './send.ts'
import { benchWebhooks } from './webhooks.ts'

const { values: options } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
})
const [seconds, rounds] = options.smoke ? [1, 1] : [5, 3]
const webhookSizes = options.smoke
  ? { rounds: 1, deliveries: 2_000, events: 20, backlog: 1_000 }
  : { rounds: 3, deliveries: 20_000, events: 400, backlog: 50_000 }

const folder = await temporaryFolder('mdk-bench-')
const quiet = { info: () => {}, error: (message: string) => void process.stderr.write(`${message}\n`) }
const postgres = await startEmbeddedPostgres({ dataDir: folder, hold: 'service', log: quiet })
try {
  const log = pino({ level: 'silent' })
  const { close } = await openServiceDatabase({
    config: { databaseUrl: postgres.url, dataDir: folder },
    log,
    hold: 'command',
  })
  await close()
  const send = await benchSend(postgres.url, seconds as number, rounds as number)
  if (send.accepted_over_pgbench === undefined) {
    process.stderr.write('SKIPPED: pgbench is not installed (Debian package postgresql); no comparison with it\n')
    if (process.env.CI === 'true') process.exitCode = 1
  }
  const processes = await benchProcesses(postgres.url, seconds as number, rounds as number)
  const { event_to_receiver_p50_ms, ...webhooks } = await benchWebhooks(postgres.url, webhookSizes)
  const [few, many, times] = options.smoke ? [1_000, 10_000, 20] : [10_000, 1_000_000, 200]
  const scale = await benchScale(postgres.url, few as number, many as number, times as number)
  const figures = { send, processes, webhooks, latency: { event_to_receiver_p50_ms }, scale }
  for (const [group, values] of Object.entries(figures)) {
    for (const [name, value] of Object.entries(values)) {
      process.stdout.write(`${`${group}.${name}`.padEnd(40)} ${value}\n`)
    }
  }
  if (options.json) process.stdout.write(`${JSON.stringify(figures)}\n`)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
