// Mailbox users file, flag and delete what lies in their mailboxes, one, many or a whole folder, in two processes of the webmail,
// beside each other, the API and the sweeps. Each race is brought about: one transaction is held open until the others wait for it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findLogsBehind } from '../../src/activity/find-logs-behind.ts'
import { followLogs } from '../../src/activity/follow-logs.ts'
import { listAudit } from '../../src/audit/list-audit.ts'
import { objectKey } from '../../src/lib/object-store.ts'
import { openDatabase, ranOutOfTime, sql, type Tx } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { setMailboxAccess } from '../../src/mailboxes/set-mailbox-access.ts'
import { applyOutcomes } from '../../src/messages/apply-outcomes.ts'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { MOST_IN_A_BATCH } from '../../src/messages/filing/walk-folder.ts'
import { holdMessage } from '../../src/messages/hold-message.ts'
import { lockMessage } from '../../src/messages/lock-message.ts'
import { sweepTrash } from '../../src/messages/sweep-messages.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { followAll } from '../support/activity.ts'
import { call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, type TestUser } from '../support/people.ts'
import { receive } from '../support/received-mail.ts'
import { startTestSite, type TestAnswer, type TestSite } from '../support/site.ts'
import { flushStatistics } from '../support/statistics.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

// Of its own, as open transactions hold back the feed of a whole server.
const { database, url } = await createTestDatabase({ alone: true })
const second = openDatabase({ url })
after(() => second.end())
const store = await openTestStore()
const api = await startTestApi(database, { store })
const one = await startTestSite('webmail', database)
const two = await startTestSite('webmail', second)

const tenant = await createTestTenant(database)
const { tenantId, mailboxId: shared, key } = tenant
const owner = operatorOf(tenantId)
const domain = tenant.address.split('@')[1]
const addMailbox = async () =>
  (await createMailbox(database, owner, { address: `${newId()}@${domain}`, displayName: 'Another' })).id
const own = await addMailbox()

/** Ada has both mailboxes, Joe the shared one, Eve reads it, and Mallory has another of the same tenant. */
const ada = await createTestMailboxUser(database, tenantId, shared)
await addMailboxUser(database, owner, { mailboxId: own, login: ada.login, access: 'write' })
const joe = await createTestMailboxUser(database, tenantId, shared)
const eve = await createTestMailboxUser(database, tenantId, shared)
await setMailboxAccess(database, owner, { mailboxId: shared, userId: eve.id, access: 'read' })
const mallory = await createTestMailboxUser(database, tenantId, await addMailbox())
const stranger = await createTestTenant(database)
const other = await createTestMailboxUser(database, stranger.tenantId, stranger.mailboxId)

type Body = Record<string, unknown>
const as =
  ({ session }: TestUser, site: TestSite = one) =>
  (path: string, body?: Body) =>
    site.ask(body ? 'POST' : 'GET', `/data${path}`, { session, body })

const ok = ({ status, text, body }: TestAnswer) => {
  assert.equal(status, 200, text)
  return body
}
const named = (messages: Uuid | Uuid[], folder = 'inbox', more: Body = {}) => {
  return { messages: [messages].flat(), folder, wholeConversations: false, ...more }
}
const mail = (mailboxIds: readonly Uuid[] = [shared]) => receive(database, tenantId, { mailboxIds })
const mails = (count: number, mailboxIds?: readonly Uuid[]) =>
  Promise.all(Array.from({ length: count }, () => mail(mailboxIds)))

// biome-ignore lint/suspicious/noExplicitAny: what an event says.
const eventsOf = async (ids: readonly Uuid[], type: string): Promise<any[]> => {
  const rows = await database.rows(sql<{ id: Uuid; data: object }>`
    select resource_id as id, data from events
    where tenant_id = ${tenantId} and type = ${type} and resource_id = any (${ids}::uuid[]) order by seq`)
  return rows.map(({ id, data }) => ({ id, ...data }))
}
const entriesOf = (id: Uuid) =>
  database.rows(sql<{ mailboxId: Uuid; folder: string; isRead: boolean; isStarred: boolean }>`
    select mailbox_id as "mailboxId", folder, is_read as "isRead", is_starred as "isStarred" from message_entries
    where tenant_id = ${tenantId} and message_id = ${id} order by mailbox_id`)
const isThere = async (id: Uuid) =>
  (await database.rows(sql`select id from messages where tenant_id = ${tenantId} and id = ${id}`)).length > 0
const foldersOf = async (user: TestUser, mailboxId: Uuid) =>
  ok(await as(user)('/mailboxes')).items.find(({ id }: { id: Uuid }) => id === mailboxId)?.folders
const lastAct = async () => (await listAudit(database, owner, 1))[0]

/** Records that the relay has it, or has refused it: it is on its way no more. */
const settle = async (id: Uuid) => {
  await store.put(objectKey('messages', tenantId, id), Buffer.from('x'))
  const recipients = [{ position: 0, status: 'sent' as const, smtpCode: 250, enhancedCode: null, diagnostic: 'ok' }]
  await database.transaction((tx) =>
    applyOutcomes(tx, [{ tenantId, messageId: id, recipients, stored: { sizeBytes: 1 } }]),
  )
  await database.rows(sql`delete from jobs where tenant_id = ${tenantId} and subject_id = ${id}`)
}
const sendOne = async () =>
  (await send(api.url, key, { fromMailboxId: shared, to: ['you@example.test'], text: 'x' })).body.id as Uuid

/** Does one thing, begins others, and commits the one only when they all wait for it. */
async function beside<T>(work: (tx: Tx) => Promise<unknown>, others: (() => Promise<T>)[]): Promise<T[]> {
  let begun: Promise<T>[] = []
  await database.transaction(async (tx) => {
    await work(tx)
    begun = others.map((other) => other())
    for (const each of begun) each.catch(() => {})
    await until('the others wait', async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length >= others.length
    })
  })
  return Promise.all(begun)
}
const lock = (id: Uuid) => (tx: Tx) => lockMessage(tx, owner, id)

test('each action changes what it says, says so once in the log, and is taken back', async () => {
  const changes: Record<string, Body> = {
    read: { isRead: true },
    star: { isStarred: true },
    archive: { folder: 'archive' },
    spam: { folder: 'spam' },
    trash: { folder: 'trash' },
  }
  for (const [action, change] of Object.entries(changes)) {
    const id = await mail()
    const former = { mailboxId: shared, folder: 'inbox', isRead: false, isStarred: false }
    const filed = ok(await as(ada)('/actions', { action, ...named(id) }))
    const [what = ''] = Object.keys(change)
    const undo = [{ messageId: id, mailboxId: shared, [what]: former[what as keyof typeof former] }]
    assert.deepEqual(filed, { changed: 1, undo }, action)
    assert.deepEqual(await entriesOf(id), [{ ...former, ...change }])
    assert.deepEqual(
      (await eventsOf([id], 'message.updated')).map((event) => [event.mailboxId, event.changes]),
      [[shared, change]],
    )
    // What is so already is left, and nothing is said of it.
    const lies = action === 'read' || action === 'star' ? 'inbox' : action
    assert.deepEqual(ok(await as(joe, two)('/actions', { action, ...named(id, lies) })), { changed: 0, undo: [] })
    assert.deepEqual(ok(await as(joe, two)('/undo', { entries: undo })), { changed: 1 })
    assert.deepEqual(ok(await as(joe, two)('/undo', { entries: undo })), { changed: 0 })
    assert.deepEqual(await entriesOf(id), [former])
    assert.equal((await eventsOf([id], 'message.updated')).length, 2, action)
  }
  for (const [action, change] of [
    ['unread', { isRead: false }],
    ['unstar', { isStarred: false }],
    ['inbox', { folder: 'inbox' }],
  ] as const) {
    const id = await mail()
    const all = { folder: 'archive', isRead: true, isStarred: true }
    await call(api.url, 'PATCH', `/v1/messages/${id}`, { key, body: { mailboxId: shared, ...all } })
    assert.equal(ok(await as(ada)('/actions', { action, ...named(id, 'archive') })).changed, 1)
    assert.deepEqual(await entriesOf(id), [{ mailboxId: shared, ...all, ...change }])
  }
})

test('what the API changes the webmail knows, and the other way round, with one event and one record of who did it', async () => {
  const id = await mail()
  const count = async () => (await foldersOf(joe, shared)).inbox
  const before = await count()
  const patched = await call(api.url, 'PATCH', `/v1/messages/${id}`, { key, body: { mailboxId: shared, isRead: true } })
  assert.equal(patched.status, 200)
  assert.deepEqual(await count(), { messages: before.messages, unread: before.unread - 1 })
  assert.deepEqual(ok(await as(ada)('/actions', { action: 'read', ...named(id) })), { changed: 0, undo: [] })
  assert.equal((await lastAct())?.appId, tenant.appId, 'what changes nothing is not recorded')
  ok(await as(ada)('/actions', { action: 'archive', ...named(id) }))
  const { message } = (await call(api.url, 'GET', `/v1/messages/${id}`, { key })).body
  assert.deepEqual(message.mailboxes, [{ mailboxId: shared, folder: 'archive', isRead: true, isStarred: false }])
  assert.deepEqual(
    (await eventsOf([id], 'message.updated')).map(({ changes }) => changes),
    [{ isRead: true }, { folder: 'archive' }],
  )
  const act = await lastAct()
  assert.deepEqual([act?.operation, act?.mailboxUserId, act?.resourceId], ['updateMessage', ada.id, id])
  const ids = await mails(3)
  ok(await as(joe)('/actions', { action: 'trash', ...named(ids) }))
  const many = await lastAct()
  assert.deepEqual([many?.operation, many?.mailboxUserId, many?.resourceId], ['messages.file', joe.id, null])
  const [row] = await database.rows(sql<{ details: Body }>`
    select details from audit_log where tenant_id = ${tenantId} and id = ${many?.id}`)
  assert.deepEqual(row?.details, { action: 'trash', folder: 'inbox', messages: 3, entries: 3 })
})

test('what lies in several of the mailboxes is filed in each, or in the one that is named, as it lies in the folder', async () => {
  const id = await mail([shared, own])
  const places = async () => (await entriesOf(id)).map(({ mailboxId, folder }) => `${mailboxId} ${folder}`)
  const lying = (inShared: string, inOwn: string) => [`${shared} ${inShared}`, `${own} ${inOwn}`].sort()
  assert.equal(ok(await as(ada)('/actions', { action: 'archive', ...named(id, 'inbox', { mailbox: own }) })).changed, 1)
  assert.deepEqual(await places(), lying('inbox', 'archive'))
  const filed = ok(await as(ada)('/actions', { action: 'trash', ...named(id.toUpperCase()) }))
  assert.deepEqual(filed, { changed: 1, undo: [{ messageId: id, mailboxId: shared, folder: 'inbox' }] })
  assert.deepEqual(await places(), lying('trash', 'archive'))
  // It lies in no spam: that is no fault, the page may be of a moment ago.
  assert.deepEqual(ok(await as(ada)('/actions', { action: 'inbox', ...named(id, 'spam') })), { changed: 0, undo: [] })
  // Joe has one of the two mailboxes.
  assert.equal(ok(await as(joe)('/actions', { action: 'inbox', ...named(id, 'trash') })).changed, 1)
  assert.deepEqual(ok(await as(joe)('/actions', { action: 'inbox', ...named(id, 'archive') })), {
    changed: 0,
    undo: [],
  })
  const events = await eventsOf([id], 'message.updated')
  assert.deepEqual(
    events.map(({ mailboxId }) => mailboxId),
    [own, shared, shared],
  )
})

test('with their conversations, messages are filed and deleted as all of it lies in the folder, and starred alone', async () => {
  const begun = `<${newId()}@example.net>`
  const reply = (mailboxIds: Uuid[], messageId: string | null = null) =>
    receive(database, tenantId, { mailboxIds, messageId, inReplyTo: messageId === begun ? null : begun })
  const first = await reply([shared, own], begun)
  const [inBoth, inShared, inOwn, archived] = [
    await reply([shared, own]),
    await reply([shared]),
    await reply([own]),
    await reply([shared]),
  ]
  ok(await as(ada)('/actions', { action: 'archive', ...named(archived) }))
  const whole = (id: Uuid, folder = 'inbox', more: Body = {}) =>
    named(id, folder, { wholeConversations: true, ...more })
  const changedBy = async (user: TestUser, action: string, body: Body) => {
    const { undo } = ok(await as(user)('/actions', { action, ...body }))
    return undo
      .map(({ messageId, mailboxId }: { messageId: Uuid; mailboxId: Uuid }) => `${messageId} ${mailboxId}`)
      .sort()
  }
  const inTheInbox = [
    ...[first, inBoth, inShared].map((id) => `${id} ${shared}`),
    ...[first, inBoth, inOwn].map((id) => `${id} ${own}`),
  ].sort()
  assert.deepEqual(await changedBy(ada, 'star', whole(inShared)), [`${inShared} ${shared}`])
  assert.deepEqual(await changedBy(ada, 'star', whole(first, 'inbox', { mailbox: own })), [`${first} ${own}`])
  assert.deepEqual(await changedBy(ada, 'unstar', whole(inBoth)), [`${inShared} ${shared}`, `${first} ${own}`].sort())
  assert.deepEqual(
    await changedBy(joe, 'read', whole(inShared)),
    inTheInbox.filter((entry) => entry.endsWith(shared)),
  )
  assert.deepEqual(
    await changedBy(ada, 'read', whole(inShared)),
    inTheInbox.filter((entry) => entry.endsWith(own)),
  )
  assert.deepEqual(await changedBy(ada, 'trash', whole(inOwn)), inTheInbox)
  assert.deepEqual(await changedBy(ada, 'trash', whole(inOwn, 'archive')), [`${archived} ${shared}`])
  assert.deepEqual(ok(await as(ada)('/delete', whole(inOwn, 'trash'))), { deleted: 5, waiting: 0 })
})

test('conversations of a thousand messages are filed at once, and longer ones refused', async () => {
  const ids = await mails(4)
  await database.rows(sql`
    with message as (
      insert into messages (tenant_id, id, environment_id, created_at, direction, from_address, to_addresses, cc_addresses,
        bcc_addresses, subject, preview, received_at, size_bytes)
      select ${tenantId}, gen_random_uuid(), ${tenantId}, clock_timestamp(), 'inbound', 'crowd@example.net', '[]', '[]', '[]',
        '', '', clock_timestamp(), 10
      from generate_series(1, 997)
      returning id, created_at, seq
    )
    insert into conversation_messages (tenant_id, message_id, conversation_id, created_at, seq)
    select ${tenantId}, m.id, ${ids[0]}, m.created_at, m.seq from message m
    union all
    select m.tenant_id, m.id, m.id, m.created_at, m.seq from messages m
    where m.tenant_id = ${tenantId} and m.id = ${ids[0]}`)
  const star = (more: Uuid[]) =>
    as(ada)('/actions', {
      action: 'unread',
      ...named([ids[0] as Uuid, ...more], 'inbox', { wholeConversations: true }),
    })
  assert.equal((await star(ids.slice(1, 3))).status, 200)
  const refused = await star(ids.slice(1, 4))
  assert.deepEqual([refused.status, refused.body.details.fields[0].path], [400, 'messages'])
  await database.rows(
    sql`delete from conversation_messages where tenant_id = ${tenantId} and conversation_id = ${ids[0]}`,
  )
  await database.rows(sql`delete from messages where tenant_id = ${tenantId} and from_address = 'crowd@example.net'`)
})

test('what nobody has touched since it was sent is filed and put back, and deleted once it is with everybody', async () => {
  const id = await sendOne()
  assert.deepEqual(ok(await as(ada)('/delete', named(id, 'sent'))), { deleted: 0, waiting: 1 })
  const filed = ok(await as(ada)('/actions', { action: 'archive', ...named(id, 'sent') }))
  assert.deepEqual(filed, { changed: 1, undo: [{ messageId: id, mailboxId: shared, folder: 'sent' }] })
  assert.equal(ok(await as(ada)('/undo', { entries: filed.undo })).changed, 1)
  assert.deepEqual(ok(await as(ada)('/delete', named(id, 'sent'))), { deleted: 0, waiting: 1 })
  await settle(id)
  const untouched = await sendOne()
  await settle(untouched)
  assert.deepEqual(ok(await as(ada)('/delete', named([id, untouched], 'sent'))), { deleted: 2, waiting: 0 })
  for (const gone of [id, untouched]) {
    assert.equal(await isThere(gone), false)
    const events = await eventsOf([gone], 'message.deleted')
    assert.deepEqual(
      events.map(({ mailboxIds, reason }) => [mailboxIds, reason]),
      [[[shared], 'deleted']],
    )
  }
})

test('deleting for good takes it out of the mailboxes that are meant, with one event that names them', async () => {
  const id = await mail([shared, own])
  assert.deepEqual(ok(await as(ada)('/delete', named(id, 'inbox', { mailbox: own }))), { deleted: 1, waiting: 0 })
  assert.equal(await isThere(id), true)
  assert.deepEqual(ok(await as(ada)('/delete', named(id, 'trash'))), { deleted: 0, waiting: 0 })
  assert.deepEqual(ok(await as(ada)('/delete', named(id))), { deleted: 1, waiting: 0 })
  assert.equal(await isThere(id), false)
  const both = await mail([shared, own])
  ok(await as(ada)('/delete', named(both)))
  assert.deepEqual(
    (await eventsOf([id, both], 'message.deleted')).map((event) => event.mailboxIds),
    [[own], [shared], [shared, own].sort()],
  )
  const act = await lastAct()
  assert.deepEqual([act?.operation, act?.mailboxUserId, act?.resourceId], ['message.delete', ada.id, both])
  assert.equal((await as(ada)('/delete', named(both))).status, 404)
  // Of several, those that are not there are passed over.
  const ids = [...(await mails(2)), both, newId()]
  assert.deepEqual(ok(await as(ada)('/delete', named(ids))), { deleted: 2, waiting: 0 })
  assert.equal((await lastAct())?.operation, 'messages.delete')
})

test('a held message that is deleted shows nowhere, and is filed and deleted no more', async () => {
  const id = await mail()
  await holdMessage(database, owner, id)
  assert.deepEqual(ok(await as(ada)('/delete', named(id))), { deleted: 1, waiting: 0 })
  for (const [path, body] of [
    ['/delete', named(id)],
    ['/actions', { action: 'star', ...named(id) }],
  ] as const) {
    assert.equal((await as(ada)(path, body)).status, 404)
  }
  const entries = [{ messageId: id, mailboxId: shared, isStarred: true }]
  assert.deepEqual(ok(await as(ada)('/undo', { entries })), { changed: 0 })
  assert.equal((await eventsOf([id], 'message.updated')).length, 0)
})

test('nobody files or deletes in a mailbox that is another’s, that they may only read, or have no more', async () => {
  const id = await mail()
  const now = new Date().toISOString()
  const asks = (mailbox?: Uuid): [string, Body][] => [
    ['/actions', { action: 'star', ...named(id, 'inbox', mailbox ? { mailbox } : {}) }],
    ['/undo', { entries: [{ messageId: id, mailboxId: mailbox ?? shared, isStarred: true }] }],
    ['/delete', named(id, 'inbox', mailbox ? { mailbox } : {})],
    ['/folders/inbox/actions', { action: 'star', until: now, ...(mailbox ? { mailbox } : {}) }],
    ['/folders/inbox/delete', { until: now, ...(mailbox ? { mailbox } : {}) }],
  ]
  const before = await eventsOf([id], 'message.updated')
  for (const [path, body] of asks(shared)) {
    for (const [who, status, code] of [
      [eve, 403, 'not_allowed'],
      [mallory, 404, 'not_found'],
      [other, 404, 'not_found'],
    ] as const) {
      const answer = await as(who)(path, body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], `${path} ${who.login}`)
    }
  }
  // Of all their mailboxes: what is not in them is absent, and a folder has nothing of it.
  for (const [path, body] of asks().filter(([path]) => path !== '/undo')) {
    const answer = await as(mallory)(path, body)
    if (path.startsWith('/folders')) assert.deepEqual([answer.body.changed ?? answer.body.deleted], [0])
    else assert.equal(answer.status, 404)
    assert.equal((await as(eve)(path, body)).status, 403, path)
  }
  // Whoever reads one mailbox and writes another files in that.
  await addMailboxUser(database, owner, { mailboxId: own, login: eve.login, access: 'write' })
  assert.equal((await as(eve)('/actions', { action: 'star', ...named(id) })).status, 403)
  const both = await mail([shared, own])
  const filed = ok(await as(eve)('/actions', { action: 'star', ...named([id, both]) }))
  assert.deepEqual(filed, { changed: 1, undo: [{ messageId: both, mailboxId: own, isStarred: false }] })
  await removeMailboxUser(database, owner, { mailboxId: own, userId: eve.id })

  const leaving = await createTestMailboxUser(database, tenantId, shared)
  await addMailboxUser(database, owner, { mailboxId: own, login: leaving.login, access: 'write' })
  assert.equal((await as(leaving)('/actions', { action: 'read', ...named(id) })).status, 200)
  await removeMailboxUser(database, owner, { mailboxId: shared, userId: leaving.id })
  for (const [path, body] of asks(shared)) assert.equal((await as(leaving, two)(path, body)).status, 404, path)
  assert.equal((await as(leaving)('/actions', { action: 'star', ...named(id) })).status, 404)
  assert.equal(await foldersOf(leaving, shared), undefined)
  await removeMailboxUser(database, owner, { mailboxId: own, userId: leaving.id })
  for (const [path, body] of asks(shared)) assert.equal((await as(leaving)(path, body)).status, 401, path)
  for (const [path, body] of asks(shared)) assert.equal((await one.ask('POST', `/data${path}`, { body })).status, 401)

  assert.deepEqual((await eventsOf([id], 'message.updated')).slice(before.length).length, 1)
  assert.equal((await eventsOf([id], 'message.deleted')).length, 0)
})

test('two hundred are named at once and a thousand put back, and no more; what is malformed is refused in words', async () => {
  const ids = await mails(200)
  const filed = ok(await as(ada)('/actions', { action: 'star', ...named(ids) }))
  assert.equal(filed.changed, 200)
  const entries = Array.from({ length: 1_000 }, (_, i) => filed.undo[i] ?? { ...filed.undo[0], messageId: newId() })
  assert.deepEqual(ok(await as(ada)('/undo', { entries })), { changed: 200 })
  assert.equal((await eventsOf(ids, 'message.updated')).length, 400)
  const now = new Date().toISOString()
  const entry = { messageId: ids[0], mailboxId: shared, isRead: true }
  for (const [path, body, field] of [
    ['/actions', { action: 'star', ...named([...ids, newId()]) }, 'messages'],
    ['/actions', { action: 'star', ...named([]) }, 'messages'],
    ['/actions', { action: 'star', ...named(['x']) }, 'messages\\[0\\]'],
    ['/actions', { action: 'move', ...named(ids) }, 'action'],
    ['/actions', { action: 'star', ...named(ids, 'drafts') }, 'folder'],
    ['/actions', { action: 'star', messages: ids, folder: 'inbox' }, 'wholeConversations'],
    ['/actions', { action: 'star', ...named(ids, 'inbox', { mailbox: 'x' }) }, 'mailbox'],
    ['/delete', named([...ids, newId()]), 'messages'],
    ['/undo', { entries: [...entries, { ...filed.undo[0], messageId: newId() }] }, 'entries'],
    ['/undo', { entries: [] }, 'entries'],
    ['/undo', { entries: [{ messageId: ids[0], mailboxId: shared }] }, 'entries\\[0\\]'],
    ['/undo', { entries: [entry, { ...entry, isRead: false }] }, 'entries\\[1\\]'],
    ['/undo', { entries: [{ ...entry, folder: 'drafts' }] }, 'entries\\[0\\].folder'],
    ['/folders/drafts/actions', { action: 'star', until: now }, 'folder'],
    ['/folders/inbox/actions', { action: 'star', until: 'yesterday' }, 'until'],
    ['/folders/inbox/actions', { until: now }, 'action'],
    ['/folders/inbox/delete', {}, 'until'],
  ] as const) {
    const answer = await as(ada)(path, body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_error'], `${path} ${answer.text}`)
    assert.match(answer.body.details.fields[0].path, new RegExp(`^${field}`), path)
  }
  const bad = await as(ada)('/folders/inbox/delete', { until: now, cursor: 'x' })
  assert.deepEqual([bad.status, bad.body.code], [400, 'invalid_cursor'])
  assert.equal((await as(ada)('/actions', { action: 'star', ...named(newId()) })).status, 404)
  assert.deepEqual(ok(await as(ada)('/delete', named(ids))), { deleted: 200, waiting: 0 })
})

test('two users delete the same in one mailbox at once: each message goes once', async () => {
  const ids = (await mails(20, [shared, own])).sort()
  const answers = await beside(lock(ids[10] as Uuid), [
    () => as(ada, one)('/delete', named(ids)),
    () => as(joe, two)('/delete', named(ids.toReversed())),
  ])
  const [byAda, byJoe] = answers.map(ok)
  assert.equal(byAda.deleted, 20, 'Joe cannot take from her what lies in her own mailbox')
  assert([0, 20].includes(byJoe.deleted))
  const gone = (await eventsOf(ids, 'message.deleted')).flatMap(({ id, mailboxIds }) =>
    mailboxIds.map((mailboxId: Uuid) => `${id} ${mailboxId}`),
  )
  assert.deepEqual(gone.sort(), ids.flatMap((id) => [`${id} ${shared}`, `${id} ${own}`]).sort())
  for (const id of ids) assert.equal(await isThere(id), false)
})

test('whoever comes second to the trash – its sweep, a user, the command – finds it gone', async () => {
  await sweepTrash(database, 0, 1_000)
  const ids = await mails(10)
  ok(await as(ada)('/actions', { action: 'trash', ...named(ids) }))
  const [first = ''] = ids
  const answers = await beside(lock(first), [
    () => as(ada)('/delete', named(ids, 'trash')).then(ok),
    () => as(joe, two)('/delete', named(ids, 'trash')).then(ok),
    // A command is told of none that has gone with others.
    () =>
      deleteMessage(second, owner, first)
        .catch((error: { code?: string }) => assert.equal(error.code, 'not_found', String(error)))
        .then(() => ({ deleted: 0 })),
  ])
  const swept = await sweepTrash(second, 0, 100)
  assert.equal(swept, 0)
  assert.equal((await eventsOf(ids, 'message.deleted')).length, 10)
  assert([9, 10].includes(answers.reduce((sum, { deleted }) => sum + deleted, 0)))

  // What the sweep has in hands a user waits for, and what a user has in hands the sweep passes over.
  const more = await mails(4)
  ok(await as(ada)('/actions', { action: 'trash', ...named(more) }))
  const [answer] = await beside(
    (tx) => sweepTrash({ ...database, transaction: (work) => work(tx) } as typeof database, 0, 2),
    [() => as(ada)('/delete', named(more, 'trash')).then(ok)],
  )
  assert.deepEqual(answer, { deleted: 2, waiting: 0 })
  const events = await eventsOf(more, 'message.deleted')
  assert.deepEqual(events.map(({ reason }) => reason).sort(), ['deleted', 'deleted', 'trash_expired', 'trash_expired'])
  const rest = await mails(3)
  ok(await as(ada)('/actions', { action: 'trash', ...named(rest) }))
  await database.transaction(async (tx) => {
    await lock(rest[0] as Uuid)(tx)
    assert.equal(await sweepTrash(second, 0, 100), 2)
  })
  assert.deepEqual(ok(await as(ada)('/delete', named(rest, 'trash'))), { deleted: 1, waiting: 0 })
})

test('the API and users file the same at once: nobody waits in a circle, each change that was made is told once', async () => {
  const sent = [await sendOne(), await sendOne()]
  const ids = [...(await mails(30, [shared, own])), ...sent]
  const patch = async (id: Uuid, i: number) => {
    const body = { mailboxId: shared, isStarred: i % 2 === 0 }
    const { status } = await call(api.url, 'PATCH', `/v1/messages/${id}`, { key, body })
    assert(status === 200 || status === 404)
    return status === 200 ? 1 : 0
  }
  const file = async (user: TestUser, site: TestSite, action: string, folder: string, order: Uuid[]) =>
    (ok(await as(user, site)('/actions', { action, ...named(order, folder) })) as { changed: number }).changed
  const told = await Promise.all([
    ...ids.map(patch),
    file(ada, one, 'read', 'inbox', ids),
    file(joe, two, 'archive', 'inbox', ids.toReversed()),
    file(ada, two, 'unread', 'inbox', ids.toReversed()),
    file(joe, one, 'star', 'inbox', ids),
    file(ada, one, 'unread', 'sent', sent),
    file(joe, two, 'archive', 'sent', sent),
  ])
  const changes = told.reduce((sum, count) => sum + count, 0)
  assert.equal((await eventsOf(ids, 'message.updated')).length, changes)
  const [flag] = await beside(
    (tx) => changeStar(tx, ids[0] as Uuid),
    [() => as(ada)('/actions', { action: 'star', ...named(ids[0] as Uuid, 'archive') }).then(ok)],
  )
  assert.equal(flag.changed, 0, 'it was starred meanwhile')

  // Ended by one while others file it.
  const answers = await beside(lock(ids[1] as Uuid), [
    () => as(ada, one)('/actions', { action: 'trash', ...named(ids, 'archive') }),
    () => as(joe, two)('/delete', named(ids, 'archive')),
  ])
  for (const { status, text } of answers) assert.equal(status, 200, text)
  const gone = await eventsOf(ids, 'message.deleted')
  assert.equal(new Set(gone.map(({ id }) => id)).size, gone.length)
})

test('while users, the API, the sweep and whoever counts are all at the same messages nothing fails, and counts are right', async () => {
  const ids = await mails(60, [shared, own])
  let isDone = false
  const follow = async () => {
    while (!isDone) {
      await followLogs(second, await findLogsBehind(second)).catch((error: unknown) =>
        assert(ranOutOfTime(error), String(error)),
      )
    }
  }
  const sweep = async () => {
    while (!isDone) await sweepTrash(second, 0, 5)
  }
  const some = (from: number) => Array.from({ length: 20 }, (_, i) => ids[(from * 7 + i * 3) % ids.length] as Uuid)
  const use = async (user: TestUser, site: TestSite, actions: readonly string[]) => {
    for (const [n, action] of actions.entries()) {
      const whole = named(some(n), n % 2 ? 'inbox' : 'archive')
      const path = action === 'delete' ? '/delete' : '/actions'
      const answer = await as(user, site)(path, action === 'delete' ? whole : { action, ...whole })
      assert([200, 404].includes(answer.status), answer.text)
      if (answer.body.undo?.length > 0 && n % 3 === 0) ok(await as(user, site)('/undo', { entries: answer.body.undo }))
    }
  }
  const patches = async () => {
    for (const [i, id] of ids.entries()) {
      const body = { mailboxId: shared, isRead: i % 2 === 0, folder: i % 5 ? 'archive' : 'inbox' }
      const { status } = await call(api.url, 'PATCH', `/v1/messages/${id}`, { key, body })
      assert([200, 404].includes(status))
    }
  }
  const working = Promise.all([
    patches(),
    use(ada, one, ['star', 'archive', 'read', 'inbox', 'trash', 'delete', 'unstar', 'archive', 'trash', 'delete']),
    use(ada, two, ['read', 'archive', 'unread', 'inbox', 'archive', 'trash', 'delete', 'read']),
    use(joe, two, ['archive', 'inbox', 'star', 'archive', 'delete', 'unread', 'inbox', 'trash']),
    use(joe, one, ['unread', 'star', 'archive', 'unstar', 'trash', 'inbox', 'delete', 'star']),
  ]).finally(() => {
    isDone = true
  })
  await Promise.all([working, follow(), sweep()])
  const gone = (await eventsOf(ids, 'message.deleted')).flatMap(({ id, mailboxIds }) =>
    mailboxIds.map((mailboxId: Uuid) => `${id} ${mailboxId}`),
  )
  const left = (await Promise.all(ids.map(entriesOf))).flatMap((entries, i) =>
    entries.map(({ mailboxId }) => `${ids[i]} ${mailboxId}`),
  )
  assert(gone.length > 0)
  assert.deepEqual([...gone, ...left].sort(), ids.flatMap((id) => [`${id} ${shared}`, `${id} ${own}`]).sort())
})

/** As the API does, and holds it. */
const changeStar = (tx: Tx, id: Uuid) =>
  tx.rows(sql`
    update message_entries set is_starred = true
    where tenant_id = ${tenantId} and message_id = ${id} and mailbox_id = ${shared}`)

test('a folder of 3,000 is emptied batch by batch, while mail comes in that is left', async () => {
  const box = await createTestTenant(database)
  const keeper = await createTestMailboxUser(database, box.tenantId, box.mailboxId)
  await fill(box.tenantId, box.mailboxId, 'trash', 3_000)
  await followAll(database)
  const late = await receive(database, box.tenantId, { mailboxIds: [box.mailboxId], folder: 'spam' })
  const now = (await database.first(sql<{ now: string }>`select clock_timestamp() as now`))?.now ?? ''
  const deleted: number[] = []
  const come: Uuid[] = []
  let cursor: string | null = null
  do {
    const batch: { deleted: number; waiting: number; nextCursor: string | null } = ok(
      await as(keeper, come.length % 2 ? one : two)('/folders/trash/delete', {
        until: now,
        ...(cursor ? { cursor } : {}),
      }),
    )
    deleted.push(batch.deleted)
    cursor = batch.nextCursor
    const id = await receive(database, box.tenantId, { mailboxIds: [box.mailboxId] })
    ok(await as(keeper)('/actions', { action: 'trash', ...named(id) }))
    come.push(id)
  } while (cursor !== null)
  assert.deepEqual(deleted, Array(6).fill(MOST_IN_A_BATCH))
  const counts = async () => (await foldersOf(keeper, box.mailboxId)) as Record<string, { messages: number }>
  await followAll(database)
  assert.deepEqual(
    Object.entries(await counts()).map(([folder, { messages }]) => [folder, messages]),
    [
      ['inbox', 0],
      ['sent', 0],
      ['archive', 0],
      ['spam', 1],
      ['trash', come.length],
    ],
  )
  const [row] = await database.rows(sql<{ events: number; records: number; details: Body }>`
    select (select count(*) from events where tenant_id = ${box.tenantId} and type = 'message.deleted') as events,
      count(*) as records, (array_agg(details))[1] as details
    from audit_log where tenant_id = ${box.tenantId} and operation = 'messages.delete'`)
  assert.deepEqual(row, { events: 3_000, records: 6, details: { folder: 'trash', messages: 500, entries: 500 } })
  assert((await isLeft(box.tenantId, [...come, late])).length === come.length + 1)
})

test('all of a folder is filed up to an instant, each message once, those that several mailboxes have as one', async () => {
  const box = await createTestTenant(database)
  const { id: another } = await createMailbox(database, operatorOf(box.tenantId), {
    ...{ address: `b@${box.address.split('@')[1]}`, displayName: 'B' },
  })
  const keeper = await createTestMailboxUser(database, box.tenantId, box.mailboxId)
  await addMailboxUser(database, operatorOf(box.tenantId), { mailboxId: another, login: keeper.login, access: 'write' })
  const ids: Uuid[] = []
  for (let i = 0; i < 4; i++) ids.push(await receive(database, box.tenantId, { mailboxIds: [box.mailboxId, another] }))
  const [at] = await database.rows(sql<{ exactly: string }>`
    select created_at as exactly from messages where tenant_id = ${box.tenantId} and id = ${ids[2]}`)
  const file = async (action: string, more: Body) => ok(await as(keeper)('/folders/inbox/actions', { action, ...more }))
  const exactly = at?.exactly ?? ''
  const before = new Date(Date.parse(exactly) - 1).toISOString()
  assert((await file('read', { until: before })).changed < 6)
  const filed = await file('star', { until: exactly })
  assert.equal(filed.changed, 6)
  assert.equal(filed.nextCursor, null)
  assert.deepEqual(new Set(filed.undo.map(({ messageId }: { messageId: Uuid }) => messageId)), new Set(ids.slice(0, 3)))
  assert.deepEqual((await file('star', { until: exactly, mailbox: another })).changed, 0)
  // One more than fits a batch, of which the last lies in both mailboxes.
  await fill(box.tenantId, box.mailboxId, 'inbox', MOST_IN_A_BATCH - 3)
  const until = new Date(Date.now() + 60_000).toISOString()
  const first = await file('archive', { until })
  const rest = await file('archive', { until, cursor: first.nextCursor })
  assert.deepEqual([first.changed, rest.changed, rest.nextCursor], [MOST_IN_A_BATCH - 1, 6, null])
  assert.deepEqual(await file('archive', { until }), { changed: 0, undo: [], nextCursor: null })
})

test('a batch, an action and the counts read no table whole, and no more where more lies in the folder', async () => {
  const box = await createTestTenant(database)
  const keeper = await createTestMailboxUser(database, box.tenantId, box.mailboxId)
  const now = () => new Date(Date.now() + 60_000).toISOString()
  const work = async () => {
    const { undo, nextCursor } = ok(await as(keeper)('/folders/inbox/actions', { action: 'star', until: now() }))
    const ids = undo.slice(0, 200).map(({ messageId }: { messageId: Uuid }) => messageId)
    const whole = named(ids, 'inbox', { wholeConversations: true })
    assert.equal(ok(await as(keeper)('/actions', { action: 'archive', ...whole })).changed, 200)
    assert.equal(ok(await as(keeper)('/undo', { entries: undo })).changed, 500)
    ok(await as(keeper)('/delete', { ...whole, messages: ids.slice(0, 5) }))
    ok(await as(keeper)('/folders/inbox/delete', { until: now(), cursor: nextCursor }))
    ok(await as(keeper)('/mailboxes'))
  }
  const readBy: number[] = []
  for (const lying of [2_000, 8_000]) {
    await fill(box.tenantId, box.mailboxId, 'inbox', lying)
    await followAll(database)
    const before = await readSoFar()
    await work()
    const { whole, rows } = await readSoFar()
    assert.equal(whole, before.whole, `of ${lying}`)
    readBy.push(rows - before.rows)
  }
  const [few = 0, many = 0] = readBy
  assert(many < few * 1.2 + 500, `${few} rows, then ${many}`)
})

/** How often tables of messages were read from end to end, and how many entries their indexes have given, by everybody. */
async function readSoFar(): Promise<{ whole: number; rows: number }> {
  await Promise.all([flushStatistics(database), flushStatistics(second)])
  const row = await database.first(sql<{ whole: number; rows: number }>`
    select sum(t.seq_scan)::integer as whole, sum(i.rows)::integer as rows
    from pg_stat_user_tables t
    cross join lateral (select sum(i.idx_tup_read) as rows from pg_stat_user_indexes i where i.relid = t.relid) i
    where t.relname = any (array['messages', 'message_states', 'message_entries', 'mailbox_messages',
      'conversation_messages', 'message_references', 'message_search', 'message_contents', 'message_attachments',
      'attachments', 'events', 'jobs', 'submission_tries'])`)
  return row ?? assert.fail()
}

/** Received messages that lie in a folder, written at once, each followed by its event. */
async function fill(tenant: Uuid, mailboxId: Uuid, folder: string, count: number): Promise<void> {
  await database.rows(sql`
    with message as (
      insert into messages (tenant_id, id, environment_id, created_at, direction, from_address, to_addresses, cc_addresses,
        bcc_addresses, subject, preview, received_at, size_bytes)
      select ${tenant}, gen_random_uuid(), ${tenant}, at, 'inbound', 'ada@example.net', '[]', '[]', '[]', 'Hello', '', at, 10
      from generate_series(1, ${count}::integer) n
      cross join lateral (select clock_timestamp() + n * interval '1 microsecond' as at) t
      returning id, created_at, seq
    ),
    entry as (
      insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read,
        is_starred, trashed_at)
      select ${tenant}, m.id, ${mailboxId}, ${tenant}, m.created_at, m.seq, ${folder}, false, false,
        case when ${folder} = 'trash' then clock_timestamp() end
      from message m
    )
    insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
    select ${tenant}, ${tenant}, (select epoch from feed_epoch), gen_random_uuid(), 'message.received', 'message', m.id, '{}',
      clock_timestamp()
    from message m`)
}

const isLeft = (tenant: Uuid, ids: readonly Uuid[]) =>
  database.rows(sql`select id from messages where tenant_id = ${tenant} and id = any (${ids}::uuid[])`)

test('after all this every folder has as many messages as lie there, and every invariant holds', async () => {
  const lying = async () => {
    const rows = await database.rows(sql<{ folder: string; messages: number; unread: number }>`
      select e.folder, count(*) as messages, count(*) filter (where not e.is_read) as unread from message_entries e
      join messages m on m.tenant_id = e.tenant_id and m.id = e.message_id and m.gone is null
      where e.tenant_id = ${tenantId} and e.mailbox_id = ${shared} group by 1`)
    return new Map(rows.map(({ folder, ...counts }) => [folder, counts]))
  }
  for (const isFollowed of [false, true]) {
    if (isFollowed) await followAll(database)
    const is = await lying()
    for (const [folder, counts] of Object.entries(await foldersOf(ada, shared))) {
      assert.deepEqual(counts, is.get(folder) ?? { messages: 0, unread: 0 }, `${folder} ${isFollowed}`)
    }
  }
  const breaches = (await checkInvariants(database, store)).filter(({ result }) => result !== 'ok')
  // What tests receive has no object in the store.
  const mine = breaches.filter(({ name }) => !/store|object/.test(name))
  assert.deepEqual(
    mine.map(({ name, found }) => [name, found]),
    [],
  )
})
