// What must hold over the whole database holds after everything the service can do, and a breach of it is found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/lib/uuid.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { createTestMailboxUser, createTestPerson } from '../support/people.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestWebhooks } from '../support/webhooks.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const { url } = await startTestApi(database, { store })

const faults = async () =>
  (await checkInvariants(database, store)).filter(({ result }) => result !== 'ok').map(({ name }) => name)

test('every invariant holds after mail has gone out and come in, and each breach is found', async () => {
  const tenant = await createTestTenant(database)
  const receiver = await startReceiver()
  const created = await call(url, 'POST', '/v1/webhook-endpoints', {
    key: tenant.key,
    body: { url: receiver.url, eventTypes: ['*'] },
  })
  assert.equal(created.status, 201)
  const message = { fromMailboxId: tenant.mailboxId, to: ['you@example.test'], text: 'x' }
  for (let i = 0; i < 5; i++) assert.equal((await send(url, tenant.key, message)).status, 202)
  assert.deepEqual(await faults(), [])
  const sink = await startSmtpSink()
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  const webhooks = startTestWebhooks(database)
  const inbound = await startTestInbound(database, { store })
  const file = 'Subject: x\r\nContent-Type: application/pdf; name=x.pdf\r\nContent-Disposition: attachment\r\n\r\nx\r\n'
  await handIn(inbound.port, 'a@example.test', [tenant.address], file)
  await until('all is delivered', () => receiver.delivered.length === 11)
  await Promise.all([outbound.stop(), webhooks.stop(), inbound.stop()])
  await sink.stop()
  assert.deepEqual(await faults(), [])

  const breach = async (statement: string, name: string) => {
    await database.pool.query(statement)
    assert((await faults()).includes(name), name)
  }
  await send(url, tenant.key, message)
  await breach(`delete from jobs where queue = 'outbound'`, 'every message on its way has its job')
  await breach(
    `insert into jobs (tenant_id, queue, lane, subject_id) values ('${tenant.tenantId}', 'outbound', '${newId()}', '${newId()}')`,
    'every job has its subject',
  )
  await breach(
    'update tenants set suppressions = suppressions + 1',
    'every tenant has as many stopped addresses as it says',
  )
  await breach(
    `with noted as (
       insert into bounces (tenant_id, environment_id, address, id, message_id, kind, at)
       select id, id, 'a@example.test', gen_random_uuid(), id, 'bounced', now() from tenants)
     insert into bounced_addresses (tenant_id, environment_id, address, id, bounces, complaints, first_at, last_at,
       last_message_id, last_kind)
     select id, id, 'a@example.test', id, 0, 1, now(), now(), id, 'complained' from tenants`,
    'every bounce and complaint that is kept is counted with its address',
  )
  await breach(`delete from jobs where queue = 'webhooks'`, 'every pending delivery has its job')
  await breach(
    `insert into webhook_replays (tenant_id, id, environment_id, app_id, since, until, asked_by)
     values ('${tenant.tenantId}', '${newId()}', '${tenant.tenantId}', '${tenant.appId}', now(), now(), 'operator')`,
    'every running replay has its job',
  )
  await breach(
    `insert into notices (tenant_id, id, kind, occasion, user_id, facts, expires_at)
     values ('${tenant.tenantId}', '${newId()}', 'domain_failing', 'today', '${newId()}', '{}', now())`,
    'every notice that waits has its job',
  )
  await breach(
    `insert into webhook_deliveries select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
     from webhook_deliveries d limit 1`,
    'no endpoint has two deliveries of one event',
  )
  await breach(
    `update events set type = 'message.updated' where type = 'message.queued'`,
    'every message has its events, first that it was queued or received',
  )
  await breach(`update messages set attachment_count = 1`, 'every message has its attachments')
  await breach(
    `update messages set gone = 'purged', gone_at = now()`,
    'every message is in a mailbox, and what is gone is held',
  )
  await breach(`update message_entries set mailbox_id = gen_random_uuid()`, 'nothing crosses tenants')
  await breach(`update tenant_storage set stored_bytes = stored_bytes + 1`, 'stored bytes are counted right')
  await breach(
    `update message_states set open = open + 1`,
    'every sent message has its state, which counts the recipients that are open',
  )
  await breach(
    `insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read, is_starred)
     select tenant_id, id, mailbox_id, environment_id, created_at, seq, 'sent', true, false from messages where in_sent`,
    'no entry is both implied and written',
  )
  await breach(`update message_states set size_bytes = coalesce(size_bytes, 1)`, 'every stored message has its bytes')
  await breach(
    `delete from message_states`,
    'every sent message has its state, which counts the recipients that are open',
  )
  const person = await createTestPerson(database, tenant.tenantId, 'owner')
  const user = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  const ofUsers = (await faults()).filter((name) => /role|mailbox user|password|signed in/.test(name))
  assert.deepEqual(ofUsers, [])
  await breach(
    `update passwords set stands_alone = false where user_id = '${user.id}'`,
    'no short password stands alone',
  )
  await breach(`delete from mailbox_access where mailbox_user_id = '${user.id}'`, 'every mailbox user has a mailbox')
  await breach(
    `update memberships set joined_at = null where person_id = '${person.id}'`,
    'whoever is signed in belongs somewhere',
  )
  await breach(`delete from users where id = '${person.id}'`, 'every role is of a person, and every person has a role')
  await breach(`update attachments set size_bytes = size_bytes + 1`, 'every attachment has its bytes')
})
