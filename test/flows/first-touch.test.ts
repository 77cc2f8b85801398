// The sender's entry of a message is implied until someone touches it (ADR 32). Whoever does so first writes it, once,
// beside whatever else happens to the message. Each race is brought about: one transaction is held open until the other
// waits for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectKey } from '../../src/lib/object-store.ts'
import type { Tx } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { applyOutcomes } from '../../src/messages/apply-outcomes.ts'
import { deleteEntries } from '../../src/messages/delete-entries.ts'
import { endMessages } from '../../src/messages/end-messages.ts'
import { lockMessage, mailboxesOf } from '../../src/messages/lock-message.ts'
import { setHeld } from '../../src/messages/set-held.ts'
import { sweepExpired } from '../../src/messages/sweep-messages.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { type Answer, call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

// Of its own, as open transactions hold back the feed of a whole server.
const { database } = await createTestDatabase({ alone: true })
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const tenant = await createTestTenant(database)
const { tenantId, mailboxId, key } = tenant

const ok = ({ status, body }: Answer) => {
  assert(status < 300, JSON.stringify(body))
  return body
}

async function sendOne(): Promise<Uuid> {
  const input = { fromMailboxId: mailboxId, to: ['you@example.test', 'me@example.test'], text: 'x' }
  return ok(await send(url, key, input)).id
}

const patch = (id: Uuid, change: object) =>
  call(url, 'PATCH', `/v1/messages/${id}`, { key, body: { mailboxId, ...change } })
const read = async (id: Uuid) => ok(await call(url, 'GET', `/v1/messages/${id}`, { key })).message

const countOf = async (what: string, id: Uuid) =>
  Number((await database.pool.query(`select count(*) as n from ${what}`, [id])).rows[0].n)
const entriesOf = (id: Uuid) => countOf('message_entries where message_id = $1', id)
const impliedOf = (id: Uuid) => countOf('messages where id = $1 and in_sent', id)

/** Records this of both recipients. */
const outcome = (id: Uuid, status: 'sent' | 'failed' | 'delivered') => async (tx: Tx) => {
  await store.put(objectKey('messages', tenantId, id), Buffer.from('x'))
  const recipients = [0, 1].map((position) => ({
    position,
    status,
    smtpCode: 250,
    enhancedCode: '2.0.0',
    diagnostic: 'Ok',
    reported: status === 'delivered',
  }))
  await applyOutcomes(tx, [{ tenantId, messageId: id, recipients, stored: { sizeBytes: 1 } }])
  await tx.rows({ name: `done-${newId()}`, text: 'delete from jobs where subject_id = $1', values: [id] })
}

/** Does one thing, begins others, and commits the one only when they all wait for it. */
async function beside<T>(work: (tx: Tx) => Promise<unknown>, others: (() => Promise<T>)[]): Promise<T[]> {
  let begun: Promise<T>[] = []
  await database.transaction(async (tx) => {
    await work(tx)
    begun = others.map((other) => other())
    for (const one of begun) one.catch(() => {})
    await until('the others wait', async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length >= others.length
    })
  })
  return Promise.all(begun)
}

const lock = (id: Uuid) => (tx: Tx) => lockMessage(tx, operatorOf(tenantId), id)

test('what nobody has touched is in sent, read and without a star, and no row says so', async () => {
  const id = await sendOne()
  const entry = { mailboxId, folder: 'sent', isRead: true, isStarred: false }
  assert.deepEqual((await read(id)).mailboxes, [entry])
  assert.deepEqual([await entriesOf(id), await impliedOf(id)], [0, 1])
  assert.deepEqual(await database.transaction((tx) => mailboxesOf(tx, { tenantId, id })), [mailboxId])

  assert.equal((await patch(id, { isStarred: true })).status, 200)
  assert.deepEqual((await read(id)).mailboxes, [{ ...entry, isStarred: true }])
  assert.deepEqual([await entriesOf(id), await impliedOf(id)], [1, 0])
})

test('lists keep their order and show each message once, whichever of them are touched', async () => {
  const ids: Uuid[] = []
  for (let i = 0; i < 7; i++) ids.unshift(await sendOne())
  for (const id of [ids[1], ids[2], ids[5]]) assert.equal((await patch(id as Uuid, { isRead: false })).status, 200)
  for (const scope of ['', `&mailboxId=${mailboxId}`]) {
    const listed: Uuid[] = []
    for (let cursor = ''; listed.length < ids.length; ) {
      const page = ok(await call(url, 'GET', `/v1/messages?limit=2${scope}${cursor}`, { key }))
      listed.push(...page.items.map((item: { id: Uuid }) => item.id))
      cursor = `&cursor=${page.nextCursor}`
    }
    assert.deepEqual(listed.slice(0, ids.length), ids, scope)
  }
})

test('an entry of a mailbox that did not send it is none', async () => {
  const other = await createTestTenant(database)
  const id = await sendOne()
  assert.equal((await patch(id, { mailboxId: other.mailboxId, isRead: true })).status, 404)
  assert.equal(
    (await call(url, 'PATCH', `/v1/messages/${id}`, { key: other.key, body: { mailboxId, isRead: true } })).status,
    404,
  )
  assert.deepEqual([await entriesOf(id), await impliedOf(id)], [0, 1])
})

test('two changes at once write one entry, and both hold', async () => {
  const id = await sendOne()
  const answers = await beside(lock(id), [() => patch(id, { isStarred: true }), () => patch(id, { folder: 'archive' })])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual((await read(id)).mailboxes, [{ mailboxId, folder: 'archive', isRead: true, isStarred: true }])
  assert.deepEqual([await entriesOf(id), await impliedOf(id)], [1, 0])
  assert.equal(await countOf(`events where resource_id = $1 and type = 'message.updated'`, id), 2)
})

test('a change that waited for a sweep, a purge or a deletion finds the message gone, and leaves nothing', async () => {
  const ways: ((id: Uuid) => (tx: Tx) => Promise<unknown>)[] = [
    (id) => (tx) => endMessages(tx, [{ tenantId, id }], 'expired'),
    (id) => async (tx) => {
      await lockMessage(tx, operatorOf(tenantId), id)
      await deleteEntries(tx, [{ tenantId, messageId: id, mailboxId }], 'deleted')
    },
    (id) => async (tx) => {
      await setHeld(tx, { tenantId, id }, true)
      await endMessages(tx, [{ tenantId, id }], 'purged')
    },
  ]
  for (const end of ways) {
    const id = await sendOne()
    await database.transaction(outcome(id, 'failed'))
    const [answer] = await beside(end(id), [() => patch(id, { isStarred: true })])
    assert.deepEqual([answer?.status, await entriesOf(id)], [404, 0])
    await database.transaction((tx) => setHeld(tx, { tenantId, id }, false))
    assert.equal(await countOf('message_states where message_id = $1', id), 0)
  }
})

test('a sweep passes over a message that is being touched', async () => {
  const id = await sendOne()
  await database.transaction(outcome(id, 'failed'))
  await database.pool.query(`update plans set retention_days = 1 where name = 'unlimited'`)
  await database.pool.query(`update messages set created_at = now() - interval '9 days' where id = $1`, [id])
  const client = await database.connect('touches')
  await client.query('begin')
  await client.query('update messages set in_sent = in_sent where id = $1', [id])
  assert.equal(await sweepExpired(database, 10), 0)
  await client.query('rollback')
  await client.end()
  assert.equal(await sweepExpired(database, 10), 1)
  await database.pool.query(`update plans set retention_days = 0 where name = 'unlimited'`)
})

test('a change waits for no outcome that is being recorded, nor an outcome for a change, and both hold', async () => {
  const id = await sendOne()
  await database.transaction(async (tx) => {
    await outcome(id, 'sent')(tx)
    assert.equal((await patch(id, { isStarred: true })).status, 200)
  })
  const second = await sendOne()
  const client = await database.connect('touches')
  await client.query('begin')
  await client.query('update messages set in_sent = in_sent where id = $1', [second])
  await database.transaction(outcome(second, 'sent'))
  await client.query('commit')
  await client.end()
  assert.equal((await patch(second, { isStarred: true })).status, 200)
  for (const one of [id, second]) {
    const message = await read(one)
    assert.deepEqual([message.status, message.mailboxes[0].isStarred, await entriesOf(one)], ['sent', true, 1])
  }
})

test('an outcome that waited for the end of a held message finds it gone, and says nothing', async () => {
  const id = await sendOne()
  await database.transaction(outcome(id, 'sent'))
  const end = async (tx: Tx) => {
    await setHeld(tx, { tenantId, id }, true)
    await endMessages(tx, [{ tenantId, id }], 'purged')
  }
  await beside(end, [() => database.transaction(outcome(id, 'delivered'))])
  assert.equal(await countOf(`events where resource_id = $1 and type = 'message.delivered'`, id), 0)
  assert.equal(await countOf(`message_states where message_id = $1 and status = 'sent'`, id), 1)
})

test('an end that waited for an outcome comes after it', async () => {
  const id = await sendOne()
  await beside(outcome(id, 'failed'), [
    () => database.transaction((tx) => endMessages(tx, [{ tenantId, id }], 'purged')),
  ])
  assert.equal(await countOf(`events where resource_id = $1 and type = 'message.failed'`, id), 2)
  assert.equal(await countOf('messages where id = $1', id), 0)
})

test('after all this every invariant holds', async () => {
  const breaches = (await checkInvariants(database, store)).filter(({ result }) => result !== 'ok')
  assert.deepEqual(
    breaches.map(({ name, found }) => [name, found]),
    [],
  )
})
