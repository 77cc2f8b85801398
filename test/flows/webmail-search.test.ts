// GET /data/search finds mail in the mailboxes of whoever is signed in, by words, phrases and operators, newest first.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import nodemailer from 'nodemailer'
import { walkMailboxes } from '../../src/activity/walk-mailboxes.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { holdMessage } from '../../src/messages/hold-message.ts'
import { purgeMessage } from '../../src/messages/purge-message.ts'
import { sweepTrash } from '../../src/messages/sweep-messages.ts'
import { updateMessage } from '../../src/messages/update-message.ts'
import { activityFaults, followAll } from '../support/activity.ts'
import { openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestInbound } from '../support/inbound.ts'
import { type MailboxMail, writeMail } from '../support/mailbox-mail.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'

describe('search in the webmail', async () => {
  const { database } = await createTestDatabase()
  const store = await openTestStore()
  const site = await startTestSite('webmail', database)
  const inbound = await startTestInbound(database, { store })
  const api = await startTestApi(database, { store })

  interface Place extends TestTenant {
    user: TestUser
  }
  async function place(): Promise<Place> {
    const tenant = await createTestTenant(database)
    return { ...tenant, user: await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId) }
  }
  async function secondMailbox({ tenantId, address: first }: TestTenant): Promise<{ id: Uuid; address: string }> {
    const address = `${newId().slice(-6)}@${first.split('@')[1]}`
    return { address, id: (await createMailbox(database, operatorOf(tenantId), { address, displayName: 'B' })).id }
  }

  const ask = (user: TestUser, query: Record<string, string>) =>
    site.ask('GET', `/data/search?${new URLSearchParams(query)}`, { session: user.session })

  async function search(user: TestUser, q: string, more: Record<string, string> = {}) {
    const { status, body } = await ask(user, { q, ...more })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const found = async (user: TestUser, q: string, more: Record<string, string> = {}): Promise<Uuid[]> =>
    (await search(user, q, more)).items.map((item: { id: Uuid }) => item.id)

  const write = ({ tenantId, mailboxId }: TestTenant, mail: readonly Partial<MailboxMail>[]) =>
    writeMail(
      database,
      tenantId,
      mail.map((one) => ({ mailboxIds: [mailboxId], ...one })),
    )

  const transport = nodemailer.createTransport({
    ...{ host: '127.0.0.1', port: inbound.port, tls: { rejectUnauthorized: false } },
  })

  test('finds what came in by its words, in whatever language, of text, HTML, people and files', async () => {
    const one = await place()
    await transport.sendMail({
      from: 'Jürgen Müller <j.mueller@münchen.example>',
      to: [one.address, 'Zoë <zoe@example.com>'],
      cc: 'copy@example.net',
      subject: 'Grüße aus Łódź',
      text: "Guten Tag, l'addition liegt bei. Fragen an help@support.example.",
      attachments: [{ filename: 'Überweisung-2026.pdf', content: 'x' }],
    })
    await transport.sendMail({
      from: 'news@example.com',
      to: one.address,
      subject: 'News',
      html: `<style>.boxy{color:red}</style><!-- remark --><div style="display:none">preheader</div>
        <p class="boxy">Neu<b>ig</b>keiten ภาษาไทย und 東京の請求書</p><script>scripted()</script>`,
    })
    await followAll(database)
    const rows = await database.rows(sql<{ id: Uuid }>`
      select id from messages where tenant_id = ${one.tenantId} order by created_at`)
    const [letter, news] = rows.map(({ id }) => id) as [Uuid, Uuid]
    for (const q of [
      ...['grusse', 'GRÜSSE lodz', 'jurgen', 'müller', 'addition', 'l’addition', 'uberweisung', '2026.pdf'],
      ...['zoe', 'zoe@example.com', 'copy@example.net', 'help@support.example', 'support.example', 'guten ta'],
      ...['from:müller', 'from:j.mueller@MÜNCHEN.example', 'from:@münchen.example', 'from:"jürgen müller"'],
      ...['to:zoe', 'to:copy@example.net', `to:${one.address}`, 'subject:aus', 'subject:"aus łódź"', 'has:attachment'],
      ...['"guten tag"', '"liegt bei fragen"', 'guten -neuigkeiten', '-from:news', 'to:example.net'],
    ]) {
      const expected = q === `to:${one.address}` ? [news, letter] : [letter]
      assert.deepEqual(await found(one.user, q), expected, q)
    }
    for (const q of [
      'neuigkeiten',
      'ภาษา',
      'ไทย',
      '請求',
      '東京',
      '"東京の請求書"',
      'neuig',
      '-has:attachment',
      'from:example.com',
    ])
      assert.deepEqual(await found(one.user, q), [news], q)
    for (const q of [
      ...[
        'boxy',
        'color',
        'remark',
        'preheader',
        'scripted',
        'style',
        'keiten',
        'from:zoe',
        'to:news',
        'subject:guten',
      ],
      ...['"tag guten"', '"guten ta" x', 'grusse -lodz', '-"guten tag" lodz', 'grusse neuigkeiten', 'guten ta x'],
    ]) {
      assert.deepEqual(await found(one.user, q), [], q)
    }
    const { items, indexing, ignored, nextCursor } = await search(one.user, 'lodz')
    assert.deepEqual({ indexing, ignored, nextCursor }, { indexing: false, ignored: [], nextCursor: null })
    const [{ at, preview, ...row }] = items
    assert.match(preview, /^Guten Tag/)
    assert(Date.now() - Date.parse(at) < 600_000)
    assert.deepEqual(row, {
      ...{
        id: letter,
        mailboxId: one.mailboxId,
        folder: 'inbox',
        subject: 'Grüße aus Łódź',
        isRead: false,
        isStarred: false,
      },
      people: [{ address: 'j.mueller@xn--mnchen-3ya.example', name: 'Jürgen Müller' }],
      ...{ messages: 1, hasAttachments: true, status: 'received' },
    })
    assert.deepEqual(await activityFaults(database), [])
  })

  test('finds what was sent, with whom it is for, whether it has been touched since or not', async () => {
    const one = await place()
    const mail = { fromMailboxId: one.mailboxId, to: ['ada@example.com'], bcc: ['hidden@example.net'] }
    const { body } = await send(api.url, one.key, { ...mail, subject: 'Offer', text: 'Ten lamps' })
    await followAll(database)
    for (const q of [
      'lamps',
      'to:ada',
      'to:hidden@example.net',
      `from:${one.address}`,
      'in:sent',
      'in:sent lamps',
      'is:read',
    ]) {
      const { items } = await search(one.user, q)
      assert.deepEqual(
        items.map(({ id, folder, status }: Record<string, string>) => ({ id, folder, status })),
        [{ id: body.id, folder: 'sent', status: 'queued' }],
        q,
      )
      assert.deepEqual(
        items[0].people.map(({ address }: { address: string }) => address),
        ['ada@example.com', 'hidden@example.net'],
      )
    }
    await updateMessage(database, operatorOf(one.tenantId), body.id, one.mailboxId, {
      folder: 'archive',
      isStarred: true,
    })
    assert.deepEqual(await found(one.user, 'in:sent'), [])
    for (const q of ['lamps', 'in:archive lamps', 'is:starred', 'is:starred lamps', 'is:starred -has:attachment'])
      assert.deepEqual(await found(one.user, q), [body.id], q)
  })

  test('mail to thousands is found by any of them, and its row names the first', async () => {
    const one = await place()
    const people = (field: string) =>
      Array.from({ length: 1_000 }, (_, i) => ({
        address: `${field}${i}@shop.example`,
        name: `Person ${field} no${i}`,
      }))
    const [received, sent] = (await write(one, [{ to: people('to') }, { to: people('to'), folder: 'sent' }])) as [
      Uuid,
      Uuid,
    ]
    await followAll(database)
    for (const q of [
      'to:"Person to no999"',
      '"person to NO999"',
      'to:to999@shop.example',
      'to:shop.example-to0 in:sent -in:sent',
    ]) {
      assert.deepEqual(new Set(await found(one.user, q)), new Set(q.includes('in:') ? [] : [received, sent]), q)
    }
    const { items } = await search(one.user, 'in:sent to:to999@shop.example')
    assert.deepEqual(
      items.map(({ people }: { people: { address: string }[] }) => people.map(({ address }) => address)),
      [
        people('to')
          .slice(0, 5)
          .map(({ address }) => address),
      ],
    )
    const pasted = people('to')
      .slice(0, 60)
      .map(({ address, name }) => `${address} ${name}`)
    assert.deepEqual(await found(one.user, pasted.join('-').slice(0, 2_000)), [])
  })

  test('where mail lies and how it is flagged counts as it is now, with words and without', async () => {
    const one = await place()
    const [inbox, unread, starred, spam, trash] = (await write(one, [
      { text: 'note alpha', isRead: true },
      { text: 'note beta' },
      { text: 'note gamma', isRead: true, isStarred: true, folder: 'archive' },
      { text: 'note delta', isRead: true, folder: 'spam' },
      { text: 'note epsilon', isRead: true, folder: 'trash' },
    ])) as [Uuid, Uuid, Uuid, Uuid, Uuid]
    await followAll(database)
    const all = [trash, spam, starred, unread, inbox]
    for (const [q, expected] of [
      ['note', all],
      ['', []],
      ['in:inbox', [unread, inbox]],
      ['in:inbox note', [unread, inbox]],
      ['in:inbox in:trash', [trash, unread, inbox]],
      ['-in:trash -in:spam note', [starred, unread, inbox]],
      ['is:unread', [unread]],
      ['is:unread note', [unread]],
      ['is:unread alpha', []],
      ['-is:unread in:inbox', [inbox]],
      ['is:read', [trash, spam, starred, inbox]],
      ['is:starred', [starred]],
      ['is:starred note', [starred]],
      ['is:starred "note gamma"', [starred]],
      ['is:starred note -gamma', []],
      ['is:starred in:inbox', []],
      ['-is:starred note', [trash, spam, unread, inbox]],
      ['-gamma', [trash, spam, unread, inbox]],
      ['-"note gamma"', [trash, spam, unread, inbox]],
      ['in:inbox -in:inbox', []],
    ] as const) {
      assert.deepEqual(await found(one.user, q), expected, q)
    }
    await updateMessage(database, operatorOf(one.tenantId), unread, one.mailboxId, { isRead: true, folder: 'trash' })
    assert.deepEqual(await found(one.user, 'is:unread'), [])
    assert.deepEqual(await found(one.user, 'in:trash beta'), [unread])
  })

  test('finds a year-old mail by its day, where the user is', async () => {
    const one = await place()
    const [old, late] = (await write(one, [
      { text: 'lease', createdAt: '2025-10-31T23:30:00Z' },
      { text: 'lease', createdAt: '2025-11-01T12:00:00Z' },
    ])) as [Uuid, Uuid]
    await followAll(database)
    for (const [q, timeZone, expected] of [
      ['lease after:2025-11-01', 'UTC', [late]],
      ['lease after:2025-11-01', 'Europe/Berlin', [late, old]],
      ['lease before:2025-11-01', 'UTC', [old]],
      ['lease before:2025-11-01', 'Europe/Berlin', []],
      ['after:2025-10-31 before:2025-11-02', 'UTC', [late, old]],
      ['before:2025-11-01', 'UTC', [old]],
      ['after:2025-11-02', 'UTC', []],
    ] as const) {
      assert.deepEqual(await found(one.user, q, { timeZone }), expected, `${q} ${timeZone}`)
    }
    assert.deepEqual(await found(one.user, 'lease before:2025-11-01'), [old], 'UTC where none is named')
  })

  test('says what it does not take', async () => {
    const one = await place()
    const asked = async (query: Record<string, string>) => (await ask(one.user, query)).status
    assert.equal(await asked({ q: 'ä'.repeat(2_000) }), 200)
    assert.equal(await asked({ q: 'ä'.repeat(2_001) }), 400)
    assert.equal(await asked({ q: 'a\0' }), 400)
    assert.equal(await asked({}), 400)
    assert.equal(await asked({ q: 'a', timeZone: 'Europe/Nowhere' }), 400)
    assert.equal(await asked({ q: 'a', cursor: 'x' }), 400)
    assert.equal(await asked({ q: 'a', mailbox: 'x' }), 400)
    assert.equal(await asked({ q: 'a', mailbox: newId() }), 404)
    assert.equal(await asked({ q: 'a', more: 'x' }), 400)
    assert.equal((await site.ask('GET', '/data/search?q=a')).status, 401)
    assert.deepEqual((await search(one.user, 'in:drafts is:starred')).ignored, [
      'in:drafts: there are inbox, sent, archive, spam and trash',
    ])
    for (const q of ["'", '\\', ':*', '%', '!', '(', "a'b\\", '"', '"a\\\' b"', '\u{1f600}', '-', "-'"])
      await search(one.user, q)
  })

  test('a user finds what lies in their mailboxes, and nothing of any other, and nothing once they are taken away', async () => {
    const one = await place()
    const two = await secondMailbox(one)
    const third = await secondMailbox(one)
    const other = await place()
    const second = await createTestMailboxUser(database, one.tenantId, two.id)
    await createTestMailboxUser(database, one.tenantId, third.id)
    const { id: shared } = await addMailboxUser(database, operatorOf(one.tenantId), {
      ...{ mailboxId: two.id, login: one.user.login, access: 'read' },
    })
    const [ofOne, ofTwo, ofBoth, ofThird] = (await write(one, [
      { text: 'secret', isStarred: true },
      { text: 'secret', mailboxIds: [two.id], isStarred: true },
      { text: 'secret', mailboxIds: [one.mailboxId, two.id], isStarred: true },
      { text: 'secret', mailboxIds: [third.id], isStarred: true },
    ])) as [Uuid, Uuid, Uuid, Uuid]
    const [ofOther] = await write(other, [{ text: 'secret', isStarred: true }])
    await followAll(database)
    for (const q of [
      'secret',
      '"secret"',
      'is:starred',
      'is:unread',
      'in:inbox',
      'is:starred secret',
      '-nothing',
      'before:2999-01-01',
    ]) {
      assert.deepEqual(await found(one.user, q), [ofBoth, ofTwo, ofOne], `all: ${q}`)
      assert.deepEqual(await found(one.user, q, { mailbox: one.mailboxId }), [ofBoth, ofOne], q)
      assert.deepEqual(await found(one.user, q, { mailbox: two.id }), [ofBoth, ofTwo], q)
      assert.deepEqual(await found(one.user, q, { mailbox: two.id.toUpperCase() }), [ofBoth, ofTwo], q)
      assert.deepEqual(await found(second, q), [ofBoth, ofTwo], q)
      assert.deepEqual(await found(other.user, q), [ofOther], q)
    }
    for (const [user, mailbox] of [
      [one.user, third.id],
      [one.user, other.mailboxId],
      [second, one.mailboxId],
      [other.user, one.mailboxId],
    ] as const) {
      assert.equal((await ask(user, { q: 'secret', mailbox })).status, 404)
    }
    assert.notEqual(ofThird, undefined)
    await removeMailboxUser(database, operatorOf(one.tenantId), { mailboxId: two.id, userId: shared })
    assert.deepEqual(await found(one.user, 'secret'), [ofBoth, ofOne])
    assert.equal((await ask(one.user, { q: 'secret', mailbox: two.id })).status, 404)
  })

  test('what is gone is not found from that moment, in one mailbox or in all, held or not', async () => {
    const one = await place()
    const two = await secondMailbox(one)
    await createTestMailboxUser(database, one.tenantId, two.id)
    const mailboxIds = [one.mailboxId, two.id]
    const [purged, held, trashed, kept] = (await write(one, [
      { text: 'gone', mailboxIds },
      { text: 'gone', mailboxIds },
      { text: 'gone', mailboxIds },
      { text: 'gone', mailboxIds },
    ])) as [Uuid, Uuid, Uuid, Uuid]
    await followAll(database)
    const actor = operatorOf(one.tenantId)
    await purgeMessage(database, actor, purged)
    await holdMessage(database, actor, held)
    await purgeMessage(database, actor, held)
    await updateMessage(database, actor, trashed, one.mailboxId, { folder: 'trash' })
    assert.deepEqual(await found(one.user, 'gone'), [kept, trashed])
    await database.rows(sql`
      update message_entries set trashed_at = clock_timestamp() - interval '31 days'
      where tenant_id = ${one.tenantId} and message_id = ${trashed} and trashed_at is not null`)
    assert.equal(await sweepTrash(database, 30 * 86_400, 100), 1)
    assert.deepEqual(await found(one.user, 'gone'), [kept])
    const noted = await database.rows(sql<{ messageId: Uuid; mailboxId: Uuid }>`
      select message_id as "messageId", mailbox_id as "mailboxId" from mailbox_search where tenant_id = ${one.tenantId}`)
    assert.deepEqual(
      new Set(noted.map(({ messageId, mailboxId }) => `${messageId} ${mailboxId}`)),
      new Set([`${trashed} ${two.id}`, `${kept} ${one.mailboxId}`, `${kept} ${two.id}`]),
    )
    assert.deepEqual(await activityFaults(database), [])
  })

  test('following the cursor gives each message once, newest first, over mailboxes and spans, whatever comes in', async () => {
    const one = await place()
    const two = await secondMailbox(one)
    await addMailboxUser(database, operatorOf(one.tenantId), {
      mailboxId: two.id,
      login: one.user.login,
      access: 'read',
    })
    const expected: Uuid[] = []
    for (let part = 0; part < 4; part++) {
      const ids = await write(
        one,
        Array.from({ length: 60 }, (_, i) => ({
          text: `Note ${i % 2 ? 'odd number' : 'even number'}`,
          createdAt: new Date(Date.UTC(2026, 0, 1) + part * 1_000 + Math.floor(i / 3)).toISOString(),
          mailboxIds: i % 5 === 0 ? [one.mailboxId, two.id] : i % 5 < 3 ? [one.mailboxId] : [two.id],
          isStarred: true,
        })),
      )
      expected.push(...ids.filter((_, i) => i % 2 === 1))
      await followAll(database)
      await database.rows(sql`update mailbox_spans set messages = 16384 where tenant_id = ${one.tenantId}`)
    }
    const spans = await database.rows(sql`select from mailbox_spans where tenant_id = ${one.tenantId}`)
    assert.equal(spans.length, 8)
    for (const q of [
      'odd',
      '"odd number"',
      'is:unread odd',
      'is:starred odd',
      'odd in:inbox',
      '-even',
      '-"even number"',
    ]) {
      const pages: Uuid[][] = []
      let late = 0
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await search(one.user, q, cursor === '' ? {} : { cursor })
        assert(page.items.length <= 50)
        pages.push(page.items.map(({ id }: { id: Uuid }) => id))
        cursor = page.nextCursor
        if (late++ < 2) {
          await write(one, [{ text: 'odd number' }])
          await followAll(database)
        }
      }
      const ids = pages.flat()
      const rank = new Map(expected.toReversed().map((id, i) => [id, i]))
      const known = ids.filter((id) => rank.has(id))
      assert.deepEqual([...known].sort(), [...expected].sort(), q)
      assert.equal(new Set(ids).size, ids.length, q)
      assert.deepEqual(known, expected.toReversed(), q)
    }
    assert.deepEqual(await activityFaults(database), [])
  })

  test('what few of many have is found, though a page looks at 5,000 at most, and 250 texts', async () => {
    const one = await place()
    const actor = operatorOf(one.tenantId)
    const [first] = await write(one, [{ text: 'common rare pair', folder: 'archive', isRead: true }])
    await write(
      one,
      Array.from({ length: 5_200 }, () => ({ text: 'common pair rare', isStarred: true })),
    )
    await followAll(database)
    const walked = async (q: string) => {
      const pages: number[] = []
      const ids: Uuid[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await search(one.user, q, cursor === '' ? {} : { cursor })
        pages.push(page.items.length)
        ids.push(...page.items.map(({ id }: { id: Uuid }) => id))
        cursor = page.nextCursor
      }
      return { pages, ids }
    }
    assert.deepEqual(await walked('common is:read'), { pages: [0, 1], ids: [first] })
    assert.deepEqual(await walked('common in:archive'), { pages: [1], ids: [first] }, 'few lie there')
    assert.deepEqual(await walked('in:archive "rare pair"'), { pages: [1], ids: [first] })
    await updateMessage(database, actor, first as Uuid, one.mailboxId, { isStarred: true })
    // As many as have the word: a page goes on along what is starred.
    assert.deepEqual(await walked('common is:starred is:read'), { pages: [0, 1], ids: [first] })
    const starred = await walked('common is:starred')
    assert.equal(new Set(starred.ids).size, 5_201)
    assert.equal(starred.ids.length, 5_201)
    const phrases = await walked('"rare pair"')
    assert.deepEqual(phrases.ids, [first])
    assert(phrases.pages.length >= 21 && phrases.pages.length < 40, `${phrases.pages.length} pages`)
  })

  test('says that it is still looking through what a mailbox had before', async () => {
    const tenant = await createTestTenant(database)
    const ids = await write(
      tenant,
      Array.from({ length: 600 }, (_, i) => ({ text: `Number ${i}` })),
    )
    await followAll(database)
    const user = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    assert.deepEqual(await search(user, 'number'), { items: [], nextCursor: null, ignored: [], indexing: true })
    assert.notEqual((await found(user, 'in:inbox')).length, 0, 'folders need no words')
    await walkMailboxes(database)
    assert.equal((await search(user, 'number')).indexing, true)
    assert.deepEqual(await found(user, 'number 599'), [ids[599]], 'from the newest on')
    assert.deepEqual(await found(user, '"number 0"'), [])
    while (!(await walkMailboxes(database)).isDone);
    const { items, indexing } = await search(user, '"number 0"')
    assert.deepEqual([items[0].id, indexing], [ids[0], false])
    assert.deepEqual(await activityFaults(database), [])
  })
})
