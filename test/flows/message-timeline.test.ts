// What happened to a message, as whoever asks about it is shown: each try and what was said, what it waits for, and its events
// with their deliveries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '../../src/apps/create-app.ts'
import { appendEvents } from '../../src/events/append.ts'
import { StoreUnavailable } from '../../src/lib/object-store.ts'
import { sql } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { cancelMessage } from '../../src/messages/cancel-message.ts'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { holdMessage } from '../../src/messages/hold-message.ts'
import { recordSubmissions } from '../../src/messages/record-submissions.ts'
import { MOST_TRIES_KEPT, recordTries } from '../../src/messages/record-tries.ts'
import { releaseMessage } from '../../src/messages/release-message.ts'
import { messageTimeline } from '../../src/messages/timeline/message-timeline.ts'
import { tryMessageNow } from '../../src/messages/try-message-now.ts'
import { eventsOfMessage } from '../../src/webhooks/events-of-message.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { applicationOf } from '../support/one-of-each.ts'
import { operatorOf } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { messagesOf, NEVER } from '../support/sent-messages.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { subscribe } from '../support/webhook-subscriber.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const tenant = await createTestTenant(database)
const actor = operatorOf(tenant.tenantId)
const { accept, read, isSent, jobOf, putOff, start, claim } = messagesOf(database, url, tenant)

const timelineOf = (id: Uuid, by = actor) => messageTimeline(database, by, id)

/** The tries of a timeline, each with how often, what came of it, and what was said to whom. */
const triesOf = async (id: Uuid, by = actor) =>
  (await timelineOf(id, by)).items.flatMap((item) =>
    item.kind === 'try'
      ? [[item.times, item.result, ...item.answers.flatMap((each) => [each.outcome, each.text, each.recipients])]]
      : [],
  )

const rowsOfTries = (id: Uuid) =>
  database.rows(sql<{ number: number; times: number }>`
    select number, times from submission_tries where message_id = ${id} order by number`)

test('each try is kept with what was said of whom; the same again in a row is counted', async () => {
  let verdicts: Record<string, string> = { busy: '451 4.7.1 greylisted' }
  const { sink, worker } = await start({ onRecipient: (address) => verdicts[address.split('@')[0] ?? ''] })
  const id = await accept(['free@example.test', 'busy@example.test', 'b@example.test'])
  const tried = async (attempt: number) => {
    await until('it was tried', async () => (await jobOf(id))?.attempt === attempt)
    await putOff(id)
  }
  await tried(1)
  const [free, busy, b] = ['free@example.test', 'busy@example.test', 'b@example.test']
  const first = [1, 'accepted', 'sent', 'Ok: taken as 1', [free, b], 'deferred', 'greylisted', [busy]]
  assert.deepEqual(await triesOf(id), [first])
  const { waiting } = await timelineOf(id)
  const due = await database.first(sql<{ at: string }>`select due_at as at from jobs where subject_id = ${id}`)
  assert.deepEqual(waiting, { for: 'time', until: due?.at })

  const again = async () => {
    await tryMessageNow(database, actor, id)
  }
  await again()
  await tried(2)
  await again()
  await tried(3)
  assert.deepEqual(await triesOf(id), [first, [2, 'accepted', 'deferred', 'greylisted', [busy]]].map(refused))
  verdicts = { busy: '452 4.2.2 full' }
  await again()
  await tried(4)
  verdicts = {}
  await again()
  await until('all are sent', async () => (await read(id)).recipients.every(({ status }) => status === 'sent'))
  assert.deepEqual(
    await triesOf(id),
    [
      first,
      [2, 'accepted', 'deferred', 'greylisted', [busy]],
      [1, 'accepted', 'deferred', 'full', [busy]],
      [1, 'accepted', 'sent', 'Ok: taken as 2', [busy]],
    ].map(refused),
  )
  assert.deepEqual(
    (await rowsOfTries(id)).map(({ number, times }) => [number, times]),
    [
      [1, 1],
      [2, 2],
      [4, 1],
      [5, 1],
    ],
  )
  assert.equal((await timelineOf(id)).waiting, null)
  assert.equal(sink.mails.length, 2)
  await holdMessage(database, actor, id)
  await deleteMessage(database, actor, id)
  assert.equal((await rowsOfTries(id)).length, 4)
  await releaseMessage(database, actor, id)
  assert.deepEqual(await rowsOfTries(id), [])
  await worker.stop()
})

/** What no recipient was taken for the relay has refused. */
const refused = (row: unknown[]) =>
  row.includes('sent') ? row : row.map((cell) => (cell === 'accepted' ? 'refused' : cell))

test('a message that goes through at once leaves no row, and its timeline is whole all the same', async () => {
  const { worker } = await start()
  const id = await accept(['a@example.test', 'b@example.test'])
  await isSent(id)
  assert.deepEqual(await rowsOfTries(id), [])
  const { items, isHeld, isCut, waiting } = await timelineOf(id)
  assert.deepEqual(
    items.map(({ kind }) => kind),
    ['accepted', 'try', 'sent'],
  )
  assert.deepEqual([isHeld, isCut, waiting], [false, false, null])
  assert.match(JSON.stringify(await triesOf(id)), /"sent","Ok: taken as \d+",\["a@example.test","b@example.test"\]/)
  const [accepted] = items
  assert(accepted?.kind === 'accepted')
  assert.deepEqual(accepted.app, { id: tenant.appId, name: 'Example' })
  assert.match(accepted.request?.clientAddress ?? '', /127\.0\.0\.1/)
  assert.equal(accepted.request?.key?.name, null)
  // Events are another's to keep: what they said is there as far as the state knows it.
  await database.rows(sql`update events set key_id = null, app_id = null where resource_id = ${id}`)
  const forgotten = (await timelineOf(id)).items[0]
  assert(forgotten?.kind === 'accepted' && forgotten.request === null && forgotten.app?.id === tenant.appId)
  const key = { ...applicationOf(tenant.tenantId, tenant.appId, 'production') }
  const [seen] = (await messageTimeline(database, key, id)).items
  assert(seen?.kind === 'accepted' && seen.request === null, 'a key reads no audit log')
  await worker.stop()
})

test('a relay that is away, and a store that is, leave one row however often a message is tried', async () => {
  const gone = await startSmtpSink()
  await gone.stop()
  const worker = await startTestOutbound(database, { relayUrl: gone.url, backoff: NEVER })
  const id = await accept()
  for (const attempt of [1, 2, 3]) {
    await until('it was tried', async () => (await jobOf(id))?.attempt === attempt)
    await putOff(id)
    if (attempt < 3) await tryMessageNow(database, actor, id)
  }
  assert.deepEqual(await triesOf(id), [[3, 'unreached', 'deferred', 'connection refused', ['someone@example.test']]])
  assert.equal((await timelineOf(id)).waiting?.for, 'relay')
  await worker.stop()

  const store = { ...worker.store, put: () => Promise.reject(new StoreUnavailable('away')) }
  const storeless = await startTestOutbound(database, { relayUrl: gone.url, backoff: NEVER, store })
  const waits = await accept()
  await putOff(waits)
  assert.deepEqual(await triesOf(waits), [
    [1, 'object_store_unavailable', 'deferred', 'the object store is not available', ['someone@example.test']],
  ])
  await storeless.stop()
  for (const each of [id, waits]) await cancelMessage(database, actor, each)
  const last = (await timelineOf(waits)).items.at(-1)
  assert(last?.kind === 'failed' && last.text === 'cancelled')
})

test('of a message about which something else is said each time a hundred tries are kept: the first, and the latest', async () => {
  const id = await accept()
  const say = (text: string) =>
    database.transaction((tx) =>
      recordTries(tx, [
        {
          ...{ tenantId: tenant.tenantId, messageId: id, result: 'refused', nextAttemptInMs: 1_000 },
          answers: [{ positions: [0], outcome: 'deferred', smtpCode: 451, enhancedCode: null, text }],
        },
      ]),
    )
  const numbers = async () => (await rowsOfTries(id)).map(({ number }) => number)
  for (let i = 1; i <= MOST_TRIES_KEPT; i++) await say(`try ${i}`)
  assert.deepEqual(
    await numbers(),
    Array.from({ length: 100 }, (_, i) => i + 1),
  )
  await say('try 101')
  assert.deepEqual(await numbers(), [1, ...Array.from({ length: 99 }, (_, i) => i + 3)])
  // The same again takes no place of another.
  await say('try 101')
  assert.equal((await numbers()).length, 100)
  await say('try 103')
  assert.deepEqual((await numbers()).slice(0, 2), [1, 4])
  assert.deepEqual((await rowsOfTries(id)).at(-1), { number: 103, times: 1 })
  await cancelMessage(database, actor, id)
})

test('what was said by a worker whose claim is lost is not kept', async () => {
  const id = await accept()
  const [job] = (await claim(database)).filter(({ subjectId }) => subjectId === id)
  assert(job)
  await database.rows(sql`update jobs set state = 'ready', claim = null, leased_until = null where subject_id = ${id}`)
  const submissionTry = {
    ...{ tenantId: tenant.tenantId, messageId: id, result: 'refused', nextAttemptInMs: 1_000 },
    answers: [{ positions: [0], outcome: 'deferred' as const, smtpCode: 451, enhancedCode: null, text: 'late' }],
  }
  await recordSubmissions(database, [{ job, how: { kind: 'giveBack' }, submissionTry }])
  assert.deepEqual(await rowsOfTries(id), [])
  await cancelMessage(database, actor, id)
})

test('the events of a message come with what was delivered of each, the newest where there are many', async () => {
  const listening = await createTestTenant(database)
  const { tenantId, appId } = listening
  const owner = operatorOf(tenantId)
  const receiver = await startReceiver()
  const id = await accept(['a@example.test'], listening)
  const { endpoint } = await subscribe(url, database, receiver, { tenant: listening, eventTypes: ['message.failed'] })
  const other = await subscribe(url, database, receiver, { tenant: listening })
  await cancelMessage(database, owner, id)
  const { items, isCut } = await eventsOfMessage(database, owner, id)
  assert.deepEqual([items.map(({ type }) => type), isCut], [['message.queued', 'message.failed'], false])
  assert.deepEqual(items[0]?.deliveries, [])
  const { id: deliveryId, nextAttemptAt, ...delivery } = items[1]?.deliveries[0] ?? {}
  assert(deliveryId && nextAttemptAt)
  assert.deepEqual(delivery, {
    ...{ endpointId: endpoint.id, url: receiver.url, status: 'pending', cycle: 1, attemptCount: 0 },
    ...{ lastAttemptAt: null, lastStatusCode: null, lastError: null },
  })
  assert.deepEqual(
    items[1]?.deliveries.map(({ endpointId }) => endpointId).sort(),
    [endpoint.id, other.endpoint.id].sort(),
  )
  const { id: elsewhere } = await createApp(database, owner, { name: 'Other', environment: 'production' })
  const seen = await eventsOfMessage(database, applicationOf(tenantId, elsewhere, 'production'), id)
  assert.deepEqual(
    seen.items.flatMap(({ deliveries }) => deliveries),
    [],
  )
  assert.equal((await eventsOfMessage(database, applicationOf(tenantId, appId, 'production'), id)).items.length, 2)
  await assert.rejects(eventsOfMessage(database, actor, id), { code: 'not_found' })

  await database.rows(sql`update webhook_endpoints set deleted_at = clock_timestamp() where tenant_id = ${tenantId}`)
  const file = (count: number) =>
    database.transaction((tx) =>
      appendEvents(
        tx,
        Array.from({ length: count }, () => ({
          ...{ tenantId, environmentId: tenantId, type: 'message.updated', resourceType: 'message', resourceId: id },
          data: { mailboxId: listening.mailboxId, changes: { isRead: true } },
        })) as Parameters<typeof appendEvents>[1],
      ),
    )
  const cut = async () => {
    const [events, timeline] = [await eventsOfMessage(database, owner, id), await messageTimeline(database, owner, id)]
    return [events.items.length, events.isCut, events.items[0]?.type, timeline.items.length, timeline.isCut]
  }
  await file(98)
  assert.deepEqual(await cut(), [100, false, 'message.queued', 100, false])
  await file(1)
  assert.deepEqual(await cut(), [100, true, 'message.failed', 101, false])
  await file(399)
  assert.deepEqual((await cut()).slice(3), [500, false])
  // What is not read any more is known otherwise: that it was accepted, and that it was cancelled.
  await file(2)
  assert.deepEqual((await cut()).slice(3), [502, true])
})
