// Conversations as mailbox users see them: what came by SMTP and what was sent, in lists and together, and nothing of
// mailboxes that are not theirs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MailboxUser } from '../../src/access/actor.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { listConversations } from '../../src/messages/conversations/list-conversations.ts'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { holdMessage } from '../../src/messages/hold-message.ts'
import { purgeMessage } from '../../src/messages/purge-message.ts'
import type { Folder } from '../../src/messages/schemas.ts'
import { updateMessage } from '../../src/messages/update-message.ts'
import type { MessageRow, ShownConversation } from '../../src/servers/webmail/message-list-schemas.ts'
import { openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, type TestUser } from '../support/people.ts'
import { receive, type WrittenMail } from '../support/received-mail.ts'
import { startTestSite } from '../support/site.ts'
import { flushStatistics } from '../support/statistics.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'

describe('conversations of the webmail', async () => {
  const { database } = await createTestDatabase({ alone: true })
  const store = await openTestStore()
  const api = await startTestApi(database, { store })
  const inbound = await startTestInbound(database, { store })
  const site = await startTestSite('webmail', database, { store })

  async function makeUser() {
    const tenant = await createTestTenant(database)
    return { tenant, user: await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId) }
  }

  async function addMailbox({ tenantId, address }: TestTenant, name: string, user?: TestUser) {
    const domain = address.split('@')[1]
    const actor = operatorOf(tenantId)
    const { id } = await createMailbox(database, actor, { address: `${name}@${domain}`, displayName: name })
    if (user) await addMailboxUser(database, actor, { mailboxId: id, login: user.login, access: 'read' })
    return { id, address: `${name}@${domain}` }
  }

  async function ask<T>({ session }: TestUser, path: string, status = 200): Promise<T> {
    const answer = await site.ask('GET', path, { session })
    assert.equal(answer.status, status, answer.text)
    return answer.body
  }

  const page = (user: TestUser, query: string) =>
    ask<{ items: MessageRow[]; nextCursor: string | null }>(user, `/data/messages?${query}`)

  const open = (user: TestUser, id: Uuid, query = '') =>
    ask<ShownConversation>(user, `/data/conversations/${id}${query}`)

  /** All of a list, page by page. */
  async function all(user: TestUser, query: string, between = async () => {}): Promise<MessageRow[]> {
    const rows: MessageRow[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { items, nextCursor } = await page(user, `${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      rows.push(...items)
      cursor = nextCursor
      await between()
    }
    return rows
  }

  async function sendFrom({ key, mailboxId }: TestTenant, to: string[], subject: string): Promise<Uuid> {
    const { status, body } = await send(api.url, key, {
      fromMailboxId: mailboxId,
      to,
      subject,
      text: `About ${subject}`,
    })
    assert.equal(status, 202)
    return body.id
  }

  const mail = (from: string, subject: string, id: string, more: string[] = [], text = `Words of ${subject}`) =>
    [`From: ${from}`, 'To: x@example.test', `Subject: ${subject}`, `Message-ID: ${id}`, ...more, '', text, ''].join(
      '\r\n',
    )

  const newest = async ({ tenantId }: TestTenant) => {
    const row = await database.first(sql<{ id: Uuid }>`
      select id from messages where tenant_id = ${tenantId} order by created_at desc, seq desc limit 1`)
    return row?.id ?? assert.fail()
  }

  const file = (
    { tenantId, mailboxId }: TestTenant,
    id: Uuid,
    change: { folder?: Folder; isRead?: boolean; isStarred?: boolean },
  ) => updateMessage(database, operatorOf(tenantId), id, mailboxId, change)

  test('what is sent, its answer and the answer to that are one conversation, each folder with what lies there', async () => {
    const { tenant, user } = await makeUser()
    const domain = tenant.address.split('@')[1]
    const sent = await sendFrom(tenant, ['ada@example.test', 'Bob@example.test'], 'Invoice 7')
    const grace = mail('Grace <grace@example.test>', 'Re: Re: Invoice 7', '<grace@x>', ['References: <ada@x>'])
    assert.match((await handIn(inbound.port, 'grace@example.test', [tenant.address], grace)).last, /^250/)
    const fromGrace = await newest(tenant)
    // Out of order: until it comes, nothing is known to hold the two together.
    assert.equal((await open(user, fromGrace)).messages.length, 1)
    const ada = mail('Ada <ada@example.test>', 'Re: Invoice 7', '<ada@x>', [`In-Reply-To: <${sent}@${domain}>`])
    assert.match((await handIn(inbound.port, 'ada@example.test', [tenant.address], ada)).last, /^250/)
    const fromAda = await newest(tenant)

    const { items, nextCursor } = await page(user, 'folder=inbox')
    assert.equal(nextCursor, null)
    assert.deepEqual(items, [
      {
        id: fromAda,
        mailboxId: tenant.mailboxId,
        people: [
          { address: 'grace@example.test', name: 'Grace' },
          { address: 'ada@example.test', name: 'Ada' },
        ],
        subject: 'Re: Invoice 7',
        preview: 'Words of Re: Invoice 7',
        at: items[0]?.at,
        isRead: false,
        isStarred: false,
        messages: 2,
        hasAttachments: false,
        status: 'received',
      },
    ])
    const [row, none] = (await page(user, 'folder=sent')).items
    assert.equal(none, undefined)
    assert.deepEqual(
      [row?.id, row?.people, row?.messages, row?.isRead, row?.status],
      [
        sent,
        [
          { address: 'ada@example.test', name: null },
          { address: 'Bob@example.test', name: null },
        ],
        1,
        true,
        'queued',
      ],
    )
    for (const id of [sent, fromGrace, fromAda]) {
      const { subject, messages, isCut } = await open(user, id)
      assert.deepEqual([subject, isCut], ['Re: Invoice 7', false])
      assert.deepEqual(
        messages.map((message) => [message.id, message.direction, message.entries]),
        [
          [sent, 'outbound', [{ mailboxId: tenant.mailboxId, folder: 'sent', isRead: true, isStarred: false }]],
          [fromGrace, 'inbound', [{ mailboxId: tenant.mailboxId, folder: 'inbox', isRead: false, isStarred: false }]],
          [fromAda, 'inbound', [{ mailboxId: tenant.mailboxId, folder: 'inbox', isRead: false, isStarred: false }]],
        ],
      )
    }
  })

  test('a row tells whether all of it is read and any of it starred, and leaves a folder with its last message', async () => {
    const { tenant, user } = await makeUser()
    const { tenantId, mailboxId } = tenant
    const write = (more: Partial<WrittenMail>) => receive(database, tenantId, { mailboxIds: [mailboxId], ...more })
    const first = await write({ messageId: '<first@x>', subject: 'First' })
    const second = await write({ messageId: '<second@x>', inReplyTo: '<first@x>', subject: 'Second' })
    const row = async (folder: Folder) => {
      const [one] = (await page(user, `folder=${folder}`)).items
      return one && [one.id, one.messages, one.isRead, one.isStarred]
    }
    assert.deepEqual(await row('inbox'), [second, 2, false, false])
    await file(tenant, second, { isRead: true, isStarred: true })
    assert.deepEqual(await row('inbox'), [second, 2, false, true])
    await file(tenant, first, { isRead: true })
    assert.deepEqual(await row('inbox'), [second, 2, true, true])
    await file(tenant, second, { folder: 'archive' })
    assert.deepEqual(
      [await row('inbox'), await row('archive')],
      [
        [first, 1, true, false],
        [second, 1, true, true],
      ],
    )
    // Held, what is purged shows nowhere.
    await holdMessage(database, operatorOf(tenantId), first)
    await purgeMessage(database, operatorOf(tenantId), first)
    assert.equal(await row('inbox'), undefined)
    assert.deepEqual(
      (await open(user, second)).messages.map(({ id }) => id),
      [second],
    )
    await ask(user, `/data/conversations/${first}`, 404)
    await deleteMessage(database, operatorOf(tenantId), second)
    assert.equal(await row('archive'), undefined)
    await ask(user, `/data/conversations/${second}`, 404)
  })

  test('following the cursor gives each conversation once, also while mail comes in', async () => {
    const { tenant, user } = await makeUser()
    const { tenantId, mailboxId } = tenant
    const write = (more: Partial<WrittenMail>) => receive(database, tenantId, { mailboxIds: [mailboxId], ...more })
    for (let i = 0; i < 240; i++)
      await write({ messageId: `<${i}@x>`, inReplyTo: `<${i % 120}@x>`, subject: `${i % 120}` })
    const quiet = await all(user, 'folder=inbox')
    assert.deepEqual(
      quiet.map(({ subject }) => subject),
      Array.from({ length: 120 }, (_, i) => `${119 - i}`),
    )
    assert(quiet.every(({ messages }) => messages === 2))
    let come = 0
    const rows = await all(user, 'folder=inbox', async () => {
      // One that was shown, one that was not, and a new one.
      await write({ inReplyTo: `<${119 - come}@x>`, subject: `${119 - come}` })
      await write({ inReplyTo: `<${come}@x>`, subject: `${come}` })
      await write({ subject: `new ${come}` })
      come++
    })
    const subjects = rows.map(({ subject }) => subject)
    assert.equal(new Set(subjects).size, subjects.length)
    const moved = new Set(['0', '1', '2'])
    assert.deepEqual(
      Array.from({ length: 120 }, (_, i) => `${i}`).filter((one) => !subjects.includes(one) && !moved.has(one)),
      [],
    )
    const again = await all(user, 'folder=inbox')
    assert.equal(again.length, 120 + come)
    assert.equal((await page(user, 'folder=inbox')).items.length, 50)
  })

  test('a user sees what lies in mailboxes of the user, one or all, and with the next request no more than that', async () => {
    const { tenant, user } = await makeUser()
    const { tenantId, mailboxId } = tenant
    const shared = await addMailbox(tenant, 'shared', user)
    const other = await addMailbox(tenant, 'other')
    const stranger = await makeUser()
    const colleague = await createTestMailboxUser(database, tenantId, shared.id)
    const write = (mailboxIds: Uuid[], n: number) =>
      receive(database, tenantId, { mailboxIds, messageId: `<${n}@m>`, references: ['<1@m>'], subject: `${n}` })
    const own = await write([mailboxId], 1)
    const ofOther = await write([other.id], 2)
    const ofBoth = await write([mailboxId, shared.id], 3)
    const ofShared = await write([shared.id], 4)

    const seen = async (by: TestUser, query = '') =>
      (await page(by, `folder=inbox${query}`)).items.map(({ id, messages, mailboxId }) => [id, messages, mailboxId])
    const together = async (by: TestUser, id: Uuid, query = '') =>
      (await open(by, id, query)).messages.map((message) => [
        message.id,
        message.entries.map((entry) => entry.mailboxId),
      ])
    assert.deepEqual(await seen(user), [[ofShared, 3, shared.id]])
    assert.deepEqual(await seen(user, `&mailbox=${mailboxId}`), [[ofBoth, 2, mailboxId]])
    assert.deepEqual(await seen(user, `&mailbox=${shared.id.toUpperCase()}`), [[ofShared, 2, shared.id]])
    assert.deepEqual(await seen(colleague), [[ofShared, 2, shared.id]])
    assert.deepEqual(await seen(stranger.user), [])
    assert.deepEqual(await together(user, own), [
      [own, [mailboxId]],
      [ofBoth, [mailboxId, shared.id].toSorted()],
      [ofShared, [shared.id]],
    ])
    assert.deepEqual(await together(user, own, `?mailbox=${mailboxId}`), [
      [own, [mailboxId]],
      [ofBoth, [mailboxId]],
    ])
    assert.deepEqual(await together(colleague, ofBoth), [
      [ofBoth, [shared.id]],
      [ofShared, [shared.id]],
    ])
    for (const [by, path] of [
      [user, `messages?folder=inbox&mailbox=${other.id}`],
      [user, `messages?folder=inbox&mailbox=${newId()}`],
      [user, `conversations/${ofOther}`],
      [user, `conversations/${newId()}`],
      [user, 'conversations/x'],
      [user, `conversations/${own}?mailbox=${shared.id}`],
      [user, `conversations/${own}?mailbox=${other.id}`],
      [colleague, `conversations/${own}`],
      [stranger.user, `conversations/${own}`],
      [stranger.user, `messages?folder=inbox&mailbox=${mailboxId}`],
    ] as const)
      await ask(by, `/data/${path}`, 404)
    for (const path of [
      'messages',
      'messages?folder=drafts',
      'messages?folder=inbox&mailbox=x',
      'messages?folder=inbox&cursor=x',
      'messages?folder=inbox&page=2',
    ])
      await ask(user, `/data/${path}`, 400)
    assert.equal((await site.ask('GET', '/data/messages?folder=inbox')).status, 401)

    await removeMailboxUser(database, operatorOf(tenantId), { mailboxId: shared.id, userId: user.id })
    assert.deepEqual(await seen(user), [[ofBoth, 2, mailboxId]])
    await ask(user, `/data/messages?folder=inbox&mailbox=${shared.id}`, 404)
    await ask(user, `/data/conversations/${ofShared}`, 404)
    assert.deepEqual(await together(user, ofBoth), [
      [own, [mailboxId]],
      [ofBoth, [mailboxId]],
    ])
  })

  test('a user without mailboxes has empty lists', async () => {
    const { tenant } = await makeUser()
    const { tenantId } = tenant
    const origin = { requestId: newId(), clientAddress: '127.0.0.1', userAgent: null }
    const mailboxes = new Map()
    const realm = { tenantId, environmentId: tenantId }
    const actor: MailboxUser = { kind: 'mailbox_user', mailboxUserId: newId(), ...realm, mailboxes, origin }
    const empty = { items: [], nextCursor: null }
    assert.deepEqual(await listConversations(database, actor, { folder: 'inbox', limit: 50 }), empty)
  })

  test('lists of fifty mailboxes are one list, without gaps, whichever of them is full', async () => {
    const { tenant, user } = await makeUser()
    const { tenantId, mailboxId } = tenant
    const mailboxes = [mailboxId]
    for (let i = 1; i < 50; i++) mailboxes.push((await addMailbox(tenant, `m${i}`, user)).id)
    const subjects: string[] = []
    for (let i = 0; i < 260; i++) {
      const to = i % 4 === 0 ? (mailboxes[i % 50] as Uuid) : mailboxId
      await receive(database, tenantId, { mailboxIds: [to], subject: `${i}` })
      subjects.unshift(`${i}`)
    }
    assert.deepEqual(
      (await all(user, 'folder=inbox')).map(({ subject }) => subject),
      subjects,
    )
  })

  /** Conversations of `per` messages each in the user's inbox, the messages of one behind another. */
  async function fill({ tenantId, mailboxId }: TestTenant, count: number, per: number): Promise<void> {
    await database.rows(sql`
      with made as materialized (
        select g, (g - 1) / ${per}::integer as conversation,
          -- In the order of time, as all ids are.
          (lpad(to_hex(1700000000000 + g), 12, '0') || '7000' || substr(md5(g::text || ${tenantId}), 1, 16))::uuid as id
        from generate_series(1, ${count}::bigint) as g
      ),
      first as (select conversation, min(id::text)::uuid as id from made group by conversation),
      written as (
        insert into messages (tenant_id, id, environment_id, created_at, direction, from_address, to_addresses, cc_addresses,
          bcc_addresses, subject, preview, received_at, size_bytes)
        select ${tenantId}, m.id, ${tenantId}, timestamptz '2026-01-01' + m.g * interval '1 minute', 'inbound',
          'p' || (m.g % 7) || '@example.test', '[]', '[]', '[]', m.conversation::text, '', clock_timestamp(), 1
        from made m
        returning id, created_at, seq
      ),
      entries as (
        insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read,
          is_starred)
        select ${tenantId}, w.id, ${mailboxId}, ${tenantId}, w.created_at, w.seq, 'inbox', true, false from written w
      )
      insert into conversation_messages (tenant_id, message_id, conversation_id, created_at, seq)
      select ${tenantId}, w.id, f.id, w.created_at, w.seq
      from written w join made m on m.id = w.id join first f on f.conversation = m.conversation
      where ${per} > 1`)
  }

  test('a page of long conversations is short, goes on without gaps, and tells of a hundred messages of each', async () => {
    const { tenant, user } = await makeUser()
    await fill(tenant, 7_500, 500)
    const first = await page(user, 'folder=inbox')
    assert.deepEqual(
      first.items.map(({ subject }) => subject),
      Array.from({ length: 12 }, (_, i) => `${14 - i}`),
    )
    assert.notEqual(first.nextCursor, null)
    assert(first.items.every(({ messages, people }) => messages === 100 && people.length === 5))
    assert.deepEqual(
      (await all(user, 'folder=inbox')).map(({ subject }) => subject),
      Array.from({ length: 15 }, (_, i) => `${14 - i}`),
    )
    const { messages, isCut } = await open(user, first.items[0]?.id as Uuid)
    assert.deepEqual([messages.length, isCut, messages.at(-1)?.id], [100, true, first.items[0]?.id])
    // The oldest of it shows when it is the one that is asked for.
    const oldest = await database.first(sql<{ id: Uuid }>`
      select id from messages where tenant_id = ${tenant.tenantId} and subject = '14' order by created_at limit 1`)
    const ofOldest = await open(user, oldest?.id as Uuid)
    assert.deepEqual([ofOldest.messages.length, ofOldest.isCut, ofOldest.messages[0]?.id], [100, true, oldest?.id])
  })

  test('a hundred messages of a conversation all show, and of a hundred and one the newest', async () => {
    for (const [count, shown, isCut] of [
      [100, 100, false],
      [101, 100, true],
    ] as const) {
      const { tenant, user } = await makeUser()
      await fill(tenant, count, count)
      const [row] = (await page(user, 'folder=inbox')).items
      assert.equal(row?.messages, 100)
      const conversation = await open(user, row.id)
      assert.deepEqual([conversation.messages.length, conversation.isCut], [shown, isCut])
    }
  })

  test('of mail to thousands a conversation names the first, and says how many there are', async () => {
    const { tenant, user } = await makeUser()
    const people = (field: string) =>
      Array.from({ length: 1_000 }, (_, i) => ({ address: `${field}${i}@example.test`, name: null }))
    const id = await receive(database, tenant.tenantId, {
      ...{ mailboxIds: [tenant.mailboxId], to: people('to'), cc: people('cc') },
    })
    const [head] = (await open(user, id)).messages
    assert.deepEqual(
      [head?.to, head?.cc, head?.recipients],
      [people('to').slice(0, 5), people('cc').slice(0, 5), 2_000],
    )
  })

  test('no table is read whole for a page or a conversation, however much there is', async () => {
    const { tenant, user } = await makeUser()
    await fill(tenant, 20_000, 2)
    await database.pool.query('analyze')
    const readWhole = async () => {
      await flushStatistics(database)
      const row = await database.first(sql<{ n: number }>`
        select sum(seq_scan)::integer as n from pg_stat_user_tables
        where relname in ('messages', 'message_entries', 'conversation_messages')`)
      return row?.n ?? assert.fail()
    }
    const before = await readWhole()
    for (const query of ['folder=inbox', 'folder=sent', `folder=inbox&mailbox=${tenant.mailboxId}`]) {
      const { items, nextCursor } = await page(user, query)
      if (nextCursor !== null) await page(user, `${query}&cursor=${encodeURIComponent(nextCursor)}`)
      if (items[0]) await open(user, items[0].id)
    }
    assert.equal(await readWhole(), before)
  })
})
