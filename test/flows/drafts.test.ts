// What is written in the webmail and not sent: saved, found again, by whom, and gone without a trace.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Database, openDatabase, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { setMailboxAccess } from '../../src/mailboxes/set-mailbox-access.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { draftOf, draftsOf, tracesOf } from '../support/drafts.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { makePlace, type Place } from '../support/webmail-mail.ts'

const { database, url } = await createTestDatabase()
await startTestApi(database)
const site = await startTestSite('webmail', database)
const { ask, save, saved, send, takeBack, read } = draftsOf(site)

/** Another mailbox of the tenant. */
async function secondMailbox({ tenant }: Place): Promise<Uuid> {
  const address = `m${newId()}@${tenant.address.split('@')[1]}`
  return (await createMailbox(database, operatorOf(tenant.tenantId), { address, displayName: 'Second' })).id
}

test('what was typed is there again, whatever it is, and nothing of it is a message', async () => {
  const { tenant, user } = await makePlace(database)
  const typed = draftOf(tenant.mailboxId, {
    to: [
      { address: 'not an address', name: null },
      { address: 'ada@shop.example', name: 'Ada Lovelace' },
    ],
    cc: [{ address: '', name: null }],
    body: '<p>Half a',
    quote: { html: '<p>You wrote</p>', attribution: 'Ada wrote:' },
  })
  const draft = await saved(user, typed)
  const { id, messageId, savedAt, createdAt, ...shown } = draft
  assert.deepEqual(shown, { ...typed, version: 1, attachments: [], due: null, failure: null, savedBy: user.login })
  assert.notEqual(id, messageId)
  assert.equal(savedAt, createdAt)
  assert.deepEqual((await read(user, id)).body, draft)
  const { body } = await ask(user, 'GET', '/data/drafts')
  assert.deepEqual(body, {
    items: [
      {
        ...{ id, mailboxId: tenant.mailboxId, to: typed.to, subject: 'Hello', preview: 'Half a', attachmentCount: 0 },
        ...{ due: null, failure: null, savedAt },
      },
    ],
    nextCursor: null,
  })
  assert.deepEqual(await tracesOf(database, tenant.tenantId, messageId), { messages: 0, events: 0, jobs: 0, acts: 0 })
  const mailboxes = (await ask(user, 'GET', '/data/mailboxes')).body
  assert.deepEqual(mailboxes.items[0].drafts, { total: 1, failed: 0 })
})

test('a save upon a version that is no longer the newest overwrites nothing, and says who saved what there is', async () => {
  const { tenant, user } = await makePlace(database)
  const draft = await saved(user, draftOf(tenant.mailboxId))
  const first = await save(user, draft.id, { baseVersion: 1, ...draftOf(tenant.mailboxId, { body: 'First tab' }) })
  assert.equal(first.body.version, 2)
  const other = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  const late = await save(other, draft.id, { baseVersion: 1, ...draftOf(tenant.mailboxId, { body: 'Second tab' }) })
  assert.deepEqual(
    [late.status, late.body.code, late.body.details],
    [409, 'draft_changed', { version: 2, savedAt: first.body.savedAt, savedBy: user.login }],
  )
  assert.equal((await read(other, draft.id)).body.body, 'First tab')
  const ahead = await save(other, draft.id, { baseVersion: 3, ...draftOf(tenant.mailboxId) })
  assert.equal(ahead.body.code, 'draft_changed')
  const settled = await save(other, draft.id, { baseVersion: 2, ...draftOf(tenant.mailboxId, { body: 'Both' }) })
  assert.deepEqual([settled.body.version, settled.body.savedBy], [3, other.login])
})

test('a save whose answer was lost is answered like the first', async () => {
  const { tenant, user } = await makePlace(database)
  const id = newId()
  const content = draftOf(tenant.mailboxId)
  const first = await save(user, id, { baseVersion: 0, ...content })
  assert.deepEqual((await save(user, id.toUpperCase(), { baseVersion: 0, ...content })).body, first.body)
  const changed = { ...content, body: 'Changed' }
  const second = await save(user, id, { baseVersion: 1, ...changed })
  assert.deepEqual((await save(user, id, { baseVersion: 1, ...changed })).body, second.body)
  assert.deepEqual((await save(user, id, { baseVersion: 2, ...changed })).body, second.body)
  // Of another content, it is a save upon what is there no more.
  assert.equal((await save(user, id, { baseVersion: 0, ...content })).body.code, 'draft_changed')
  assert.equal((await save(user, id, { baseVersion: 1, ...content })).body.code, 'draft_changed')
})

test('of many who save upon the same version at once, over two processes, one does, and no text is lost', async () => {
  const { tenant, user } = await makePlace(database)
  const two = await startTestSite('webmail', openedTwice())
  const sites = [site, two]
  const id = newId()
  const saves = (baseVersion: number) =>
    Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const body = { baseVersion, ...draftOf(tenant.mailboxId, { body: `${baseVersion} of ${n}` }) }
        return sites[n % 2]?.ask('PUT', `/data/drafts/${id}`, { session: user.session, body })
      }),
    )
  for (const baseVersion of [0, 1, 2]) {
    const answers = await saves(baseVersion)
    const [done, refused] = [200, 409].map((status) => answers.filter((answer) => answer?.status === status))
    assert.deepEqual([done?.length, refused?.length], [1, 7])
    const now = (await read(user, id)).body
    assert.deepEqual([now.version, now.body], [baseVersion + 1, done?.[0]?.body.body])
  }
})

const others: Database[] = []
after(() => Promise.all(others.map((other) => other.end())))
function openedTwice(): Database {
  const other = openDatabase({ url })
  others.push(other)
  return other
}

test('whoever may not write in the mailbox has no draft there, by whatever way, also when the access has just ended', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const mailboxId = await secondMailbox(place)
  const [owner, stranger] = [
    await createTestMailboxUser(database, tenant.tenantId, mailboxId),
    (await makePlace(database)).user,
  ]
  const reader = await createTestMailboxUser(database, tenant.tenantId, mailboxId)
  const leaver = await createTestMailboxUser(database, tenant.tenantId, mailboxId)
  const by = operatorOf(tenant.tenantId)
  await setMailboxAccess(database, by, { mailboxId, userId: reader.id, access: 'read' })
  await addMailboxUser(database, by, { mailboxId: tenant.mailboxId, login: leaver.login, access: 'write' })
  await removeMailboxUser(database, by, { mailboxId, userId: leaver.id })
  const [open, due] = [await saved(owner, draftOf(mailboxId)), await saved(owner, draftOf(mailboxId))]
  assert.equal((await send(owner, due.id)).status, 200)
  for (const other of [user, reader, leaver, stranger]) {
    for (const { id } of [open, due]) {
      const ways = [
        () => read(other, id),
        () => send(other, id),
        () => save(other, id, { baseVersion: 0, ...draftOf(tenant.mailboxId) }),
        () => save(other, id, { baseVersion: 1, ...draftOf(tenant.mailboxId) }),
        () => takeBack(other, id),
      ]
      for (const way of ways.slice(0, other === stranger ? 2 : undefined)) assert.equal((await way()).status, 404)
      // The mailbox is there for who may only read it, what is being written in it is not.
      const inMailbox = [
        () => save(other, id, { baseVersion: 1, ...draftOf(mailboxId) }),
        () => save(other, newId(), { baseVersion: 0, ...draftOf(mailboxId) }),
        () => ask(other, 'GET', `/data/drafts?mailbox=${mailboxId}`),
      ]
      for (const way of inMailbox) assert.equal((await way()).status, other === reader ? 403 : 404)
      const gone = await ask(other, 'DELETE', `/data/drafts/${id}`)
      // Of another tenant it is one that was never there.
      assert.equal(gone.status, other === stranger ? 204 : 404)
    }
    assert.deepEqual((await ask(other, 'GET', '/data/drafts')).body.items, [])
    const { items } = (await ask(other, 'GET', '/data/mailboxes')).body
    for (const { drafts } of items) assert.deepEqual(drafts, { total: 0, failed: 0 })
  }
  assert.deepEqual((await read(owner, open.id)).body, open)
  assert.equal((await read(owner, due.id)).body.due.isScheduled, false)
  // Its writer gone, it stays with the mailbox.
  await addMailboxUser(database, by, { mailboxId, login: user.login, access: 'write' })
  await removeMailboxUser(database, by, { mailboxId, userId: owner.id })
  assert.equal((await read(user, open.id)).body.savedBy, owner.login)
})

test('a draft moves to another of the user’s mailboxes, and from the sight of those of the first', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const mailboxId = await secondMailbox(place)
  const draft = await saved(user, draftOf(tenant.mailboxId))
  const refused = await save(user, draft.id, { baseVersion: 1, ...draftOf(mailboxId) })
  assert.deepEqual([refused.status, refused.body.details], [404, { field: 'mailboxId' }])
  const first = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  const by = operatorOf(tenant.tenantId)
  await addMailboxUser(database, by, { mailboxId, login: user.login, access: 'write' })
  assert.equal((await save(user, draft.id, { baseVersion: 1, ...draftOf(mailboxId) })).body.mailboxId, mailboxId)
  assert.equal((await read(first, draft.id)).status, 404)
})

test('what was discarded is gone, and no late save brings it back', async () => {
  const { tenant, user } = await makePlace(database)
  const draft = await saved(user, draftOf(tenant.mailboxId))
  for (const _ of ['first', 'again']) {
    assert.equal((await ask(user, 'DELETE', `/data/drafts/${draft.id}`)).status, 204)
    assert.equal((await read(user, draft.id)).status, 404)
  }
  for (const baseVersion of [0, 1]) {
    assert.equal((await save(user, draft.id, { baseVersion, ...draftOf(tenant.mailboxId) })).status, 404)
  }
  assert.equal((await send(user, draft.id)).status, 404)
  assert.equal((await save(user, newId(), { baseVersion: 1, ...draftOf(tenant.mailboxId) })).status, 404)
})

test('pages of drafts give each once, those saved last first', async () => {
  const { tenant, user } = await makePlace(database)
  const ids: Uuid[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await saved(user, draftOf(tenant.mailboxId))).id)
  const found: Uuid[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { items: { id: Uuid }[]; nextCursor: string | null } = (
      await ask(user, 'GET', `/data/drafts?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    ).body
    found.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  assert.deepEqual(found, ids)
  const noTimes = ['2026-02-30T00:00:00.000000Z', '0000-01-01T00:00:00.000000Z'].map((at) => `${at}.${newId()}`)
  for (const nonsense of ['nonsense', ...noTimes]) {
    assert.equal((await ask(user, 'GET', `/data/drafts?cursor=${nonsense}`)).body.code, 'invalid_cursor', nonsense)
  }
})

test('a mailbox has 1,000 drafts and no more, whoever begins one at the same moment', async () => {
  const { tenant, user } = await makePlace(database)
  const draft = await saved(user, draftOf(tenant.mailboxId))
  await database.rows(sql`
    insert into drafts (tenant_id, id, mailbox_id, message_id, version, content_sha256, kind, to_addresses, cc_addresses,
      bcc_addresses, subject, format, body, preview, saved_by)
    select tenant_id, gen_random_uuid(), mailbox_id, gen_random_uuid(), 1, content_sha256, kind, '[]', '[]', '[]', '', 'text', '', '',
      saved_by
    from drafts, generate_series(1, 998) where id = ${draft.id}`)
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => save(user, newId(), { baseVersion: 0, ...draftOf(tenant.mailboxId) })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 402, 402])
  const refused = answers.find(({ status }) => status === 402)?.body
  assert.deepEqual(refused.details, { resource: 'drafts', limit: 1_000, used: 1_000, resetsAt: null })
  assert.match(refused.message, /1,000 drafts/)
  // One that is there already is saved all the same.
  assert.equal(
    (await save(user, draft.id, { baseVersion: 1, ...draftOf(tenant.mailboxId, { body: 'x' }) })).status,
    200,
  )
})

test('what is beyond the limits of a draft is refused by its place', async () => {
  const { tenant, user } = await makePlace(database)
  const address = (length: number) => ({ address: 'x'.repeat(length), name: null })
  const within = draftOf(tenant.mailboxId, {
    to: Array.from({ length: 50 }, () => address(320)),
    cc: [{ address: '', name: 'n'.repeat(256) }],
    subject: 's'.repeat(998),
    body: '💌'.repeat(2_000_000),
    quote: { html: 'q'.repeat(2_000_000), attribution: 'a'.repeat(1_000) },
  })
  assert.equal((await save(user, newId(), { baseVersion: 0, ...within })).status, 200)
  const beyond: [Partial<typeof within>, string][] = [
    [{ to: [...within.to, address(1)] }, 'to'],
    [{ bcc: [address(321)] }, 'bcc[0].address'],
    [{ cc: [{ address: '', name: 'n'.repeat(257) }] }, 'cc[0].name'],
    [{ subject: 's'.repeat(999) }, 'subject'],
    [{ subject: 'NUL \0' }, 'subject'],
    [{ body: 'b'.repeat(2_000_001) }, 'body'],
    [{ quote: { html: 'q'.repeat(2_000_001), attribution: '' } }, 'quote.html'],
    [{ quote: { html: '', attribution: 'a'.repeat(1_001) } }, 'quote.attribution'],
    [{ attachmentIds: Array.from({ length: 21 }, () => newId()) }, 'attachmentIds'],
  ]
  for (const [more, path] of beyond) {
    const { status, body } = await save(user, newId(), { baseVersion: 0, ...draftOf(tenant.mailboxId, more) })
    assert.deepEqual([status, body.details?.fields[0].path], [400, path])
  }
})
