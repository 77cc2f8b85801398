// GET /v1/messages?q= finds messages by words, addresses and ids, page by page, newest first, together with every other filter.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sweepSpans } from '../../src/activity/sweep-activity.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { holdMessage } from '../../src/messages/hold-message.ts'
import { listMessages } from '../../src/messages/list-messages.ts'
import { decodePageCursor, NEWEST, type PagePlace } from '../../src/messages/page-cursor.ts'
import { purgeMessage } from '../../src/messages/purge-message.ts'
import { releaseMessage } from '../../src/messages/release-message.ts'
import { activityFaults, followAll, type WrittenMessage, writeMessages } from '../support/activity.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { mdkHere } from '../support/mdk.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'

describe('search of messages', async () => {
  const { database, url: databaseUrl } = await createTestDatabase()
  const { url } = await startTestApi(database)

  const realm = ({ tenantId }: TestTenant) => ({ tenantId, environmentId: tenantId })
  const write = (tenant: TestTenant, messages: readonly WrittenMessage[]) =>
    writeMessages(database, realm(tenant), messages)

  async function found(tenant: TestTenant, query: Record<string, string>): Promise<Uuid[]> {
    const { status, body } = await call(url, 'GET', `/v1/messages?${new URLSearchParams(query)}`, { key: tenant.key })
    assert.equal(status, 200, JSON.stringify(body))
    return body.items.map((item: { id: Uuid }) => item.id)
  }

  test('finds what was sent by recipients of every field, sender, subject and id, and nothing of another tenant', async () => {
    const [tenant, other] = await Promise.all([createTestTenant(database), createTestTenant(database)])
    const mail = { to: ['ada@example.com'], cc: ['Jürgen@münchen.example'], bcc: ['hidden@example.net'] }
    const ids: Uuid[] = []
    for (const { mailboxId: fromMailboxId, key } of [tenant, other]) {
      const { body } = await send(url, key, { ...mail, fromMailboxId, subject: 'Rechnung für Mai', text: 'x' })
      ids.push(body.id)
    }
    await followAll(database)
    const [id] = ids as [Uuid]
    const domain = tenant.address.split('@')[1]
    for (const q of [
      'ada@example.com',
      'ADA@EXAMPLE.COM',
      '@example.net',
      'jurgen',
      'jürgen@xn--mnchen-3ya.example',
      'hidden',
      'rechnung fur ma',
      'mai ada',
      tenant.address,
      id,
      `<${id}@${domain}>`,
      ` ${id.toUpperCase()} `,
    ]) {
      assert.deepEqual(await found(tenant, { q }), [id], q)
    }
    for (const q of [
      'ada@example.co',
      'juni',
      'rechnung juni',
      ids[1] as Uuid,
      other.address,
      '%',
      "'",
      '\\',
      ':*',
      '(',
      '!!',
    ]) {
      assert.deepEqual(await found(tenant, { q }), [], q)
    }
    const env = { MDK_DATABASE_URL: databaseUrl }
    const printed = await mdkHere(env, 'message', 'list', '--tenant', tenant.tenantId, '--q', 'rechnung')
    assert.deepEqual(
      printed.items.map((item: { id: Uuid }) => item.id),
      [id],
    )
  })

  test('takes one to 200 characters of text', async () => {
    const { key } = await createTestTenant(database)
    const asked = async (q: string) =>
      (await call(url, 'GET', `/v1/messages?q=${encodeURIComponent(q)}`, { key })).status
    assert.deepEqual(await Promise.all(['', 'x', 'ä'.repeat(200), 'x'.repeat(201)].map(asked)), [400, 200, 200, 400])
    assert.deepEqual(await Promise.all(['a\0', 'a\0@b', '<\0@'].map(asked)), [400, 400, 400], 'no text has a NUL')
  })

  test('every other filter narrows it down', async () => {
    const tenant = await createTestTenant(database)
    const { body: sent } = await send(url, tenant.key, {
      ...{ fromMailboxId: tenant.mailboxId, to: ['ada@example.com'], subject: 'Plan', text: 'x' },
    })
    const [early, late] = (await write(tenant, [
      { subject: 'Plan', createdAt: '2026-01-01T00:00:00Z', to: [{ address: 'bob@example.com', name: null }] },
      { subject: 'Plan', createdAt: '2026-02-01T00:00:00Z', from: 'ada@example.com' },
    ])) as [Uuid, Uuid]
    await database.rows(sql`
      insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read, is_starred)
      select m.tenant_id, m.id, ${tenant.mailboxId}, m.environment_id, m.created_at, m.seq, 'inbox', false, false
      from messages m where m.tenant_id = ${tenant.tenantId} and m.direction = 'inbound'`)
    await followAll(database)
    const q = 'plan'
    for (const [filter, expected] of [
      [{}, [sent.id, late, early]],
      [{ direction: 'inbound' }, [late, early]],
      [{ status: 'queued' }, [sent.id]],
      [{ status: 'failed' }, []],
      [{ folder: 'inbox' }, [late, early]],
      [{ mailboxId: tenant.mailboxId, folder: 'sent' }, [sent.id]],
      [{ recipient: 'ada@example.com' }, [sent.id]],
      [{ since: '2026-01-15T00:00:00Z' }, [sent.id, late]],
      [{ since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' }, [early]],
    ] as const) {
      assert.deepEqual(await found(tenant, { q, ...filter }), expected, JSON.stringify(filter))
    }
    const actor = operatorOf(tenant.tenantId)
    const inSubject = async (subject: string) =>
      (await listMessages(database, actor, NEWEST, 10, { subject })).items.map(({ id }) => id)
    assert.deepEqual(await inSubject('ada'), [])
    assert.deepEqual(await inSubject('pl'), [sent.id, late, early])
  })

  test('what is gone is not found, held or not, and a removal takes its words along', async () => {
    const tenant = await createTestTenant(database)
    const actor = operatorOf(tenant.tenantId)
    const [held, purged, kept] = (await write(tenant, [
      { subject: 'Secret' },
      { subject: 'Secret' },
      { subject: 'Secret' },
    ])) as [Uuid, Uuid, Uuid]
    await followAll(database)
    await holdMessage(database, actor, held)
    for (const id of [held, purged]) await purgeMessage(database, actor, id)
    assert.deepEqual(await found(tenant, { q: 'secret' }), [kept])
    assert.deepEqual(await found(tenant, { q: held }), [])
    const words = () =>
      database.rows(
        sql<{ id: Uuid }>`select message_id as id from message_search where tenant_id = ${tenant.tenantId} order by 1`,
      )
    assert.deepEqual(await words(), [{ id: held }, { id: kept }])
    await releaseMessage(database, actor, held)
    assert.deepEqual(await words(), [{ id: kept }])
    assert.deepEqual(await activityFaults(database), [])
  })

  test('following the cursor gives each message once, newest first, across spans, however few a page looks through', async () => {
    const tenant = await createTestTenant(database)
    const at = (i: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(i / 3)).toISOString()
    const expected: Uuid[] = []
    for (let part = 0; part < 4; part++) {
      const ids = await write(
        tenant,
        Array.from({ length: 30 }, (_, i) => ({
          subject: `Note ${i % 2 ? 'odd' : 'even'}`,
          createdAt: at(part * 30 + i),
        })),
      )
      expected.push(...ids.filter((_, i) => i % 2 === 1))
      await followAll(database)
      await database.rows(sql`update search_spans set messages = 16384 where tenant_id = ${tenant.tenantId}`)
    }
    const [{ count: spans } = { count: 0 }] = await database.rows(sql<{ count: number }>`
      select count(*) as count from search_spans where tenant_id = ${tenant.tenantId}`)
    assert.equal(spans, 4)
    for (const mostWalked of [1, 7, 5_000]) {
      const ids: Uuid[] = []
      for (let behind: PagePlace | undefined = NEWEST; behind; ) {
        const filter = { q: 'odd no', direction: 'inbound' } as const
        const page = await listMessages(database, operatorOf(tenant.tenantId), behind, 10, filter, mostWalked)
        ids.push(...page.items.map(({ id }) => id))
        behind = page.nextCursor === null ? undefined : decodePageCursor(page.nextCursor)
      }
      assert.deepEqual([...ids].sort(), [...expected].sort(), `walks of ${mostWalked}`)
      assert.equal(new Set(ids).size, ids.length)
    }
  })

  test('spans whose messages are all gone are removed but for the first and the newest, and what is left is found', async () => {
    const tenant = await createTestTenant(database)
    const actor = operatorOf(tenant.tenantId)
    const spans: Uuid[][] = []
    for (const month of ['01', '02', '03', '04', '05']) {
      const note = (day: string) => ({ subject: 'Note', createdAt: `2026-${month}-${day}T00:00:00Z` })
      spans.push(await write(tenant, [note('01'), note('02')]))
      await followAll(database)
      await database.rows(sql`update search_spans set messages = 16384 where tenant_id = ${tenant.tenantId}`)
    }
    const counted = async () =>
      (await database.rows(sql`select from search_spans where tenant_id = ${tenant.tenantId}`)).length
    await sweepSpans(database, 100)
    assert.equal(await counted(), 5)
    const [first = [], second = [], third = [], fourth = [], fifth = []] = spans
    for (const id of [...first, ...second, ...fourth, ...fifth]) await purgeMessage(database, actor, id)
    assert.equal(await sweepSpans(database, 1), 1, 'no more than it may')
    while ((await sweepSpans(database, 100)) > 0);
    assert.equal(await counted(), 3)
    const late = await write(tenant, [{ subject: 'Note', createdAt: '2026-02-01T00:00:00Z' }])
    await followAll(database)
    assert.deepEqual(await found(tenant, { q: 'note' }), [...third.toReversed(), ...late])
    assert.deepEqual(await activityFaults(database), [])
  })

  test('no mail keeps others from being found: one to two thousand addresses, with long names', async () => {
    const tenant = await createTestTenant(database)
    const to = Array.from({ length: 2_000 }, (_, i) => ({
      address: `${newId()}${i}@${'y'.repeat(30)}.example`,
      name: '名'.repeat(300),
    }))
    const [, last] = await write(tenant, [{ to, subject: '\u{1f600}'.repeat(499) }, { subject: 'Behind it' }])
    await followAll(database)
    assert.deepEqual(await found(tenant, { q: 'behind' }), [last])
    assert.equal((await found(tenant, { q: (to[1_999] as { address: string }).address })).length, 1)
  })
})
