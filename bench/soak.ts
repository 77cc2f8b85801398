// A day in small: steady sends, mail that comes in and webhooks for so many minutes, `npm run soak -- --minutes 20`.
// Each minute it tells memory, latency and the size of tables, and at the end whether everything holds that must. What
// keeps messages grows with them; memory, latency and the tables of work under way must not.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { openFileStore } from '../src/lib/object-store/file.ts'
import { type Database, openDatabase, sql } from '../src/lib/sql.ts'
import { newId } from '../src/lib/uuid.ts'
import { checkInvariants } from '../src/ops/invariants.ts'
import { handIn } from '../test/support/inbound.ts'
import { createTestTenant, type TestTenant } from '../test/support/tenant.ts'
import { startBenchDatabases } from './bench-databases.ts'
import { startLineProcess } from './line-process.ts'
import { type MdkProcess, residentMib, startMdk } from './mdk-process.ts'
import { SEND_SUBJECT, SEND_TEXT } from './send-text.ts'
import { quantile } from './statistics.ts'

const SENDS_PER_S = 50
const MAILS_PER_S = 5
const MOST_TRIES = 10
const MINUTE_MS = 60_000
const SETTLES_WITHIN_MS = 60_000

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '20' } } })
const databases = await startBenchDatabases()
try {
  await databases.lend('soak', (url, folder) => soak(url, folder, Number(options.minutes)))
} finally {
  await databases.stop()
}

/** `url` is a migrated database that nothing else uses; `folder` is empty. */
async function soak(url: string, folder: string, minutes: number): Promise<void> {
  const database = openDatabase({ url })
  const tenant = await createTestTenant(database)
  const sink = await startLineProcess('smtp-sink.ts')
  const receiver = await startReceiver()
  const mdk = await startMdk({
    MDK_DATABASE_URL: url,
    MDK_DATA_DIR: folder,
    MDK_RELAY_URL: `smtp://127.0.0.1:${sink.greeting}`,
    MDK_WEBHOOK_ALLOW: '127.0.0.0/8',
    MDK_DNS_SERVERS: '127.0.0.1:9',
    // So that a day's coming and going of keys shows within minutes.
    MDK_IDEMPOTENCY_TTL: '1m',
    MDK_SWEEP: '10s',
  })
  const dispatcher = new Agent({ connections: 16 })
  try {
    const api = apiOf(mdk, dispatcher, tenant)
    await api('POST', '/v1/webhook-endpoints', { url: receiver.url, eventTypes: ['*'] })
    const load = startLoad(api, mdk, tenant)
    tell(Object.keys(await figures(mdk, database, load, receiver)))
    for (let minute = 1; minute <= minutes; minute++) {
      await sleep(MINUTE_MS)
      tell([minute, ...Object.values(await figures(mdk, database, load, receiver)).slice(1)])
    }
    await load.stop()
    await settled(database)
    await mdk.stop()
    const broken = (await checkInvariants(database, await openFileStore(join(folder, 'objects')))).filter(
      ({ result }) => result !== 'ok',
    )
    process.stdout.write(`failed ${load.failed}; ${broken.length === 0 ? 'all holds' : JSON.stringify(broken)}\n`)
    if (load.failed > 0 || broken.length > 0) process.exitCode = 1
  } finally {
    mdk.child.kill('SIGKILL')
    sink.child.kill('SIGKILL')
    receiver.stop()
    await dispatcher.close()
    await database.end()
  }
}

type Api = (method: string, path: string, body: unknown) => Promise<void>

function apiOf({ httpUrl }: MdkProcess, dispatcher: Agent, { key }: TestTenant): Api {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': newId() }
    const answer = await request(httpUrl + path, {
      method: method as 'POST',
      dispatcher,
      headers,
      body: JSON.stringify(body),
    })
    await answer.body.dump()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered ${answer.statusCode}`)
  }
}

interface Load {
  /** Milliseconds of each send since they were last looked at. */
  sendMs: number[]
  mailMs: number[]
  failed: number
  /** Starts nothing more and waits for what is under way. */
  stop(): Promise<void>
}

/** Sends and hands in at fixed rates, whether the answers to those before have come or not. */
function startLoad(api: Api, mdk: MdkProcess, tenant: TestTenant): Load {
  const underWay = new Set<Promise<void>>()
  const timed = (work: () => Promise<unknown>, into: () => number[]) => {
    const began = performance.now()
    const done = work().then(
      () => void into().push(performance.now() - began),
      (error: Error) => {
        load.failed++
        process.stderr.write(`${error.message}\n`)
      },
    )
    underWay.add(done)
    void done.then(() => underWay.delete(done))
  }
  const message = {
    fromMailboxId: tenant.mailboxId,
    to: ['someone@example.test'],
    subject: SEND_SUBJECT,
    text: SEND_TEXT,
  }
  let mails = 0
  const handInOne = async () => {
    const mail = `Subject: ${mails++}\r\nFrom: someone@example.test\r\n\r\n${SEND_TEXT}\r\n`
    // What is put off because too much comes from one address at a time is handed in again, as mail servers do.
    for (let tries = 1; ; tries++) {
      const { last } = await handIn(mdk.smtpPort, 'someone@example.test', [tenant.address], mail)
      if (last.startsWith('250')) return
      if (tries === MOST_TRIES) throw new Error(`mail was answered ${last}`)
      await sleep(1_000)
    }
  }
  const timers = [
    setInterval(
      () =>
        timed(
          () => api('POST', '/v1/messages', message),
          () => load.sendMs,
        ),
      1_000 / SENDS_PER_S,
    ),
    setInterval(() => timed(handInOne, () => load.mailMs), 1_000 / MAILS_PER_S),
  ]
  const load: Load = {
    sendMs: [],
    mailMs: [],
    failed: 0,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(underWay)
    },
  }
  return load
}

interface Receiver {
  url: string
  /** Milliseconds from each event to its arrival since they were last looked at. */
  lagMs: number[]
  stop(): void
}

async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    const event = JSON.parse(text) as { occurredAt: string; data: { challenge?: string } }
    if (event.data.challenge === undefined) receiver.lagMs.push(Date.now() - Date.parse(event.occurredAt))
    response.end(JSON.stringify({ challenge: event.data.challenge }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    lagMs: [],
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return receiver
}

/** What a minute came to, by the heading of its column. Begins the next minute. */
async function figures(mdk: MdkProcess, database: Database, load: Load, receiver: Receiver) {
  const row = await database.first(sql<{ messages: number; jobs: number; kib: number; perMessage: number }>`
    select (select count(*) from messages) as messages, (select count(*) from jobs) as jobs,
      (pg_total_relation_size('jobs') + pg_total_relation_size('idempotency_keys')
        + pg_total_relation_size('object_removals')) / 1024 as kib,
      pg_database_size(current_database()) / greatest(1, (select count(*) from messages)) / 1024 as "perMessage"`)
  const [sendMs, mailMs, lagMs] = [load.sendMs, load.mailMs, receiver.lagMs]
  load.sendMs = []
  load.mailMs = []
  receiver.lagMs = []
  return {
    minute: 0,
    rss_mib: Math.round(await residentMib(mdk.child)),
    messages: row?.messages,
    send_p50_ms: tenths(quantile(sendMs, 0.5)),
    send_p99_ms: tenths(quantile(sendMs, 0.99)),
    mail_p50_ms: tenths(quantile(mailMs, 0.5)),
    webhooks: lagMs.length,
    webhook_p50_ms: tenths(quantile(lagMs, 0.5)),
    webhook_p99_ms: tenths(quantile(lagMs, 0.99)),
    jobs: row?.jobs,
    passing_kib: row?.kib,
    kib_per_message: row?.perMessage,
  }
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

/** Waits until no work is left. */
async function settled(database: Database): Promise<void> {
  const deadline = performance.now() + SETTLES_WITHIN_MS
  while ((await database.rows(sql`select id from jobs limit 1`)).length > 0) {
    if (performance.now() > deadline) throw new Error('work is left a minute after the load has ended')
    await sleep(100)
  }
}

function tell(cells: readonly unknown[]): void {
  process.stdout.write(`${cells.map((cell) => String(cell).padStart(15)).join(' ')}\n`)
}
