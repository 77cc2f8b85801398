// Measures the service against the limits of what it stands on, in one run: `npm run bench`. Prints a table, and with
// --json one JSON object as its last line. --smoke runs everything for a second, to see that it runs at all; --only send,console
// runs these parts alone.
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
import { benchTab } from './tab.ts'
import { benchWebhooks } from './webhooks.ts'
import { benchWebmail } from './webmail.ts'

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const sizes = options.smoke ? SMOKE : FULL
const databases = await startBenchDatabases()

type Figures = Record<string, object>

/** What each part measures, by the group that a figure is shown in. They run in this order. */
const PARTS: Record<string, () => Promise<Figures>> = {
  async start() {
    const { cold_s, warm_s, ...idle } = await benchStart(sizes.start)
    return { start: { cold_s, warm_s }, memory: idle }
  },
  latency: async () => ({
    latency: await databases.lend('latency', (url, folder) => benchLatency(url, folder, sizes.latency)),
  }),
  async send() {
    const send = await databases.lend('send', (url) => benchSend(url, sizes.load))
    if (!hasPackage('postgresql')) tellMissing('pgbench', 'postgresql', 'no comparison with it')
    return { send: { ...send, ...(await benchStock()) } }
  },
  processes: async () => ({ processes: await databases.lend('processes', (url) => benchProcesses(url, sizes.load)) }),
  outbound: async () => ({
    outbound: await databases.lend('outbound', (url, folder) => benchOutbound(url, folder, sizes.outbound)),
  }),
  async webhooks() {
    const figures = await databases.lend('webhooks', (url) => benchWebhooks(url, sizes.webhooks))
    const { event_to_receiver_p50_ms, ...webhooks } = figures
    return { webhooks, latency: { event_to_receiver_p50_ms } }
  },
  gate: async () => ({ gate: await databases.lend('gate', (url) => benchGate(url, sizes.gate)) }),
  feed: async () => ({ feed: await databases.lend('feed', (url) => benchFeed(url, sizes.feed)) }),
  scale: async () => ({ scale: await databases.lend('scale', (url) => benchScale(url, sizes.scale)) }),
  console: async () => ({ console: await databases.lend('console', (url) => benchConsole(url, sizes.console)) }),
  webmail: async () => ({ webmail: await databases.lend('webmail', (url) => benchWebmail(url, sizes.webmail)) }),
  tab: async () => ({ tab: await databases.lend('tab', (url, folder) => benchTab(url, folder, sizes.tab)) }),
  memory: async () => ({ memory: TELLS_MEMORY ? await benchMemory() : {} }),
}

/** As they are shown. */
const GROUPS = [
  'send',
  'outbound',
  'webhooks',
  'latency',
  'gate',
  'feed',
  'scale',
  'console',
  'webmail',
  'tab',
  'memory',
  'start',
  'processes',
]

try {
  const found: Figures = Object.fromEntries(GROUPS.map((group) => [group, {}]))
  for (const part of chosenParts()) {
    for (const [group, figures] of Object.entries(await part())) Object.assign(found[group] ?? {}, figures)
  }
  print(found)
} finally {
  await databases.stop()
}

/** All, or those that `--only` names with commas between them. @throws Error for a name that no part has */
function chosenParts(): (() => Promise<Figures>)[] {
  const { only } = options
  if (only === undefined) return Object.values(PARTS)
  const names = only.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !Object.hasOwn(PARTS, name))
  if (unknown.length > 0) {
    throw new Error(`there is no part ${unknown.join(', ')}: --only takes some of ${Object.keys(PARTS).join(',')}`)
  }
  return Object.entries(PARTS).flatMap(([name, part]) => (names.includes(name) ? part : []))
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
