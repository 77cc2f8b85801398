// Measures the service against the limits of what it stands on, in one run: `npm run bench`. Prints a table, and with
// --json one JSON object as its last line. --smoke runs everything for a second, to see that it runs at all.
import { parseArgs } from 'node:util'
import { hasPackage } from '../scripts/install-test-packages.ts'
import { startBenchDatabases, startStockDatabases } from './bench-databases.ts'
import { benchConsole } from './console.ts'
import { benchFeed } from './feed.ts'
import { benchGate } from './gate.ts'
import { benchLatency } from './latency.ts'
import { TELLS_MEMORY } from './mdk-process.ts'
import { benchGrowth } from './memory.ts'
import { benchOutbound } from './outbound.ts'
import { benchProcesses } from './processes.ts'
import { lendS3 } from './s3.ts'
import { benchScale } from './scale.ts'
import { benchSend } from './send.ts'
import { FULL, SMOKE } from './sizes.ts'
import { benchStart } from './start.ts'
import { benchWebhooks } from './webhooks.ts'

const { values: options } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
})
const sizes = options.smoke ? SMOKE : FULL
const databases = await startBenchDatabases()
try {
  const { cold_s, warm_s, ...idle } = await benchStart(sizes.start)
  const { accept_to_relay_p50_ms } = await databases.lend('latency', (url, folder) =>
    benchLatency(url, folder, sizes.latency),
  )
  const send = await databases.lend('send', (url) => benchSend(url, sizes.load))
  if (!hasPackage('postgresql')) tellMissing('pgbench', 'postgresql', 'no comparison with it')
  const stock = await benchStock()
  const processes = await databases.lend('processes', (url) => benchProcesses(url, sizes.load))
  const outbound = await databases.lend('outbound', (url, folder) => benchOutbound(url, folder, sizes.outbound))
  const { event_to_receiver_p50_ms, ...webhooks } = await databases.lend('webhooks', (url) =>
    benchWebhooks(url, sizes.webhooks),
  )
  const gate = await databases.lend('gate', (url) => benchGate(url, sizes.gate))
  const feed = await databases.lend('feed', (url) => benchFeed(url, sizes.feed))
  const scale = await databases.lend('scale', (url) => benchScale(url, sizes.scale))
  const consoleFigures = await databases.lend('console', (url) => benchConsole(url, sizes.console))
  const memory = TELLS_MEMORY ? await benchMemory() : {}
  print({
    send: { ...send, ...stock },
    outbound,
    webhooks,
    latency: { accept_to_relay_p50_ms, event_to_receiver_p50_ms },
    gate,
    feed,
    scale,
    console: consoleFigures,
    memory: { ...idle, ...memory },
    start: { cold_s, warm_s },
    processes,
  })
} finally {
  await databases.stop()
}

/** The same on a server with the defaults that it is installed with: they decide how statements are carried out. */
async function benchStock(): Promise<Record<string, number>> {
  // It does not run as root, and its files belong to a user of its own.
  if (!hasPackage('postgresql') || process.getuid?.() !== 0) {
    tellMissing('PostgreSQL', 'postgresql, as root', 'sends are measured with the embedded one only')
    return {}
  }
  const stock = await startStockDatabases()
  try {
    const { accepted_per_s } = await stock.lend('stock', (url) => benchSend(url, sizes.load))
    return { stock_accepted_per_s: accepted_per_s }
  } finally {
    await stock.stop()
  }
}

/** The worse of both stores is the figure. */
async function benchMemory(): Promise<Record<string, number>> {
  const growth = (store: string, env: Record<string, string>) =>
    databases.lend(`memory_${store}`, (url, folder) => benchGrowth(url, { MDK_DATA_DIR: folder, ...env }, sizes.memory))
  const file = await growth('file', {})
  // Its server wants root.
  const s3Runs = hasPackage('swift-proxy') && process.getuid?.() === 0
  const s3 = s3Runs ? await lendS3((env) => growth('s3', env)) : undefined
  if (s3 === undefined) tellMissing('an S3 server', 'swift-proxy, as root', 'memory is measured with local files only')
  return {
    growth_16x25mb_mb: Math.max(file, s3 ?? 0),
    growth_file_16x25mb_mb: file,
    ...(s3 === undefined ? {} : { growth_s3_16x25mb_mb: s3 }),
  }
}

function tellMissing(what: string, name: string, therefore: string): void {
  process.stderr.write(`SKIPPED: ${what} is not here (Debian package ${name}); ${therefore}\n`)
  if (process.env.CI === 'true') process.exitCode = 1
}

function print(figures: Record<string, object>): void {
  for (const [group, values] of Object.entries(figures)) {
    for (const [name, value] of Object.entries(values)) {
      process.stdout.write(`${`${group}.${name}`.padEnd(40)} ${value}\n`)
    }
  }
  if (options.json) process.stdout.write(`${JSON.stringify(figures)}\n`)
}
