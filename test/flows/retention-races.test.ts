// How messages end beside others that end, send, hold or report at the same moment. Each race is brought about: one
// transaction is held open until the other waits for it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepUnattached } from '../../src/attachments/sweep-attachments.ts'
import { objectKey } from '../../src/lib/object-store.ts'
import type { Tx } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { applyOutcomes } from '../../src/messages/apply-outcomes.ts'
import { applyReport } from '../../src/messages/apply-report.ts'
import { deleteEntries } from '../../src/messages/delete-entries.ts'
import { endMessages } from '../../src/messages/end-messages.ts'
import { holdMessage } from '../../src/messages/hold-message.ts'
import { insertReceived } from '../../src/messages/insert-received.ts'
import { isOnItsWay, lockMessage } from '../../src/messages/lock-message.ts'
import { purgeMessage } from '../../src/messages/purge-message.ts'
import { setHeld } from '../../src/messages/set-held.ts'
import { sweepExpired, sweepTrash } from '../../src/messages/sweep-messages.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { trash } from '../support/trash.ts'
import { until } from '../support/until.ts'

// Of its own, as open transactions hold back the feed of a whole server.
const { database } = await createTestDatabase({ alone: true })
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const DAY_MS = 24 * 60 * 60 * 1000

async function receive({ tenantId, mailboxId }: TestTenant, more: Uuid[] = []): Promise<Uuid> {
  const id = newId()
  const key = objectKey('messages', tenantId, id)
  const { sizeBytes } = await store.put(key, Buffer.from('x'))
  await database.transaction((tx) =>
    insertReceived(tx, {
      tenantId,
      id,
      sizeBytes,
      entries: [mailboxId, ...more].map((one) => ({ mailboxId: one, folder: 'inbox' as const })),
      from: null,
      to: [],
      cc: [],
      replyTo: [],
      subject: '',
      preview: '',
      messageId: null,
      inReplyTo: null,
      references: [],
      headers: [],
      mime: null,
      authentication: null,
      text: '',
      html: null,
      textTruncated: false,
      htmlTruncated: false,
      attachments: [],
    }),
  )
  return id
}

async function attach(tenant: TestTenant): Promise<Uuid> {
  const body = { mailboxId: tenant.mailboxId, filename: 'f', mediaType: 'text/plain', contentBase64: 'eA==' }
  const headers = { 'idempotency-key': newId() }
  const answer = await call(url, 'POST', '/v1/attachments', { key: tenant.key, body, headers })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.attachment.id
}

const sendWith = (tenant: TestTenant, attachmentIds: Uuid[], key = newId(), to = ['you@example.test']) =>
  send(url, tenant.key, { fromMailboxId: tenant.mailboxId, to, text: 'x', attachmentIds }, key)

/** What the relay said of some of the recipients, as the worker records it. */
const record = (tenantId: Uuid, id: Uuid, positions: number[], status: 'sent' | 'failed') =>
  database.transaction(async (tx) => {
    const objectKeyOf = objectKey('messages', tenantId, id)
    await store.put(objectKeyOf, Buffer.from('x'))
    const recipients = positions.map((position) => ({
      position,
      status,
      smtpCode: 250,
      enhancedCode: null,
      diagnostic: null,
    }))
    const outcome = { tenantId, messageId: id, recipients, stored: { objectKey: objectKeyOf, sizeBytes: 1 } }
    await applyOutcomes(tx, [outcome])
    await tx.rows({ name: `done-${newId()}`, text: 'delete from jobs where subject_id = $1', values: [id] })
  })

async function sent(tenant: TestTenant, attachmentIds: Uuid[] = []): Promise<Uuid> {
  const { status, body } = await sendWith(tenant, attachmentIds)
  assert.equal(status, 202, JSON.stringify(body))
  await record(tenant.tenantId, body.id, [0], 'sent')
  return body.id
}

/** Does one thing, begins the other, and commits the one only when the other waits for it. */
async function beside<T>(work: (tx: Tx) => Promise<unknown>, other: () => Promise<T>): Promise<T> {
  let begun: Promise<T> | undefined
  await database.transaction(async (tx) => {
    await work(tx)
    begun = other()
    begun.catch(() => {})
    await until('the other waits', async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    })
  })
  return begun as Promise<T>
}

const breaches = async () =>
  (await checkInvariants(database, store))
    .filter(({ result }) => result !== 'ok')
    .map(({ name, found }) => [name, found])

const countOf = async (statement: string, ...values: unknown[]) =>
  Number((await database.pool.query(`select count(*) as n from ${statement}`, values)).rows[0].n)

const purge = (tenantId: Uuid, id: Uuid) => async (tx: Tx) => {
  const found = await lockMessage(tx, operatorOf(tenantId), id)
  if (found) await endMessages(tx, [{ tenantId, id }], 'purged')
  return found
}

test('of two mailboxes that delete the same message at once, one takes the message with it', async () => {
  const tenant = await createTestTenant(database)
  const { tenantId, mailboxId } = tenant
  const address = `other@${tenant.address.split('@')[1]}`
  const other = await createMailbox(database, operatorOf(tenantId), { address, displayName: 'Other' })
  const id = await receive(tenant, [other.id])
  const deleteFrom = (entry: Uuid) => async (tx: Tx) => {
    assert(await lockMessage(tx, operatorOf(tenantId), id))
    await deleteEntries(tx, [{ tenantId, messageId: id, mailboxId: entry }], 'deleted')
  }
  await beside(deleteFrom(mailboxId), () => database.transaction(deleteFrom(other.id)))
  assert.equal(await countOf('messages where id = $1', id), 0)
  assert.equal(await countOf(`events where resource_id = $1 and type = 'message.deleted'`, id), 2)
})

test('a hold that comes too late says so', async () => {
  const tenant = await createTestTenant(database)
  const id = await receive(tenant)
  const hold = () => assert.rejects(holdMessage(database, operatorOf(tenant.tenantId), id), { code: 'not_found' })
  await beside(purge(tenant.tenantId, id), hold)
})

test('a purge that waited for a hold keeps what is held', async () => {
  const tenant = await createTestTenant(database)
  const id = await receive(tenant)
  const hold = async (tx: Tx) => {
    const found = await lockMessage(tx, operatorOf(tenant.tenantId), id)
    assert(found)
    await setHeld(tx, found, true)
  }
  await beside(hold, () => purgeMessage(database, operatorOf(tenant.tenantId), id))
  assert.equal(await countOf('messages where id = $1 and held and gone is not null', id), 1)
  assert.equal(await countOf('object_removals where object_key = $1', objectKey('messages', tenant.tenantId, id)), 0)
})

test('an attachment that a send takes while its other message goes stays, whole', async () => {
  const tenant = await createTestTenant(database)
  const { tenantId } = tenant
  const attachmentId = await attach(tenant)
  const first = await sent(tenant, [attachmentId])
  // The send waits at its idempotency key, with the attachment in its hands.
  const key = newId()
  let sending: ReturnType<typeof sendWith> | undefined
  let purging: Promise<unknown> | undefined
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into idempotency_keys (tenant_id, author_id, key, operation, target, request_hash, reserved_at, expires_at)
       values ($1, $2, $3, '', '', $4, now(), now())`,
      [tenantId, tenant.appId, key, Buffer.alloc(32)],
    )
    const waiting = async (count: number) => {
      await until('it waits', async () => {
        const waiters = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await countOf(waiters)) === count
      })
    }
    sending = sendWith(tenant, [attachmentId], key)
    await waiting(1)
    purging = database.transaction(purge(tenantId, first))
    await waiting(2)
  } finally {
    await client.query('rollback')
    client.release()
  }
  const answer = await sending
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  await purging
  assert.equal(await countOf('messages where id = $1', first), 0)
  const { message } = (await call(url, 'GET', `/v1/messages/${answer.body.id}`, { key: tenant.key })).body
  assert.deepEqual([message.attachmentCount, message.attachments[0]?.id], [1, attachmentId])
  assert.equal(
    await countOf('object_removals where object_key = $1', objectKey('attachments', tenantId, attachmentId)),
    0,
  )
})

test('a send whose attachment goes before it is refused, not sent without it', async () => {
  const tenant = await createTestTenant(database)
  const attachmentId = await attach(tenant)
  const first = await sent(tenant, [attachmentId])
  const answer = await beside(purge(tenant.tenantId, first), () => sendWith(tenant, [attachmentId]))
  assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'])
})

test('of two messages that go at once, the last takes their attachment with it', async () => {
  const tenant = await createTestTenant(database)
  const { tenantId } = tenant
  const attachmentId = await attach(tenant)
  const [first, second] = [await sent(tenant, [attachmentId]), await sent(tenant, [attachmentId])]
  await beside(purge(tenantId, first), () => database.transaction(purge(tenantId, second)))
  assert.equal(await countOf('attachments where id = $1', attachmentId), 0)
  assert.equal(
    await countOf('object_removals where object_key = $1', objectKey('attachments', tenantId, attachmentId)),
    1,
  )
})

test('an attachment that was never sent, and is now, is not swept', async () => {
  const tenant = await createTestTenant(database)
  const attachmentId = await attach(tenant)
  await database.pool.query(`update attachments set created_at = now() - interval '8 days' where id = $1`, [
    attachmentId,
  ])
  await database.transaction(async (tx) => {
    await tx.rows({ name: 'take', text: 'select from attachments where id = $1 for key share', values: [attachmentId] })
    assert.equal(await sweepUnattached(database, 10), 0)
  })
  assert.equal((await sendWith(tenant, [attachmentId])).status, 202)
  assert.equal(await sweepUnattached(database, 10), 0)
  assert.equal(await countOf('attachments where id = $1 and not is_loose', attachmentId), 1, 'nor looked at again')
})

test('an attachment of a message that is going when a sweep looks goes with it', async () => {
  const tenant = await createTestTenant(database)
  const attachmentId = await attach(tenant)
  const id = await sent(tenant, [attachmentId])
  await database.pool.query(`update attachments set created_at = now() - interval '8 days' where id = $1`, [
    attachmentId,
  ])
  await database.transaction(async (tx) => {
    await purge(tenant.tenantId, id)(tx)
    assert.equal(await sweepUnattached(database, 10), 0)
  })
  assert.equal(await countOf('attachments where id = $1', attachmentId), 0)
})

test('a message that was put off for one of its recipients is on its way still: nothing takes it', async () => {
  const tenant = await createTestTenant(database)
  const { tenantId, mailboxId } = tenant
  const { body } = await sendWith(tenant, [], newId(), ['now@example.test', 'later@example.test'])
  const id = body.id as Uuid
  await record(tenantId, id, [0], 'sent')
  await database.pool.query(`update plans set retention_days = 1 where name = 'unlimited'`)
  await database.pool.query(`update messages set created_at = now() - interval '9 days' where id = $1`, [id])
  const change = { mailboxId, folder: 'trash' }
  assert.equal((await call(url, 'PATCH', `/v1/messages/${id}`, { key: tenant.key, body: change })).status, 200)
  const read = async () => (await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key })).status
  assert.deepEqual([await sweepTrash(database, 0, 10), await sweepExpired(database, 10), await read()], [0, 0, 200])
  assert(await database.transaction((tx) => isOnItsWay(tx, { tenantId, id })))
  await record(tenantId, id, [1], 'failed')
  assert(!(await database.transaction((tx) => isOnItsWay(tx, { tenantId, id }))))
  assert.deepEqual([await sweepExpired(database, 10), await read()], [1, 404])
  await database.pool.query(`update plans set retention_days = 0 where name = 'unlimited'`)
})

test('reports of a message that is gone have no events, also while it is held', async () => {
  const tenant = await createTestTenant(database)
  const { tenantId } = tenant
  const id = await sent(tenant)
  const report = (address: string) => [
    { addresses: [address], outcome: 'delivered' as const, smtpCode: 250, enhancedCode: '2.0.0', diagnostic: null },
  ]
  await database.transaction(async (tx) => {
    await setHeld(tx, { tenantId, id }, true)
    await endMessages(tx, [{ tenantId, id }], 'expired')
  })
  const before = await countOf('events')
  const applied = applyReport({ database, store }, { tenantId, id }, report('you@example.test'), 'any_recipient')
  assert.equal(await applied, 0)
  assert.equal(await countOf('events'), before)
})

test('what a killed worker had stored goes with its message', async () => {
  const tenant = await createTestTenant(database)
  const { tenantId } = tenant
  const { body } = await sendWith(tenant, [])
  const key = objectKey('messages', tenantId, body.id)
  const recipients = [{ position: 0, status: 'failed' as const, smtpCode: null, enhancedCode: null, diagnostic: null }]
  await database.transaction((tx) => applyOutcomes(tx, [{ tenantId, messageId: body.id, recipients }]))
  await database.pool.query('delete from jobs where subject_id = $1', [body.id])
  await database.transaction(purge(tenantId, body.id))
  assert.equal(await countOf('object_removals where object_key = $1', key), 1)
})

test('several sweepers at once end every message once, and only those whose time has come', async () => {
  const [tenant, other] = [await createTestTenant(database), await createTestTenant(database)]
  const sandbox = await createTestTenant(database, { environment: 'sandbox' })
  const shared = await attach(tenant)
  const old: Uuid[] = []
  for (let i = 0; i < 20; i++) old.push(await sent(tenant, [shared]), await receive(other), await sent(sandbox))
  const young = await sent(tenant)
  await trash(database, old, '31 days')
  await trash(database, [young], '29 days')
  const sweep = async () => {
    for (let count = 1; count > 0; ) count = await sweepTrash(database, 30 * DAY_MS, 7)
  }
  await Promise.all([sweep(), sweep(), sweep(), sweep()])
  // One that another had in hands when a sweeper found nothing else is found by the next round.
  await sweep()
  assert.equal(await countOf('messages where id = any($1)', old), 0)
  assert.equal(await countOf('messages where id = $1 and gone is null', young), 1)
  const events = await database.pool.query(
    `select resource_id, data ->> 'demo' as demo, tenant_id from events
     where type = 'message.deleted' and resource_id = any($1)`,
    [old],
  )
  assert.equal(events.rowCount, old.length)
  assert.equal(new Set(events.rows.map((row) => row.resource_id)).size, old.length)
  for (const row of events.rows) assert.equal(row.demo, row.tenant_id === sandbox.tenantId ? 'true' : null)
  assert.equal(await countOf('attachments where id = $1', shared), 0)
})

test('after all this every invariant holds', async () => {
  assert.deepEqual(await breaches(), [])
})
