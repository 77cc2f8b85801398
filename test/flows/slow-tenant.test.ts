// One tenant's rows take the database too long: its neighbours, which share statements with it, hardly notice.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { atTheEnd, createTestDatabase } from '../support/database.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database, url: databaseUrl } = await createTestDatabase({ alone: true })
/** Statements may take two seconds. */
const impatient = openDatabase({ url: databaseUrl, statementTimeoutMs: 2_000 })
atTheEnd(database, () => impatient.end())
const { url, groups } = await startTestApi(impatient)
const { url: patientUrl } = await startTestApi(database)

const mailTo = (to: string, { mailboxId }: TestTenant) => ({ fromMailboxId: mailboxId, to: [to], text: 'Hello' })

async function accept(from: TestTenant, to = 'someone@example.test'): Promise<Uuid> {
  const answer = await send(url, from.key, mailTo(to, from))
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  return answer.body.id
}

/** Holds a lock until it is let go. */
async function hold(statement: string, of: Uuid) {
  const client = await database.connect('holder')
  await client.query('set idle_in_transaction_session_timeout = 0')
  await client.query('begin')
  const { rowCount } = await client.query(statement, [of])
  assert((rowCount ?? 0) > 0)
  return { letGo: () => client.end() }
}

const waiting = (count: number) =>
  until(`${count} statements wait for the lock`, async () => {
    const row = await database.first(sql<{ count: number }>`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return row?.count === count
  })

test('a send is accepted although one of another tenant in its group takes too long', async () => {
  const [slow, other] = [await createTestTenant(database), await createTestTenant(database)]
  await Promise.all([accept(slow), accept(other)])
  const lock = await hold('select from tenant_usage where tenant_id = $1 for update', slow.tenantId)
  const keys = [newId(), newId(), newId()] as const
  const body = mailTo('someone@example.test', slow)
  groups.length = 0
  const first = send(url, slow.key, body, keys[0])
  await waiting(1)
  const second = send(url, slow.key, body, keys[1])
  await waiting(2)
  const third = send(url, slow.key, body, keys[2])
  const neighbours = await Promise.all([accept(other), accept(other)])
  assert.equal(new Set(neighbours).size, 2)
  for (const answer of await Promise.all([first, second, third])) {
    assert.deepEqual([answer.status, answer.body.code], [503, 'service_unavailable'])
  }
  assert.deepEqual(groups, [2], 'of one write the others were parted')
  await lock.letGo()
  for (const key of keys) assert.equal((await send(url, slow.key, body, key)).status, 202)
})

test('large sends of one tenant, whose turn does not come, keep no small one of another waiting', async () => {
  const [slow, other] = [await createTestTenant(database), await createTestTenant(database)]
  await Promise.all([accept(slow), accept(other)])
  const lock = await hold('select from tenant_usage where tenant_id = $1 for update', slow.tenantId)
  const large = { ...mailTo('someone@example.test', slow), html: 'x'.repeat(2_000_000), text: 'x'.repeat(1_000_000) }
  let answered = 0
  const sends = Array.from({ length: 6 }, async () => {
    const answer = await send(patientUrl, slow.key, large)
    answered += 1
    return answer
  })
  await waiting(1)
  const small = () => send(patientUrl, other.key, mailTo('someone@example.test', other))
  for (const answer of [await small(), ...(await Promise.all([small(), small()]))]) assert.equal(answer.status, 202)
  assert.equal(answered, 0)
  await lock.letGo()
  for (const answer of await Promise.all(sends)) assert.equal(answer.status, 202)
})

test('results that take too long wait and are reported, and those of another tenant are recorded', async () => {
  const [slow, other] = [await createTestTenant(database), await createTestTenant(database)]
  const [to, ...toSlow] = ['other', 'slow-1', 'slow-2', 'slow-3', 'slow-4', 'slow-5'].map((n) => `${n}@example.test`)
  const expected = new Set([to, ...toSlow])
  const held = new Map<string, () => void>()
  const sink = await startSmtpSink({
    onMessage: ({ to: [to = ''] }) =>
      expected.has(to) ? new Promise((resolve) => held.set(to, () => resolve(undefined))) : undefined,
  })
  const slowOnes = await Promise.all(toSlow.map((address) => accept(slow, address)))
  const ready = await accept(other, to)
  const worker = await startTestOutbound(impatient, { relayUrl: sink.url, connections: 8 })
  const statusOf = async ({ key }: TestTenant, id: Uuid) =>
    (await call(url, 'GET', `/v1/messages/${id}`, { key })).body.message.status
  try {
    await until('the relay has everything', () => held.size === expected.size)
    const lock = await hold('select from message_states where tenant_id = $1 for update', slow.tenantId)
    held.get('slow-1@example.test')?.()
    await waiting(1)
    held.get('slow-2@example.test')?.()
    await waiting(2)
    for (const answer of held.values()) answer()
    await until('the neighbour is recorded', async () => (await statusOf(other, ready)) === 'sent')
    await until('those that wait are reported', () => slowOnes.every((id) => worker.outOfTime().includes(id)))
    assert(!worker.outOfTime().includes(ready))
    assert.deepEqual(await Promise.all(slowOnes.map((id) => statusOf(slow, id))), Array(5).fill('queued'))

    await lock.letGo()
    await until('all are recorded', async () => {
      const all = await Promise.all(slowOnes.map((id) => statusOf(slow, id)))
      return all.every((status) => status === 'sent')
    })
    const sent = sink.mails.map((mail) => mail.to[0]).filter((address = '') => expected.has(address))
    assert.deepEqual(new Set(sent), expected)
    assert.equal(sent.length, expected.size, 'nothing went twice')
    assert.deepEqual(worker.errors(), [])
  } finally {
    await worker.stop()
    await sink.stop()
  }
})

test('results are recorded 500 events at a time, however many come together', async () => {
  const sandbox = await createTestTenant(database, { environment: 'sandbox' })
  const fifty = (kind: string) => Array.from({ length: 50 }, (_, n) => `${kind}-${n}@example.test`)
  const mail = { ...mailTo('', sandbox), to: fifty('to'), cc: fifty('cc'), bcc: fifty('bcc') }
  const sends = Array.from({ length: 10 }, () => send(url, sandbox.key, mail))
  for (const { status } of await Promise.all(sends)) assert.equal(status, 202)
  // Two records on their way wait for this, and all others for those two.
  const lock = await hold('select from message_states where tenant_id = $1 for update', sandbox.tenantId)
  const worker = await startTestOutbound(database, { relayUrl: 'smtp://127.0.0.1:1' })
  try {
    await waiting(2)
    const built = join(worker.folder, 'messages')
    await until('all are built', async () => {
      const names = await readdir(built, { recursive: true })
      return names.filter((name) => name.includes(sandbox.tenantId)).length === sends.length
    })
    await lock.letGo()
    const recorded = () =>
      database.rows(sql<{ count: number }>`
        select count(*) from events where tenant_id = ${sandbox.tenantId} and type in ('message.sent', 'message.delivered')
        group by xid order by count desc`)
    await until('all is reported', async () => (await recorded()).reduce((sum, { count }) => sum + count, 0) === 1_510)
    assert.equal((await recorded())[0]?.count, 453, 'three messages, and no fourth')
  } finally {
    await worker.stop()
  }
})
