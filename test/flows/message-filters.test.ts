// GET /v1/messages with filters: what each of them lets pass, and that following the cursor gives each message that passes
// throughout exactly once, while others are written, filed and reported on, however few a page looks through.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { operatorIn } from '../../src/access/actor.ts'
import { Problem } from '../../src/access/problem.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { applyOutcomes } from '../../src/messages/apply-outcomes.ts'
import { listMessages, type MessageFilter, MOST_MESSAGES_WALKED } from '../../src/messages/list-messages.ts'
import { decodePageCursor, NEWEST, type PagePlace } from '../../src/messages/page-cursor.ts'
import { FOLDERS, type MessagePage, type MessageSummary } from '../../src/messages/schemas.ts'
import { MESSAGE_STATUSES } from '../../src/messages/status.ts'
import { updateMessage } from '../../src/messages/update-message.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

interface Written {
  /** Microseconds behind the first second of 2026. */
  micros: number
  status: (typeof MESSAGE_STATUSES)[number]
  folder: (typeof FOLDERS)[number]
  mailbox: number
  to: string
}

/** Messages as they are once all this has happened to them. Gives their ids. */
async function write(tenantId: Uuid, mailboxes: readonly Uuid[], messages: readonly Written[]): Promise<Uuid[]> {
  const rows = messages.map((message) => ({
    ...message,
    id: newId(),
    mailbox_id: mailboxes[message.mailbox],
    // The sender's entry is implied where it is in `sent`.
    in_sent: message.status !== 'received' && message.folder === 'sent',
  }))
  await database.rows(sql`
    with given as (
      select g.id, g.status, g.folder, g.mailbox_id, g."to", g.in_sent,
        '2026-01-01T00:00:00Z'::timestamptz + g.micros * interval '1 microsecond' as at
      from json_to_recordset(${JSON.stringify(rows)}::json) as g (id uuid, micros bigint, status text, folder text,
        mailbox_id uuid, "to" text, in_sent boolean)
    ),
    message as (
      insert into messages (tenant_id, id, environment_id, created_at, direction, mailbox_id, app_id, in_sent, from_address, to_addresses,
        cc_addresses, bcc_addresses, subject, preview, received_at)
      select ${tenantId}, g.id, ${tenantId}, g.at, case when g.status = 'received' then 'inbound' else 'outbound' end,
        case when g.status <> 'received' then g.mailbox_id end, case when g.status <> 'received' then ${tenantId}::uuid end,
        g.in_sent, 'sender@example.test', json_build_array(json_build_object('address', g."to", 'name', null)), '[]', '[]', '', '',
        case when g.status = 'received' then g.at end
      from given g
      returning id, created_at, seq
    ),
    state as (
      insert into message_states (tenant_id, message_id, status, open, recipients, sent_at, size_bytes,
        failed_environment_id, failed_created_at, failed_seq)
      select ${tenantId}, m.id, g.status, case when g.status = 'queued' then 1 else 0 end,
        json_build_array(json_build_object('address', g."to", 'kind', 'to', 'status', g.status)),
        case when g.status in ('sent', 'delivered', 'bounced') then m.created_at end, 7,
        case when g.status in ('bounced', 'failed') then ${tenantId}::uuid end,
        case when g.status in ('bounced', 'failed') then m.created_at end,
        case when g.status in ('bounced', 'failed') then m.seq end
      from message m join given g on g.id = m.id where g.status <> 'received'
    )
    insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read,
      is_starred, trashed_at)
    select ${tenantId}, m.id, g.mailbox_id, ${tenantId}, m.created_at, m.seq, g.folder, false, false,
      case when g.folder = 'trash' then m.created_at end
    from message m join given g on g.id = m.id where not g.in_sent`)
  return rows.map(({ id }) => id)
}

async function tenantWithTwo(): Promise<TestTenant & { mailboxes: [Uuid, Uuid] }> {
  const tenant = await createTestTenant(database)
  const other = { address: `other-${tenant.address}`, displayName: 'Other' }
  const { id } = await createMailbox(database, operatorOf(tenant.tenantId), other)
  return { ...tenant, mailboxes: [tenant.mailboxId, id] }
}

const actorOf = ({ tenantId }: { tenantId: Uuid }) =>
  operatorIn({ kind: 'operator', account: 'tests' }, { tenantId, environmentId: tenantId })

/** Whether a summary that is shown passes the filter. */
function passes(message: MessageSummary, filter: MessageFilter): boolean {
  const places = message.mailboxes.filter(({ mailboxId, folder }) => {
    return (filter.mailboxId ?? mailboxId) === mailboxId && (filter.folder ?? folder) === folder
  })
  return (
    places.length > 0 &&
    (filter.status ?? message.status) === message.status &&
    (filter.direction ?? message.direction) === message.direction &&
    (filter.recipient === undefined || message.to.some(({ address }) => address === filter.recipient))
  )
}

const anyOf = <T>(values: readonly T[]) => fc.constantFrom(...values)
const RECIPIENTS = ['one@example.test', 'two@example.test'] as const
const anyMessage = fc.record({
  micros: fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 9 }).map((ms) => ms * 1_000),
  ),
  status: anyOf(MESSAGE_STATUSES),
  folder: anyOf(FOLDERS),
  mailbox: anyOf([0, 1]),
  to: anyOf(RECIPIENTS),
})
const anyFilter = fc.record(
  {
    status: anyOf(MESSAGE_STATUSES),
    direction: anyOf(['inbound', 'outbound'] as const),
    folder: anyOf(FOLDERS),
    mailbox: anyOf([0, 1]),
    recipient: anyOf(RECIPIENTS),
  },
  { requiredKeys: [] },
)

/** Whatever may become of messages while a list of them is read: a bounce, another folder. */
async function disturb(tenant: { tenantId: Uuid; mailboxes: readonly Uuid[] }, ids: readonly Uuid[]): Promise<void> {
  const { tenantId } = tenant
  await database.transaction((tx) =>
    applyOutcomes(
      tx,
      ids.map((messageId) => ({
        tenantId,
        messageId,
        recipients: [
          { position: 0, status: 'bounced', smtpCode: 550, enhancedCode: '5.1.1', diagnostic: null, reported: true },
        ],
        stored: { sizeBytes: 7 },
      })),
    ),
  )
  const change = { folder: 'archive' as const }
  for (const id of ids) {
    for (const mailboxId of tenant.mailboxes) {
      // Not every mailbox has it.
      await updateMessage(database, actorOf(tenant), id, mailboxId, change).catch((error) =>
        assert(error instanceof Problem),
      )
    }
  }
}

test('every message that passes throughout comes once, and none that does not', async () => {
  const readOnce = fc.asyncProperty(
    fc.array(anyMessage, { minLength: 1, maxLength: 30 }),
    fc.array(fc.array(anyMessage, { maxLength: 4 }), { maxLength: 4 }),
    anyFilter,
    fc.record({ limit: fc.integer({ min: 1, max: 5 }), mostWalked: fc.integer({ min: 1, max: 6 }) }),
    async (before, meanwhile, { mailbox, ...wanted }, { limit, mostWalked }) => {
      const tenant = await tenantWithTwo()
      const filter: MessageFilter = mailbox === undefined ? wanted : { ...wanted, mailboxId: tenant.mailboxes[mailbox] }
      const there = await write(tenant.tenantId, tenant.mailboxes, before)
      const disturbed = there.filter((_, i) => i % 5 === 4)
      const shown = await listMessages(database, actorOf(tenant), NEWEST, 100)
      const expected = shown.items.filter((item) => passes(item, filter) && !disturbed.includes(item.id))
      const seen: Uuid[] = []
      let behind: PagePlace | undefined = NEWEST
      for (let turn = 0; behind; turn++) {
        assert(turn < 400, 'the list ends')
        const [page]: [MessagePage, ...unknown[]] = await Promise.all([
          listMessages(database, actorOf(tenant), behind, limit, filter, mostWalked),
          write(tenant.tenantId, tenant.mailboxes, meanwhile[turn] ?? []),
          turn === 1 ? disturb(tenant, disturbed) : undefined,
        ])
        assert(page.items.length <= limit)
        for (const item of page.items) assert(passes(item, filter), JSON.stringify([item, filter]))
        seen.push(...page.items.map(({ id }) => id))
        behind = page.nextCursor === null ? undefined : decodePageCursor(page.nextCursor)
      }
      assert.equal(new Set(seen).size, seen.length, 'one came twice')
      assert.deepEqual(
        expected.map(({ id }) => id).filter((id) => !seen.includes(id)),
        [],
        'one was skipped',
      )
    },
  )
  await fc.assert(readOnce, { numRuns: 60 })
})

describe('what a filter means', async () => {
  const tenant = await tenantWithTwo()
  const { key, mailboxes } = tenant
  const plain = { micros: 0, folder: 'sent', mailbox: 0, to: 'a@example.test' } as const
  const ids = await write(tenant.tenantId, mailboxes, [
    { ...plain, micros: 1_000, status: 'received', folder: 'inbox' },
    { ...plain, micros: 2_000, status: 'received', folder: 'spam', mailbox: 1 },
    { ...plain, micros: 3_000, status: 'queued', to: 'Ann.Lee@EXAMPLE.test' },
    { ...plain, micros: 4_000, status: 'sent', mailbox: 1 },
    { ...plain, micros: 5_000, status: 'delivered', folder: 'archive', to: 'jo@xn--mnchen-3ya.example' },
    { ...plain, micros: 6_000, status: 'bounced', to: 'jo@münchen.example' },
    { ...plain, micros: 7_000, status: 'failed' },
  ])
  const list = (query: string) => call(url, 'GET', `/v1/messages?${query}`, { key })

  const at = (micros: number) => `2026-01-01T00:00:00.${String(micros).padStart(6, '0')}Z`
  for (const [query, expected] of [
    ['direction=inbound', [1, 0]],
    ['direction=outbound', [6, 5, 4, 3, 2]],
    ['status=received', [1, 0]],
    ['status=queued', [2]],
    ['status=sent', [3]],
    ['status=delivered', [4]],
    ['status=bounced', [5]],
    ['status=failed', [6]],
    ['status=failed&direction=inbound', []],
    ['folder=sent', [6, 5, 3, 2]],
    ['folder=spam', [1]],
    [`folder=sent&mailboxId=${mailboxes[1]}`, [3]],
    [`mailboxId=${mailboxes[1]}`, [3, 1]],
    [`status=bounced&mailboxId=${mailboxes[0]}`, [5]],
    [`status=bounced&mailboxId=${mailboxes[1]}`, []],
    ['recipient=ann.lee@example.TEST', [2]],
    ['recipient=lee@example.test', []],
    [`recipient=${encodeURIComponent('jo@MÜNCHEN.example')}`, [5, 4]],
    ['recipient=jo@xn--mnchen-3ya.example', [5, 4]],
    [`since=${at(5_000)}`, [6, 5, 4]],
    [`since=${at(5_001)}`, [6, 5]],
    [`until=${at(5_000)}`, [3, 2, 1, 0]],
    [`until=${at(5_001)}`, [4, 3, 2, 1, 0]],
    [`since=${at(2_000)}&until=${at(4_000)}`, [2, 1]],
    [`since=${at(4_000)}&until=${at(4_000)}`, []],
    [`since=2026-01-01&until=2026-01-02&status=received&mailboxId=${mailboxes[0]}`, [0]],
  ] as const) {
    test(query, async () => {
      const { status, body } = await list(query)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(
        body.items.map(({ id }: { id: Uuid }) => ids.indexOf(id)),
        expected,
      )
      assert.equal(body.nextCursor, null)
    })
  }

  test('a cursor goes on behind `until`, and not beyond `since`', async () => {
    const query = `limit=2&since=${at(3_000)}&until=${at(7_000)}`
    const seen: number[] = []
    for (let cursor = ''; ; ) {
      const { body } = await list(query + cursor)
      seen.push(...body.items.map(({ id }: { id: Uuid }) => ids.indexOf(id)))
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    assert.deepEqual(seen, [5, 4, 3, 2])
  })

  for (const [query, fault] of [
    ['status=lost', 'status not_allowed'],
    ['status=', 'status not_allowed'],
    ['direction=up', 'direction not_allowed'],
    ['folder=Inbox', 'folder not_allowed'],
    ['recipient=example.test', 'recipient invalid_email'],
    ['recipient=a@example.test&recipient=b@example.test', 'recipient duplicate'],
    ['since=yesterday', 'since invalid'],
    ['until=2026-02-30', 'until invalid'],
    ['mailboxId=1', 'mailboxId invalid_uuid'],
  ] as const) {
    test(`${query} is refused by its name`, async () => {
      const { status, body } = await list(query)
      assert.deepEqual([status, body.code], [400, 'validation_error'])
      const [{ path, code }] = body.details.fields
      assert.equal(`${path} ${code}`, fault)
    })
  }
})

test('a message that is sent is found by what has become of it', async () => {
  const { key, mailboxId } = await createTestTenant(database)
  const { body } = await send(url, key, { fromMailboxId: mailboxId, to: ['a@b.test'], bcc: ['C@d.test'], text: 'x' })
  const found = async (query: string) => (await call(url, 'GET', `/v1/messages?${query}`, { key })).body.items[0]?.id
  for (const query of [
    'status=queued',
    'direction=outbound',
    'folder=sent',
    'recipient=a@b.test',
    'recipient=c@d.test',
  ]) {
    assert.equal(await found(query), body.id, query)
  }
  const mailbox = { mailboxId, folder: 'trash' }
  await call(url, 'PATCH', `/v1/messages/${body.id}`, { key, body: mailbox })
  assert.equal(await found('folder=trash'), body.id)
  assert.equal(await found('folder=sent'), undefined)
})

test('a page looks through so many messages, and no more, and the next goes on there', async () => {
  const tenant = await tenantWithTwo()
  const message = { status: 'queued', folder: 'sent', mailbox: 0, to: 'a@example.test' } as const
  const [oldest] = await write(tenant.tenantId, tenant.mailboxes, [{ ...message, micros: 0, to: 'b@example.test' }])
  const others = Array.from({ length: MOST_MESSAGES_WALKED - 1 }, (_, i) => ({ ...message, micros: 1_000 * (i + 1) }))
  await write(tenant.tenantId, tenant.mailboxes, others)
  const page = async (cursor = '') =>
    (await call(url, 'GET', `/v1/messages?recipient=b@example.test${cursor}`, tenant)).body
  const ids = ({ items }: { items: { id: Uuid }[] }) => items.map(({ id }) => id)
  // The last that was looked at begins the next page.
  const whole = await page()
  assert.deepEqual([ids(whole), whole.nextCursor === null], [[], false])
  const rest = await page(`&cursor=${whole.nextCursor}`)
  assert.deepEqual([ids(rest), rest.nextCursor], [[oldest], null])
  await write(tenant.tenantId, tenant.mailboxes, [{ ...message, micros: 10_000_000 }])
  const first = await page()
  assert.deepEqual(ids(first), [])
  const last = await page(`&cursor=${first.nextCursor}`)
  assert.deepEqual([ids(last), last.nextCursor], [[oldest], null])
})

test('what is gone and held takes no place on a page', async () => {
  const tenant = await tenantWithTwo()
  const message = { status: 'received', folder: 'inbox', mailbox: 0, to: 'a@example.test' } as const
  const times = [1_000, 2_000, 3_000, 4_000]
  const messages = times.map((micros) => ({ ...message, micros }))
  const [oldest, newest, ...gone] = await write(tenant.tenantId, tenant.mailboxes, messages)
  await database.rows(sql`
    update messages set held = true, gone = 'purged', gone_at = clock_timestamp()
    where tenant_id = ${tenant.tenantId} and id = any(${gone}::uuid[])`)
  const ids = async (query: string) =>
    (await call(url, 'GET', `/v1/messages?${query}`, tenant)).body.items.map(({ id }: { id: Uuid }) => id)
  assert.deepEqual(await ids('limit=1'), [newest])
  assert.deepEqual(await ids('limit=2'), [newest, oldest])
})
