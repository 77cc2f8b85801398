// What strangers may take of the way in: room, connections, turns; and what they leave to others.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { createPlan } from '../../src/apps/create-plan.ts'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { newId } from '../../src/lib/uuid.ts'
import { signReturnPath } from '../../src/mail/return-path.ts'
import { MOST_CONNECTIONS_OF_ONE, MOST_MAILS_OF_ONE } from '../../src/servers/smtp/admission.ts'
import { MOST_CONNECTIONS } from '../../src/servers/smtp/slots.ts'
import { HOSTILE_BODIES, HOSTILE_HEADERS } from '../corpus/hostile-mail.ts'
import { call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestDns } from '../support/dns.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { operator } from '../support/operator.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { RETURN_PATH } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const inbound = await startTestInbound(database, { store })

const SENDER = 'someone@example.test'
/** Of so many octets, its head included. */
const mail = (bytes: number) => {
  const head = `Subject: ${newId()}\r\n\r\n`
  return `${head}${'x'.repeat(bytes - head.length - 2)}\r\n`
}
const subjects = async (tenant: TestTenant) =>
  (await call(url, 'GET', '/v1/messages?limit=100', { key: tenant.key })).body.items.map(
    (item: { subject: string }) => item.subject,
  )

const ROOM = Math.floor(1_048_576 * 0.9)
await createPlan(database, operator, 'small', { storedMib: 1 })
const smallTenant = (): Promise<TestTenant> => createTestTenant(database, { plan: 'small' })

/** Objects that no row needs and that are not due for removal. */
async function staying(tenant: TestTenant): Promise<string[]> {
  const { rows } = await database.pool.query(
    'select object_key from object_removals where object_key like $1 and due_at > now()',
    [`%${tenant.tenantId}%`],
  )
  return rows.map((row) => row.object_key)
}

test('incoming mail may use nine tenths of the stored bytes, and sends the rest', async () => {
  const tenant = await smallTenant()
  const take = (bytes: number) => handIn(inbound.port, SENDER, [tenant.address], mail(bytes))
  assert.match((await take(ROOM + 1)).last, /^452 4\.2\.2 /)
  assert.deepEqual(await subjects(tenant), [])
  assert.deepEqual(await staying(tenant), [])
  assert.match((await take(ROOM)).last, /^250 /)
  assert.match((await take(200)).last, /^452 4\.2\.2 /)
  const sent = await send(url, tenant.key, { fromMailboxId: tenant.mailboxId, to: ['a@example.test'], text: 'x' })
  assert.equal(sent.status, 202)
})

test('of two mails at once that would fit alone one is taken', async () => {
  const tenant = await smallTenant()
  const half = Math.floor(ROOM / 2) + 1
  const answers = await Promise.all([1, 2].map(() => handIn(inbound.port, SENDER, [tenant.address], mail(half))))
  const words = answers.map(({ last }) => last.slice(0, 9)).toSorted()
  assert.deepEqual(words, ['250 2.0.0', '452 4.2.2'])
  assert.equal((await subjects(tenant)).length, 1)
})

test('a mail whose announced size does not fit is refused at its recipient', async () => {
  const tenant = await smallTenant()
  const announced = (bytes: number) => handIn(inbound.port, SENDER, [tenant.address], mail(100), ` SIZE=${bytes}`)
  assert.match((await announced(ROOM + 1)).replies[1] ?? '', /^452 4\.2\.2 /)
  assert.match((await announced(ROOM)).last, /^250 /)
})

test('a tenant with little room shares no mail with another, so that none is lost to one or doubled to the other', async () => {
  const [small, large] = [await smallTenant(), await createTestTenant(database)]
  const message = mail(ROOM + 1)
  const together = await handIn(inbound.port, SENDER, [large.address, small.address], message)
  assert.match(together.replies[2] ?? '', /^452 4\.5\.3 /)
  assert.match(together.last, /^250 /)
  assert.match((await handIn(inbound.port, SENDER, [small.address], message)).last, /^452 4\.2\.2 /)
  assert.deepEqual([(await subjects(large)).length, (await subjects(small)).length], [1, 0])
})

test("a suspended tenant's mail is put off, and taken once it is resumed", async () => {
  const tenant = await createTestTenant(database)
  await setTenantStatus(database, operator, tenant.tenantId, 'suspended')
  const message = mail(100)
  assert.match((await handIn(inbound.port, SENDER, [tenant.address], message)).replies[1] ?? '', /^450 4\.2\.1 /)
  await setTenantStatus(database, operator, tenant.tenantId, 'active')
  assert.match((await handIn(inbound.port, SENDER, [tenant.address], message)).last, /^250 /)
})

test('of unread mail to return paths its beginning is kept, once for each mail, and ten times for each message', async () => {
  const tenant = await createTestTenant(database)
  const paths = await Promise.all(
    [1, 2].map(async () => {
      const to = ['a@example.test']
      const { body } = await send(url, tenant.key, { fromMailboxId: tenant.mailboxId, to, text: 'x' })
      return signReturnPath(body.id, RETURN_PATH)
    }),
  )
  const kept = async () => {
    const { rows } = await database.pool.query(
      'select object_key from unread_reports where tenant_id = $1 order by received_at',
      [tenant.tenantId],
    )
    return rows.map((row) => row.object_key)
  }
  assert.match((await handIn(inbound.port, '', paths, mail(1_000_000))).last, /^250 /)
  const [key, ...others] = await kept()
  assert.deepEqual(others, [key])
  assert.equal((await store.head(key))?.sizeBytes, 65_536)
  // Nothing else of it stays.
  assert.deepEqual(await staying(tenant), [key])
  await Promise.all(Array.from({ length: 12 }, () => handIn(inbound.port, '', [paths[0] ?? ''], mail(100))))
  assert.equal((await kept()).length, 11)
})

/** A connection that has been greeted, or refused: its first line. */
async function greeted(port: number, localAddress: string): Promise<{ socket: Socket; line: string }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  const [line] = await once(socket, 'data')
  return { socket, line: String(line) }
}

test('ten addresses that hold all connections give one up to an eleventh', async () => {
  const crowded = await startTestInbound(database, { store, config: { ipPerMinute: 120 } })
  const tenant = await createTestTenant(database)
  const addresses = Array.from({ length: 10 }, (_, i) => `127.0.1.${i + 1}`)
  const each = MOST_CONNECTIONS / addresses.length
  assert.equal(each, MOST_CONNECTIONS_OF_ONE)
  const held = await Promise.all(
    addresses.flatMap((address) => Array.from({ length: each }, () => greeted(crowded.port, address))),
  )
  after(() => held.forEach(({ socket }) => void socket.destroy()))
  for (const { line } of held) assert.match(line, /^220 /)
  const { last } = await handIn(crowded.port, SENDER, [tenant.address], mail(100), '', '127.0.2.1')
  assert.match(last, /^250 /)
  for (const { socket } of held) socket.destroy()
})

test('one address brings twenty mails at once, and another is not troubled by it', async () => {
  const busy = await startTestInbound(database, { store, config: { ipPerMinute: 120 } })
  const tenant = await createTestTenant(database)
  const begin = async (address: string) => {
    const { socket } = await greeted(busy.port, address)
    for (const line of ['EHLO x', `MAIL FROM:<${SENDER}>`, `RCPT TO:<${tenant.address}>`, 'DATA']) {
      socket.write(`${line}\r\n`)
      await once(socket, 'data')
    }
    socket.write('Subject: x\r\n')
    return socket
  }
  const begun = await Promise.all(Array.from({ length: MOST_MAILS_OF_ONE }, () => begin('127.0.3.1')))
  after(() => begun.forEach((socket) => void socket.destroy()))
  const take = async (address: string) =>
    (await handIn(busy.port, SENDER, [tenant.address], mail(100), '', address)).last.slice(0, 9)
  const refused = await handIn(busy.port, SENDER, [tenant.address], mail(100), '', '127.0.3.1')
  assert.equal(refused.replies.length, 2, 'it is answered before its octets come')
  assert.match(refused.last, /^451 4\.3\.2 /)
  assert.equal(await take('127.0.3.2'), '250 2.0.0')
  begun[0]?.destroy()
  await until('its place is free', async () => (await take('127.0.3.1')) === '250 2.0.0')
  for (const socket of begun) socket.destroy()
})

test('a client that goes away within its mail is no error of ours', async () => {
  const listener = await startTestInbound(database, { store })
  const tenant = await createTestTenant(database)
  const { socket } = await greeted(listener.port, '127.0.0.1')
  for (const line of ['EHLO x', `MAIL FROM:<${SENDER}>`, `RCPT TO:<${tenant.address}>`, 'DATA']) {
    socket.write(`${line}\r\n`)
    await once(socket, 'data')
  }
  socket.write('Subject: x\r\n\r\nhalf')
  socket.end()
  socket.destroy()
  await until('it is reported', async () =>
    listener.lines.some(({ msg }) => msg === 'a client disconnected while it sent a mail'),
  )
  assert.deepEqual(
    listener.lines.filter(({ level }) => level !== 'debug'),
    [],
  )
})

test('fifty connections of one address that bring what takes long keep nobody else waiting', async () => {
  const includes = Array.from({ length: 10 }, (_, i) => [
    i === 0 ? 'evil.test' : `${i}.evil.test`,
    { TXT: [`v=spf1 include:${i + 1}.evil.test -all`] },
  ])
  const dns = await startTestDns(Object.fromEntries(includes))
  dns.delayMs = 850
  after(() => dns.stop())
  const busy = await startTestInbound(database, { store, config: { dnsServers: [dns.server], ipPerMinute: 120 } })
  const tenant = await createTestTenant(database)
  const shape = (name: string, bytes: number) => (HOSTILE_HEADERS[name] ?? HOSTILE_BODIES[name] ?? assert.fail())(bytes)
  const fillers = {
    'links in HTML': shape('attributes of a link that never ends', 4_700),
    'name servers that dawdle': mail(400),
    'folded lines': shape('folded lines', 150_000),
    'blanks in a signature': shape('blanks in a signature', 100_000),
  }
  // The threads are there before they are needed.
  const warm = ['127.0.4.3', '127.0.4.4', '127.0.4.5'].map((address) =>
    handIn(busy.port, SENDER, [tenant.address], mail(400), '', address),
  )
  await Promise.all(warm)
  for (const [name, filler] of Object.entries(fillers)) {
    const filling = Array.from({ length: 50 }, (_, i) =>
      handIn(busy.port, `${i}@evil.test`, [tenant.address], filler, '', '127.0.4.1'),
    )
    const started = performance.now()
    const { last } = await handIn(busy.port, SENDER, [tenant.address], mail(400), '', '127.0.4.2')
    const tookMs = performance.now() - started
    assert.match(last, /^250 /)
    assert.ok(tookMs < 5_000, `${name}: ${tookMs} ms`)
    for (const { last } of await Promise.all(filling)) assert.match(last, /^(250 2\.0\.0|451 4\.3\.2) /)
  }
})
