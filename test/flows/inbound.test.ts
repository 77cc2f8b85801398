// Mail comes in: once for each tenant, whole, whatever it looks like, and never refused for a fault of ours.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import nodemailer from 'nodemailer'
import { StoreUnavailable } from '../../src/lib/object-store.ts'
import { newId } from '../../src/lib/uuid.ts'
import { signEnvelopeId } from '../../src/mail/envelope-id.ts'
import { returnPathSettings, signReturnPath } from '../../src/mail/return-path.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { setMailboxStatus } from '../../src/mailboxes/set-mailbox-status.ts'
import { ODD_SHAPES } from '../corpus/odd-mail.ts'
import { type Answer, call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { deliveryReport } from '../support/delivery-report.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { operatorOf } from '../support/operator.ts'
import { TEST_SECRET_KEYS } from '../support/role-parts.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { RETURN_PATH, startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const inbound = await startTestInbound(database, { store })

function ok(answer: Answer, status = 200) {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

const list = async (tenant: TestTenant) =>
  ok(await call(url, 'GET', '/v1/messages?limit=100', { key: tenant.key })).items
const read = async (tenant: TestTenant, id: string) =>
  ok(await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key })).message
const eventsOf = async (tenant: TestTenant, type: string) => {
  await feedCaughtUp(database)
  const { items } = ok(await call(url, 'GET', '/v1/events?limit=100', { key: tenant.key }))
  return items.filter((event: { type: string }) => event.type === type)
}

const plain = (subject = 'Hello') =>
  `From: Someone <someone@example.test>\r\nTo: x@example.test\r\nSubject: ${subject}\r\nMessage-ID: <${newId()}@x>\r\n\r\nWords\r\n`

async function secondMailbox(tenant: TestTenant): Promise<{ id: string; address: string }> {
  const address = `second@${tenant.address.split('@')[1]}`
  const { id } = await createMailbox(database, operatorOf(tenant.tenantId), { address, displayName: 'Second' })
  return { id, address }
}

test('one mail to two mailboxes of a tenant is one message, and to two tenants one each', async () => {
  const [one, two] = [await createTestTenant(database), await createTestTenant(database)]
  const second = await secondMailbox(one)
  const upper = one.address.toUpperCase()
  const { last } = await handIn(inbound.port, 'someone@example.test', [upper, second.address, two.address], plain())
  assert.match(last, /^250 /)
  const [ofOne, more] = await list(one)
  const [ofTwo] = await list(two)
  assert.equal(more, undefined)
  assert.notEqual(ofOne.id, ofTwo.id)
  assert.deepEqual(
    new Set(
      ofOne.mailboxes.map((entry: { mailboxId: string; folder: string }) => `${entry.mailboxId} ${entry.folder}`),
    ),
    new Set([`${one.mailboxId} inbox`, `${second.id} inbox`]),
  )
  assert.equal((await call(url, 'GET', `/v1/messages/${ofTwo.id}`, { key: one.key })).status, 404)
  const events = await eventsOf(one, 'message.received')
  assert.equal(events.length, 1)
  assert.deepEqual(
    [events[0].data.object, events[0].data.id, events[0].data.direction, events[0].data.status, events[0].data.subject],
    ['message', ofOne.id, 'inbound', 'received', 'Hello'],
  )
  assert.equal(events[0].data.mailboxIds.length, 2)
})

test('a received message is shown with its text, its tree, its files and its bytes', async () => {
  const tenant = await createTestTenant(database)
  const file = Buffer.from('some octets \0\xff', 'latin1')
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: inbound.port,
    tls: { rejectUnauthorized: false },
  })
  await transport.sendMail({
    from: 'Jürgen <j@example.test>',
    to: tenant.address,
    replyTo: 'reply@example.test',
    subject: 'Grüße',
    text: 'Grüße aus München',
    html: '<p>Grüße</p>',
    inReplyTo: '<first@x>',
    references: ['<first@x>', '<second@x>'],
    attachments: [{ filename: 'Überblick.bin', content: file }],
  })
  const [summary] = await list(tenant)
  assert.deepEqual([summary.direction, summary.status, summary.hasAttachments], ['inbound', 'received', true])
  const message = await read(tenant, summary.id)
  assert.deepEqual(message.from, { address: 'j@example.test', name: 'Jürgen' })
  assert.deepEqual(message.replyTo, [{ address: 'reply@example.test', name: null }])
  assert.deepEqual(message.references, ['<first@x>', '<second@x>'])
  assert.equal(message.inReplyTo, '<first@x>')
  assert.equal(message.text.trim(), 'Grüße aus München')
  assert.equal(message.bcc, undefined)
  assert.equal(message.authentication.dmarc.result, 'temperror')
  const [attachment] = message.attachments
  assert.deepEqual(
    [attachment.filename, attachment.sizeBytes, attachment.sha256, attachment.messageId],
    ['Überblick.bin', file.length, createHash('sha256').update(file).digest('hex'), message.id],
  )
  assert.equal(message.mime.contentType, 'multipart/mixed')
  assert.equal(message.mime.parts[1].attachmentId, attachment.id)
  const link = ok(await call(url, 'GET', `/v1/attachments/${attachment.id}/download-url`, { key: tenant.key })).url
  assert.deepEqual(Buffer.from(await (await fetch(link)).arrayBuffer()), file)
})

test('nobody is let in but active mailboxes and signed return paths, and nothing is relayed', async () => {
  const tenant = await createTestTenant(database)
  const suspended = await secondMailbox(tenant)
  await setMailboxStatus(database, operatorOf(tenant.tenantId), suspended.id, 'suspended')
  const forged = signReturnPath(newId(), RETURN_PATH)
  const spoilt = forged.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@'))
  const to = ['nobody@example.com', `nobody@${tenant.address.split('@')[1]}`, suspended.address, forged, spoilt]
  const { replies } = await handIn(inbound.port, 'someone@example.test', to, plain())
  for (const reply of replies.slice(1)) assert.match(reply, /^550 5\.1\.1 /)
  assert.equal(replies.length, 1 + to.length)
})

test('the same mail again is taken and not doubled, also when two clients hand it in at once', async () => {
  const tenant = await createTestTenant(database)
  const message = plain()
  const again = () => handIn(inbound.port, 'someone@example.test', [tenant.address], message)
  const answers = await Promise.all([again(), again(), again()])
  answers.push(await again())
  for (const { last } of answers) assert.match(last, /^250 /)
  assert.equal((await list(tenant)).length, 1)
  assert.equal((await eventsOf(tenant, 'message.received')).length, 1)
  // Another envelope is another mail, and so is the same one a day later.
  await handIn(inbound.port, 'other@example.test', [tenant.address], message)
  assert.equal((await list(tenant)).length, 2)
  await database.pool.query(
    `update inbound_receipts set received_at = received_at - interval '25 hours' where tenant_id = $1`,
    [tenant.tenantId],
  )
  await again()
  assert.equal((await list(tenant)).length, 3)
})

test('mail is put off, never refused, while the database or the store is away', async () => {
  const tenant = await createTestTenant(database)
  const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  const without = { ...database, rows: () => Promise.reject(away), first: () => Promise.reject(away) }
  const lost = await startTestInbound(without, { store })
  const unknown = await handIn(lost.port, 'a@example.test', [tenant.address], plain())
  assert.match(unknown.replies[1] ?? '', /^451 4\.3\.0 /)
  const full = await startTestInbound(database, {
    store: { ...store, put: () => Promise.reject(new StoreUnavailable('full')) },
  })
  const refused = await handIn(full.port, 'a@example.test', [tenant.address], plain())
  assert.match(refused.last, /^451 4\.3\.0 /)
  assert.deepEqual(await list(tenant), [])
})

test('25 MiB are taken and one octet more is not', async () => {
  const tenant = await createTestTenant(database)
  const head = 'Subject: large\r\n\r\n'
  const line = `${'x'.repeat(1022)}\r\n`
  const limit = 25 * 1024 * 1024
  const exact = (size: number) => {
    const lines = line.repeat(Math.floor((size - head.length) / line.length) - 1)
    const rest = size - head.length - lines.length
    return `${head}${lines}${'y'.repeat(rest - 2)}\r\n`
  }
  assert.match((await handIn(inbound.port, 'a@example.test', [tenant.address], exact(limit + 1))).last, /^552 5\.3\.4 /)
  assert.deepEqual(await list(tenant), [])
  assert.match((await handIn(inbound.port, 'a@example.test', [tenant.address], exact(limit))).last, /^250 /)
  const [message] = await list(tenant)
  assert.equal(message.sizeBytes, limit)
  assert.equal((await read(tenant, message.id)).textTruncated, true)
})

test('odd mail of every kind is taken whole, listed, and shown as well as it can be', async () => {
  const tenant = await createTestTenant(database)
  for (const { name, raw: bytes } of ODD_SHAPES) {
    const { last } = await handIn(inbound.port, 'odd@example.test', [tenant.address], bytes)
    if (bytes.length > 25 * 1024 * 1024) continue
    assert.match(last, /^250 /, name)
    const [message] = await list(tenant)
    await read(tenant, message.id)
    const raw = await fetch(`${url}/v1/messages/${message.id}/raw`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    })
    assert.equal(raw.status, 200, name)
    const received = Buffer.from(await raw.arrayBuffer())
    assert.equal(received.subarray(0, bytes.length).compare(bytes), 0, name)
    assert(received.length <= bytes.length + 2, name)
  }
  assert(ODD_SHAPES.length > 20)
})

test('STARTTLS is offered and works', async () => {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: inbound.port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
  })
  const tenant = await createTestTenant(database)
  await transport.sendMail({ from: 'a@example.test', to: tenant.address, subject: 'secret', text: 'x' })
  assert.equal((await list(tenant))[0].subject, 'secret')
})

async function submitted(to: string[]) {
  const tenant = await createTestTenant(database)
  const sink = await startSmtpSink()
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  const { id } = ok(await send(url, tenant.key, { fromMailboxId: tenant.mailboxId, to, text: 'x' }), 202)
  const [mail] = await sink.received(1)
  await until('it is recorded', async () => (await read(tenant, id)).status === 'sent')
  await outbound.stop()
  await sink.stop()
  return { tenant, id, returnPath: mail?.from ?? '', envelopeId: signEnvelopeId(id, RETURN_PATH) }
}

test('reports to the return path move each recipient once, however often and in whatever order they come', async () => {
  const { tenant, id, returnPath, envelopeId } = await submitted(['one@example.test', 'two@example.test'])
  const tell = async (address: string, action: string, status: string, diagnostic?: string) => {
    const body = deliveryReport([{ address, action, status, ...(diagnostic ? { diagnostic } : {}) }], envelopeId)
    assert.match((await handIn(inbound.port, '', [returnPath], body)).last, /^250 /)
  }
  await tell('one@example.test', 'delayed', '4.4.1')
  assert.equal((await read(tenant, id)).status, 'sent')
  await tell('one@example.test', 'delivered', '2.0.0')
  await tell('two@example.test', 'failed', '5.1.1', '550 5.1.1 no such user')
  await tell('one@example.test', 'delivered', '2.0.0')
  await tell('two@example.test', 'delivered', '2.0.0')
  const message = await read(tenant, id)
  assert.equal(message.status, 'bounced')
  assert.deepEqual(
    message.recipients.map((r: { status: string; smtpCode: number; enhancedCode: string }) => [
      r.status,
      r.smtpCode,
      r.enhancedCode,
    ]),
    [
      ['delivered', null, '2.0.0'],
      ['bounced', 550, '5.1.1'],
    ],
  )
  assert.equal((await eventsOf(tenant, 'message.delivered')).length, 1)
  const [bounced, ...others] = await eventsOf(tenant, 'message.bounced')
  assert.deepEqual(others, [])
  assert.deepEqual(
    [bounced.data.recipient, bounced.data.bounce, bounced.data.smtpCode],
    ['two@example.test', { type: 'permanent' }, 550],
  )
  // None of it is mail of the tenant's.
  assert.equal((await list(tenant)).length, 1)
})

test('what comes back and reports nothing changes nothing: replies are ignored, riddles kept', async () => {
  const { tenant, id, returnPath } = await submitted(['one@example.test'])
  inbound.received.length = 0
  const vacation = 'From: one@example.test\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nBack soon\r\n'
  const riddle = 'From: someone@example.test\r\nSubject: Hm\r\n\r\nYour mail was interesting\r\n'
  const stranger = deliveryReport([
    { address: 'x@example.org', action: 'failed', status: '5.0.0' },
    { address: 'y@example.org', action: 'failed', status: '5.0.0' },
  ])
  for (const body of [vacation, riddle])
    assert.match((await handIn(inbound.port, '', [returnPath], body)).last, /^250 /)
  assert.deepEqual(inbound.received, ['auto_reply', 'unread_report'])
  assert.equal((await read(tenant, id)).status, 'sent')
  const { rows } = await database.pool.query('select count(*)::int as n from unread_reports where message_id = $1', [
    id,
  ])
  assert.equal(rows[0].n, 1)
  const two = await submitted(['one@example.test', 'two@example.test'])
  await handIn(inbound.port, '', [two.returnPath], stranger)
  assert.equal((await read(two.tenant, two.id)).status, 'sent')
})

test('a domain beyond ASCII takes mail however it is spelled, and so does the return path', async () => {
  const tenant = await createTestTenant(database)
  const { tenantId } = tenant
  await addDomain(database, operatorOf(tenantId), { domain: 'bücher.example', vouched: true })
  await createMailbox(database, operatorOf(tenantId), { address: 'a@bücher.example', displayName: 'Books' })
  const returnPaths = returnPathSettings('xn--rckgabe-n2a.example', TEST_SECRET_KEYS)
  const here = await startTestInbound(database, { store, config: { returnPathDomain: 'xn--rckgabe-n2a.example' } })

  const message = plain()
  for (const domain of ['xn--bcher-kva.example', 'XN--BCHER-KVA.Example', 'bücher.example', 'BÜCHER.example']) {
    const { replies } = await handIn(here.port, `a@${domain}`, [`A@${domain}`], message)
    for (const reply of replies) assert.match(reply, /^250 /, `${domain}: ${replies}`)
  }
  // It is one envelope, however it is spelled.
  const [received, ...more] = await list(tenant)
  assert.deepEqual(more, [])
  assert.equal((await read(tenant, received.id)).authentication.spf.domain, 'xn--bcher-kva.example')
  assert.match((await handIn(here.port, '', ['a@xn--bucher.example'], plain())).last, /^550 5\.1\.1 /)

  const sent = await submitted(['one@example.test'])
  const returnPath = signReturnPath(sent.id, returnPaths)
  for (const [path, action, status] of [
    [returnPath, 'delivered', 'delivered'],
    [returnPath.replace(/@.*/, '@rückgabe.example'), 'failed', 'bounced'],
  ] as const) {
    const body = deliveryReport([
      { address: 'one@example.test', action, status: action === 'failed' ? '5.1.1' : '2.0.0' },
    ])
    assert.match((await handIn(here.port, '', [path], body)).last, /^250 /)
    assert.equal((await read(sent.tenant, sent.id)).status, status)
  }
})
