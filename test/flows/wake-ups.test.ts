// Whatever makes work due wakes the workers of another process, for which a pool of its own stands: they hear of it,
// and never look by themselves while these tests last.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { requeueDeadLetter } from '../../src/lib/queue/dead-letters.ts'
import { createWakeUps } from '../../src/lib/queue/wake-ups.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { applyReport } from '../../src/messages/apply-report.ts'
import { sweepTrash } from '../../src/messages/sweep-messages.ts'
import { call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { mdkHere } from '../support/mdk.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'
import { subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'
import { startTestOutbound } from '../support/workers.ts'

const POLL_MS = 600_000

const { database, url: databaseUrl } = await createTestDatabase()
const elsewhere = openDatabase({ url: databaseUrl })
after(() => elsewhere.end())
// As every process has one, whether or not it works.
const wakeUps = createWakeUps(database, (error) => assert.fail(String(error)))
after(() => wakeUps.stop())
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const inbound = await startTestInbound(database, { store })
const sink = await startSmtpSink()
after(() => sink.stop())
let isRefusing = false
const receiver = await startReceiver({
  answer: (_, response) => {
    response.statusCode = isRefusing ? 500 : 200
    response.end()
  },
})
const subscriber = await subscribe(url, database, receiver)
const { tenant } = subscriber
startTestWebhooks(elsewhere, { pollMs: POLL_MS, backoff: [600, 600, 600, 600] })
await startTestOutbound(elsewhere, { relayUrl: sink.url, store, pollMs: POLL_MS })

/** Nothing is left to do that could make a worker look again. */
const quiet = () => until('all is done', async () => !(await database.first(sql`select from jobs`)))

/** Resolves when one more event of the type has come. */
async function hears(type: string, act: () => Promise<unknown>): Promise<void> {
  await quiet()
  const before = receiver.delivered.length
  await act()
  await until(`${type} is delivered`, () => receiver.delivered.slice(before).some(({ event }) => event.type === type))
}

async function sendOne(): Promise<Uuid> {
  const body = { fromMailboxId: tenant.mailboxId, to: ['a@example.test'], subject: 'Hi', text: 'Hello' }
  const answer = await send(url, tenant.key, body)
  assert.equal(answer.status, 202)
  return answer.body.id
}

const patch = (id: Uuid, change: Record<string, unknown>) =>
  call(url, 'PATCH', `/v1/messages/${id}`, { key: tenant.key, body: { mailboxId: tenant.mailboxId, ...change } })

let id: Uuid

test('a message that is accepted is submitted, and what becomes of it is delivered', async () => {
  await hears('message.sent', async () => {
    id = await sendOne()
  })
  assert.equal(sink.mails.length, 1)
})

test('a change of a message is delivered', () => hears('message.updated', () => patch(id, { isStarred: true })))

test('what a relay reports is delivered', () =>
  hears('message.delivered', () => {
    const recipient = { addresses: ['a@example.test'], smtpCode: 250, enhancedCode: '2.0.0', diagnostic: null }
    const message = { tenantId: tenant.tenantId, id }
    return applyReport({ database, store }, message, [{ ...recipient, outcome: 'delivered' }], 'any_recipient')
  }))

test('mail that comes in is delivered', () =>
  hears('message.received', () =>
    handIn(inbound.port, 'b@example.test', [tenant.address], 'From: b@example.test\r\nSubject: Hi\r\n\r\nHello\r\n'),
  ))

test('what a command does is delivered', () =>
  hears('mailbox.updated', () =>
    mdkHere({ MDK_DATABASE_URL: databaseUrl }, 'mailbox', 'update', tenant.mailboxId, '--name', 'Other'),
  ))

test('what a sweep ends is delivered', async () => {
  await hears('message.updated', () => patch(id, { folder: 'trash' }))
  await hears('message.deleted', async () => assert.equal(await sweepTrash(database, 0, 10), 1))
})

test('a replay is delivered, and what waits for an endpoint when that is enabled', async () => {
  await quiet()
  const [newest] = await subscriber.deliveries()
  assert(newest)
  await hears('message.deleted', () => subscriber.replay(newest.id))

  isRefusing = true
  await hears('message.queued', sendOne)
  isRefusing = false
  await until('the endpoint waits', async () => (await subscriber.current()).consecutiveFailures > 0)
  const path = `/v1/webhook-endpoints/${subscriber.endpoint.id}`
  const before = receiver.delivered.length
  await call(url, 'PATCH', path, { key: tenant.key, body: { enabled: true } })
  await until('it is tried again', () => receiver.delivered.length > before)
})

test('a dead letter that is replayed is done', async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `with m as (select tenant_id, id from messages limit 1)
     insert into dead_letters (tenant_id, id, queue, lane, subject_id, reason, receptions)
     select tenant_id, 1, 'outbound', tenant_id, id, 'unbuildable', 1 from m returning id`,
  )
  await database.transaction((tx) => requeueDeadLetter(tx, Number(rows[0]?.id)))
  await until('it is done', async () => !(await database.first(sql`select from jobs where queue = 'outbound'`)))
})
