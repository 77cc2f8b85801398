// What may be done about a message that is still on its way: it is tried at once, or cancelled – whoever else does something
// with it at that moment.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createApp } from '../../src/apps/create-app.ts'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { readReturnPath } from '../../src/mail/return-path.ts'
import { applyOutcomes } from '../../src/messages/apply-outcomes.ts'
import { cancelMessage } from '../../src/messages/cancel-message.ts'
import { countQueued } from '../../src/messages/count-queued.ts'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { tryMessageNow } from '../../src/messages/try-message-now.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { applicationOf } from '../support/one-of-each.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { messagesOf, NEVER } from '../support/sent-messages.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { RETURN_PATH, startTestOutbound } from '../support/workers.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const { url } = await startTestApi(database)
const tenant = await createTestTenant(database)
const actor = operatorOf(tenant.tenantId)
const { accept, read, isSent, typesOf, actsOf, jobOf, putOff, start, claim, assertInvariants } = messagesOf(
  database,
  url,
  tenant,
)

test('a message that waits is tried at once when that is asked for; its attempts and its end stay as they are', async () => {
  let verdict: string | undefined = '451 4.7.1 greylisted'
  const { sink, worker } = await start({ onRecipient: () => verdict })
  const id = await accept()
  await putOff(id)
  assert.deepEqual(await tryMessageNow(database, actor, id), { state: 'due' })
  await until('it was tried again', async () => (await jobOf(id))?.attempt === 2)
  await putOff(id)
  assert.equal((await read(id)).recipients[0]?.attempts, 2)

  verdict = undefined
  // Both are answered, and it is tried once more.
  const both = await Promise.all([tryMessageNow(database, actor, id), tryMessageNow(database, actor, id)])
  assert(both.every(({ state }) => state === 'due' || state === 'being_submitted'))
  await isSent(id)
  assert.equal((await read(id)).recipients[0]?.attempts, 3)
  assert.equal((await sink.received(1)).length, 1)
  await assert.rejects(tryMessageNow(database, actor, id), { code: 'not_on_its_way' })
  assert.deepEqual(await actsOf(id), ['message.retry', 'message.retry', 'message.retry'])
  await worker.stop()

  verdict = '451 4.7.1 greylisted'
  const last = await start({ onRecipient: () => verdict })
  const late = await accept()
  await putOff(late)
  await last.worker.stop()
  await database.rows(sql`update messages set created_at = created_at - interval '1 hour' where id = ${late}`)
  assert.deepEqual(await tryMessageNow(database, actor, late), { state: 'due' })
  const over = await startTestOutbound(database, { relayUrl: last.sink.url, backoff: NEVER, giveUpMs: 60_000 })
  await until('it was given up', async () => (await read(late)).status === 'failed')
  await over.stop()
})

test('what a worker has in hands is neither tried twice nor cancelled, and what is sent is beyond both', async () => {
  const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()]
  const { sink, worker } = await start({
    onMessage() {
      arrived.resolve()
      return gate.promise
    },
  })
  const id = await accept()
  await arrived.promise
  assert.deepEqual(await tryMessageNow(database, actor, id), { state: 'being_submitted' })
  await assert.rejects(cancelMessage(database, actor, id), { code: 'being_submitted' })
  gate.resolve(undefined)
  await isSent(id)
  await assert.rejects(tryMessageNow(database, actor, id), { code: 'not_on_its_way' })
  await assert.rejects(cancelMessage(database, actor, id), { code: 'not_on_its_way' })
  assert.equal(sink.mails.length, 1)
  assert.deepEqual(await typesOf(id), ['message.queued', 'message.sent'])
  for (const verb of [tryMessageNow, cancelMessage]) {
    await assert.rejects(verb(database, actor, newId()), { code: 'not_found' })
    await assert.rejects(verb(database, operatorOf(tenant.tenantId, tenant.appId), id), { code: 'not_found' })
  }
  await worker.stop()
})

test('a cancelled message fails with that reason, once, and is not submitted afterwards; its recipients stay counted', async () => {
  const used = async () =>
    (
      await database.first(sql<{ n: number }>`
      select recipients as n from tenant_usage where tenant_id = ${tenant.tenantId}`)
    )?.n
  const id = await accept(['a@example.test', 'b@example.test'])
  const counted = await used()
  // A lost answer makes somebody ask again; two may ask at once.
  await Promise.all([cancelMessage(database, actor, id), cancelMessage(database, actor, id)])
  await cancelMessage(database, actor, id)
  const { status, recipients } = await read(id)
  assert.equal(status, 'failed')
  for (const { status, smtpCode, diagnostic, nextAttemptAt } of recipients)
    assert.deepEqual([status, smtpCode, diagnostic, nextAttemptAt], ['failed', null, 'cancelled', null])
  assert.deepEqual(await typesOf(id), ['message.queued', 'message.failed', 'message.failed'])
  assert.deepEqual(await actsOf(id), ['message.cancel'])
  assert.equal(await jobOf(id), undefined)
  assert.equal(await used(), counted)
  await assert.rejects(tryMessageNow(database, actor, id), { code: 'not_on_its_way' })

  const { sink, worker } = await start()
  const next = await accept()
  await isSent(next)
  assert.deepEqual(
    sink.mails.map(({ from }) => readReturnPath(from, RETURN_PATH)?.messageId),
    [next],
  )
  await assertInvariants(worker.store)
  await worker.stop()
  await deleteMessage(database, actor, id)
  await assert.rejects(cancelMessage(database, actor, id), { code: 'not_found' })
})

test('of a message that some have got already the others fail', async () => {
  const { worker } = await start({
    onRecipient: (address) => (address.startsWith('busy') ? '451 4.7.1 greylisted' : undefined),
  })
  const id = await accept(['free@example.test', 'busy@example.test'])
  await putOff(id)
  await cancelMessage(database, actor, id)
  const { status, recipients } = await read(id)
  assert.equal(status, 'sent')
  assert.deepEqual(
    recipients.map(({ status, diagnostic }) => [status, diagnostic?.slice(0, 9)]),
    [
      ['sent', 'Ok: taken'],
      ['failed', 'cancelled'],
    ],
  )
  assert.deepEqual(await typesOf(id), ['message.queued', 'message.sent', 'message.failed'])
  await worker.stop()
})

test('the mail of a sandbox is tried and cancelled as any other', async () => {
  const sandbox = await createTestTenant(database, { environment: 'sandbox' })
  const inSandbox = operatorOf(sandbox.tenantId, sandbox.appId)
  const [first, second] = [
    await accept(['deferred@example.test'], sandbox),
    await accept(['deferred@example.test'], sandbox),
  ]
  const { worker } = await start()
  await until('both were put off', async () =>
    (await Promise.all([first, second].map(jobOf))).every((job) => job?.state === 'scheduled'),
  )
  await cancelMessage(database, inSandbox, second)
  assert.equal((await read(second, sandbox.key)).recipients[0]?.diagnostic, 'cancelled')
  for (const attempts of [2, 3]) {
    await tryMessageNow(database, inSandbox, first)
    await until('it was tried', async () => (await read(first, sandbox.key)).recipients[0]?.attempts === attempts)
  }
  assert.equal((await read(first, sandbox.key)).status, 'delivered')
  await worker.stop()
})

test('a worker that claims a message at the moment of a cancellation has it, or does not get it', async () => {
  const claimer = openDatabase({ url: databaseUrl, connections: 1 })
  after(() => claimer.end())
  const [claimed, kept] = [await accept(), await accept()]

  // The claim comes first: who cancels waits for it to commit, and hears that a worker has the message.
  let cancelling: Promise<void> | undefined
  await claimer.transaction(async (tx) => {
    const jobs = await claim(tx)
    assert(jobs.some(({ subjectId }) => subjectId === claimed))
    cancelling = cancelMessage(database, actor, claimed)
    cancelling.catch(() => {})
    await aLockIsWaitedFor()
  })
  await assert.rejects(cancelling as Promise<void>, { code: 'being_submitted' })
  await database.rows(sql`
    update jobs set state = 'ready', claim = null, leased_until = null where queue = 'outbound'`)

  // The cancellation comes first: a claim passes the message over, and there is nothing left for the next one.
  await claimer.transaction(async (tx) => {
    await tx.rows(sql`select from message_states where message_id = ${kept} for update`)
    cancelling = cancelMessage(database, actor, kept)
    await aLockIsWaitedFor()
    const jobs = await claim(tx)
    assert.deepEqual(
      jobs.map(({ subjectId }) => subjectId),
      [claimed],
    )
  })
  await cancelling
  assert.deepEqual(await claim(database), [])
  assert.equal(await jobOf(kept), undefined)
  await database.rows(sql`
    update jobs set state = 'ready', claim = null, leased_until = null where queue = 'outbound'`)
  await cancelMessage(database, actor, claimed)
})

const aLockIsWaitedFor = () =>
  until('somebody waits for a lock', async () => {
    const row = await database.first(sql<{ n: number }>`
      select count(*)::integer as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    return (row?.n ?? 0) > 0
  })

test('a report that proves a recipient reached while the message is being cancelled stands', async () => {
  const cancelledDuringReport = async (id: Uuid) => {
    await database.rows(sql`update message_states set size_bytes = 1 where message_id = ${id}`)
    let cancelling: Promise<void> | undefined
    await database.transaction(async (tx) => {
      const reply = { smtpCode: 250, enhancedCode: null, diagnostic: 'here', reported: true }
      const recipients = [{ position: 0, status: 'delivered' as const, ...reply }]
      await applyOutcomes(tx, [{ tenantId: tenant.tenantId, messageId: id, recipients }])
      cancelling = cancelMessage(database, actor, id)
      cancelling.catch(() => {})
      await aLockIsWaitedFor()
    })
    return cancelling
  }
  const [one, both] = [await accept(), await accept(['a@example.test', 'b@example.test'])]
  await cancelledDuringReport(both)
  assert.deepEqual(
    (await read(both)).recipients.map(({ diagnostic }) => diagnostic),
    ['here', 'cancelled'],
  )
  await assert.rejects(cancelledDuringReport(one), { code: 'not_on_its_way' })
  assert.deepEqual([(await read(one)).status, await actsOf(one)], ['delivered', []])
})

test('of many that are cancelled while two processes submit them, each is sent or cancelled and never both', async () => {
  const [{ sink, worker }, other] = [await start(), await start()]
  const outcomes = new Map<Uuid, 'cancelled' | 'not cancelled'>()
  await Promise.all(
    Array.from({ length: 120 }, async (_, i) => {
      const id = await accept([`to${i}@example.test`])
      const [one, two] = await Promise.allSettled([
        cancelMessage(database, actor, id),
        i % 2 === 0 ? cancelMessage(database, actor, id) : tryMessageNow(database, actor, id),
      ])
      const isCancelled = one.status === 'fulfilled' || (i % 2 === 0 && two.status === 'fulfilled')
      outcomes.set(id, isCancelled ? 'cancelled' : 'not cancelled')
      for (const settled of [one, two])
        if (settled.status === 'rejected') assert.match(settled.reason.code, /^(being_submitted|not_on_its_way)$/)
    }),
  )
  await until('nothing waits', async () => {
    const left = await database.first(
      sql<{ n: number }>`select count(*)::integer as n from jobs where queue = 'outbound'`,
    )
    return left?.n === 0
  })
  const mails = [...sink.mails, ...other.sink.mails].map(({ from }) => readReturnPath(from, RETURN_PATH)?.messageId)
  for (const [id, outcome] of outcomes) {
    assert.equal(mails.filter((sent) => sent === id).length, outcome === 'cancelled' ? 0 : 1)
    const expected = outcome === 'cancelled' ? 'message.failed' : 'message.sent'
    assert.deepEqual(await typesOf(id), ['message.queued', expected])
  }
  await assertInvariants(worker.store)
  await Promise.all([worker.stop(), other.worker.stop()])
})

test('a suspended tenant’s messages fail once, cancelled or suspended', async () => {
  const suspended = await createTestTenant(database)
  const ids = await Promise.all(Array.from({ length: 20 }, () => accept(['a@example.test'], suspended)))
  await setTenantStatus(database, operator, suspended.tenantId, 'suspended')
  const { sink, worker } = await start()
  await Promise.all(
    ids.map((id) => cancelMessage(database, operatorOf(suspended.tenantId), id).catch(({ code }) => assert(code))),
  )
  await until('all failed', async () => {
    const states = await database.rows(sql<{ status: string }>`
      select status from message_states where tenant_id = ${suspended.tenantId}`)
    return states.every(({ status }) => status === 'failed')
  })
  for (const id of ids) assert.deepEqual(await typesOf(id), ['message.queued', 'message.failed'])
  assert.equal(sink.mails.length, 0)
  await worker.stop()
})

test('a job is found wherever it lies in a long queue', async () => {
  const ids = []
  for (let i = 0; i < 5; i++) ids.push(await accept())
  const [ready, scheduled, held, leased, moved] = ids as [Uuid, Uuid, Uuid, Uuid, Uuid]
  await database.rows(sql`
    insert into jobs (tenant_id, queue, lane, subject_id)
    select ${tenant.tenantId}, 'outbound', ${tenant.tenantId}, gen_random_uuid() from generate_series(1, 5000)`)
  await database.rows(sql`
    update jobs set state = 'scheduled', due_at = clock_timestamp() + interval '1 hour' where subject_id = ${scheduled}`)
  await database.rows(sql`update jobs set state = 'held' where subject_id = ${held}`)
  await database.rows(sql`
    update jobs set state = 'leased', claim = gen_random_uuid(), leased_until = clock_timestamp() where subject_id = ${leased}`)
  // As if the clock had been put back between the message and its job.
  await database.rows(sql`
    update jobs set created_at = created_at - interval '1 day', due_at = due_at - interval '1 day' where subject_id = ${moved}`)
  const states = []
  for (const id of ids) states.push((await tryMessageNow(database, actor, id)).state)
  assert.deepEqual(states, ['due', 'due', 'due', 'being_submitted', 'due'])
  for (const id of [ready, scheduled, held, moved]) assert.equal((await jobOf(id))?.state, 'ready')
  for (const id of [ready, scheduled, held, moved]) await cancelMessage(database, actor, id)
  // A lease that has run out may still be at work, and counts until a claim has taken it back.
  await assert.rejects(cancelMessage(database, actor, leased), { code: 'being_submitted' })
})

test('how many messages wait, and since when, is known however many have gone since', async () => {
  const own = await createTestTenant(database)
  const owner = operatorOf(own.tenantId)
  assert.deepEqual(await countQueued(database, owner), { queued: 0, more: false, oldestQueuedAt: null })
  const [oldest, ...others] = [
    await accept(['a@example.test'], own),
    await accept(undefined, own),
    await accept(undefined, own),
  ]
  const { created_at: since } = (await database.first(sql<{ created_at: string }>`
    select created_at from messages where id = ${oldest}`)) as { created_at: string }
  const counts = await Promise.all([2, 3, 4].map((mostJobs) => countQueued(database, owner, mostJobs)))
  assert.deepEqual(counts, [
    { queued: 2, more: true, oldestQueuedAt: since },
    { queued: 3, more: true, oldestQueuedAt: since },
    { queued: 3, more: false, oldestQueuedAt: since },
  ])
  for (const id of others) await cancelMessage(database, owner, id)
  assert.deepEqual(await countQueued(database, owner, 2), { queued: 1, more: false, oldestQueuedAt: since })
  const sandbox = await createApp(database, owner, { name: 'Trial', environment: 'sandbox' })
  const there = applicationOf(own.tenantId, sandbox.id, 'sandbox')
  assert.deepEqual(await countQueued(database, there), { queued: 0, more: false, oldestQueuedAt: null })
})
