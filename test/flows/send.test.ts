// POST /v1/messages: what it takes, what it refuses, and what is durable when it answers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlan } from '../../src/apps/create-plan.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { setMailboxStatus } from '../../src/mailboxes/set-mailbox-status.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase()
const { url, groups } = await startTestApi(database)
const tenant = await createTestTenant(database)

const mail = (change: Record<string, unknown> = {}) => ({
  fromMailboxId: tenant.mailboxId,
  to: ['someone@example.test'],
  subject: 'Hello',
  text: 'Hello there',
  ...change,
})
const addresses = (count: number, name = 'r') => Array.from({ length: count }, (_, i) => `${name}${i}@example.test`)
const faults = (answer: { body: { details: { fields: { path: string; code: string }[] } } }) =>
  answer.body.details.fields.map((field) => `${field.path} ${field.code}`)

test('a message is queued and can be read with its story', async () => {
  const answer = await send(url, tenant.key, mail({ cc: ['copy@example.test'], bcc: ['hidden@example.test'] }))
  assert.equal(answer.status, 202)
  assert.deepEqual(Object.keys(answer.body).sort(), ['id', 'object', 'status'])
  assert.equal(answer.body.status, 'queued')
  assert.equal(answer.headers.get('idempotent-replayed'), null)
  assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)

  const read = await call(url, 'GET', `/v1/messages/${answer.body.id}`, { key: tenant.key })
  assert.equal(read.status, 200)
  const { message } = read.body
  assert.equal(message.status, 'queued')
  assert.deepEqual(message.from, { address: tenant.address, name: 'Sender' })
  assert.deepEqual(message.to, [{ address: 'someone@example.test', name: null }])
  assert.deepEqual(message.bcc, [{ address: 'hidden@example.test', name: null }])
  assert.equal(message.text, 'Hello there')
  assert.equal(message.html, null)
  assert.equal(message.preview, 'Hello there')
  assert.equal(message.messageId, `<${answer.body.id}@${tenant.address.split('@')[1]}>`)
  assert.deepEqual(
    message.recipients.map((r: { address: string; kind: string; status: string }) => [r.address, r.kind, r.status]),
    [
      ['someone@example.test', 'to', 'queued'],
      ['copy@example.test', 'cc', 'queued'],
      ['hidden@example.test', 'bcc', 'queued'],
    ],
  )
  assert.deepEqual(message.mailboxes, [{ mailboxId: tenant.mailboxId, folder: 'sent', isRead: true, isStarred: false }])
  assert.match(message.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)

  await feedCaughtUp(database)
  const events = await call(url, 'GET', '/v1/events?limit=100', { key: tenant.key })
  const queued = events.body.items.filter((e: { resourceId: string }) => e.resourceId === answer.body.id)
  assert.equal(queued.length, 1)
  assert.equal(queued[0].type, 'message.queued')
  assert.equal(queued[0].data.id, answer.body.id)
  assert.equal(queued[0].data.object, 'message')
})

test('everything belonging to a message is committed with it', async () => {
  const { body } = await send(url, tenant.key, mail())
  const [counts] = await database.rows(sql<Record<string, number>>`
    select
      (select count(*) from messages where id = ${body.id}) as messages,
      (select count(*) from messages where id = ${body.id} and in_sent) as "inSent",
      (select count(*) from message_states where message_id = ${body.id} and open = 1) as states,
      (select count(*) from message_entries where message_id = ${body.id}) as entries,
      (select count(*) from events where resource_id = ${body.id}) as events,
      (select count(*) from jobs where subject_id = ${body.id} and queue = 'outbound') as jobs,
      (select count(*) from events where resource_id = ${body.id} and app_id = ${tenant.appId} and key_id is not null) as senders,
      (select count(*) from idempotency_keys where resource_id = ${body.id}) as keys`)
  assert.deepEqual(counts, {
    messages: 1,
    inSent: 1,
    states: 1,
    entries: 0,
    events: 1,
    jobs: 1,
    senders: 1,
    keys: 1,
  })
})

for (const [name, change, fault] of [
  ['1 recipient', { to: addresses(1) }, null],
  ['no recipient', { to: [] }, 'to too_few'],
  ['50 recipients', { to: addresses(50) }, null],
  ['51 recipients', { to: addresses(51) }, 'to too_many'],
  ['50 in cc', { cc: addresses(50) }, null],
  ['51 in cc', { cc: addresses(51) }, 'cc too_many'],
  ['50 in bcc', { bcc: addresses(50) }, null],
  ['51 in bcc', { bcc: addresses(51) }, 'bcc too_many'],
  ['a subject of 998 characters', { subject: 'x'.repeat(998) }, null],
  ['a subject of 999 characters', { subject: 'x'.repeat(999) }, 'subject too_long'],
  ['998 characters outside the basic plane', { subject: '😀'.repeat(998) }, null],
  ['a text of 1,000,000 characters', { text: 'x'.repeat(1_000_000) }, null],
  ['a text of 1,000,001 characters', { text: 'x'.repeat(1_000_001) }, 'text too_long'],
  ['an html of 2,000,000 characters', { html: 'x'.repeat(2_000_000) }, null],
  ['an html of 2,000,001 characters', { html: 'x'.repeat(2_000_001) }, 'html too_long'],
  ['21 attachments', { attachmentIds: Array.from({ length: 21 }, () => newId()) }, 'attachmentIds too_many'],
  ['no subject', { subject: undefined }, null],
  ['text null beside html', { text: null, html: '<p>x</p>' }, null],
  ['neither text nor html', { text: undefined }, 'text required'],
  ['text and html null', { text: null, html: null }, 'text required'],
  ['an empty text', { text: '' }, null],
  ['an address without a domain', { to: ['someone'] }, 'to[0] invalid_email'],
  ['an address with a name', { to: ['a@b.test', 'X <x@y.test>'] }, 'to[1] invalid_email'],
  ['an address with a line break', { cc: ['a@b.test\r\nBcc: x@y.test'] }, 'cc[0] invalid_email'],
  ['an international address', { to: ['用户@例子.test'] }, null],
  ['a domain that has no form in ASCII', { to: ['a@b.test', 'a@אa1.test'] }, 'to[1] invalid_email'],
  ['a domain that is an IPv4 address in ASCII', { to: ['a@1.2.3.４'] }, 'to[0] invalid_email'],
  ['a label that is too long in ASCII', { bcc: [`a@${'ü'.repeat(60)}.test`] }, 'bcc[0] invalid_email'],
  ['a domain that is too long in ASCII', { bcc: [`a@${'äöü.'.repeat(40)}test`] }, 'bcc[0] invalid_email'],
  ['a NUL in the text', { text: 'a\u0000b' }, 'text invalid_text'],
  ['half a surrogate pair', { subject: '\ud800' }, 'subject invalid_text'],
  ['an unknown property', { tenantId: newId() }, 'tenantId unknown_field'],
  ['a mailbox id that is no UUID', { fromMailboxId: 'x' }, 'fromMailboxId invalid_uuid'],
  ['no sender', { fromMailboxId: undefined }, 'fromMailboxId required'],
  ['recipients as a text', { to: 'a@b.test' }, 'to wrong_type'],
  ['a number as subject', { subject: 7 }, 'subject wrong_type'],
] as [string, Record<string, unknown>, string | null][]) {
  test(`${name} ${fault ? 'is refused' : 'is taken'}`, async () => {
    const answer = await send(url, tenant.key, mail(change))
    if (fault === null) return assert.equal(answer.status, 202, JSON.stringify(answer.body))
    assert.equal(answer.status, 400)
    assert.equal(answer.body.code, 'validation_error')
    assert(faults(answer).includes(fault), JSON.stringify(answer.body))
  })
}

test('a validation error lists every field at fault', async () => {
  const answer = await send(url, tenant.key, { to: [], subject: 7, extra: 1 })
  assert.deepEqual(faults(answer).sort(), [
    'extra unknown_field',
    'fromMailboxId required',
    'subject wrong_type',
    'text required',
    'to too_few',
  ])
  for (const none of ['null', '[]', '"x"'])
    assert.doesNotMatch(faults(await send(url, tenant.key, none)).join(), /text/)
})

test('every attachment that is given twice is reported, beside the other faults', async () => {
  const [one, two] = [newId(), newId()]
  const twice = { attachmentIds: [one, two, one.toUpperCase(), two, one] }
  const duplicates = ['attachmentIds[2] duplicate', 'attachmentIds[3] duplicate', 'attachmentIds[4] duplicate']
  const alone = await send(url, tenant.key, mail(twice))
  assert.deepEqual([alone.status, faults(alone)], [400, duplicates])
  assert.deepEqual(faults(await send(url, tenant.key, mail({ ...twice, to: ['x'] }))), [
    'to[0] invalid_email',
    ...duplicates,
  ])
})

test('of a send that is wrong throughout everything is reported, of nonsense a thousand faults', async () => {
  const bad = Array.from({ length: 50 }, (_, i) => `bad-${i}`)
  const attachmentIds = Array.from({ length: 20 }, () => 'x')
  const answer = await send(url, tenant.key, mail({ to: bad, cc: bad, bcc: bad, attachmentIds }))
  const expected = [
    ...['to', 'cc', 'bcc'].flatMap((list) => bad.map((_, i) => `${list}[${i}] invalid_email`)),
    ...attachmentIds.map((_, i) => `attachmentIds[${i}] invalid_uuid`),
  ]
  assert.deepEqual(faults(answer).sort(), expected.sort())
  assert.equal(faults(await send(url, tenant.key, mail({ to: Array(1_001).fill('x') }))).length, 1_000)
})

test('a body above 36 MiB is refused, one just below is read', async () => {
  const limit = 36 * 1024 * 1024
  const around = (bytes: number) => `{"x":"${'a'.repeat(bytes - 8)}"}`
  const above = await send(url, tenant.key, around(limit + 1))
  assert.deepEqual([above.status, above.body.code], [413, 'payload_too_large'])
  const at = await send(url, tenant.key, around(limit))
  assert.deepEqual([at.status, at.body.code], [400, 'validation_error'])
})

test('whatever the limits of the fields allow is taken in JSON’s longest spelling, and a character more is not', async () => {
  const escaped = (text: string) =>
    text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const unit = escaped('😀')
  const addresses = (list: string) =>
    Array.from({ length: 50 }, (_, i) => `${list}${i}@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.test`)
  const { fromMailboxId } = mail()
  const body = (text: number, html: number) => {
    const lists = (['to', 'cc', 'bcc'] as const).map(
      (list) => `"${escaped(list)}":[${addresses(list).map((address) => `\n        "${escaped(address)}"`)}]`,
    )
    return `{"${escaped('fromMailboxId')}":"${escaped(fromMailboxId)}",${lists},"subject":"${unit.repeat(998)}",
      "text":"${unit.repeat(text)}","html":"${unit.repeat(html)}"}`
  }
  const largest = await send(url, tenant.key, body(1_000_000, 2_000_000))
  assert.equal(largest.status, 202, JSON.stringify(largest.body))
  for (const [text, html, fault] of [
    [1_000_001, 2_000_000, 'text too_long'],
    [1_000_000, 2_000_001, 'html too_long'],
  ] as const) {
    const answer = await send(url, tenant.key, body(text, html))
    assert.deepEqual([answer.status, faults(answer)], [400, [fault]])
  }
  const { rows } = await database.pool.query(
    'select char_length(text) as text, char_length(html) as html from messages where id = $1',
    [largest.body.id],
  )
  assert.deepEqual(rows, [{ text: 1_000_000, html: 2_000_000 }])
})

test('bad JSON, another content type, another method and an unknown path are told apart', async () => {
  const key = tenant.key
  const headers = { 'idempotency-key': 'whatever-1' }
  const bad = await call(url, 'POST', '/v1/messages', { key, body: '{"a":', headers })
  assert.deepEqual([bad.status, bad.body.code], [400, 'invalid_json'])
  const notUtf8 = await call(url, 'POST', '/v1/messages', { key, body: Buffer.from('{"a":"\xff"}', 'latin1'), headers })
  assert.deepEqual([notUtf8.status, notUtf8.body.code], [400, 'invalid_json'])
  const polluting = await call(url, 'POST', '/v1/messages', { key, body: '{"__proto__":{"x":1}}', headers })
  assert.deepEqual([polluting.status, polluting.body.code], [400, 'validation_error'])
  const type = await call(url, 'POST', '/v1/messages', {
    key,
    body: 'a=b',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.deepEqual([type.status, type.body.code], [415, 'unsupported_media_type'])
  const method = await call(url, 'DELETE', '/v1/messages', { key })
  assert.deepEqual([method.status, method.body.code], [405, 'method_not_allowed'])
  assert.match(method.headers.get('allow') ?? '', /POST/)
  const path = await call(url, 'GET', '/v1/nothing', { key })
  assert.deepEqual([path.status, path.body.code], [404, 'not_found'])
  for (const answer of [bad, type, method, path]) {
    assert.equal(answer.body.error, answer.body.code)
    assert.equal(answer.body.requestId, answer.headers.get('x-request-id'))
  }
})

test('the Idempotency-Key is needed, and has 8 to 255 characters', async () => {
  const without = await call(url, 'POST', '/v1/messages', { key: tenant.key, body: mail() })
  assert.deepEqual([without.status, without.body.code], [400, 'missing_idempotency_key'])
  for (const [length, status] of [
    [7, 400],
    [8, 202],
    [255, 202],
    [256, 400],
  ] as const) {
    const answer = await send(url, tenant.key, mail(), 'k'.repeat(length))
    assert.equal(answer.status, status, `${length} characters`)
    if (status === 400) assert.equal(answer.body.code, 'invalid_idempotency_key')
  }
})

test('the same request again gives the first answer, marked as replayed', async () => {
  const key = `replay-${newId()}`
  const first = await send(url, tenant.key, mail(), key)
  const second = await send(url, tenant.key, mail(), key)
  assert.equal(second.status, 202)
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
})

test('white space, key order and unsaid defaults make no other request; content does', async () => {
  const key = `canonical-${newId()}`
  const { fromMailboxId } = mail()
  const first = await send(url, tenant.key, { fromMailboxId, to: ['a@b.test'], text: 'x' }, key)
  const body = `{ "text":"x",\n "html":null, "bcc":[], "attachmentIds":[], "subject":"", "cc":[],
    "to":["a@b.test"], "fromMailboxId":"${fromMailboxId}" }`
  const same = await send(url, tenant.key, body, key)
  assert.deepEqual([same.status, same.body.id], [202, first.body.id])
  const other = await send(url, tenant.key, { fromMailboxId, to: ['a@b.test'], text: 'y' }, key)
  assert.deepEqual([other.status, other.body.code], [409, 'idempotency_conflict'])
})

test('fifty sends at once with one key make one message', async () => {
  const key = `fifty-${newId()}`
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(url, tenant.key, mail(), key)))
  assert(answers.every((answer) => answer.status === 202))
  assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
  assert.equal(answers.filter((answer) => answer.headers.get('idempotent-replayed') !== 'true').length, 1)
  const [row] = await database.rows(sql<{ messages: number }>`
    select count(*) as messages from idempotency_keys k join messages m on m.id = k.resource_id where k.key = ${key}`)
  assert.equal(row?.messages, 1)
})

test('two processes given the same keys at the same time make each message once', async () => {
  const other = await startTestApi(database)
  const keys = Array.from({ length: 40 }, () => `both-${newId()}`)
  const answers = await Promise.all(
    keys.flatMap((key, i) => {
      const urls = i % 2 ? [url, other.url] : [other.url, url]
      return urls.map((u) => send(u, tenant.key, mail(), key))
    }),
  )
  for (const [i] of keys.entries()) {
    const [a, b] = [answers[2 * i], answers[2 * i + 1]]
    assert.deepEqual([a?.status, b?.status], [202, 202])
    assert.equal(a?.body.id, b?.body.id)
  }
  const [row] = await database.rows(sql<{ n: number }>`
    select count(*) as n from messages where id = any(${answers.map((a) => a.body.id)})`)
  assert.equal(row?.n, keys.length)
})

test('a refused request leaves its key free', async () => {
  const key = `free-${newId()}`
  const refused = await send(url, tenant.key, mail({ fromMailboxId: newId() }), key)
  assert.deepEqual([refused.status, refused.body.code], [404, 'not_found'])
  assert.equal(refused.body.details.field, 'fromMailboxId')
  assert.equal((await send(url, tenant.key, mail(), key)).status, 202)
})

test('the mailbox of another tenant is as absent as one that never was', async () => {
  const other = await createTestTenant(database)
  const foreign = await send(url, tenant.key, mail({ fromMailboxId: other.mailboxId }))
  const unknown = await send(url, tenant.key, mail({ fromMailboxId: newId() }))
  for (const answer of [foreign, unknown]) delete answer.body.requestId
  assert.deepEqual([foreign.status, foreign.body], [unknown.status, unknown.body])
})

test('the message of another tenant, and of the other environment, is absent', async () => {
  const { body } = await send(url, tenant.key, mail())
  const other = await createTestTenant(database)
  for (const key of [other.key]) {
    const answer = await call(url, 'GET', `/v1/messages/${body.id}`, { key })
    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'])
  }
  const malformed = await call(url, 'GET', '/v1/messages/not-an-id', { key: tenant.key })
  assert.deepEqual([malformed.status, malformed.body.code], [404, 'not_found'])
})

test('a suspended mailbox cannot send, and can again when it is resumed', async () => {
  const other = await createTestTenant(database)
  await setMailboxStatus(database, operatorOf(other.tenantId), other.mailboxId, 'suspended')
  const body = mail({ fromMailboxId: other.mailboxId })
  const answer = await send(url, other.key, body)
  assert.deepEqual([answer.status, answer.body.code], [403, 'mailbox_suspended'])
  await setMailboxStatus(database, operatorOf(other.tenantId), other.mailboxId, 'active')
  assert.equal((await send(url, other.key, body)).status, 202)
})

test('attachments that do not exist are refused by name', async () => {
  const answer = await send(url, tenant.key, mail({ attachmentIds: [newId()] }))
  assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'])
  assert.equal(answer.body.details.field, 'attachmentIds[0]')
})

test("a plan's capacity is counted by recipient, exactly, over two processes at once", async () => {
  await createPlan(database, operator, 'tiny', { messagesPerMonth: 100 })
  const small = await createTestTenant(database, { plan: 'tiny' })
  const other = await startTestApi(database)
  const body = { fromMailboxId: small.mailboxId, to: addresses(3), text: 'x' }
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => send(i % 2 ? url : other.url, small.key, body)),
  )
  const accepted = answers.filter((answer) => answer.status === 202)
  const refused = answers.filter((answer) => answer.status === 402)
  assert.equal(accepted.length, 33)
  assert.equal(refused.length, 27)
  assert.equal(refused[0]?.body.code, 'plan_capacity_exceeded')
  const { resource, limit, used, resetsAt } = refused[0]?.body.details ?? {}
  assert.deepEqual([resource, limit, used], ['messages', 100, 99])
  assert.match(resetsAt, /^\d{4}-\d\d-01T00:00:00/)

  const key = `capacity-${newId()}`
  assert.equal((await send(url, small.key, body, key)).status, 402)
  const fits = await send(url, small.key, { ...body, to: addresses(1) }, key)
  assert.equal(fits.status, 202, 'one recipient still fits, and the refused key was free')
})

test('an address named twice is one recipient', async () => {
  const answer = await send(
    url,
    tenant.key,
    mail({
      to: ['a@b.test', 'a@B.TEST', 'a@bücher.example'],
      cc: ['a@b.test', 'a@xn--bcher-kva.example'],
      bcc: ['A@b.test', 'a@BÜCHER.example'],
    }),
  )
  const { body } = await call(url, 'GET', `/v1/messages/${answer.body.id}`, { key: tenant.key })
  assert.deepEqual(
    body.message.recipients.map((r: { address: string }) => r.address),
    ['a@b.test', 'a@bücher.example', 'A@b.test'],
  )
  assert.equal(body.message.to.length, 3)
})

test('an expired key may be used for something else', async () => {
  const key = `expired-${newId()}`
  const first = await send(url, tenant.key, mail(), key)
  await database.rows(
    sql`update idempotency_keys set expires_at = clock_timestamp() - interval '1 second' where key = ${key}`,
  )
  const second = await send(url, tenant.key, mail({ subject: 'Something else' }), key)
  assert.equal(second.status, 202)
  assert.notEqual(second.body.id, first.body.id)
  assert.equal(second.headers.get('idempotent-replayed'), null)
})

test('requests that arrive together are written together', async () => {
  groups.length = 0
  const answers = await Promise.all(Array.from({ length: 100 }, () => send(url, tenant.key, mail())))
  assert(answers.every((answer) => answer.status === 202))
  assert(Math.max(...groups) > 1, `groups of ${groups.join(', ')}`)
  assert.equal(
    groups.reduce((sum, size) => sum + size, 0),
    100,
  )
})

test('a key without the scope is refused, with the scope that it needs', async () => {
  const reader = await createTestTenant(database, { scopes: ['messages:read'] })
  const answer = await send(url, reader.key, mail())
  assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope'])
  assert.deepEqual(answer.body.details.required, ['messages:send'])
})
