// GET and PATCH of messages: every one is found once, shown as it is, and filed by each mailbox for itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import PostalMime from 'postal-mime'
import { newId } from '../../src/lib/uuid.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { operatorOf } from '../support/operator.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const { url } = await startTestApi(database, { store })

async function sendOne(tenant: TestTenant, more: object = {}): Promise<string> {
  const answer = await send(url, tenant.key, {
    fromMailboxId: tenant.mailboxId,
    to: ['you@example.test'],
    subject: 'Hello',
    text: 'Some words',
    ...more,
  })
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  return answer.body.id
}

async function list(tenant: TestTenant, query = '') {
  const answer = await call(url, 'GET', `/v1/messages${query}`, { key: tenant.key })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as { items: { id: string; createdAt: string }[]; nextCursor: string | null }
}

/** Follows the cursor to the end. */
async function listAll(tenant: TestTenant, limit: number, filter = ''): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await list(tenant, `?limit=${limit}${filter}${cursor && `&cursor=${cursor}`}`)
    assert(page.items.length <= limit)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return ids
}

const read = async (tenant: TestTenant, id: string) => {
  const answer = await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.message
}

const patch = (tenant: TestTenant, id: string, body: unknown) =>
  call(url, 'PATCH', `/v1/messages/${id}`, { key: tenant.key, body })

test('pages of any size give every message once, newest first, of one mailbox or of all', async () => {
  const tenant = await createTestTenant(database)
  const domain = tenant.address.split('@')[1]
  const other = await createMailbox(database, operatorOf(tenant.tenantId), {
    address: `other@${domain}`,
    displayName: 'Other',
  })
  const sent: string[] = []
  for (let i = 0; i < 8; i++) sent.unshift(await sendOne(tenant))
  for (let i = 0; i < 3; i++) sent.unshift(await sendOne(tenant, { fromMailboxId: other.id }))
  // All in one microsecond: only seq tells them apart.
  await database.pool.query(`update messages set created_at = '2026-01-01T00:00:00.5Z' where tenant_id = $1`, [
    tenant.tenantId,
  ])
  await database.pool.query(`update message_entries set created_at = '2026-01-01T00:00:00.5Z' where tenant_id = $1`, [
    tenant.tenantId,
  ])
  for (const limit of [1, 2, 3, 10, 11, 100]) {
    assert.deepEqual(await listAll(tenant, limit), sent)
    assert.deepEqual(await listAll(tenant, limit, `&mailboxId=${other.id}`), sent.slice(0, 3))
    assert.deepEqual(await listAll(tenant, limit, `&mailboxId=${tenant.mailboxId}`), sent.slice(3))
  }
  assert.equal((await list(tenant)).items.length, 11)
  assert.deepEqual((await list(tenant, '?cursor=2026-01-01T00:00:00.5Z')).items, [])
  assert.equal((await list(tenant, '?cursor=2026-01-01T00:00:00.500001Z')).items.length, 11)
  assert.deepEqual((await list(tenant, '?cursor=2025-12-31T23:59:59-01:00')).items.length, 11)
})

test('limits, cursors and mailboxes that are none are refused by name', async () => {
  const tenant = await createTestTenant(database)
  const refusal = async (query: string) => {
    const { status, body } = await call(url, 'GET', `/v1/messages?${query}`, { key: tenant.key })
    return [status, body.code, body.details?.fields?.[0]?.path ?? body.details?.field]
  }
  assert.deepEqual(await refusal('limit=0'), [400, 'validation_error', 'limit'])
  assert.deepEqual(await refusal('limit=101'), [400, 'validation_error', 'limit'])
  assert.deepEqual(await refusal('limit=x'), [400, 'validation_error', 'limit'])
  assert.deepEqual(await refusal('cursor=yesterday'), [400, 'invalid_cursor', undefined])
  assert.deepEqual(await refusal('cursor='), [400, 'invalid_cursor', undefined])
  assert.deepEqual(await refusal('mailboxId=1'), [400, 'validation_error', 'mailboxId'])
  assert.deepEqual(await refusal(`mailboxId=${newId()}`), [404, 'not_found', 'mailboxId'])
  const foreign = await createTestTenant(database)
  assert.deepEqual(await refusal(`mailboxId=${foreign.mailboxId}`), [404, 'not_found', 'mailboxId'])
})

test('a summary and the whole of a message say what was sent, before and after it is built', async () => {
  const tenant = await createTestTenant(database)
  const id = await sendOne(tenant, {
    cc: ['cc@example.test'],
    bcc: ['bcc@example.test'],
    subject: 'Grüße',
    text: 'Plain ünd\nsimple',
    html: '<p>Rich</p>',
  })
  const [summary] = (await list(tenant)).items
  const messageId = `<${id}@${tenant.address.split('@')[1]}>`
  assert(summary)
  const { createdAt } = summary
  assert.deepEqual(summary, {
    id,
    object: 'message',
    direction: 'outbound',
    status: 'queued',
    from: { address: tenant.address, name: 'Sender' },
    to: [{ address: 'you@example.test', name: null }],
    cc: [{ address: 'cc@example.test', name: null }],
    subject: 'Grüße',
    preview: 'Plain ünd simple',
    hasAttachments: false,
    attachmentCount: 0,
    sizeBytes: null,
    messageId,
    inReplyTo: null,
    mailboxes: [{ mailboxId: tenant.mailboxId, folder: 'sent', isRead: true, isStarred: false }],
    sentAt: null,
    receivedAt: null,
    createdAt,
  })
  const queued = await read(tenant, id)
  assert.equal(queued.text, 'Plain ünd\nsimple')
  assert.deepEqual(queued.bcc, [{ address: 'bcc@example.test', name: null }])
  assert.deepEqual(
    queued.mime.parts.map((part: { partId: string; contentType: string; sizeBytes: number }) => [
      part.partId,
      part.contentType,
      part.sizeBytes,
    ]),
    [
      ['1.1', 'text/plain', 18],
      ['1.2', 'text/html', 11],
    ],
  )
  assert.equal((await call(url, 'GET', `/v1/messages/${id}/raw`, { key: tenant.key })).status, 404)

  const sink = await startSmtpSink()
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  const sent = await until('it is sent', async () => {
    const message = await read(tenant, id)
    return message.status === 'sent' && message
  })
  await outbound.stop()
  await sink.stop()
  const raw = await fetch(`${url}/v1/messages/${id}/raw`, { headers: { authorization: `Bearer ${tenant.key}` } })
  const bytes = Buffer.from(await raw.arrayBuffer())
  assert.equal(raw.headers.get('content-type'), 'message/rfc822')
  assert.equal(Number(raw.headers.get('content-length')), bytes.length)
  assert.equal(sent.sizeBytes, bytes.length)
  assert.deepEqual(sink.mails.find(({ bytes: taken }) => taken.includes(id))?.bytes, bytes)

  // The description is that of the bytes.
  assert.deepEqual(sent.mime, queued.mime)
  assert.deepEqual(sent.headers, queued.headers)
  const parsed = await PostalMime.parse(bytes)
  const shown = Object.fromEntries(
    sent.headers.map(({ name, value }: { name: string; value: string }) => [name.toLowerCase(), value]),
  )
  assert.deepEqual(
    Object.keys(shown),
    parsed.headers.map(({ key }) => key),
  )
  for (const { key, value } of parsed.headers) {
    if (!['subject', 'from'].includes(key)) assert.equal(shown[key], value, key)
  }
})

test('a body beyond 1 MiB is cut and says so; one of 1 MiB is not', async () => {
  const tenant = await createTestTenant(database)
  const limit = 1024 * 1024
  const whole = await read(tenant, await sendOne(tenant, { text: null, html: 'x'.repeat(limit) }))
  assert.equal(whole.html.length, limit)
  assert.equal(whole.htmlTruncated, false)
  const cut = await read(tenant, await sendOne(tenant, { text: null, html: `${'x'.repeat(limit - 1)}ü` }))
  assert.equal(cut.html.length, limit - 1)
  assert.equal(cut.htmlTruncated, true)
})

test('an update changes what it names, with an event, and leaves the rest', async () => {
  const tenant = await createTestTenant(database)
  const id = await sendOne(tenant)
  const { mailboxId } = tenant
  const updated = await patch(tenant, id, { mailboxId, isStarred: true, folder: 'archive' })
  assert.deepEqual([updated.status, updated.body], [200, { id, updated: true }])
  assert.deepEqual((await read(tenant, id)).mailboxes, [
    { mailboxId, folder: 'archive', isRead: true, isStarred: true },
  ])
  // One that changes nothing has an event as well.
  assert.equal((await patch(tenant, id, { mailboxId, isStarred: true })).status, 200)
  await feedCaughtUp(database)
  const { items } = (await call(url, 'GET', '/v1/events', { key: tenant.key })).body
  const events = items.filter(({ type }: { type: string }) => type === 'message.updated')
  assert.deepEqual(
    events.map(({ data }: { data: { changes: object } }) => data.changes),
    [{ isStarred: true, folder: 'archive' }, { isStarred: true }],
  )
  const { changes: _changes, ...data } = events[0].data
  assert.deepEqual(data, {
    object: 'message',
    id,
    mailboxId,
    direction: 'outbound',
    messageId: `<${id}@${tenant.address.split('@')[1]}>`,
    subject: 'Hello',
    from: { address: tenant.address, name: 'Sender' },
    to: [{ address: 'you@example.test', name: null }],
    status: 'queued',
  })
})

test('the trash remembers when something came into it, until it goes', async () => {
  const tenant = await createTestTenant(database)
  const id = await sendOne(tenant)
  const { mailboxId } = tenant
  const trashedAt = async () =>
    (await database.pool.query('select trashed_at from message_entries where message_id = $1', [id])).rows[0].trashed_at
  await patch(tenant, id, { mailboxId, folder: 'trash' })
  const first = await trashedAt()
  assert(first)
  await patch(tenant, id, { mailboxId, folder: 'trash', isRead: false })
  assert.equal(await trashedAt(), first)
  await patch(tenant, id, { mailboxId, folder: 'inbox' })
  assert.equal(await trashedAt(), null)
})

test('updates at the same time lose nothing of one another', async () => {
  const tenant = await createTestTenant(database)
  const { mailboxId } = tenant
  for (let round = 0; round < 5; round++) {
    const id = await sendOne(tenant)
    const answers = await Promise.all([
      patch(tenant, id, { mailboxId, isRead: false }),
      patch(tenant, id, { mailboxId, isStarred: true }),
      patch(tenant, id, { mailboxId, folder: 'spam' }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.deepEqual((await read(tenant, id)).mailboxes, [
      { mailboxId, folder: 'spam', isRead: false, isStarred: true },
    ])
  }
})

test('an update that names nothing to change, or something else, is refused', async () => {
  const tenant = await createTestTenant(database)
  const id = await sendOne(tenant)
  const { mailboxId } = tenant
  const refusal = async (body: unknown) => {
    const answer = await patch(tenant, id, body)
    return [answer.status, answer.body.code, answer.body.details?.fields?.[0]?.path]
  }
  assert.deepEqual(await refusal({ mailboxId }), [400, 'validation_error', ''])
  assert.deepEqual(await refusal({ isRead: true, isStarred: true }), [400, 'validation_error', 'mailboxId'])
  assert.deepEqual(await refusal({ mailboxId, isRead: null }), [400, 'validation_error', 'isRead'])
  assert.deepEqual(await refusal({ mailboxId, isRead: 'true' }), [400, 'validation_error', 'isRead'])
  assert.deepEqual(await refusal({ mailboxId, folder: 'drafts' }), [400, 'validation_error', 'folder'])
  assert.deepEqual(await refusal({ mailboxId, isRead: true, tenantId: newId() }), [400, 'validation_error', 'tenantId'])
})

test('a mailbox without the message is named, whoever has it, and only for a message that is there', async () => {
  const tenant = await createTestTenant(database)
  const { mailboxId: foreign } = await createTestTenant(database)
  const { id: other } = await createMailbox(database, operatorOf(tenant.tenantId), {
    address: `other@${tenant.address.split('@')[1]}`,
    displayName: 'Other',
  })
  const id = await sendOne(tenant)
  for (const mailboxId of [other, foreign, newId()]) {
    const { status, body } = await patch(tenant, id, { mailboxId, isRead: true })
    assert.deepEqual([status, body.code, body.details], [404, 'not_found', { field: 'mailboxId' }])
    const absent = await patch(tenant, newId(), { mailboxId, isRead: true })
    assert.deepEqual([absent.status, absent.body.code, absent.body.details], [404, 'not_found', undefined])
  }
})

test('neither another tenant nor another environment sees, reads or files a message', async () => {
  const tenant = await createTestTenant(database)
  const id = await sendOne(tenant)
  const strangers = [await createTestTenant(database), await createTestTenant(database, { environment: 'sandbox' })]
  const never = newId()
  for (const stranger of strangers) {
    assert.deepEqual((await list(stranger)).items, [])
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/raw', undefined],
      ['PATCH', '', { mailboxId: tenant.mailboxId, isRead: true }],
    ] as const) {
      const answers = await Promise.all(
        [id, never].map((message) => call(url, method, `/v1/messages/${message}${path}`, { key: stranger.key, body })),
      )
      const [foreign, absent] = answers.map(({ status, body: { requestId: _id, ...said } }) => ({ status, said }))
      assert.equal(foreign?.status, 404)
      assert.deepEqual(foreign, absent)
    }
  }
})
