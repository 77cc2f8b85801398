// A draft that is due becomes a message like one of the API, but for who sent it; what cannot be sent is a draft again.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPlan } from '../../src/apps/create-plan.ts'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { setMailboxAccess } from '../../src/mailboxes/set-mailbox-access.ts'
import { setMailboxStatus } from '../../src/mailboxes/set-mailbox-status.ts'
import { messageTimeline } from '../../src/messages/timeline/message-timeline.ts'
import type { DraftContent } from '../../src/servers/webmail/draft-schemas.ts'
import { call, openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { draftOf, draftsOf, fallDue, tracesOf } from '../support/drafts.ts'
import { startTestInbound } from '../support/inbound.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'
import { HEAD, makePlace, part, receive, withFiles } from '../support/webmail-mail.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const api = await startTestApi(database, { store })
const inbound = await startTestInbound(database, { store })
const site = await startTestSite('webmail', database, { store })
const sink = await startSmtpSink()
after(() => sink.stop())
// What is due is heard of or known beforehand: nothing below waits for a poll.
const outbound = await startTestOutbound(database, { relayUrl: sink.url, store, pollMs: 60_000 })
const { ask, save, saved, send, takeBack, read } = draftsOf(site)
const NONE = { messages: 0, events: 0, jobs: 0, acts: 0 }

/** Sends it at once, and gives what the relay got. */
async function sentNow(user: TestUser, content: DraftContent) {
  const draft = await saved(user, content)
  const { status, text } = await send(user, draft.id)
  assert.equal(status, 200, text)
  await fallDue(database, draft.id)
  return { ...draft, raw: await mailOf(draft.messageId) }
}

async function mailOf(messageId: Uuid): Promise<string> {
  const found = () => sink.mails.find(({ bytes }) => bytes.includes(`Message-ID: <${messageId}@`))
  return (await until('the mail', found)).bytes.toString()
}

/** A field of a header, unfolded. */
function field(raw: string, name: string): string | undefined {
  const header = raw.slice(0, raw.indexOf('\r\n\r\n'))
  return new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(header)?.[1]?.replaceAll(/\r\n[ \t]/g, ' ')
}

/** Waits until it is a draft that says why it was not sent. */
const failed = (user: TestUser, id: Uuid) =>
  until('the draft is open again', async () => (await read(user, id)).body.failure ?? undefined)

test('ten seconds after Send it is a message, not before, and until then nothing of it is there', async () => {
  const { tenant, user } = await makePlace(database)
  const draft = await saved(user, draftOf(tenant.mailboxId))
  const { body } = await send(user, draft.id)
  assert.deepEqual([body.messageId, body.due.isScheduled], [draft.messageId, false])
  assert.deepEqual((await read(user, draft.id)).body.due, body.due)
  assert.deepEqual(await tracesOf(database, tenant.tenantId, draft.messageId), NONE)
  await mailOf(draft.messageId)
  const sent = await database.first(sql<{ lateMs: number }>`
    select extract(epoch from created_at - ${body.due.at}::timestamptz) * 1000 as "lateMs" from messages
    where id = ${draft.messageId}`)
  const lateMs = Number(sent?.lateMs)
  assert(lateMs >= 0 && lateMs < 5_000, `${lateMs} ms late`)
  assert.equal((await read(user, draft.id)).status, 404)
})

test('who sent it is the user and no application, in the API, in events and in the audit log', async () => {
  const { tenant, user } = await makePlace(database)
  const { messageId } = await sentNow(user, draftOf(tenant.mailboxId, { cc: [{ address: 'b@c.example', name: 'B' }] }))
  const { body } = await call(api.url, 'GET', `/v1/messages/${messageId}`, { key: tenant.key })
  assert.doesNotMatch(JSON.stringify(body), /appId/)
  assert.deepEqual(
    [body.message.direction, body.message.mailboxes, body.message.cc],
    [
      'outbound',
      [{ mailboxId: tenant.mailboxId, folder: 'sent', isRead: true, isStarred: false }],
      [{ address: 'b@c.example', name: 'B' }],
    ],
  )
  const events = await call(api.url, 'GET', `/v1/events?resourceId=${messageId}`, { key: tenant.key })
  assert.doesNotMatch(JSON.stringify(events.body), /appId/)
  assert.equal(events.body.items[0].type, 'message.queued')
  const row = await database.first(sql`
    select m.app_id, m.mailbox_user_id as user_id, e.app_id as event_app, e.key_id, e.client_address, l.client_address as from_where, l.operation,
      l.mailbox_user_id as by_user, l.app_id as by_app, u.recipients
    from messages m
    join events e on e.resource_id = m.id and e.type = 'message.queued'
    join audit_log l on l.resource_id = m.id
    join tenant_usage u on u.tenant_id = m.tenant_id
    where m.id = ${messageId}`)
  assert.deepEqual(row, {
    ...{ app_id: null, user_id: user.id, event_app: null, key_id: null, client_address: null, from_where: '127.0.0.1' },
    ...{ operation: 'draft.send', by_user: user.id, by_app: null, recipients: 2 },
  })
})

test('an Owner sees who wrote it, and from where it was sent', async () => {
  const { tenant, user } = await makePlace(database)
  const { messageId } = await sentNow(user, draftOf(tenant.mailboxId))
  const [accepted] = (await messageTimeline(database, operatorOf(tenant.tenantId), messageId)).items
  assert(accepted?.kind === 'accepted')
  const { app, user: by, request } = accepted
  assert.deepEqual([app, by], [null, { id: user.id, name: user.login }])
  assert.deepEqual([request?.key, request?.clientAddress], [null, '127.0.0.1'])
})

test('HTML goes with a text alternative, names in any script, and what is quoted behind both', async () => {
  const { tenant, user } = await makePlace(database)
  await ask(user, 'PUT', `/data/identities/${tenant.mailboxId}`, { name: 'Jürgen Weiß', signature: null })
  const { raw, messageId } = await sentNow(
    user,
    draftOf(tenant.mailboxId, {
      to: [{ address: 'ada@shop.example', name: 'Ада Лавлейс' }],
      bcc: [{ address: 'secret@shop.example', name: null }],
      body: '<p>Yes.</p><p>No.</p>',
      quote: {
        html: '<p>Really?</p><blockquote>&gt; Older</blockquote>',
        attribution: 'Ada <ada@shop.example> wrote:',
      },
    }),
  )
  assert.match(field(raw, 'From') ?? '', /^=\?utf-8\?Q\?J=C3=BCrgen_Wei=C3=9F\?= <sender@/i)
  assert.match(field(raw, 'To') ?? '', /^=\?utf-8\?B\?.*\?= <ada@shop\.example>$/i)
  assert.match(field(raw, 'Content-Type') ?? '', /^multipart\/alternative/)
  assert.doesNotMatch(raw, /secret@/)
  assert(raw.split('\r\n').every((line: string) => line.length <= 998))
  const { message } = (await call(api.url, 'GET', `/v1/messages/${messageId}`, { key: tenant.key })).body
  assert.equal(message.text, 'Yes.\n\nNo.\n\nAda <ada@shop.example> wrote:\n> Really?\n>\n>> Older')
  assert.equal(
    message.html,
    '<p>Yes.</p><p>No.</p><div class="quote"><p>Ada &lt;ada@shop.example&gt; wrote:</p>' +
      '<blockquote type="cite"><p>Really?</p><blockquote>&gt; Older</blockquote></blockquote></div>',
  )
  assert.equal(message.from.name, 'Jürgen Weiß')
  const plain = await sentNow(user, draftOf(tenant.mailboxId, { format: 'text', body: 'Just text & <b>\n' }))
  assert.match(field(plain.raw, 'Content-Type') ?? '', /^text\/plain/)
  assert.match(plain.raw, /Just text & <b>/)
})

test('an answer mentions what it answers, also when that is gone, and is in its conversation, as is what answers it', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const references = '<first@shop.example> <second@shop.example>'
  const id = await receive(database, inbound.port, place, `References: ${references}\r\n${HEAD}\r\nHello`)
  const answered = (await call(api.url, 'GET', `/v1/messages/${id}`, { key: tenant.key })).body.message.messageId
  const draft = await saved(user, draftOf(tenant.mailboxId, { kind: 'reply', answers: id }))
  const kept = await saved(user, draftOf(tenant.mailboxId, { kind: 'forward', answers: id }))
  await send(user, draft.id)
  await fallDue(database, draft.id)
  const raw = await mailOf(draft.messageId)
  assert.equal(field(raw, 'In-Reply-To'), answered)
  assert.equal(field(raw, 'References'), `${references} ${answered}`)
  const { message } = (await call(api.url, 'GET', `/v1/messages/${draft.messageId}`, { key: tenant.key })).body
  assert.deepEqual([message.inReplyTo, message.references], [answered, [...references.split(' '), answered]])
  assert.deepEqual(
    message.headers.filter(({ name }: { name: string }) => name === 'In-Reply-To' || name === 'References'),
    [
      { name: 'In-Reply-To', value: answered },
      { name: 'References', value: `${references} ${answered}` },
    ],
  )
  // The answer to it names nothing else.
  const back = await receive(database, inbound.port, place, `In-Reply-To: ${message.messageId}\r\n${HEAD}\r\nAgain`)
  const shown = (await ask(user, 'GET', `/data/conversations/${id}`)).body
  assert.deepEqual(
    shown.messages.map((one: { id: Uuid }) => one.id),
    [id, draft.messageId, back],
  )
  // The original goes, and what was begun before still mentions it.
  const gone = { messages: [id], folder: 'inbox', wholeConversations: false }
  assert.equal((await ask(user, 'POST', '/data/delete', gone)).status, 200)
  const changed = draftOf(tenant.mailboxId, { kind: 'forward', answers: id, body: 'For you' })
  assert.equal((await save(user, kept.id, { baseVersion: 1, ...changed })).status, 200)
  await send(user, kept.id, { version: 2 })
  await fallDue(database, kept.id)
  assert.equal(field(await mailOf(kept.messageId), 'In-Reply-To'), answered)
  const late = await save(user, newId(), { baseVersion: 0, ...changed })
  assert.deepEqual([late.status, late.body.details], [404, { field: 'answers' }])
})

test('what comes before the answer that it mentions is in one conversation with it', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const id = await receive(database, inbound.port, place, `${HEAD}\r\nHello`)
  const draft = await saved(user, draftOf(tenant.mailboxId, { kind: 'reply', answers: id }))
  const domain = tenant.address.split('@')[1]
  const early = `References: <${draft.messageId}@${domain}>\r\n${HEAD}\r\nEarly`
  const back = await receive(database, inbound.port, place, early)
  assert.equal((await ask(user, 'GET', `/data/conversations/${id}`)).body.messages.length, 1)
  await send(user, draft.id)
  await fallDue(database, draft.id)
  await mailOf(draft.messageId)
  const shown = (await ask(user, 'GET', `/data/conversations/${back}`)).body
  assert.deepEqual(new Set(shown.messages.map((one: { id: Uuid }) => one.id)), new Set([id, back, draft.messageId]))
})

test('a draft of another mailbox’s message mentions nothing of it', async () => {
  const [place, other] = [await makePlace(database), await makePlace(database)]
  const id = await receive(database, inbound.port, place, `${HEAD}\r\nHello`)
  const { tenant } = other
  const stolen = draftOf(tenant.mailboxId, { kind: 'reply', answers: id })
  const { status, body } = await save(other.user, newId(), { baseVersion: 0, ...stolen })
  assert.deepEqual([status, body.details], [404, { field: 'answers' }])
})

test('files of a forwarded message go with it, stay while the draft does, and are nobody else’s', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const file = part('Content-Type: text/plain\r\nContent-Disposition: attachment; filename=notes.txt', 'Notes')
  const id = await receive(database, inbound.port, place, withFiles('<p>x</p>', file))
  const { attachments } = (await ask(user, 'GET', `/data/messages/${id}`)).body
  const attachmentIds = [attachments[0].id]
  const forward = draftOf(tenant.mailboxId, { kind: 'forward', answers: id, attachmentIds })
  const [draft, second] = [await saved(user, forward), await saved(user, forward)]
  assert.deepEqual(draft.attachments, [
    { id: attachmentIds[0], filename: 'notes.txt', mediaType: 'text/plain', sizeBytes: 5 },
  ])
  const other = await makePlace(database)
  const stolen = { baseVersion: 0, ...draftOf(other.tenant.mailboxId, { attachmentIds: [newId(), ...attachmentIds] }) }
  const refused = await save(other.user, newId(), stolen)
  assert.deepEqual([refused.status, refused.body.details], [404, { field: 'attachmentIds[0]' }])
  const twice = await save(user, newId(), {
    baseVersion: 0,
    ...draftOf(tenant.mailboxId, { attachmentIds: [...attachmentIds, ...attachmentIds] }),
  })
  assert.deepEqual(twice.body.details.fields[0].path, 'attachmentIds[1]')
  await ask(user, 'POST', '/data/delete', { messages: [id], folder: 'inbox', wholeConversations: false })
  await send(user, draft.id)
  await fallDue(database, draft.id)
  assert.match(await mailOf(draft.messageId), /filename="?notes\.txt/)
  const isLoose = async () =>
    (
      await database.first(
        sql<{ loose: boolean }>`select is_loose as loose from attachments where id = ${attachmentIds[0]}`,
      )
    )?.loose
  await ask(user, 'DELETE', `/data/drafts/${second.id}`)
  assert.equal((await database.rows(sql`select from draft_attachments where draft_id = ${second.id}`)).length, 0)
  // A message has it now.
  assert.notEqual(await isLoose(), undefined)
  await ask(user, 'POST', '/data/delete', {
    ...{ messages: [draft.messageId], folder: 'sent', wholeConversations: false },
  })
  await until('the file is gone with its last message', async () => (await isLoose()) === undefined)
})

test('what was taken back is a draft as it was, and leaves no trace; it is sent anew', async () => {
  const { tenant, user } = await makePlace(database)
  const draft = await saved(user, draftOf(tenant.mailboxId))
  await send(user, draft.id)
  const refusals = [
    await save(user, draft.id, { baseVersion: 1, ...draftOf(tenant.mailboxId, { body: 'x' }) }),
    await ask(user, 'DELETE', `/data/drafts/${draft.id}`),
  ]
  assert.deepEqual(
    refusals.map(({ status, body }) => [status, body.code]),
    [
      [409, 'draft_due'],
      [409, 'draft_due'],
    ],
  )
  assert.deepEqual((await takeBack(user, draft.id)).body, draft)
  assert.deepEqual((await takeBack(user, draft.id)).body, draft)
  const jobs = () => database.rows(sql`select from jobs where subject_id = ${draft.id}`)
  assert.deepEqual(await jobs(), [])
  // One that has fallen due comes all the same, and finds nothing to do.
  await send(user, draft.id)
  await database.rows(sql`update jobs set state = 'ready', due_at = clock_timestamp() where subject_id = ${draft.id}`)
  assert.deepEqual((await takeBack(user, draft.id)).body, draft)
  database.signal('drafts')
  await until('the job has ended', async () => (await jobs()).length === 0)
  assert.deepEqual(await tracesOf(database, tenant.tenantId, draft.messageId), NONE)
  assert.deepEqual((await read(user, draft.id)).body, draft)
  await save(user, draft.id, { baseVersion: 1, ...draftOf(tenant.mailboxId, { body: 'Better' }) })
  await send(user, draft.id, { version: 2 })
  await fallDue(database, draft.id)
  assert.match(await mailOf(draft.messageId), /Better/)
  assert.equal((await takeBack(user, draft.id)).status, 404)
})

test('Send again is answered like the first, whether it is due, is sent, or is asked for twice at once', async () => {
  const { tenant, user } = await makePlace(database)
  const draft = await saved(user, draftOf(tenant.mailboxId))
  const [one, two] = await Promise.all([send(user, draft.id), send(user, draft.id)])
  assert.equal(one.status, 200)
  assert.deepEqual(two.body, one.body)
  assert.equal((await send(user, draft.id, { version: 2 })).body.code, 'draft_due')
  const later = new Date(Date.now() + 60_000).toISOString()
  assert.equal((await send(user, draft.id, { version: 1, sendAt: later })).body.code, 'draft_due')
  await fallDue(database, draft.id)
  await mailOf(draft.messageId)
  const again = await send(user, draft.id)
  assert.deepEqual([again.status, again.body.messageId], [200, draft.messageId])
  const mails = sink.mails.filter(({ bytes }) => bytes.includes(draft.messageId))
  assert.equal(mails.length, 1)
  const unknown = await save(user, newId(), { baseVersion: 1, ...draftOf(tenant.mailboxId) })
  assert.equal(unknown.status, 404)
  const stale = await saved(user, draftOf(tenant.mailboxId))
  assert.equal((await send(user, stale.id, { version: 2 })).body.code, 'draft_changed')
})

const NO_TIMES = [
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '1969-12-31T23:59:59.9995Z',
  '9999-12-31T23:59:59-23:59',
]

test('a time is ten seconds to a year ahead, and one that was chosen is kept', async () => {
  const { tenant, user } = await makePlace(database)
  const draft = await saved(user, draftOf(tenant.mailboxId))
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
  const year = 365 * 86_400
  for (const sendAt of [inSeconds(9), inSeconds(-1), inSeconds(year + 60), 'tomorrow', ...NO_TIMES]) {
    const { status, body } = await send(user, draft.id, { version: 1, sendAt })
    assert.deepEqual([status, body.details?.fields[0].path], [400, 'sendAt'], sendAt)
  }
  for (const seconds of [year - 60, 60]) {
    const sendAt = inSeconds(seconds)
    const { body } = await send(user, draft.id, { version: 1, sendAt })
    assert.deepEqual([Date.parse(body.due.at), body.due.isScheduled], [Date.parse(sendAt), true])
    assert.deepEqual((await send(user, draft.id, { version: 1, sendAt })).body, body)
    await takeBack(user, draft.id)
    assert.deepEqual(await database.rows(sql`select from jobs where subject_id = ${draft.id}`), [])
  }
})

test('what keeps it from being sent is said at once, each fault by its place', async () => {
  const { tenant, user } = await makePlace(database)
  const faultsOf = async (more: Partial<DraftContent>) => {
    const { id } = await saved(user, draftOf(tenant.mailboxId, more))
    const { status, body } = await send(user, id)
    if (status === 200) await takeBack(user, id)
    return body.details?.fields.map(({ path, code }: Record<string, string>) => `${path} ${code}`) ?? status
  }
  const bad = { address: 'nobody', name: null }
  const good = { address: 'a@b.example', name: null }
  assert.deepEqual(await faultsOf({ to: [], cc: [good] }), ['to too_few'])
  assert.deepEqual(await faultsOf({ to: [good, bad], cc: [bad], bcc: [good, bad] }), [
    ...['to[1] invalid_email', 'cc[0] invalid_email', 'bcc[1] invalid_email'],
  ])
  const quote = { html: 'q', attribution: '' }
  const wrapped = '<div class="quote"><blockquote type="cite">q</blockquote></div>'.length
  assert.equal(await faultsOf({ body: '💌'.repeat(2_000_000) }), 200)
  assert.equal(await faultsOf({ body: 'b'.repeat(2_000_000 - wrapped), quote }), 200)
  assert.deepEqual(await faultsOf({ body: 'b'.repeat(2_000_001 - wrapped), quote }), ['body too_long'])
  assert.equal(await faultsOf({ format: 'text', body: 'b'.repeat(1_000_000) }), 200)
  assert.deepEqual(await faultsOf({ format: 'text', body: 'b'.repeat(1_000_001) }), ['body too_long'])
  // As text it is two line ends and `> q` more.
  assert.equal(await faultsOf({ format: 'text', body: 'b'.repeat(999_995), quote }), 200)
  assert.deepEqual(await faultsOf({ format: 'text', body: 'b'.repeat(999_996), quote }), ['body too_long'])
})

test('what can no longer be sent when it is due is an open draft that says why, and is sent when that is over', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const by = operatorOf(tenant.tenantId)
  const { mailboxId } = tenant
  const reader = await createTestMailboxUser(database, tenant.tenantId, mailboxId)
  const access = { mailboxId, userId: user.id }
  const cases: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'mailbox_suspended',
      () => setMailboxStatus(database, by, mailboxId, 'suspended'),
      () => setMailboxStatus(database, by, mailboxId, 'active'),
    ],
    [
      'not_allowed',
      () => setMailboxAccess(database, by, { ...access, access: 'read' }),
      () => setMailboxAccess(database, by, { ...access, access: 'write' }),
    ],
    [
      'not_allowed',
      () => setTenantStatus(database, operator, tenant.tenantId, 'suspended'),
      () => setTenantStatus(database, operator, tenant.tenantId, 'active'),
    ],
    [
      'plan_capacity_exceeded',
      async () => {
        await createPlan(database, operator, 'one-mail', { messagesPerMonth: 1 })
        await database.rows(sql`update tenants set plan = 'one-mail' where id = ${tenant.tenantId}`)
      },
      () => database.rows(sql`update tenants set plan = 'unlimited' where id = ${tenant.tenantId}`),
    ],
  ]
  for (const [code, spoil, mend] of cases) {
    const draft = await saved(user, draftOf(mailboxId, { cc: [{ address: 'b@c.example', name: null }] }))
    await send(user, draft.id)
    await spoil()
    await fallDue(database, draft.id)
    const failure = await failedOf(draft.id)
    assert.equal(failure.code, code)
    assert.match(failure.message, /^[A-Z].*\.$/)
    await mend()
    const { body } = await read(user, draft.id)
    assert.deepEqual({ ...body, failure: null }, draft)
    assert.deepEqual(await tracesOf(database, tenant.tenantId, draft.messageId), NONE)
    assert.deepEqual((await ask(user, 'GET', '/data/mailboxes')).body.items[0].drafts, { total: 1, failed: 1 })
    await send(user, draft.id)
    await fallDue(database, draft.id)
    await mailOf(draft.messageId)
  }
  // The access of whoever sent it is gone; another goes on with it.
  const draft = await saved(user, draftOf(mailboxId))
  await send(user, draft.id)
  await removeMailboxUser(database, by, access)
  await fallDue(database, draft.id)
  assert.equal((await failed(reader, draft.id)).code, 'not_allowed')
  await send(reader, draft.id)
  await fallDue(database, draft.id)
  await mailOf(draft.messageId)
})

const failedOf = (id: Uuid) =>
  until('the draft is open again', () =>
    database.first(sql<{ code: string; message: string }>`
      select failure_code as code, failure_message as message from drafts where id = ${id} and failure_code is not null`),
  )

test('many drafts of one user, due at once, keep none of a colleague’s waiting', async () => {
  const { tenant, user } = await makePlace(database)
  const colleague = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  const many = await Promise.all(Array.from({ length: 12 }, () => saved(user, draftOf(tenant.mailboxId))))
  const one = await saved(colleague, draftOf(tenant.mailboxId))
  // Somebody has the tenant's turn until all of them are due.
  const holder = await database.connect('holder')
  await holder.query('begin')
  await holder.query(
    `
    insert into tenant_usage (tenant_id, month) values ($1, date_trunc('month', now() at time zone 'UTC'))
    on conflict (tenant_id, month) do update set recipients = tenant_usage.recipients`,
    [tenant.tenantId],
  )
  for (const { id } of many) {
    await send(user, id)
    await fallDue(database, id)
  }
  await send(colleague, one.id)
  await fallDue(database, one.id)
  await holder.query('commit')
  await holder.end()
  const ended = await until('all are sent', async () => {
    const rows = await database.rows(sql<{ id: Uuid }>`
      select id from ended_drafts where tenant_id = ${tenant.tenantId} order by ended_at`)
    return rows.length === many.length + 1 && rows.map(({ id }) => id)
  })
  assert(ended.indexOf(one.id) <= 4, `${ended.indexOf(one.id)} were sent before it`)
})

test('a user sends sixty drafts a minute and no more, over any number of processes', async () => {
  const { tenant, user } = await makePlace(database)
  const other = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  const two = await startTestSite('webmail', database, { store })
  const draft = await saved(user, draftOf(tenant.mailboxId))
  await until('a minute with enough of it left', () => new Date().getUTCSeconds() < 40)
  const began = new Date().getUTCMinutes()
  const statuses: number[] = []
  for (let n = 0; n < 62; n++) {
    const at = n % 2 === 0 ? site : two
    const { status, body } = await at.ask('POST', `/data/drafts/${draft.id}/send`, {
      session: user.session,
      body: { version: 1 },
    })
    statuses.push(status)
    if (status === 429) assert.deepEqual(body.details, { limit: 'user' })
    else
      await database.rows(sql`
      update drafts set due_at = null, is_scheduled = null, sender_id = null, client_address = null, user_agent = null,
        request_id = null where id = ${draft.id}`)
  }
  assert.equal(new Date().getUTCMinutes(), began, 'it took longer than the minute')
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [60, 429])
  assert.equal((await send(other, draft.id)).status, 200)
})

test('nothing went wrong meanwhile', () => assert.deepEqual(outbound.errors(), []))
