// Twenty days in small: steady sends, mail that comes in, what is done with both, and webhooks to receivers of all
// kinds, for so many minutes: `npm run soak -- --minutes 20`. A day is a twentieth of them; times to live are scaled to
// it. Each day it prints memory, latency, the cost of a claim and the size of tables, and at the end whether everything
// holds that must. What keeps messages grows with them; memory and the tables of work under way must not.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createPlan } from '../src/apps/create-plan.ts'
import { openFileStore } from '../src/lib/object-store/file.ts'
import { type Database, openDatabase, sql } from '../src/lib/sql.ts'
import { checkInvariants } from '../src/ops/invariants.ts'
import { operator } from '../test/support/operator.ts'
import { createTestTenant } from '../test/support/tenant.ts'
import { startBenchDatabases } from './bench-databases.ts'
import { startLineProcess } from './line-process.ts'
import { residentMib, startMdk } from './mdk-process.ts'
import { openClient, REPORTS_ENV } from './soak-client.ts'
import { type DatabaseFigures, grown, lookAt, passingKib, timeFunctions } from './soak-figures.ts'
import { type Load, startLoad } from './soak-load.ts'
import { startReceivers } from './soak-receivers.ts'
import { quantile, ratio } from './statistics.ts'

const DAYS = 20
const MINUTE_MS = 60_000
const SETTLES_WITHIN_MS = 120_000
/** The checks at the end read everything there is. */
const STATEMENT_TIMEOUT_MS = 600_000
/** Never reached, and yet counted against. */
const PLENTY = 1_000_000_000

const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    'sends-per-s': { type: 'string', default: '100' },
    'mails-per-s': { type: 'string', default: '5' },
  },
})
const databases = await startBenchDatabases()
try {
  await databases.lend('soak', soak)
} finally {
  await databases.stop()
}

interface Look {
  residentMib: number
  database: DatabaseFigures
}

/** `url` is a migrated database that nothing else uses; `folder` is empty. */
async function soak(url: string, folder: string): Promise<void> {
  const dayMs = (Number(given.minutes) * MINUTE_MS) / DAYS
  const seconds = (days: number) => `${Math.ceil((days * dayMs) / 1_000)}s`
  const database = openDatabase({ url, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
  await timeFunctions(database)
  const limits = { keyPerMinute: PLENTY, tenantPerDay: PLENTY, messagesPerMonth: PLENTY, storedMib: PLENTY }
  await createPlan(database, operator, 'soak', { ...limits, retentionDays: 0 })
  const tenant = await createTestTenant(database, { plan: 'soak' })
  const sink = await startLineProcess('smtp-sink.ts')
  let load: Load | undefined
  let lagMs: number[] = []
  const receivers = await startReceivers((event) => {
    lagMs.push(Date.now() - Date.parse(event.occurredAt))
    load?.onEvent(event)
  })
  const mdk = await startMdk({
    ...REPORTS_ENV,
    MDK_DATABASE_URL: url,
    MDK_DATA_DIR: folder,
    MDK_RELAY_URL: `smtp://127.0.0.1:${sink.greeting}`,
    MDK_WEBHOOK_ALLOW: '127.0.0.0/8',
    MDK_WEBHOOK_BACKOFF: '500ms,1s,2s,4s',
    MDK_DNS_SERVERS: '127.0.0.1:9',
    MDK_IDEMPOTENCY_TTL: seconds(1),
    MDK_TRASH_TTL: seconds(2),
    MDK_DEAD_LETTER_TTL: seconds(2),
    MDK_SWEEP: seconds(0.1),
  })
  const client = openClient(mdk.httpUrl, tenant.key)
  try {
    const looks: Look[] = [{ residentMib: await residentMib(mdk.child), database: await lookAt(database) }]
    const [sendsPerS, mailsPerS] = [Number(given['sends-per-s']), Number(given['mails-per-s'])]
    load = await startLoad({ client, tenant, receivers, smtpPort: mdk.smtpPort, sendsPerS, mailsPerS })
    for (let day = 1; day <= DAYS; day++) {
      load.beginDay()
      await sleep(dayMs / 2)
      load.endFall()
      await sleep(dayMs / 2)
      const look = { residentMib: await residentMib(mdk.child), database: await lookAt(database) }
      const row = dayOf(look, looks.at(-1) ?? look, load, lagMs)
      if (day === 1) print(['minute', ...Object.keys(row)])
      print([(day * dayMs) / MINUTE_MS, ...Object.values(row)])
      looks.push(look)
      load.sendMs = []
      load.mailMs = []
      lagMs = []
    }
    receivers.recover()
    await load.stop()
    await settled(database)
    // What the last deliveries brought about.
    await load.stop()
    await mdk.stop()
    tellTables(looks, dayMs)
    const broken = (await checkInvariants(database, await openFileStore(join(folder, 'objects')))).filter(
      ({ result }) => result !== 'ok',
    )
    const faults = [...broken.map(({ name, found }) => `${name}: ${found}`), ...grown(looks.slice(1))]
    if (load.failed > 0) faults.push(`${load.failed} requests or mails failed`)
    process.stdout.write(faults.length === 0 ? 'all holds\n' : `${faults.join('\n')}\n`)
    if (faults.length > 0) process.exitCode = 1
  } finally {
    mdk.child.kill('SIGKILL')
    sink.child.kill('SIGKILL')
    receivers.stop()
    await client.close()
    await database.end()
  }
}

/** What a day came to, by the heading of its column. */
function dayOf({ residentMib, database }: Look, { database: before }: Look, load: Load, lagMs: number[]) {
  return {
    rss_mib: Math.round(residentMib),
    messages: database.messages,
    sends: load.sendMs.length,
    send_p50_ms: tenths(quantile(load.sendMs, 0.5)),
    send_p99_ms: tenths(quantile(load.sendMs, 0.99)),
    mail_p50_ms: tenths(quantile(load.mailMs, 0.5)),
    webhook_p50_ms: tenths(quantile(lagMs, 0.5)),
    webhook_p99_ms: tenths(quantile(lagMs, 0.99)),
    claims: database.claims - before.claims,
    claim_ms: ratio(database.claimMs - before.claimMs, database.claims - before.claims),
    jobs: database.jobs,
    passing_kib: passingKib(database),
    database_mib: Math.round(database.databaseKib / 1024),
  }
}

/** Table by table, day by day. */
function tellTables(looks: readonly Look[], dayMs: number): void {
  print(['table', 'minute', 'live', 'dead', 'vacuums', 'updates', 'hot_%', 'table_kib', 'index_kib'])
  for (const [place, { table }] of (looks[0]?.database.tables ?? []).entries()) {
    for (const [day, { database }] of looks.entries()) {
      const [now, before] = [database.tables[place], looks[day - 1]?.database.tables[place]]
      if (!now || !before) continue
      const updates = now.updates - before.updates
      const hot = updates === 0 ? '-' : Math.round((100 * (now.hot - before.hot)) / updates)
      const minute = (day * dayMs) / MINUTE_MS
      print([table, minute, now.live, now.dead, now.vacuums - before.vacuums, updates, hot, now.tableKib, now.indexKib])
    }
  }
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

/** Waits until no work is left. */
async function settled(database: Database): Promise<void> {
  const deadline = performance.now() + SETTLES_WITHIN_MS
  while ((await database.rows(sql`select id from jobs limit 1`)).length > 0) {
    if (performance.now() > deadline) throw new Error('work is left long after the load has ended')
    await sleep(100)
  }
}

function print(cells: readonly unknown[]): void {
  process.stdout.write(`${cells.map((cell) => String(cell).padStart(18)).join(' ')}\n`)
}
