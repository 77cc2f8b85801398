// What a mailbox had before somebody read it, and what comes in meanwhile, is all found, whoever follows, ends and deletes at once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { activityFaults, followAll } from '../../test/support/activity.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { feedCaughtUp } from '../../test/support/feed.ts'
import { type MailboxMail, writeMail } from '../../test/support/mailbox-mail.ts'
import { operator, operatorOf } from '../../test/support/operator.ts'
import { createTestMailboxUser } from '../../test/support/people.ts'
import { flushStatistics } from '../../test/support/statistics.ts'
import { createTestTenant, type TestTenant } from '../../test/support/tenant.ts'
import { type MailboxUser, productionOf } from '../access/actor.ts'
import { openDatabase, sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { endMessages } from '../messages/end-messages.ts'
import { lockMessage } from '../messages/lock-message.ts'
import { purgeMessage } from '../messages/purge-message.ts'
import { searchMail } from '../messages/search-mail.ts'
import { updateMessage } from '../messages/update-message.ts'
import { createMetrics } from '../servers/ops/metrics.ts'
import { startFollowing } from '../workers/activity/follow-activity.ts'
import { findLogsBehind } from './find-logs-behind.ts'
import { followLogs } from './follow-logs.ts'
import { rebuildActivity } from './rebuild-activity.ts'
import { sweepMailboxSpans } from './sweep-activity.ts'
import { walkMailboxes } from './walk-mailboxes.ts'

describe('what a mailbox had before somebody read it', async () => {
  const { database, url } = await createTestDatabase({ alone: true })

  const write = ({ tenantId, mailboxId }: TestTenant, mail: readonly Partial<MailboxMail>[]) =>
    writeMail(
      database,
      tenantId,
      mail.map((one) => ({ mailboxIds: [mailboxId], ...one })),
    )
  const some = (count: number, text = 'Note') => Array.from({ length: count }, (_, i) => ({ text: `${text} ${i}` }))
  const noted = async ({ tenantId }: TestTenant): Promise<Set<Uuid>> => {
    const rows = await database.rows(sql<{ id: Uuid }>`
      select message_id as id from mailbox_search where tenant_id = ${tenantId}`)
    return new Set(rows.map(({ id }) => id))
  }
  const userOf = ({ tenantId, mailboxId }: TestTenant): MailboxUser => ({
    ...{ kind: 'mailbox_user', mailboxUserId: newId(), mailboxes: new Map([[mailboxId, 'read']]) },
    ...{
      tenantId,
      environmentId: tenantId,
      origin: { requestId: newId(), clientAddress: '192.0.2.1', userAgent: 'tests' },
    },
  })
  const found = async (tenant: TestTenant, q: string) =>
    (await searchMail(database, userOf(tenant), { q, timeZone: 'UTC', limit: 100 })).items.map(({ id }) => id)
  const walkAll = async () => {
    while (!(await walkMailboxes(database)).isDone);
  }

  test('a tenant without a mailbox user has none of it', async () => {
    const tenant = await createTestTenant(database)
    await write(tenant, some(3))
    await followAll(database)
    assert.equal((await noted(tenant)).size, 0)
    const rows = await database.rows(sql`select from mailbox_spans where tenant_id = ${tenant.tenantId}`)
    assert.equal(rows.length, 0)
  })

  test('the first user, mail that comes in and what goes are at it at once, and nothing is missed or stays', async () => {
    const tenant = await createTestTenant(database)
    const before = await write(tenant, some(900))
    await followAll(database)
    const others = Array.from({ length: 3 }, () => openDatabase({ url, connections: 2 }))
    const [first, second, third] = others as [typeof database, typeof database, typeof database]
    let isWriting = true
    const written: Uuid[] = []
    const writing = (async () => {
      for (let i = 0; i < 30; i++) {
        written.push(...(await write(tenant, some(20, 'Late'))))
        if (i === 3) await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
      }
      isWriting = false
    })()
    const gone = new Set<Uuid>()
    const removing = (async () => {
      const actor = operatorOf(tenant.tenantId)
      for (let i = 0; i < 60; i++) {
        const id = i % 2 === 0 ? before[i * 14] : written[i * 7]
        if (id === undefined) continue
        gone.add(id)
        if (i % 4 < 2) await purgeMessage(database, actor, id)
        else await updateMessage(database, actor, id, tenant.mailboxId, { folder: 'trash' }).then(() => gone.delete(id))
      }
    })()
    const walk = async (through: typeof database) => {
      let isDone = false
      while (isWriting || !isDone) isDone = (await walkMailboxes(through)).isDone
    }
    const following = startFollowing({
      ...{ database: third, wakeUps: { listen: () => () => {} } },
      onAway: (error) => assert.fail(String(error)),
      onError: (error) => assert.fail(String(error)),
    })
    await Promise.all([writing, removing, walk(first), walk(second)])
    await following.stop()
    await followAll(database)
    const expected = [...before, ...written].filter((id) => !gone.has(id))
    assert.deepEqual([...(await noted(tenant))].sort(), expected.sort())
    assert.deepEqual(await activityFaults(database), [])
    for (const other of others) await other.end()
  })

  test('mail whose transaction is open while all is looked through is noted when it is followed', async () => {
    const tenant = await createTestTenant(database)
    const [known] = await write(tenant, [{ text: 'Known' }])
    await followAll(database)
    const late = newId()
    const open = await database.pool.connect()
    await open.query('begin')
    const { rows } = await open.query(
      `insert into messages (tenant_id, id, environment_id, created_at, direction, to_addresses, cc_addresses, bcc_addresses, subject,
         preview, received_at, size_bytes, text)
       values ($1, $2, $1, clock_timestamp() - interval '1 hour', 'inbound', '[]', '[]', '[]', 'Late', '', clock_timestamp(), 1, 'x')
       returning created_at, seq`,
      [tenant.tenantId, late],
    )
    await open.query(
      `insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read, is_starred)
       values ($1, $2, $3, $1, $4, $5, 'inbox', false, false)`,
      [tenant.tenantId, late, tenant.mailboxId, rows[0].created_at, rows[0].seq],
    )
    await open.query(
      `insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
       values ($1, $1, (select epoch from feed_epoch), $3, 'message.received', 'message', $2, '{}', clock_timestamp())`,
      [tenant.tenantId, late, newId()],
    )
    await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    await walkAll()
    assert.deepEqual(await noted(tenant), new Set([known]))
    await open.query('commit')
    open.release()
    await followAll(database)
    assert.deepEqual(await noted(tenant), new Set([known, late]))
    assert.deepEqual(await activityFaults(database), [])
  })

  test('what is being ended is waited for, and is not noted behind its end', async () => {
    const tenant = await createTestTenant(database)
    const [kept, removed] = (await write(tenant, [{ text: 'Kept' }, { text: 'Removed' }])) as [Uuid, Uuid]
    await followAll(database)
    await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    await database.transaction(async (tx) => {
      await lockMessage(tx, productionOf(tenant.tenantId), removed)
      await endMessages(tx, [{ tenantId: tenant.tenantId, id: removed }], 'purged')
      // It may still stay.
      assert.deepEqual(await walkMailboxes(database), { isDone: false, hasWalked: false })
    })
    await walkAll()
    assert.deepEqual(await noted(tenant), new Set([kept]))
  })

  test('while another has the log in hands nothing is walked, and nobody waits', async () => {
    const tenant = await createTestTenant(database)
    await write(tenant, some(2))
    await followAll(database)
    await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    const other = await database.pool.connect()
    await other.query('begin')
    await other.query(`select pg_advisory_xact_lock(hashtextextended('activity ' || $1, 0))`, [tenant.tenantId])
    assert.deepEqual(await walkMailboxes(database), { isDone: false, hasWalked: false })
    const metrics = createMetrics()
    metrics.watchDatabase(database, [])
    assert.match((await metrics.read()).text, /^mdk_mailboxes_being_indexed 1$/m)
    await other.query('rollback')
    other.release()
    await walkAll()
    assert.equal((await noted(tenant)).size, 2)
  })

  test('spans are filled downwards and upwards, and a search goes through them in their order', async () => {
    const tenant = await createTestTenant(database)
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()
    const old = await write(
      tenant,
      Array.from({ length: 600 }, (_, i) => ({ text: 'Note', createdAt: at(i) })),
    )
    await followAll(database)
    await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    const fill = () =>
      database.rows(
        sql`update mailbox_spans set messages = 16384 where tenant_id = ${tenant.tenantId} and messages > 0`,
      )
    const ids = [...old]
    for (let i = 0; i < 3; i++) {
      await walkMailboxes(database)
      await fill()
      ids.push(...(await write(tenant, [{ text: 'Note', createdAt: at(1_000 + i) }])))
      await feedCaughtUp(database)
      await followLogs(database, await findLogsBehind(database))
      await fill()
    }
    await walkAll()
    const spans = await database.rows(sql<{ begins: string; held: number }>`
      select s.begins_at::text as begins, count(f.message_id) as held
      from mailbox_spans s
      left join mailbox_search f on f.tenant_id = s.tenant_id and f.mailbox_id = s.mailbox_id
        and split_part((tsvector_to_array(f.words))[1], '/', 1) = to_hex(s.id)
      where s.tenant_id = ${tenant.tenantId} group by s.begins_at order by s.begins_at`)
    assert.deepEqual(
      spans.map(({ held }) => held),
      [100, 250, 250, 1, 1, 1],
    )
    assert.equal(spans[0]?.begins, '-infinity')
    assert.deepEqual(await found(tenant, 'note'), ids.toReversed().slice(0, 100))
    assert.deepEqual(await activityFaults(database), [])
  })

  test('spans whose messages are all gone are swept but for the oldest and the newest, and what is left is found', async () => {
    const tenant = await createTestTenant(database)
    await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    const spans: Uuid[][] = []
    for (const month of ['01', '02', '03', '04', '05']) {
      const note = (day: string) => ({ text: 'Note', createdAt: `2026-${month}-${day}T00:00:00Z` })
      spans.push(await write(tenant, [note('01'), note('02')]))
      await followAll(database)
      await database.rows(
        sql`update mailbox_spans set messages = 16384 where tenant_id = ${tenant.tenantId} and messages > 0`,
      )
    }
    const counted = async () =>
      (await database.rows(sql`select from mailbox_spans where tenant_id = ${tenant.tenantId}`)).length
    while ((await sweepMailboxSpans(database, 100)) > 0);
    assert.equal(await counted(), 5)
    const [first = [], second = [], third = [], fourth = [], fifth = []] = spans
    for (const id of [...first, ...second, ...fourth, ...fifth]) {
      await purgeMessage(database, operatorOf(tenant.tenantId), id)
    }
    assert.equal(await sweepMailboxSpans(database, 1), 1, 'no more than it may')
    while ((await sweepMailboxSpans(database, 100)) > 0);
    assert.equal(await counted(), 3)
    const late = await write(tenant, [{ text: 'Note', createdAt: '2026-02-01T00:00:00Z' }])
    await followAll(database)
    assert.deepEqual(await found(tenant, 'note'), [...third.toReversed(), ...late])
    assert.deepEqual(await activityFaults(database), [])
  })

  test('a rebuild writes the words again, and those that were lost', async () => {
    const tenant = await createTestTenant(database)
    await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    const [spoilt, lost] = (await write(tenant, [{ text: 'Found again' }, { text: 'Found again' }])) as [Uuid, Uuid]
    await followAll(database)
    await database.rows(sql`update mailbox_search set words = '' where message_id = ${spoilt}`)
    await database.rows(sql`delete from mailbox_search where message_id = ${lost}`)
    assert.equal((await activityFaults(database)).length, 1)
    await database.rows(sql`delete from searched_mailboxes where tenant_id = ${tenant.tenantId}`)
    await rebuildActivity(database, operator, tenant.tenantId, () => {})
    assert.deepEqual(await found(tenant, 'again'), [lost, spoilt])
    assert.deepEqual(await activityFaults(database), [])
  })

  test('texts of 1 MiB are followed a few at a time, and every one', async () => {
    const tenant = await createTestTenant(database)
    await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    await walkAll()
    const text = `${'long '.repeat(200_000)}`
    const html = `<p>${'wide '.repeat(200_000)}</p>`
    const ids = await write(
      tenant,
      Array.from({ length: 20 }, () => ({ text, html })),
    )
    await feedCaughtUp(database)
    let turns = 0
    while (await followLogs(database, await findLogsBehind(database))) turns += 1
    assert(turns >= 3, `${turns} turns`)
    assert.deepEqual(await noted(tenant), new Set(ids))
    assert.deepEqual((await found(tenant, 'long wide')).length, 20)
    const different = Array.from({ length: 20_000 }, (_, i) => `${i}${'\u{20000}'.repeat(20)}`).join(' ')
    const [odd] = await write(tenant, [{ subject: "It's \\ a 'quoted' one", text: `${different}` }])
    await followAll(database)
    assert.deepEqual(await found(tenant, "subject:it's quoted"), [odd])
    assert.deepEqual(await activityFaults(database), [])
  })

  test('among 100,000 messages no search reads a table whole', async () => {
    const tenant = await createTestTenant(database)
    await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
    const { tenantId, mailboxId } = tenant
    await database.pool.query(
      `with written as (
         insert into messages (tenant_id, id, environment_id, created_at, direction, to_addresses, cc_addresses, bcc_addresses, subject,
           preview, received_at, size_bytes)
         select $1, gen_random_uuid(), $1, timestamptz '2026-01-01Z' + n * interval '1 second', 'inbound', '[]', '[]', '[]', '', '',
           now(), 1
         from generate_series(1, 100000) n
         returning id, created_at, seq
       ),
       span as (
         insert into mailbox_spans (tenant_id, mailbox_id, begins_at, oldest_at, newest_at, messages)
         select $1, $2, case when n = 0 then '-infinity' else timestamptz '2026-01-01Z' + (n * 10000 + 1) * interval '1 second' end,
           '2026-01-01Z', timestamptz '2026-01-01Z' + (n + 1) * 10000 * interval '1 second', 10000
         from generate_series(0, 9) n
         returning id, begins_at
       ),
       entry as (
         insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read, is_starred)
         select $1, w.id, $2, $1, w.created_at, w.seq, 'inbox', w.seq % 1000 > 0, w.seq % 5000 = 0 from written w
       )
       insert into mailbox_search (tenant_id, message_id, mailbox_id, created_at, seq, words)
       select $1, w.id, $2, w.created_at, w.seq, array_to_tsvector(array[to_hex(s.id) || '/.', to_hex(s.id) || '/wcommon',
         to_hex(s.id) || '/wn' || w.seq % 20000])
       from written w cross join lateral (
         select s.id from span s where s.begins_at <= w.created_at order by s.begins_at desc limit 1) s`,
      [tenantId, mailboxId],
    )
    await database.pool.query('analyze messages, message_entries, mailbox_search, mailbox_spans')
    const tables = ['messages', 'message_entries', 'mailbox_search', 'message_states']
    const readWhole = async () => {
      await flushStatistics(database)
      const row = await database.first(sql<{ n: number }>`
        select sum(seq_scan)::integer as n from pg_stat_user_tables where relname = any(${tables}::text[])`)
      return row?.n
    }
    const before = await readWhole()
    for (const q of [
      'common',
      'n77',
      'common n77',
      'n7',
      'nothing',
      '-common',
      'is:unread',
      'is:starred',
      'is:starred n5',
      'in:inbox',
    ]) {
      // As often as it takes for a plan that is made once and for all.
      for (let i = 0; i < 7; i++) await found(tenant, q)
    }
    assert.equal((await found(tenant, 'n77 ')).length, 5)
    assert.equal((await found(tenant, 'is:starred')).length, 20)
    assert.equal((await found(tenant, 'is:unread')).length, 100)
    assert.equal(await readWhole(), before)
  })
})
