// `mdk erase`: an address is found nowhere any more, others are untouched, consumers hear of the end of messages, and what a
// legal hold keeps is told.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { recordAct } from '../../src/audit/record.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { spellingsOf } from '../../src/mail/mail-address.ts'
import { holdMessage } from '../../src/messages/hold-message.ts'
import { releaseMessage } from '../../src/messages/release-message.ts'
import { writeRefusedRequests } from '../../src/requests/write-refused-requests.ts'
import { addSuppression } from '../../src/suppressions/add-suppression.ts'
import { recordBounces } from '../../src/suppressions/record-bounces.ts'
import { call, openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { MDK, mdk, mdkHere, mdkInside } from '../support/mdk.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, createTestPerson } from '../support/people.ts'
import { receive } from '../support/received-mail.ts'
import { TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const env = { MDK_DATABASE_URL: databaseUrl, MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT }
const erase = (address: string, ...more: string[]) => mdkHere(env, 'erase', '--address', address, ...more)

/** All that the database holds, table by table, as text. */
async function dump(of: Database): Promise<Map<string, string>> {
  const { rows } = await of.pool.query(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const texts = new Map<string, string>()
  for (const { name } of rows) {
    const { rows: lines } = await of.pool.query(`select t::text as line from ${name} t`)
    texts.set(name, lines.map(({ line }) => line).join('\n'))
  }
  return texts
}

/** The tables in whose text an address stands, once those are taken away of which it is a part. */
async function tablesWith(address: string, others: readonly string[] = []): Promise<string[]> {
  const found: string[] = []
  for (const [name, text] of await dump(database)) {
    let rest = text.toLowerCase().replaceAll('%40', '@')
    for (const other of others.flatMap(spellingsOf)) rest = rest.replaceAll(other, '')
    if (spellingsOf(address).some((spelling) => rest.includes(spelling))) found.push(name)
  }
  return found.sort()
}

async function send(tenant: TestTenant, to: string[], subject = 'Hello'): Promise<Uuid> {
  const answer = await call(url, 'POST', '/v1/messages', {
    key: tenant.key,
    headers: { 'idempotency-key': newId() },
    body: { fromMailboxId: tenant.mailboxId, to, subject, text: `Dear ${to[0]}` },
  })
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  return answer.body.message?.id ?? answer.body.id
}

const eventsOf = (id: Uuid) =>
  database.rows(sql<{ type: string; data: Record<string, unknown> }>`
    select type, data from events where resource_id = ${id} order by epoch, xid, seq`)
const stillThere = async (id: Uuid) => (await database.rows(sql`select from messages where id = ${id}`)).length === 1
const rawCount = async (table: string) =>
  (await database.pool.query(`select count(*)::integer as n from ${table}`)).rows[0].n

/** Whatever may name an address, of one that people spell in two ways. */
async function seed(tenant: TestTenant, given: { wire: string; unicode: string }) {
  const { tenantId, mailboxId } = tenant
  const by = operatorOf(tenantId)
  const received = await receive(database, tenantId, {
    mailboxIds: [mailboxId],
    from: { address: given.wire, name: 'Ada' },
    to: [{ address: tenant.address, name: null }],
    subject: 'From her',
    text: 'Hi',
  })
  const mentioning = await receive(database, tenantId, {
    mailboxIds: [mailboxId],
    subject: 'About her',
    text: `Please write to ${given.unicode}.`,
  })
  const sent = await send(tenant, [given.unicode, `other@${tenantId}.test`])
  const held = await receive(database, tenantId, { mailboxIds: [mailboxId], from: { address: given.wire, name: null } })
  await holdMessage(database, by, held)
  await addSuppression(database, by, { address: given.unicode, note: `${given.unicode} asked` })
  await addSuppression(database, by, { address: `friend@${tenantId}.test`, note: `of ${given.wire}` })
  const bounce = { tenantId, environmentId: tenantId, messageId: sent, kind: 'bounced' as const, smtpCode: 550 }
  await database.transaction((tx) =>
    recordBounces(tx, [
      { ...bounce, address: given.unicode, enhancedCode: '5.1.1', diagnostic: `550 <${given.wire}> is gone` },
      { ...bounce, address: `x@${tenantId}.test`, enhancedCode: '5.1.1', diagnostic: `550 try ${given.wire}` },
    ]),
  )
  await writeRefusedRequests(database, [
    {
      ...{ tenantId, environmentId: tenantId, requestId: newId(), appId: tenant.appId, keyId: newId() },
      ...{ at: new Date().toISOString(), method: 'GET', route: '/v1/messages', status: 400, code: 'validation_error' },
      ...{ path: `/v1/messages?to=${given.wire.replace('@', '%40')}`, clientAddress: '192.0.2.1', userAgent: null },
      durationMs: 1,
    },
  ])
  await database.transaction((tx) =>
    recordAct(tx, by, {
      operation: 'exportMessages',
      resourceType: 'message',
      resourceId: null,
      details: { recipient: given.unicode },
    }),
  )
  const user = await createTestMailboxUser(database, tenantId, mailboxId)
  await database.rows(sql`
    insert into image_senders (tenant_id, user_id, address) values (${tenantId}, ${user.id}, ${given.wire})`)
  await database.rows(sql`
    insert into recovery_addresses (tenant_id, user_id, address, verified_at)
    values (${tenantId}, ${user.id}, ${given.wire}, clock_timestamp())`)
  await database.rows(sql`
    insert into sender_identities (tenant_id, user_id, mailbox_id, signature)
    values (${tenantId}, ${user.id}, ${mailboxId}, ${`<p>Ask ${given.unicode}</p>`})`)
  await database.rows(sql`
    insert into correspondents (tenant_id, mailbox_id, key, address, named_at, mails, rank, found_by)
    values (${tenantId}, ${mailboxId}, ${given.wire}, ${given.unicode}, 0, '[]', 1, ' ada ')`)
  await database.rows(sql`
    insert into correspondent_words (tenant_id, mailbox_id, word, key) values (${tenantId}, ${mailboxId}, 'ada', ${given.wire})`)
  await database.rows(sql`
    insert into drafts (tenant_id, id, mailbox_id, message_id, version, content_sha256, kind, to_addresses, cc_addresses,
      bcc_addresses, subject, format, body, preview, saved_by)
    values (${tenantId}, ${newId()}, ${mailboxId}, ${newId()}, 1, ${Buffer.alloc(32)}, 'new',
      ${JSON.stringify([{ address: given.unicode, name: null }])}, '[]', '[]', '', 'text', '', '', 'user')`)
  await database.rows(sql`
    insert into notices (tenant_id, id, kind, occasion, user_id, facts, expires_at)
    values (${tenantId}, ${newId()}, 'reset', 'x', ${user.id}, ${JSON.stringify({ to: given.wire })},
      clock_timestamp() + interval '1 hour')`)
  await database.rows(sql`
    insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
    values (${tenantId}, ${tenantId}, 1, ${newId()}, 'message.received', 'message', ${newId()},
      ${JSON.stringify({ mailboxId, direction: 'inbound', messageId: null, subject: 'Old', from: { address: given.wire, name: null }, to: [], status: 'received', mailboxIds: [mailboxId] })},
      clock_timestamp())`)
  return { received, mentioning, sent, held }
}

const HER = { wire: 'ada@xn--mnchen-3ya.test', unicode: 'Ada@münchen.test' }
const LIKE_HER = ['ada+tag@xn--mnchen-3ya.test', 'xada@münchen.test', 'ada@münchen.test.example']

test('an address is erased everywhere, but for what is held, and nobody else is', async () => {
  const tenant = await createTestTenant(database)
  const made = await seed(tenant, HER)
  const others = []
  for (const address of LIKE_HER) others.push(await send(tenant, [address]))
  const before = await tablesWith(HER.unicode, LIKE_HER)
  for (const table of ['messages', 'message_states', 'events', 'suppressions', 'bounces', 'audit_log', 'notices']) {
    assert.ok(before.includes(table), table)
  }

  const eventsBefore = await rawCount('events')
  const looked = await erase(HER.unicode)
  assert.equal(looked.erased, null)
  assert.deepEqual(Object.keys(looked.named).sort(), before, 'each table that has it is counted')
  assert.equal(await rawCount('events'), eventsBefore, 'counting changes nothing')
  assert.deepEqual(await tablesWith(HER.unicode, LIKE_HER), before)

  const done = await erase('ADA@MÜNCHEN.test', '--yes')
  assert.deepEqual([done.held, done.underWay], [1, 0])
  assert.deepEqual(done.left, { messages: 1 }, 'what is held')
  assert.deepEqual([done.erased.drafts, done.erased.signatures, done.erased.correspondents], [1, 1, 1])
  assert.deepEqual([done.erased.messages, done.erased.stops, done.erased.bounces], [3, 1, 1])
  for (const id of [made.received, made.mentioning, made.sent]) assert.equal(await stillThere(id), false)
  for (const id of others) assert.equal(await stillThere(id), true)
  const answer = await call(url, 'GET', `/v1/messages/${made.held}`, { key: tenant.key })
  assert.equal(answer.status, 404, 'what is held shows nowhere')

  await releaseMessage(database, operatorOf(tenant.tenantId), made.held)
  assert.deepEqual(await tablesWith(HER.unicode, LIKE_HER), [], 'with the hold the rest goes')
  const { rows } = await database.pool.query('select object_key from object_removals')
  assert.ok(
    [made.received, made.sent, made.held].every((id) => rows.some(({ object_key }) => object_key.includes(id))),
    'their bytes go',
  )
})

test('the feed keeps every event in its place, without what it said, and tells the end of messages', async () => {
  const tenant = await createTestTenant(database)
  const her = { wire: 'eve@feed.test', unicode: 'eve@feed.test' }
  const { received, sent } = await seed(tenant, her)
  const before = await database.rows(sql<{ id: Uuid }>`
    select id from events where tenant_id = ${tenant.tenantId} order by epoch, xid, seq`)
  await erase(her.wire, '--yes')
  const after = await database.rows(sql<{ id: Uuid }>`
    select id from events where tenant_id = ${tenant.tenantId} order by epoch, xid, seq`)
  assert.deepEqual(after.slice(0, before.length), before)
  const [first] = await eventsOf(sent)
  assert.deepEqual(first?.data, {
    ...{ mailboxId: tenant.mailboxId, direction: 'outbound', messageId: null, subject: '', from: null, to: [] },
    ...{ status: 'queued', erased: true },
  })
  const types = (await eventsOf(sent)).map(({ type }) => type)
  assert.deepEqual(types, ['message.queued', 'message.failed', 'message.failed', 'message.deleted'])
  assert.deepEqual((await eventsOf(received)).map(({ type, data }) => [type, data.erased]).at(-1), [
    'message.deleted',
    true,
  ])
  // Every answer is held against the contract on its way.
  const feed = await call(url, 'GET', '/v1/events?limit=100&cursor=2020-01-01T00:00:00Z', { key: tenant.key })
  assert.equal(feed.status, 200)
  assert.ok(feed.body.items.some(({ data }: { data: { erased?: boolean } }) => data.erased))
})

test('what was done is recorded, by a hash that only the keys make, and without the address', async () => {
  const tenant = await createTestTenant(database)
  const address = 'mallory@record.test'
  await receive(database, tenant.tenantId, { mailboxIds: [tenant.mailboxId], from: { address, name: null } })
  await erase(address, '--yes', '--tenant', tenant.tenantId)
  const records = await database.rows(sql<{ details: Record<string, unknown> }>`
    select details from audit_log where operation = 'erase' and tenant_id = ${tenant.tenantId} order by at`)
  assert.deepEqual(
    records.map(({ details }) => details.named),
    [{ events: 1, messages: 1 }],
  )
  assert.match(String(records[0]?.details.addressHash), /^1:[0-9a-f]{64}$/)
})

test('of one tenant only its own goes; a stop stays where that is asked', async () => {
  const [one, other] = [await createTestTenant(database), await createTestTenant(database)]
  const address = 'trent@two.test'
  const mails = []
  for (const { tenantId, mailboxId } of [one, other]) {
    mails.push(await receive(database, tenantId, { mailboxIds: [mailboxId], from: { address, name: null } }))
    await addSuppression(database, operatorOf(tenantId), { address, note: `${address} asked` })
  }
  const done = await erase(address, '--yes', '--tenant', one.tenantId, '--keep-stops')
  assert.deepEqual([done.erased.messages, done.erased.stops, done.left], [1, 0, { suppressions: 1 }])
  assert.deepEqual(await Promise.all(mails.map(stillThere)), [false, true])
  const stops = await database.rows(sql<{ note: string | null }>`
    select note from suppressions where address = ${address} order by tenant_id = ${one.tenantId} desc`)
  assert.deepEqual(
    stops.map(({ note }) => note),
    [null, `${address} asked`],
  )
})

test('an address of ours, and what is none, are refused', async () => {
  const tenant = await createTestTenant(database)
  const person = await createTestPerson(database, tenant.tenantId, 'owner')
  const user = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  for (const [address, words] of [
    [tenant.address, /mailbox/],
    [person.login, /person remove/],
    [user.login, /user remove/],
    ['nobody', /email address/],
  ] as const) {
    const { status, stderr } = await mdkInside(env, 'erase', '--address', address, '--yes', '--tenant', tenant.tenantId)
    assert.equal(status, 1)
    assert.match(stderr, words)
  }
})

test('two at once, and one that is killed in the middle and run again, end each message once', async () => {
  const tenant = await createTestTenant(database)
  const address = 'olivia@many.test'
  const ids: Uuid[] = []
  for (let i = 0; i < 150; i++) {
    const mail = { mailboxIds: [tenant.mailboxId], from: { address, name: null } }
    ids.push(await receive(database, tenant.tenantId, mail))
  }
  const ended = async () =>
    (
      await database.rows(sql<{ count: number }>`
        select count(*)::integer as count from events
        where tenant_id = ${tenant.tenantId} and type = 'message.deleted'`)
    )[0]?.count ?? 0
  const killed = spawn(MDK, ['erase', '--address', address, '--yes'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  })
  const exited = once(killed, 'exit')
  await until('it has begun', async () => (await ended()) > 0)
  killed.kill('SIGKILL')
  await exited
  const again = () => mdk(env, 'erase', '--address', address, '--yes')
  for (const { status, stderr } of await Promise.all([again(), again()])) assert.equal(status, 0, stderr)
  assert.equal(await ended(), ids.length)
  const { named } = await erase(address)
  assert.deepEqual(named, {})
})
