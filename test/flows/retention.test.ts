// How messages end: the trash, the plan's days, purge and deletion; and what a legal hold keeps.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlan } from '../../src/apps/create-plan.ts'
import { sweepUnattached } from '../../src/attachments/sweep-attachments.ts'
import { sweepRemovals } from '../../src/lib/object-removals.ts'
import { objectKey } from '../../src/lib/object-store.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { sweepExpired, sweepTrash } from '../../src/messages/sweep-messages.ts'
import { type Answer, call, openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { mdkInside } from '../support/mdk.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const inbound = await startTestInbound(database, { store })
const DAY_MS = 24 * 60 * 60 * 1000

function ok(answer: Answer, status = 200) {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

const command = async (...args: string[]) => {
  const outcome = await mdkInside({ MDK_DATABASE_URL: databaseUrl }, 'message', ...args)
  return { ...outcome, ok: outcome.status === 0 }
}

/** A received message with an attachment, in both mailboxes of the tenant. */
async function receive(tenant: TestTenant) {
  const address = `other${newId().slice(-6)}@${tenant.address.split('@')[1]}`
  const other = await createMailbox(database, operatorOf(tenant.tenantId), { address, displayName: 'Other' })
  const mail = [
    `Subject: ${newId()}`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Words',
    '--b',
    'Content-Type: application/octet-stream; name=f.bin',
    'Content-Disposition: attachment; filename=f.bin',
    '',
    'octets',
    '--b--',
    '',
  ].join('\r\n')
  const { last } = await handIn(inbound.port, 'a@example.test', [tenant.address, address], mail)
  assert.match(last, /^250 /)
  const [{ id }] = ok(await call(url, 'GET', '/v1/messages?limit=1', { key: tenant.key })).items
  const { message } = ok(await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key }))
  return { id: id as string, otherId: other.id, attachmentId: message.attachments[0].id as string }
}

const bytesOf = async (tenant: TestTenant, id: string, attachmentId: string) => ({
  message: (await store.head(objectKey('messages', tenant.tenantId, id))) !== undefined,
  attachment: (await store.head(objectKey('attachments', tenant.tenantId, attachmentId))) !== undefined,
})

const deletions = async (tenant: TestTenant) => {
  await feedCaughtUp(database)
  return ok(await call(url, 'GET', '/v1/events?limit=100', { key: tenant.key }))
    .items.filter((event: { type: string }) => event.type === 'message.deleted')
    .map((event: { data: object }) => event.data)
}

async function isGone(tenant: TestTenant, id: string, attachmentId: string) {
  const get = async (path: string) => (await call(url, 'GET', `/v1/${path}`, { key: tenant.key })).status
  const statuses = await Promise.all([
    get(`messages/${id}`),
    get(`messages/${id}/raw`),
    get(`attachments/${attachmentId}/download-url`),
    get(`attachments/${attachmentId}/download`),
  ])
  const listed = ok(await call(url, 'GET', '/v1/messages', { key: tenant.key })).items
  return statuses.every((status) => status === 404) && !listed.some((item: { id: string }) => item.id === id)
}

const rowsOf = async (id: string) => {
  const { rows } = await database.pool.query(
    `select (select count(*) from messages where id = $1) + (select count(*) from message_states where message_id = $1)
      + (select count(*) from message_contents where message_id = $1)
      + (select count(*) from message_entries where message_id = $1)
      + (select count(*) from message_attachments where message_id = $1) as n`,
    [id],
  )
  return Number(rows[0].n)
}

test('an entry that has lain in the trash for its time is deleted for good, and the message with the last', async () => {
  const tenant = await createTestTenant(database)
  const { id, otherId, attachmentId } = await receive(tenant)
  const trash = (mailboxId: string) =>
    call(url, 'PATCH', `/v1/messages/${id}`, { key: tenant.key, body: { mailboxId, folder: 'trash' } })
  ok(await trash(otherId))
  const age = (days: number) =>
    database.pool.query(
      `update message_entries set trashed_at = clock_timestamp() - $2 * interval '1 day' where message_id = $1 and trashed_at is not null`,
      [id, days],
    )
  await age(29.99)
  assert.equal(await sweepTrash(database, 30 * DAY_MS, 100), 0)
  await age(30.01)
  const counts = await Promise.all([1, 2, 3].map(() => sweepTrash(database, 30 * DAY_MS, 100)))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    1,
  )
  const { message } = ok(await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key }))
  assert.deepEqual(
    message.mailboxes.map((entry: { mailboxId: string }) => entry.mailboxId),
    [tenant.mailboxId],
  )
  ok(await trash(tenant.mailboxId))
  await age(31)
  assert.equal(await sweepTrash(database, 30 * DAY_MS, 100), 1)
  assert(await isGone(tenant, id, attachmentId))
  assert.equal(await rowsOf(id), 0)
  const [first, second, ...more] = await deletions(tenant)
  assert.deepEqual(more, [])
  assert.deepEqual([first.reason, first.mailboxIds, first.id], ['trash_expired', [otherId], id])
  assert.deepEqual([second.reason, second.mailboxIds], ['trash_expired', [tenant.mailboxId]])
  assert.equal(await sweepRemovals(database, store, 100), 2)
  assert.deepEqual(await bytesOf(tenant, id, attachmentId), { message: false, attachment: false })
})

test('a message beyond its plan is gone everywhere; a hold keeps its bytes until it is released', async () => {
  await createPlan(database, operator, 'ten-days', { retentionDays: 10 })
  const tenant = await createTestTenant(database, { plan: 'ten-days' })
  const [held, other] = [await receive(tenant), await receive(tenant)]
  assert((await command('hold', held.id)).ok)
  assert((await command('hold', held.id)).ok)
  const age = (days: number) =>
    database.pool.query(
      `update messages set created_at = clock_timestamp() - $2 * interval '1 day' where tenant_id = $1`,
      [tenant.tenantId, days],
    )
  await age(9.99)
  assert.equal(await sweepExpired(database, 100), 0)
  await age(10.01)
  assert.equal(await sweepExpired(database, 100), 2)
  assert.equal(await sweepExpired(database, 100), 0)
  for (const { id, attachmentId } of [held, other]) assert(await isGone(tenant, id, attachmentId))
  await sweepRemovals(database, store, 100)
  await sweepUnattached(database, 100)
  assert.deepEqual(await bytesOf(tenant, held.id, held.attachmentId), { message: true, attachment: true })
  assert.deepEqual(await bytesOf(tenant, other.id, other.attachmentId), { message: false, attachment: false })
  assert((await command('release', held.id)).ok)
  await sweepRemovals(database, store, 100)
  assert.deepEqual(await bytesOf(tenant, held.id, held.attachmentId), { message: false, attachment: false })
  assert.deepEqual(await deletions(tenant), [])
  const { rows } = await database.pool.query('select stored_bytes from tenant_storage where tenant_id = $1', [
    tenant.tenantId,
  ])
  assert.equal(Number(rows[0].stored_bytes), 0)
})

test('a purge takes everything away at once, and a hold keeps the bytes of it', async () => {
  const tenant = await createTestTenant(database)
  const [held, other] = [await receive(tenant), await receive(tenant)]
  assert((await command('hold', held.id)).ok)
  for (const { id, attachmentId } of [held, other]) {
    const link = ok(await call(url, 'GET', `/v1/attachments/${attachmentId}/download-url`, { key: tenant.key })).url
    assert((await command('purge', id)).ok)
    assert(await isGone(tenant, id, attachmentId))
    assert.equal((await fetch(link)).status, 404)
  }
  await sweepRemovals(database, store, 100)
  assert.deepEqual(await bytesOf(tenant, held.id, held.attachmentId), { message: true, attachment: true })
  assert.deepEqual(await bytesOf(tenant, other.id, other.attachmentId), { message: false, attachment: false })
})

test('a message is deleted from one mailbox or from all, and the deletion has its event', async () => {
  const tenant = await createTestTenant(database)
  const { id, otherId } = await receive(tenant)
  assert((await command('delete', id, '--mailbox', otherId)).ok)
  assert(!(await command('delete', id, '--mailbox', otherId)).ok)
  // The second time because its answer may have been lost.
  for (const verb of ['delete', 'delete', 'purge']) assert((await command(verb, id)).ok, verb)
  for (const verb of ['hold', 'release']) assert(!(await command(verb, id)).ok, verb)
  for (const verb of ['delete', 'purge']) assert(!(await command(verb, newId())).ok, verb)
  const deleted = await deletions(tenant)
  assert.deepEqual(
    deleted.map((data: { reason: string; mailboxIds: string[] }) => [data.reason, data.mailboxIds]),
    [
      ['deleted', [otherId]],
      ['deleted', [tenant.mailboxId]],
    ],
  )
})

test('a message on its way is neither purged nor deleted', async () => {
  const tenant = await createTestTenant(database)
  const body = { fromMailboxId: tenant.mailboxId, to: ['you@example.test'], text: 'x' }
  const headers = { 'idempotency-key': newId() }
  const { id } = ok(await call(url, 'POST', '/v1/messages', { key: tenant.key, body, headers }), 202)
  for (const verb of ['purge', 'delete']) {
    const outcome = await command(verb, id)
    assert(!outcome.ok)
    assert.match(outcome.stderr, /still on its way/)
  }
  assert.equal((await command('purge', newId())).ok, false)
})
