// What follows the feed agrees with it, whatever is written, however many follow, and wherever one of them stops.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { activityFaults, countsOf, followAll, writeMessages } from '../../test/support/activity.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { feedCaughtUp } from '../../test/support/feed.ts'
import { operator, operatorOf } from '../../test/support/operator.ts'
import { createTestMailboxUser } from '../../test/support/people.ts'
import { receive } from '../../test/support/received-mail.ts'
import { createTestTenant, type TestTenant } from '../../test/support/tenant.ts'
import type { Realm } from '../access/actor.ts'
import { appendEvents, type NewEvent } from '../events/append.ts'
import { EVENT_TYPES, type EventType } from '../events/types.ts'
import { type Database, isUnavailable, openDatabase, ranOutOfTime, sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { createMailbox } from '../mailboxes/create-mailbox.ts'
import { checkActivity } from '../ops/doctor-database.ts'
import { createMetrics } from '../servers/ops/metrics.ts'
import { findLogsBehind, readActivityLag } from './find-logs-behind.ts'
import { followLogs } from './follow-logs.ts'
import { rebuildActivity } from './rebuild-activity.ts'
import { sweepCounts } from './sweep-activity.ts'

describe('what follows the feed', async () => {
  const { database, url } = await createTestDatabase({ alone: true })

  const realmOf = async (): Promise<Realm & TestTenant> => {
    const tenant = await createTestTenant(database)
    return { ...tenant, environmentId: tenant.tenantId }
  }

  const append = (realm: Realm, events: readonly { type: EventType; mailboxId?: unknown; mailboxIds?: unknown }[]) =>
    database.transaction((tx) =>
      appendEvents(
        tx,
        events.map(({ type, ...data }): NewEvent => {
          const { tenantId, environmentId } = realm
          return { tenantId, environmentId, type, resourceType: 'message', resourceId: newId(), data }
        }),
      ),
    )

  test('counts as many events of each type between two quarters of an hour as the log has there', async () => {
    const realm = await realmOf()
    const anyEvent = fc.record({ type: fc.constantFrom(...EVENT_TYPES), quarters: fc.integer({ min: 0, max: 6 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 30 }), async (events) => {
        const ids = await append(realm, events)
        await database.rows(sql`
          update events e set occurred_at = timestamptz '2026-01-01Z' + n.seconds * interval '1 second'
          from unnest(${ids}::uuid[], ${events.map(({ quarters }) => quarters * 450)}::integer[]) as n (id, seconds)
          where e.id = n.id`)
        await followAll(database)
        assert.deepEqual(await activityFaults(database), [])
      }),
      { numRuns: 15 },
    )
  })

  test('mail to thousands is taken a few at a time, whether somebody reads the mailbox or nobody, and all of it is found', async () => {
    const people = (field: string) =>
      Array.from({ length: 1_000 }, (_, i) => ({
        address: `${field}.${i}.person@department${i}.shop.example`,
        name: null,
      }))
    for (const isRead of [false, true]) {
      const realm = await realmOf()
      if (isRead) await createTestMailboxUser(database, realm.tenantId, realm.mailboxId)
      for (let i = 0; i < 6; i++) {
        await receive(database, realm.tenantId, { mailboxIds: [realm.mailboxId], to: people('to'), cc: people('cc') })
      }
      await feedCaughtUp(database)
      const found = async () => {
        const { count } = (await database.first(sql<{ count: number }>`
          select count(*) as count from message_search where tenant_id = ${realm.tenantId}`)) ?? { count: 0 }
        return count
      }
      const steps: number[] = []
      for (let hasMore = true; hasMore; ) {
        hasMore = await followLogs(database, [realm])
        steps.push(await found())
      }
      assert.equal(steps.at(-1), 6)
      assert(
        steps.every((count, i) => count - (steps[i - 1] ?? 0) <= 2),
        steps.join(),
      )
    }
  })

  test('counts a received message once for the environment and once for each mailbox that has it', async () => {
    const [realm, other] = await Promise.all([realmOf(), realmOf()])
    const one = realm.mailboxId
    const address = `second@${realm.address.split('@')[1]}`
    const { id: two } = await createMailbox(database, operatorOf(realm.tenantId), { address, displayName: 'Second' })
    await append(realm, [
      { type: 'message.received', mailboxId: one, mailboxIds: [one, two] },
      // What an operator triggers may say anything.
      { type: 'message.received', mailboxIds: [one, one.toUpperCase(), 7, null, 'x'] },
      { type: 'message.received', mailboxId: { x: 1 } },
      { type: 'message.received', mailboxIds: [other.mailboxId, ...Array.from({ length: 100 }, () => newId())] },
    ])
    await followAll(database)
    const counts = await countsOf(database, realm)
    assert.deepEqual(
      [realm.environmentId, one, two].map((subject) => counts.filter((c) => c.subject === subject).map((c) => c.count)),
      [[4], [2], [1]],
    )
    assert.equal(counts.length, 3, 'nothing is counted for what is no mailbox of the tenant')
  })

  test('counts each event once when many follow at once and some are cut off in the middle', async () => {
    const realms = await Promise.all([realmOf(), realmOf(), realmOf()])
    const others = Array.from({ length: 3 }, () => openDatabase({ url, connections: 2 }))
    let isWriting = true
    const writing = (async () => {
      for (let i = 0; i < 40; i++) {
        for (const realm of realms)
          await append(
            realm,
            Array.from({ length: 25 }, () => ({ type: 'message.sent' })),
          )
      }
      isWriting = false
    })()
    const follow = async (through: Database) => {
      while (isWriting || (await findLogsBehind(through)).length > 0) {
        await followLogs(through, await findLogsBehind(through)).catch((error: unknown) => {
          assert(isUnavailable(error), String(error))
        })
      }
    }
    const cut = async () => {
      while (isWriting) {
        await database.rows(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and query like '%activity_counts as a%'
            and state <> 'idle'`)
      }
    }
    await Promise.all([writing, cut(), ...others.map(follow)])
    await followAll(database)
    for (const realm of realms) {
      const counts = await countsOf(database, realm)
      assert.equal(
        counts.reduce((sum, { count }) => sum + count, 0),
        1_000,
      )
    }
    assert.deepEqual(await activityFaults(database), [])
    for (const other of others) await other.end()
  })

  test('does not read beyond a transaction that is open, and goes on when it has ended', async () => {
    const realm = await realmOf()
    await followAll(database)
    const late = await database.pool.connect()
    await late.query('begin')
    await late.query(`insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
      select '${realm.tenantId}', '${realm.tenantId}', (select epoch from feed_epoch), gen_random_uuid(), 'message.sent', 'message',
        gen_random_uuid(), '{}', clock_timestamp()`)
    await append(realm, [{ type: 'message.failed' }])
    const [behind] = (await findLogsBehind(database)).filter(({ tenantId }) => tenantId === realm.tenantId)
    assert.equal(behind?.isReady, false)
    assert((await readActivityLag(database)) > 0)
    await followLogs(database, [realm])
    assert.deepEqual(await countsOf(database, realm), [])
    await late.query('commit')
    late.release()
    await followAll(database)
    const counts = await countsOf(database, realm)
    assert.deepEqual(counts.map(({ type }) => type).sort(), ['message.failed', 'message.sent'])
    assert.equal(await readActivityLag(database), 0)
  })

  test('a log that lies far behind leaves the others their turns', async () => {
    const [far, near] = await Promise.all([realmOf(), realmOf()])
    await append(
      far,
      Array.from({ length: 5_000 }, () => ({ type: 'message.updated' })),
    )
    await append(near, [{ type: 'message.sent' }])
    await feedCaughtUp(database)
    assert.equal(await followLogs(database, [far, near]), true)
    assert.equal((await countsOf(database, near)).length, 1)
    await followAll(database)
  })

  test('notes no message that ends meanwhile, and every other', async () => {
    const realm = await realmOf()
    const [kept, removed] = (await writeMessages(database, realm, [{ subject: 'Kept' }, { subject: 'Removed' }])) as [
      Uuid,
      Uuid,
    ]
    await feedCaughtUp(database)
    const ending = await database.pool.connect()
    await ending.query('begin')
    await ending.query('delete from messages where id = $1', [removed])
    // It may still stay.
    await assert.rejects(followLogs(database, [realm]), ranOutOfTime)
    await ending.query('commit')
    ending.release()
    await followAll(database)
    const rows = await database.rows(sql<{ id: Uuid }>`
      select message_id as id from message_search where tenant_id = ${realm.tenantId}`)
    assert.deepEqual(rows, [{ id: kept }])
    assert.deepEqual(await activityFaults(database), [])
  })

  test('a new span begins behind one that is full, and what is older goes where its time is', async () => {
    const realm = await realmOf()
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
    await writeMessages(database, realm, [
      { subject: 'a', createdAt: at(10) },
      { subject: 'b', createdAt: at(20) },
    ])
    await followAll(database)
    await database.rows(sql`update search_spans set messages = 16383 where tenant_id = ${realm.tenantId}`)
    await writeMessages(database, realm, [{ subject: 'c', createdAt: at(30) }])
    await followAll(database)
    await writeMessages(database, realm, [
      { subject: 'd', createdAt: at(15) },
      { subject: 'e', createdAt: at(31) },
    ])
    await followAll(database)
    const spans = await database.rows(sql<{ subjects: string[] }>`
      select array_agg(m.subject order by m.subject) as subjects
      from search_spans s
      join message_search f on f.tenant_id = s.tenant_id and split_part((tsvector_to_array(f.words))[1], '/', 1) = to_hex(s.id)
      join messages m on m.id = f.message_id
      where s.tenant_id = ${realm.tenantId}
      group by s.begins_at order by s.begins_at`)
    assert.deepEqual(spans, [{ subjects: ['a', 'b', 'c', 'd'] }, { subjects: ['e'] }])
    assert.deepEqual(await activityFaults(database), [])
  })

  test('a rebuild counts anew and writes words again, while the former counts are kept until it has come as far', async () => {
    const realm = await realmOf()
    const [id] = await writeMessages(database, realm, [{ subject: 'Found again' }])
    await followAll(database)
    await database.rows(sql`update activity_counts set count = 7 where tenant_id = ${realm.tenantId}`)
    await database.rows(sql`update message_search set words = '' where message_id = ${id}`)
    assert.equal((await activityFaults(database)).length, 1)
    const seen: number[] = []
    const done = await rebuildActivity(database, operator, realm.tenantId, ({ followed, events }) => {
      seen.push(followed / events)
    })
    assert.deepEqual(done, { environments: 1, events: 2 })
    assert.equal(seen.at(-1), 1)
    assert.deepEqual(await activityFaults(database), [])
    const [row] = await database.rows(sql<{ words: string }>`
      select words::text as words from message_search where message_id = ${id}`)
    assert.match(row?.words ?? '', /sfound/)
    // What the former build counted is of no use any more.
    assert.deepEqual(
      (await countsOf(database, realm)).map(({ count }) => count),
      [8],
    )
    while ((await sweepCounts(database, 100)) > 0);
    assert.deepEqual(
      (await countsOf(database, realm)).map(({ count }) => count),
      [1],
    )
  })

  test('counts are kept for 400 days', async () => {
    const realm = await realmOf()
    const ids = await append(realm, [{ type: 'message.sent' }, { type: 'message.failed' }])
    await followAll(database)
    for (const [type, hours] of [
      ['message.sent', 400 * 24 - 1],
      ['message.failed', 400 * 24 + 1],
    ] as const) {
      await database.rows(sql`
        update activity_counts set at = at - make_interval(hours => ${hours})
        where tenant_id = ${realm.tenantId} and type = ${type}`)
    }
    assert.equal(ids.length, 2)
    while ((await sweepCounts(database, 1)) > 0);
    assert.deepEqual(
      (await countsOf(database, realm)).map(({ type }) => type),
      ['message.sent'],
    )
  })

  test('the doctor warns when what follows is a minute behind, and the metrics say by how much', async () => {
    const realm = await realmOf()
    await followAll(database)
    assert.equal((await checkActivity(database)).result, 'ok')
    const ids = await append(realm, [{ type: 'message.sent' }])
    const metrics = createMetrics()
    metrics.watchDatabase(database, [])
    for (const [seconds, result] of [
      [50, 'ok'],
      [70, 'warn'],
    ] as const) {
      await database.rows(sql`
        update events set occurred_at = clock_timestamp() - make_interval(secs => ${seconds}) where id = any (${ids}::uuid[])`)
      assert.equal((await checkActivity(database)).result, result)
      const [, lag] = /^mdk_activity_lag_seconds (.+)$/m.exec((await metrics.read()).text) ?? []
      assert(Number(lag) >= seconds && Number(lag) < seconds + 60, lag)
    }
    await followAll(database)
    assert.equal((await checkActivity(database)).result, 'ok')
  })
})
