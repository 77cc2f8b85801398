// GET /v1/events: nothing is skipped, whatever races the reader; cursors are sealed; a reader can always go on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendEvents, type NewEvent } from '../../src/events/append.ts'
import { createCursorCodec } from '../../src/events/cursor.ts'
import { keepFeedEpoch } from '../../src/events/epoch.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createMetrics } from '../../src/servers/ops/metrics.ts'
import { call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { TEST_SECRET_KEYS } from '../support/role-parts.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const WRITERS = 32
const { database, url: databaseUrl } = await createTestDatabase({ alone: true })
const { url } = await startTestApi(database)

const eventOf = (tenant: TestTenant, n: number): NewEvent => ({
  tenantId: tenant.tenantId,
  environmentId: tenant.tenantId,
  type: 'message.updated',
  resourceType: 'message',
  resourceId: newId(),
  data: { n },
})

interface Item {
  id: string
  type: string
  data: { n?: number }
  occurredAt: string
}

async function page(
  tenant: TestTenant,
  query: string,
): Promise<{ items: Item[]; next: string | null; resume: string }> {
  const answer = await call(url, 'GET', `/v1/events?${query}`, { key: tenant.key })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { items, nextCursor } = answer.body
  return { items, next: nextCursor, resume: answer.headers.get('mdk-resume-cursor') ?? '' }
}

/** Everything from a cursor to the end, and where to go on. */
async function readAll(
  tenant: TestTenant,
  cursor: string | null,
  limit: number,
): Promise<{ items: Item[]; resume: string }> {
  const items: Item[] = []
  let at = cursor
  for (;;) {
    const read = await page(tenant, `limit=${limit}${at ? `&cursor=${encodeURIComponent(at)}` : ''}`)
    items.push(...read.items)
    if (read.next === null) return { items, resume: read.resume }
    assert.equal(read.next, read.resume)
    at = read.next
  }
}

test('an event whose transaction stays open while later ones commit is not skipped', async () => {
  const tenant = await createTestTenant(database)
  const start = await readAll(tenant, null, 100)
  const slow = await database.connect('slow writer')
  await slow.query('begin')
  await slow.query(
    `insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
     values ($1, $1, (select epoch from feed_epoch), $2, 'message.updated', 'message', $2, '{"n":0}', clock_timestamp())`,
    [tenant.tenantId, newId()],
  )
  for (const n of [1, 2, 3]) await database.transaction((tx) => appendEvents(tx, [eventOf(tenant, n)]))
  const during = await readAll(tenant, start.resume, 2)
  assert.deepEqual(during.items, [], 'what came later waits for what may still come before it')
  await slow.query('commit')
  await slow.end()
  await feedCaughtUp(database)
  const after = await readAll(tenant, during.resume, 2)
  assert.deepEqual(
    after.items.map((item) => item.data.n),
    [0, 1, 2, 3],
  )
  assert.deepEqual((await readAll(tenant, after.resume, 2)).items, [])
})

test('readers with stored cursors see the committed set exactly, beside 32 writers that sleep and roll back', async () => {
  const tenant = await createTestTenant(database)
  // So many at once that none waits for another's connection.
  const writers = openDatabase({ url: databaseUrl, connections: WRITERS })
  const committed: number[] = []
  let n = 0
  let writing = true
  const writer = async () => {
    for (let i = 0; i < 8; i++) {
      const mine = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => n++)
      const rollBack = Math.random() < 0.3
      await writers
        .transaction(async (tx) => {
          for (const m of mine) {
            await appendEvents(tx, [eventOf(tenant, m)])
            await tx.rows(sql`select pg_sleep(${Math.random() / 20})::text`)
          }
          if (rollBack) throw new Error('rolled back')
        })
        .then(
          () => committed.push(...mine),
          (error) => assert.equal(error.message, 'rolled back'),
        )
    }
  }
  const reader = async (limit: number) => {
    const seen: Item[] = []
    let cursor: string | null = null
    for (;;) {
      const last = !writing
      const read: { items: Item[]; resume: string } = await readAll(tenant, cursor, limit)
      seen.push(...read.items)
      cursor = read.resume
      if (last) return seen.map((item) => item.data.n).filter((m) => m !== undefined)
    }
  }
  const readers = [1, 7, 100].map(reader)
  await Promise.all(Array.from({ length: WRITERS }, writer))
  await writers.end()
  await feedCaughtUp(database)
  writing = false
  const orders = await Promise.all(readers)
  for (const seen of orders) {
    assert.equal(new Set(seen).size, seen.length, 'nothing twice')
    assert.deepEqual(seen, orders[0], 'one order for all')
    assert.deepEqual(
      [...seen].sort((x, y) => x - y),
      [...committed].sort((x, y) => x - y),
    )
  }
})

test('pages hold 1 to 100 events, 25 unless asked', async () => {
  const tenant = await createTestTenant(database)
  await database.transaction((tx) =>
    appendEvents(
      tx,
      Array.from({ length: 120 }, (_, i) => eventOf(tenant, i)),
    ),
  )
  assert.equal((await page(tenant, '')).items.length, 25)
  assert.equal((await page(tenant, 'limit=1')).items.length, 1)
  assert.equal((await page(tenant, 'limit=100')).items.length, 100)
  for (const limit of ['0', '101', 'x', '1.5', '-1', '']) {
    const answer = await call(url, 'GET', `/v1/events?limit=${limit}`, { key: tenant.key })
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_error'], `limit=${limit}`)
  }
})

test('the last page says so and still shows where to go on', async () => {
  const tenant = await createTestTenant(database)
  const first = await page(tenant, 'limit=100')
  assert.equal(first.next, null)
  assert.equal(first.items[0]?.type, 'mailbox.created')
  const empty = await page(tenant, `cursor=${first.resume}`)
  assert.deepEqual([empty.items, empty.next, empty.resume], [[], null, first.resume])
  await database.transaction((tx) => appendEvents(tx, [eventOf(tenant, 7)]))
  assert.equal((await page(tenant, `cursor=${empty.resume}`)).items[0]?.data.n, 7)
})

test('a cursor that is malformed, altered or of another tenant is refused', async () => {
  const tenant = await createTestTenant(database)
  const other = await createTestTenant(database)
  const { resume } = await page(tenant, '')
  const foreign = (await page(other, '')).resume
  for (const cursor of ['nonsense', `${resume}A`, resume.slice(0, -2), foreign, 'x'.repeat(512)]) {
    const answer = await call(url, 'GET', `/v1/events?cursor=${cursor}`, { key: tenant.key })
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_cursor'], cursor)
  }
  for (const cursor of ['', 'x'.repeat(513)]) {
    const answer = await call(url, 'GET', `/v1/events?cursor=${cursor}`, { key: tenant.key })
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_error'])
  }
})

test('an ISO 8601 instant as cursor begins with the events of that instant', async () => {
  const tenant = await createTestTenant(database)
  for (let i = 0; i < 40; i++) await database.transaction((tx) => appendEvents(tx, [eventOf(tenant, i)]))
  const { items } = await readAll(tenant, null, 100)
  for (const at of [0, 1, 17, items.length - 1]) {
    const instant = items[at]?.occurredAt as string
    const expected = items.filter((item) => item.occurredAt >= instant)
    assert.deepEqual((await readAll(tenant, instant, 7)).items, expected)
  }
  assert.deepEqual((await readAll(tenant, '2000-01-01', 100)).items, items)
  assert.deepEqual((await readAll(tenant, '2999-01-01T00:00:00Z', 100)).items, [])
})

test('an instant far back in a long log is found without reading the log', async () => {
  const tenant = await createTestTenant(database)
  await database.rows(sql`
    insert into events (tenant_id, environment_id, epoch, xid, id, type, resource_type, resource_id, data, occurred_at)
    select ${tenant.tenantId}, ${tenant.tenantId}, 1, (100 + n)::text::xid8, gen_random_uuid(), 'message.updated',
      'message', gen_random_uuid(), json_build_object('n', n), timestamptz '2020-01-01 00:00Z' + n * interval '1 minute'
    from generate_series(0, 499) as n`)
  const { items } = await readAll(tenant, '2020-01-01T04:00:00Z', 100)
  const own = items.filter((item) => item.data.n !== undefined)
  assert.deepEqual([own[0]?.data.n, own.at(-1)?.data.n, own.length], [240, 499, 260])
})

test('after a restore into another cluster old events stay in front and new ones come behind', async () => {
  const tenant = await createTestTenant(database)
  await database.transaction((tx) =>
    appendEvents(
      tx,
      [1, 2, 3].map((n) => eventOf(tenant, n)),
    ),
  )
  const before = await readAll(tenant, null, 100)
  // As after a restore: rows of the old cluster bear transaction ids that this one has not reached.
  await database.rows(sql`
    update events set xid = '4000000000'::xid8 where tenant_id = ${tenant.tenantId} and data ->> 'n' = '3'`)
  await database.rows(sql`update feed_epoch set epoch = epoch + 1`)
  await database.transaction((tx) => appendEvents(tx, [eventOf(tenant, 4)]))
  const all = await readAll(tenant, null, 2)
  assert.deepEqual(
    all.items.map((item) => item.data.n).filter((n) => n !== undefined),
    [1, 2, 3, 4],
  )
  const rest = await readAll(tenant, before.resume, 100)
  assert.equal(rest.items.at(-1)?.data.n, 4)
})

test('the figure of the feed shows how long an open write transaction has held it back', async () => {
  const lag = async () => {
    const { text } = await metrics.read()
    return Number(/^mdk_event_lag_seconds (\S+)$/m.exec(text)?.[1])
  }
  const metrics = createMetrics()
  metrics.watchDatabase(database, [])
  const slow = await database.connect('slow writer')
  await slow.query('begin; select pg_current_xact_id()')
  await slow.query('select pg_sleep(0.3)')
  assert((await lag()) >= 0.3)
  await slow.query('rollback')
  await slow.end()
  await until('it is no longer held back', async () => (await lag()) < 0.3)
})

interface Epoch {
  epoch: number
  server_started_at: string
}

const epochNow = async (): Promise<Epoch> => {
  const row = await database.first(sql<Epoch>`select epoch, server_started_at from feed_epoch`)
  return row ?? assert.fail('there is no epoch')
}

/** As after the start of a server with these data. */
const forgetStart = () =>
  database.rows(sql`update feed_epoch set server_started_at = server_started_at - interval '1 day'`)

/** How many wait for the log itself. */
const waitingForLog = async () => {
  const row = await database.first(sql<{ count: number }>`
    select count(*) from pg_locks where relation = 'events'::regclass and not granted`)
  return row?.count
}

const numbersOf = (items: Item[]) => items.map((item) => item.data.n).filter((n) => n !== undefined)

test('a start of the database begins one epoch, whoever notices, between what is being written and what comes', async () => {
  const tenant = await createTestTenant(database)
  // Ahead of the clock: each epoch is one more than the last.
  await database.rows(sql`update feed_epoch set epoch = 1000000000`)
  const { resume } = await readAll(tenant, null, 100)
  await forgetStart()
  const written = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const first = database.transaction(async (tx) => {
    await appendEvents(tx, [eventOf(tenant, 1)])
    written.resolve()
    await release.promise
  })
  await written.promise
  const processes = [1, 2, 3].map(() => openDatabase({ url: databaseUrl, onConnect: keepFeedEpoch }))
  const noticed = processes.map((process) => process.rows(sql`select`))
  await until('all of them wait for the writer', async () => (await waitingForLog()) === 3)
  const second = database.transaction((tx) => appendEvents(tx, [eventOf(tenant, 2)]))
  await until('the next writer waits for them', async () => (await waitingForLog()) === 4)
  assert.deepEqual((await readAll(tenant, resume, 100)).items, [])
  release.resolve()
  await Promise.all([first, second, ...noticed])
  await Promise.all(processes.map((process) => process.end()))

  assert.equal((await epochNow()).epoch, 1_000_000_001)
  const rows = await database.rows(sql<{ epoch: number }>`
    select epoch from events where tenant_id = ${tenant.tenantId} and type = 'message.updated' order by epoch`)
  assert.deepEqual(rows, [{ epoch: 1_000_000_000 }, { epoch: 1_000_000_001 }])
  assert.deepEqual(numbersOf((await readAll(tenant, resume, 1)).items), [1, 2])
})

test('a process whose connections broke begins an epoch before it writes again, when the server is another', async () => {
  const process = openDatabase({ url: databaseUrl, connections: 1, onConnect: keepFeedEpoch })
  const end = async () => {
    const { pid } = (await process.first(sql<{ pid: number }>`select pg_backend_pid() as pid`)) ?? { pid: 0 }
    await database.rows(sql`select pg_terminate_backend(${pid}, 5000)`)
    await until('it is back', () => process.rows(sql`select`).catch(() => false as const))
  }
  const before = await epochNow()
  await end()
  assert.deepEqual(await epochNow(), before, 'the same server')
  await forgetStart()
  await end()
  const after = await epochNow()
  assert(after.epoch > before.epoch)
  assert.equal(after.server_started_at, before.server_started_at)
  await process.end()
})

test('a connection to a standby reads, and writes nothing once that is the primary', async () => {
  const tenant = await createTestTenant(database)
  const before = await epochNow()
  const name = new URL(databaseUrl).pathname.slice(1)
  await forgetStart()
  await database.pool.query(`alter database ${name} set default_transaction_read_only = on`)
  const process = openDatabase({ url: databaseUrl, connections: 1, onConnect: keepFeedEpoch })
  await process.rows(sql`select from events limit 1`)
  await database.pool.query(`alter database ${name} reset default_transaction_read_only`)
  const write = () => process.transaction((tx) => appendEvents(tx, [eventOf(tenant, 1)]))
  await assert.rejects(write, { code: '25006' })
  assert.equal((await epochNow()).epoch, before.epoch)
  await write()
  assert((await epochNow()).epoch > before.epoch)
  await process.end()
})

test('a cursor from further on than the database is proves that it was put back: its reader misses nothing', async () => {
  const tenant = await createTestTenant(database)
  const owner = { tenantId: tenant.tenantId, environmentId: tenant.tenantId }
  const cursors = createCursorCodec(TEST_SECRET_KEYS)
  const { resume } = await readAll(tenant, null, 100)
  const { epoch } = await epochNow()
  assert.equal((await readAll(tenant, resume, 100)).resume, resume)
  assert.equal((await epochNow()).epoch, epoch, 'a reader at the end proves nothing')
  const places: [epochsAhead: number, xidsAhead: number][] = [
    [0, 0],
    [0, 1_000_000],
    [1_000, -500],
  ]
  for (const [n, [epochsAhead, xidsAhead]] of places.entries()) {
    const next = await database.first(sql<{ xid: string }>`
      select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + ${xidsAhead})::text as xid`)
    const place = { epoch: (await epochNow()).epoch + epochsAhead, xid: next?.xid ?? '', seq: 1, sinceMicros: 0 }
    const cursor = cursors.encode(owner, place)
    const asked = await Promise.all([readAll(tenant, cursor, 100), readAll(tenant, cursor, 100)])
    assert.deepEqual(
      asked.map(({ items }) => items),
      [[], []],
    )
    await database.transaction((tx) => appendEvents(tx, [eventOf(tenant, n)]))
    for (const reader of asked) assert.deepEqual(numbersOf((await readAll(tenant, reader.resume, 100)).items), [n])
  }
  assert((await epochNow()).epoch > epoch + 1_000)
  assert.deepEqual(numbersOf((await readAll(tenant, resume, 100)).items), [0, 1, 2])
})
