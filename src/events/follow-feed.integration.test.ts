// Who follows the log hears each event once, in its order, from wherever they come back.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { feedCaughtUp } from '../../test/support/feed.ts'
import { TEST_SECRET_KEYS } from '../../test/support/role-parts.ts'
import { proxyDatabase } from '../../test/support/service-under-fault.ts'
import { until } from '../../test/support/until.ts'
import { productionOf, type Realm } from '../access/actor.ts'
import { createWakeUps, type WakeUps } from '../lib/queue/wake-ups.ts'
import { type Database, openDatabase, type Sql, sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { appendEvents, type NewEvent } from './append.ts'
import { BEGINNING, createCursorCodec } from './cursor.ts'
import { readFeed } from './feed.ts'
import { type Change, createFeedFollower, type FeedFollower, type FeedFollowerDeps } from './follow-feed.ts'

// A transaction that stays open holds back the feed of the whole server.
const { database, url } = await createTestDatabase({ alone: true })
const cursors = createCursorCodec(TEST_SECRET_KEYS)
/** Nothing is found by looking by itself. */
const NEVER_MS = 2 ** 30

function createFollower(over: Database, options: Partial<FeedFollowerDeps> = {}): FeedFollower {
  const onError = (error: unknown) => assert.fail(String(error))
  const woken = options.wakeUps ? undefined : createWakeUps(over, options.onError ?? onError)
  const wakeUps = options.wakeUps ?? (woken as WakeUps)
  const follower = createFeedFollower({ database: over, cursors, onError, pollMs: NEVER_MS, ...options, wakeUps })
  after(() => follower.stop().then(woken?.stop))
  return follower
}

interface Heard {
  begin: string
  isAnew: boolean
  changes: Change[]
  ids: Uuid[]
  end(): void
}

async function hear(follower: FeedFollower, realm: Realm, cursor?: string): Promise<Heard> {
  const heard: Heard = { begin: '', isAnew: false, changes: [], ids: [], end: () => {} }
  heard.end = await follower.follow(realm, cursor, {
    begins(begin, isAnew) {
      Object.assign(heard, { begin, isAnew })
    },
    hears(changes) {
      heard.changes.push(...changes)
      heard.ids.push(...changes.map((change) => change.resourceId))
    },
  })
  return heard
}

/** Appends an event for each id in one transaction. */
async function append(realm: Realm, ids: readonly Uuid[], event: Partial<NewEvent> = {}): Promise<void> {
  const common = { ...realm, type: 'message.updated', resourceType: 'message', data: {}, ...event } as const
  await database.transaction((tx) =>
    appendEvents(
      tx,
      ids.map((resourceId) => ({ ...common, resourceId })),
    ),
  )
}

const someIds = (count: number) => Array.from({ length: count }, newId)

test('what is committed is heard at once, in its order, by who follows its log and by nobody else', async () => {
  const follower = createFollower(database)
  const tenantId = newId()
  const [mine, sandbox, other] = [productionOf(tenantId), { tenantId, environmentId: newId() }, productionOf(newId())]
  const [atMine, atSandbox, atOther] = [
    await hear(follower, mine),
    await hear(follower, sandbox),
    await hear(follower, other),
  ]
  const ids = someIds(3)
  await append(sandbox, ids.slice(0, 1))
  await append(other, ids.slice(1, 2))
  await append(mine, ids.slice(2))
  await until('all have heard', () => atMine.ids.length + atSandbox.ids.length + atOther.ids.length === 3)
  assert.deepEqual([atSandbox.ids, atOther.ids, atMine.ids], [ids.slice(0, 1), ids.slice(1, 2), ids.slice(2)])
})

test('what another process commits is heard without looking for it', async () => {
  const there = openDatabase({ url })
  after(() => there.end())
  const follower = createFollower(there)
  const sender = createWakeUps(database, (error) => assert.fail(String(error)))
  after(sender.stop)
  const realm = productionOf(newId())
  const heard = await hear(follower, realm)
  // The connection that listens is there once a first one was heard.
  const ids = someIds(2)
  await append(realm, ids.slice(0, 1))
  await until('the first is heard', async () => {
    database.signal('events')
    return heard.ids.length === 1
  })
  await append(realm, ids.slice(1))
  await until('the second is heard', () => heard.ids.length === 2)
  assert.deepEqual(heard.ids, ids)
})

test('what nobody signalled is found by looking', async () => {
  const follower = createFollower(database, { pollMs: 50 })
  const realm = productionOf(newId())
  const heard = await hear(follower, realm)
  await database.rows(sql`
    insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
    values (${realm.tenantId}, ${realm.environmentId}, (select epoch from feed_epoch), ${newId()}, 'domain.health_changed',
      'domain', ${newId()}, '{}', now())`)
  await until('it is heard', () => heard.ids.length === 1)
  assert.deepEqual(heard.changes[0]?.mailboxIds, [])
})

test('what an open transaction holds back is heard when that has ended, though nothing is signalled then', async () => {
  let looks = 0
  const counted = {
    ...database,
    rows: <Row>(statement: Sql<Row>) => {
      looks += 1
      return database.rows(statement)
    },
  }
  const follower = createFollower(counted)
  const realm = productionOf(newId())
  const heard = await hear(follower, realm)
  const client = await database.pool.connect()
  await client.query('begin; select pg_current_xact_id()')
  const ids = someIds(2)
  await append(realm, ids)
  const before = await readFeed(database, realm, BEGINNING, 10)
  assert.deepEqual(before.items, [])
  // Long after the last signal of any process.
  looks = 0
  await until('it looks again and again', () => looks >= 5)
  assert.deepEqual(heard.ids, [])
  await client.query('commit')
  client.release()
  await until('both are heard', () => heard.ids.length === 2)
  assert.deepEqual(heard.ids, ids)
})

test('who comes back again and again while others write hears each event once, in the order of the feed', async () => {
  const followers = [createFollower(database), createFollower(database)]
  const realm = productionOf(newId())
  let writing = true
  const written: Uuid[] = []
  const write = async () => {
    for (let n = 0; n < 120; n++) {
      const ids = someIds((n % 3) + 1)
      await append(realm, ids)
      written.push(...ids)
    }
  }
  const writers = Promise.all([write(), write(), write()]).finally(() => {
    writing = false
  })
  const steady = await hear(followers[0] as FeedFollower, realm, cursors.encode(realm, BEGINNING))
  const ids: Uuid[] = []
  let cursor = cursors.encode(realm, BEGINNING)
  for (let round = 0; writing || ids.length < written.length; round++) {
    // Through either process in turn: each has read as far as it has.
    const heard = await hear(followers[round % 2] as FeedFollower, realm, cursor)
    assert.deepEqual([heard.begin, heard.isAnew], [cursor, false])
    await until('something is heard', () => heard.ids.length > 0 || (!writing && ids.length === written.length))
    heard.end()
    cursor = heard.changes.at(-1)?.cursor ?? cursor
    ids.push(...heard.ids)
  }
  await writers
  await until('the other has heard all', () => steady.ids.length === written.length)
  const rows = await database.rows(sql<{ id: Uuid }>`
    select resource_id as id from events where tenant_id = ${realm.tenantId} order by epoch, xid, seq`)
  const inOrder = rows.map((row) => row.id)
  assert.deepEqual(ids, inOrder)
  assert.deepEqual(steady.ids, inOrder)
})

test('what is handed on while somebody reads what they missed is heard by them too, once', async () => {
  const [isRead, isHeard] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Database = {
    ...database,
    async rows<Row>(statement: Sql<Row>) {
      const rows = await database.rows(statement)
      // One more than may be missed.
      if (!statement.values.includes(1_001)) return rows
      isRead.resolve()
      await isHeard.promise
      return rows
    },
  }
  const follower = createFollower(slow)
  const realm = productionOf(newId())
  const ids = someIds(3)
  await append(realm, ids.slice(0, 1))
  await feedCaughtUp(database)
  const steady = await hear(follower, realm)
  const coming = hear(follower, realm, cursors.encode(realm, BEGINNING))
  await isRead.promise
  await append(realm, ids.slice(1, 2))
  await until('the other has heard', () => steady.ids.length === 1)
  isHeard.resolve()
  const back = await coming
  await append(realm, ids.slice(2))
  await until('both have heard', () => back.ids.length === 3 && steady.ids.length === 2)
  assert.deepEqual(back.ids, ids)
})

describe('a place to go on from', () => {
  test('no cursor begins now, behind a cursor of which it goes on as well', async () => {
    const follower = createFollower(database)
    const realm = productionOf(newId())
    await append(realm, someIds(3))
    await feedCaughtUp(database)
    const heard = await hear(follower, realm)
    assert.deepEqual([heard.isAnew, heard.ids], [false, []])
    heard.end()
    const ids = someIds(2)
    await append(realm, ids)
    await feedCaughtUp(database)
    const back = await hear(follower, realm, heard.begin)
    assert.deepEqual([back.isAnew, back.ids], [false, ids])
  })

  test('a cursor that is malformed, altered or another log’s begins now, and says so', async () => {
    const follower = createFollower(database)
    const realm = productionOf(newId())
    await append(realm, someIds(1))
    await feedCaughtUp(database)
    const good = (await hear(follower, realm)).begin
    const foreign = cursors.encode(productionOf(newId()), BEGINNING)
    for (const bad of ['', 'x', `${good.slice(0, -2)}AA`, foreign, '2026-01-01T00:00:00Z', '\0'.repeat(600)]) {
      const heard = await hear(follower, realm, bad)
      assert.deepEqual([heard.isAnew, heard.begin, heard.ids], [true, good, []], JSON.stringify(bad))
    }
  })

  test('a cursor from beyond the database, which was put back, goes on with whatever comes', async () => {
    const follower = createFollower(database)
    const realm = productionOf(newId())
    const epoch = await database.first(sql<{ epoch: number }>`select epoch from feed_epoch`)
    const beyond = { ...BEGINNING, epoch: epoch?.epoch as number, xid: '900000000000' }
    const heard = await hear(follower, realm, cursors.encode(realm, beyond))
    const ids = someIds(1)
    await append(realm, ids)
    await until('it is heard', () => heard.ids.length === 1)
    assert.deepEqual([heard.isAnew, heard.ids], [false, ids])
  })

  test('a thousand missed events are given; with one more it begins now, and says so', async () => {
    const follower = createFollower(database)
    const realm = productionOf(newId())
    const begin = cursors.encode(realm, BEGINNING)
    const ids = someIds(1_000)
    await append(realm, ids)
    await feedCaughtUp(database)
    const heard = await hear(follower, realm, begin)
    assert.deepEqual([heard.isAnew, heard.begin, heard.ids], [false, begin, ids])
    await append(realm, someIds(1))
    await until('the other has heard of it', () => heard.ids.length === 1_001)
    const anew = await hear(follower, realm, begin)
    assert.deepEqual([anew.isAnew, anew.begin, anew.ids], [true, heard.changes.at(-1)?.cursor, []])
  })
})

test('a change says which mailboxes it concerns, and whatever a sandbox’s synthetic events say does no harm', async () => {
  const follower = createFollower(database)
  const realm = productionOf(newId())
  const heard = await hear(follower, realm)
  const [one, two, mailbox] = someIds(3) as [Uuid, Uuid, Uuid]
  const cases: [Partial<NewEvent>, Uuid[]][] = [
    [{ data: { mailboxId: one } }, [one]],
    [{ type: 'message.received', data: { mailboxId: one, mailboxIds: [one, two] } }, [one, two]],
    [{ type: 'message.deleted', data: { mailboxId: null, mailboxIds: [two] } }, [two]],
    [{ type: 'mailbox.suspended', resourceType: 'mailbox', data: { address: 'a@example.com' } }, [mailbox]],
    [{ type: 'domain.health_changed', resourceType: 'domain', data: {} }, []],
    [{ data: { mailboxId: { odd: [one] } } }, []],
    [{ data: { mailboxIds: 'odd', mailboxId: 'odd' } }, []],
    [{ data: { mailboxIds: [1, null, one, 'odd'] } }, [one]],
  ]
  for (const [event] of cases) await append(realm, [mailbox], event)
  await until('all are heard', () => heard.changes.length === cases.length)
  assert.deepEqual(
    heard.changes.map((change) => change.mailboxIds),
    cases.map(([, mailboxIds]) => mailboxIds),
  )
})

test('a thousand who follow one log, and those of other logs, cost one statement a look, and none when they have gone', async () => {
  let statements = 0
  const counted: Database = {
    ...database,
    rows: <Row>(statement: Sql<Row>) => {
      statements += 1
      return database.rows(statement)
    },
    first: <Row>(statement: Sql<Row>) => {
      statements += 1
      return database.first(statement)
    },
  }
  const follower = createFollower(counted)
  const [realm, other] = [productionOf(newId()), productionOf(newId())]
  const heard = await Promise.all(someIds(1_000).map(() => hear(follower, realm)))
  const beside = await hear(follower, other)
  // The end of each log, and a look when the first came.
  await until('it has looked', () => statements >= 3)
  statements = 0
  const ids = someIds(2)
  await append(realm, ids)
  await until('all have heard', () => heard.every((one) => one.ids.length === 2))
  assert.deepEqual(beside.ids, [])
  assert(statements <= 2, `${statements} statements for one commit`)
  assert(heard.every((one) => one.changes[0] === heard[0]?.changes[0]))

  for (const one of heard) one.end()
  beside.end()
  beside.end()
  statements = 0
  await append(realm, someIds(1))
  await feedCaughtUp(database)
  const late = await hear(follower, realm)
  assert.deepEqual(late.ids, [])
  assert(statements <= 2, `${statements} statements while nobody followed, and to begin`)
})

/** A follower over a connection that can be broken, and who hears through it. */
async function hearThroughProxy() {
  const { proxy, url: through } = await proxyDatabase(url)
  const away = openDatabase({ url: through })
  after(() => away.end())
  const errors: unknown[] = []
  const quiet = { listen: () => () => {} }
  const follower = createFollower(away, { pollMs: 20, wakeUps: quiet, onError: (error) => errors.push(error) })
  const realm = productionOf(newId())
  const heard = await hear(follower, realm)
  return { proxy, realm, heard, errors }
}

test('a database that goes away is reported once, and what was committed meanwhile is heard when it is back', async () => {
  const { proxy, realm, heard, errors } = await hearThroughProxy()
  proxy.hang()
  proxy.cut()
  await until('that is noticed', () => errors.length > 0)
  const ids = someIds(2)
  await append(realm, ids)
  proxy.abandon()
  await until('it is heard', () => heard.ids.length === 2)
  assert.deepEqual(heard.ids, ids)
  assert.equal(errors.length, 1)
})

test('a database that was put back while it was away is followed from what it is now', async () => {
  const { proxy, realm, heard, errors } = await hearThroughProxy()
  await append(realm, someIds(1))
  await until('it has read', () => heard.ids.length === 1)
  proxy.hang()
  proxy.cut()
  await until('that is noticed', () => errors.length > 0)
  // What it has read was of a later epoch than what the database knows of.
  const put = await database.first(sql<{ epoch: number }>`update feed_epoch set epoch = epoch - 1000 returning epoch`)
  proxy.abandon()
  await until('an epoch begins', async () => {
    const now = await database.first(sql<{ epoch: number }>`select epoch from feed_epoch`)
    return now && put && now.epoch > put.epoch
  })
  await append(realm, someIds(1))
  await until('it is heard', () => heard.ids.length === 2)
})
