// ARCHITECTURE.md walks the way of a message from the request to the relay and to a webhook, file by file: one is sent, and
// each file that did something for it is named there.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type Profiler, Session } from 'node:inspector/promises'
import { after, test } from 'node:test'
import { createWakeUps } from '../../src/lib/queue/wake-ups.ts'
import { sql } from '../../src/lib/sql.ts'
import { openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'
import { subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'
import { startTestOutbound } from '../support/workers.ts'

/** What goes on by a clock of its own, what wires the roles, and what writes down how they do. */
const BESIDE = [
  'src/idempotency/hold-key.ts',
  'src/apps/record-key-use.ts',
  'src/roles/',
  'src/lib/log.ts',
  'src/servers/ops/metrics.ts',
]

const { database } = await createTestDatabase()
const wakeUps = createWakeUps(database, (error) => assert.fail(String(error)))
after(() => wakeUps.stop())
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const sink = await startSmtpSink()
after(() => sink.stop())
const receiver = await startReceiver()
const { tenant } = await subscribe(url, database, receiver)
startTestWebhooks(database)
await startTestOutbound(database, { relayUrl: sink.url, store })

async function sendOne(): Promise<void> {
  const before = receiver.delivered.length
  const body = {
    fromMailboxId: tenant.mailboxId,
    to: ['a@example.test'],
    subject: 'Hi',
    text: 'Hello',
    html: '<p>Hi</p>',
  }
  assert.equal((await send(url, tenant.key, body)).status, 202)
  await until('it is delivered', () =>
    receiver.delivered.slice(before).some(({ event }) => event.type === 'message.sent'),
  )
  await until('all is recorded', async () => !(await database.first(sql`select from jobs`)))
}

test('each file that a message passes is named on the page of the architecture', async () => {
  // What is done once, at the first, is no part of the way.
  await sendOne()
  const passed = await filesPassed(sendOne)
  assert(passed.includes('src/messages/accept-messages.ts') && passed.includes('src/workers/webhooks/deliver.ts'))
  const page = await readFile(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const way = page.slice(page.indexOf('## The way of a message'), page.indexOf('## The way in'))
  assert.deepEqual(
    passed.filter((path) => !way.includes(`\`${path}\``) && !BESIDE.some((beside) => path.startsWith(beside))),
    [],
  )
})

/** The files of the service that have a function which ran meanwhile. */
async function filesPassed(work: () => Promise<void>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  // Counts from here on.
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  return result.flatMap((script) => (hasRun(script) ? (/\/(src\/.+)$/.exec(script.url)?.[1] ?? []) : []))
}

function hasRun({ functions }: Profiler.ScriptCoverage): boolean {
  return functions.some(({ ranges }) => ranges.some(({ count }) => count > 0))
}
