// What mailboxes have is counted exactly, however it is written, read, filed and ended, and whoever counts at the same time.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { activityFaults, followAll, writeMessages } from '../../test/support/activity.ts'
import { send, startTestApi } from '../../test/support/api.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { operator, operatorOf } from '../../test/support/operator.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import { productionOf } from '../access/actor.ts'
import { isUnavailable, ranOutOfTime, sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { createMailbox } from '../mailboxes/create-mailbox.ts'
import { applyOutcomes } from '../messages/apply-outcomes.ts'
import { deleteMessage } from '../messages/delete-message.ts'
import { holdMessage } from '../messages/hold-message.ts'
import { insertReceived } from '../messages/insert-received.ts'
import { purgeMessage } from '../messages/purge-message.ts'
import { FOLDERS } from '../messages/schemas.ts'
import { sweepExpired } from '../messages/sweep-messages.ts'
import { updateMessage } from '../messages/update-message.ts'
import { countInFolders, MOST_EVENTS_LOOKED_AT } from './count-in-folders.ts'
import { findLogsBehind } from './find-logs-behind.ts'
import { followLogs } from './follow-logs.ts'
import { largestMailboxes, mailboxFigures } from './mailbox-figures.ts'
import { rebuildActivity } from './rebuild-activity.ts'

const NOTHING = { from: null, to: [], cc: [], replyTo: [], references: [], headers: [], attachments: [] }
const NO_TEXT = { text: null, html: null, textTruncated: false, htmlTruncated: false, mime: null, authentication: null }

describe('what mailboxes have', async () => {
  const { database } = await createTestDatabase()

  async function twoMailboxes() {
    const tenant = await createTestTenant(database)
    const actor = operatorOf(tenant.tenantId)
    const address = `second@${tenant.address.split('@')[1]}`
    const { id } = await createMailbox(database, actor, { address, displayName: 'Second' })
    return { tenant, actor, mailboxIds: [tenant.mailboxId, id] as const }
  }

  async function receive(tenantId: Uuid, mailboxIds: readonly Uuid[], sizeBytes: number): Promise<Uuid> {
    const id = newId()
    const entries = mailboxIds.map((mailboxId) => ({ mailboxId, folder: 'inbox' as const }))
    const said = { subject: '', preview: '', messageId: null, inReplyTo: null }
    await database.transaction((tx) =>
      insertReceived(tx, { tenantId, id, sizeBytes, entries, ...NOTHING, ...NO_TEXT, ...said }),
    )
    return id
  }

  /** As it is: looked at message by message. */
  const figuresOf = (tenantId: Uuid) =>
    database.rows(sql<{ id: Uuid; storedBytes: number; unread: number }>`
      select b.id, coalesce(sum(m.size_bytes), 0)::bigint as "storedBytes",
        count(m.id) filter (where e.folder = 'inbox' and not e.is_read) as unread
      from mailboxes b
      left join message_entries e on e.tenant_id = b.tenant_id and e.mailbox_id = b.id
      left join messages m on m.tenant_id = e.tenant_id and m.id = e.message_id and m.gone is null
      where b.tenant_id = ${tenantId} and (e.message_id is null or m.id is not null) group by b.id`)

  /** Of each folder that has any, looked at entry by entry. */
  const inFolders = (tenantId: Uuid) =>
    database.rows(sql<{ place: string; messages: number; unread: number }>`
      select e.mailbox_id || ' ' || e.folder as place, count(*) as messages, count(*) filter (where not e.is_read) as unread
      from (
        select e.tenant_id, e.message_id, e.mailbox_id, e.folder, e.is_read from message_entries e
        union all
        select m.tenant_id, m.id, m.mailbox_id, 'sent', true from messages m where m.in_sent
      ) e
      join messages m on m.tenant_id = e.tenant_id and m.id = e.message_id and m.gone is null
      where e.tenant_id = ${tenantId} group by 1 order by 1`)

  /** What a user of these mailboxes is told. */
  async function counted(tenantId: Uuid, mailboxIds: readonly Uuid[]) {
    const origin = { requestId: newId(), clientAddress: '192.0.2.1', userAgent: null }
    const mailboxes = new Map(mailboxIds.map((id) => [id, 'read' as const]))
    const user = { kind: 'mailbox_user', ...productionOf(tenantId), mailboxUserId: newId(), mailboxes, origin } as const
    const all = [...(await countInFolders(database, user))].flatMap(([mailboxId, folders]) =>
      [...folders].map(([folder, counts]) => ({ place: `${mailboxId} ${folder}`, ...counts })),
    )
    return all.filter(({ messages }) => messages > 0).sort((one, other) => (one.place < other.place ? -1 : 1))
  }

  test('is what their messages weigh, and what of it is unread in the inbox, each counted once', async () => {
    const step = fc.record({
      do: fc.constantFrom('receive', 'receive', 'read', 'file', 'delete', 'delete', 'purge', 'hold'),
      // Of what is received, and which of what there is.
      size: fc.integer({ min: 1, max: 9_999 }),
      by: fc.integer({ min: 0, max: 2 }),
      isFollowed: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { tenant, actor, mailboxIds } = await twoMailboxes()
        const messages: Uuid[] = []
        for (const { do: what, size, by, isFollowed } of steps) {
          const mailboxId = mailboxIds[by % 2] as Uuid
          const messageId = messages[size % Math.max(1, messages.length)] ?? newId()
          const isAbsent = (error: { code?: string }) => assert.equal(error.code, 'not_found', String(error))
          if (what === 'receive') {
            messages.push(await receive(tenant.tenantId, by === 2 ? mailboxIds : [mailboxId], size))
          } else if (what === 'read') {
            await updateMessage(database, actor, messageId, mailboxId, { isRead: size % 2 === 0 }).catch(isAbsent)
          } else if (what === 'file') {
            const folder = FOLDERS[size % FOLDERS.length] as (typeof FOLDERS)[number]
            await updateMessage(database, actor, messageId, mailboxId, { folder }).catch(isAbsent)
          } else if (what === 'hold') await holdMessage(database, actor, messageId).catch(isAbsent)
          else if (what === 'delete') await deleteMessage(database, actor, messageId, mailboxId).catch(isAbsent)
          else await purgeMessage(database, actor, messageId).catch(isAbsent)
          if (isFollowed) await followAll(database)
        }
        // Whether it was followed or not.
        const is = await inFolders(tenant.tenantId)
        assert.deepEqual(await counted(tenant.tenantId, mailboxIds), is)
        await followAll(database)
        assert.deepEqual(await counted(tenant.tenantId, mailboxIds), is)
        assert.deepEqual(await activityFaults(database), [])
        const figures = await mailboxFigures(database, actor, mailboxIds)
        for (const { id, ...is } of await figuresOf(tenant.tenantId)) assert.deepEqual(figures.get(id), is)
      }),
      { numRuns: 15 },
    )
  })

  test('stays exact while many write, end and count at once, some of whom are cut off', async () => {
    const { tenant, actor, mailboxIds } = await twoMailboxes()
    let isWriting = true
    const write = async () => {
      for (let i = 0; i < 60; i++) {
        const id = await receive(tenant.tenantId, mailboxIds, 100 + i)
        await Promise.all([
          updateMessage(database, actor, id, mailboxIds[0], { isRead: i % 2 === 0 }),
          i % 3 === 0 ? deleteMessage(database, actor, id, mailboxIds[1]) : undefined,
        ])
        if (i % 5 === 0) await purgeMessage(database, actor, id)
      }
    }
    const follow = async () => {
      while (isWriting) {
        await followLogs(database, await findLogsBehind(database)).catch((error: unknown) => {
          assert(isUnavailable(error) || ranOutOfTime(error), String(error))
        })
      }
    }
    const cut = async () => {
      while (isWriting) {
        await database.rows(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
            and query like '%into mailbox_messages%' and query not like '%pg_terminate_backend%'`)
      }
    }
    const writing = Promise.all([write(), write(), write()]).finally(() => {
      isWriting = false
    })
    await Promise.all([writing, follow(), follow(), cut()])
    await followAll(database)
    assert.deepEqual(await activityFaults(database), [])
    const figures = await mailboxFigures(database, actor, mailboxIds)
    for (const { id, ...is } of await figuresOf(tenant.tenantId)) assert.deepEqual(figures.get(id), is)
    assert.deepEqual(await counted(tenant.tenantId, mailboxIds), await inFolders(tenant.tenantId))
    const [parts] = await database.rows(sql<{ count: number }>`
      select count(*) from mailbox_amounts where tenant_id = ${tenant.tenantId}`)
    assert((parts?.count ?? 0) < 200, `${parts?.count} parts`)
  })

  test('includes what was sent once it has a size, in its environment, and loses what expires', async () => {
    const { tenant, actor } = await twoMailboxes()
    const api = await startTestApi(database)
    const body = { fromMailboxId: tenant.mailboxId, to: ['ada@example.test'], subject: 'Hi', text: 'Hello' }
    const { body: sent } = await send(api.url, tenant.key, body)
    const stored = async () => (await mailboxFigures(database, actor, [tenant.mailboxId])).get(tenant.mailboxId)
    const { tenantId } = tenant
    const inSent = [{ place: `${tenant.mailboxId} sent`, messages: 1, unread: 0 }]
    assert.deepEqual(await counted(tenantId, [tenant.mailboxId]), inSent)
    await followAll(database)
    assert.deepEqual(await stored(), { storedBytes: 0, unread: 0 })
    assert.deepEqual(await counted(tenantId, [tenant.mailboxId]), inSent, 'it is there before it is sent')
    const outcome = { position: 0, status: 'sent' as const, smtpCode: 250, enhancedCode: null, diagnostic: 'ok' }
    await database.transaction((tx) =>
      applyOutcomes(tx, [{ tenantId, messageId: sent.id, recipients: [outcome], stored: { sizeBytes: 1_234 } }]),
    )
    await followAll(database)
    assert.deepEqual(await stored(), { storedBytes: 1_234, unread: 0 })
    assert.deepEqual(await largestMailboxes(database, actor, 10), [
      { mailboxId: tenant.mailboxId, address: tenant.address, storedBytes: 1_234 },
    ])
    // Filed by its sender it is counted all the same.
    await updateMessage(database, actor, sent.id, tenant.mailboxId, { folder: 'archive', isRead: false })
    await followAll(database)
    assert.deepEqual(await stored(), { storedBytes: 1_234, unread: 0 })
    assert.deepEqual(await counted(tenantId, [tenant.mailboxId]), [
      { place: `${tenant.mailboxId} archive`, messages: 1, unread: 1 },
    ])
    const elsewhere = operatorOf(tenantId, newId())
    assert.deepEqual((await mailboxFigures(database, elsewhere, [tenant.mailboxId])).get(tenant.mailboxId), {
      ...{ storedBytes: 0, unread: 0 },
    })
    await database.rows(sql`insert into plans (name, key_per_minute, tenant_per_day, messages_per_month, stored_mib, retention_days)
      select ${`brief-${tenantId}`}, key_per_minute, tenant_per_day, messages_per_month, stored_mib, 1 from plans limit 1`)
    await database.rows(sql`update tenants set plan = ${`brief-${tenantId}`} where id = ${tenantId}`)
    await database.rows(
      sql`update messages set created_at = created_at - interval '2 days' where tenant_id = ${tenantId}`,
    )
    await sweepExpired(database, 100)
    assert.deepEqual(await stored(), { storedBytes: 0, unread: 0 })
    assert.deepEqual(await largestMailboxes(database, actor, 10), [])
  })

  test('is told of this moment as far as so many events, and of what lies beyond once it is followed', async () => {
    const { tenant, mailboxIds } = await twoMailboxes()
    const [first] = mailboxIds
    await followAll(database)
    for (let i = 0; i < 3; i++) await receive(tenant.tenantId, [first], 10)
    await writeMessages(
      database,
      productionOf(tenant.tenantId),
      Array.from({ length: MOST_EVENTS_LOOKED_AT - 4 }, () => ({})),
    )
    for (let i = 0; i < 3; i++) await receive(tenant.tenantId, [first], 10)
    const inInbox = async () => (await counted(tenant.tenantId, mailboxIds))[0]?.messages
    assert.equal(await inInbox(), 4)
    await followAll(database)
    assert.equal(await inInbox(), 6)
  })

  test('of what was there before it was counted is counted by a rebuild, and nothing twice', async () => {
    const { tenant, actor, mailboxIds } = await twoMailboxes()
    for (let i = 0; i < 3; i++) await receive(tenant.tenantId, mailboxIds, 10)
    await followAll(database)
    await database.rows(sql`delete from mailbox_messages where tenant_id = ${tenant.tenantId}`)
    await database.rows(sql`delete from mailbox_amounts where tenant_id = ${tenant.tenantId}`)
    for (const _again of [1, 2]) {
      await rebuildActivity(database, operator, tenant.tenantId, () => {})
      const figures = await mailboxFigures(database, actor, mailboxIds)
      for (const id of mailboxIds) assert.deepEqual(figures.get(id), { storedBytes: 30, unread: 3 })
    }
    assert.deepEqual(await activityFaults(database), [])
  })
})
