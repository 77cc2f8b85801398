// Lists as CSV files: what is in them, from one snapshot, for whom, for how long, and that half a file is never taken for a
// whole one.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Person } from '../../src/access/actor.ts'
import type { Problem } from '../../src/access/problem.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { appendEvents } from '../../src/events/append.ts'
import { BEGINNING } from '../../src/events/cursor.ts'
import { readFeed } from '../../src/events/feed.ts'
import type { ListExport } from '../../src/exports/list-export.ts'
import { messagesExport } from '../../src/exports/messages-export.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { removePerson } from '../../src/people/remove-person.ts'
import { createExports, type ExportBounds, type ExportsDeps } from '../../src/servers/console/exports.ts'
import { standingsOf } from '../../src/servers/sessions/changes-standings.ts'
import { send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson, originOf, type TestUser } from '../support/people.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { emit, subscribe } from '../support/webhook-subscriber.ts'

const { database } = await createTestDatabase()
const api = await startTestApi(database)
const site = await startTestSite('console', database)

async function makePlace(): Promise<{ tenant: TestTenant; owner: TestUser; admin: TestUser }> {
  const tenant = await createTestTenant(database)
  const [owner, admin] = await Promise.all([
    createTestPerson(database, tenant.tenantId, 'owner'),
    createTestPerson(database, tenant.tenantId, 'admin'),
  ])
  return { tenant, owner, admin }
}

const ask = ({ session }: TestUser, path: string) => site.ask('GET', path, { session })

/** Lines and cells, of a file in which no cell has a line break. */
const cellsOf = (csv: string) =>
  csv
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replace(/^"|"$/g, '')))

describe('an export', () => {
  test('has what the list has, in its order, as a CSV file that a browser keeps, and nothing of what is in messages', async () => {
    const { tenant, owner, admin } = await makePlace()
    const first = await write(tenant, 'Invoice, seven', 'ada@example.test')
    const second = await write(tenant, '=HYPERLINK("http://stranger.test")', 'grace@example.test')
    const answer = await ask(admin, '/data/exports/messages.csv')
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="messages-\d{4}-\d\d-\d\d\.csv"$/,
    )
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const [columns, ...rows] = cellsOf(answer.text)
    assert.deepEqual(columns?.slice(0, 9), [
      ...['id', 'createdAt', 'direction', 'status', 'from', 'fromName', 'to', 'cc', 'subject'],
    ])
    assert.deepEqual(
      rows.map(([id, at, direction, status, from, , to, , subject]) => {
        assert.match(at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
        return [id, direction, status, from, to, subject]
      }),
      [
        [second, 'outbound', 'queued', tenant.address, 'grace@example.test', `'=HYPERLINK(""http://stranger.test"")`],
        [first, 'outbound', 'queued', tenant.address, 'ada@example.test', 'Invoice, seven'],
      ],
    )
    assert(!answer.text.includes('the secret text'))

    const narrowed = cellsOf((await ask(owner, '/data/exports/messages.csv?recipient=ADA@example.test')).text)
    assert.deepEqual([narrowed.length, narrowed[1]?.[0]], [2, first])
    assert.equal((await ask(owner, '/data/exports/messages.csv?status=failed')).text, `${columns?.join()}\r\n`)
  })

  test('of events and of deliveries has what their lists have', async () => {
    const receiver = await startReceiver()
    const { tenant } = await subscribe(api.url, database, receiver)
    const owner = await createTestPerson(database, tenant.tenantId, 'owner')
    await emit(database, tenant, 3)
    for (const list of ['events', 'deliveries']) {
      const { items } = (await ask(owner, `/data/${list}`)).body
      const [columns = [], ...rows] = cellsOf((await ask(owner, `/data/exports/${list}.csv`)).text)
      assert(items.length >= 3)
      assert.deepEqual(
        rows.map(([id]) => id),
        items.map(({ id }: { id: Uuid }) => id),
      )
      for (const column of columns.filter((name) => name !== 'data')) {
        const shown = items.map((item: Record<string, unknown>) => String(item[column] ?? ''))
        assert.deepEqual(
          rows.map((row) => row[columns.indexOf(column)]),
          shown,
          column,
        )
      }
    }
    assert.match((await ask(owner, '/data/exports/bounces.csv')).text, /^address,bounces,.*\r\n$/)
    const one = (await ask(owner, '/data/exports/events.csv?type=message.bounced')).text
    assert.equal(one.split('\r\n').length, 2)
  })

  test('is of one environment, refuses what the list refuses, and leaves who took what away with which filters', async () => {
    const { tenant, owner } = await makePlace()
    const sandbox = await createApp(database, operatorOf(tenant.tenantId), { name: 'Box', environment: 'sandbox' })
    await write(tenant, 'Real', 'ada@example.test')
    const inSandbox = `environment=sandbox:${sandbox.id}`
    const empty = await ask(owner, `/data/exports/messages.csv?status=queued&${inSandbox}`)
    assert.equal(cellsOf(empty.text).length, 1)
    for (const [query, code, status] of [
      ['status=nonsense', 'validation_error', 400],
      ['since=yesterday', 'validation_error', 400],
      ['cursor=2026-01-01', 'validation_error', 400],
      [`mailbox=${newId()}`, 'not_found', 404],
      [`environment=sandbox:${newId()}`, 'not_found', 404],
    ] as const) {
      const refused = await ask(owner, `/data/exports/messages.csv?${query}`)
      assert.deepEqual([refused.status, refused.body.code], [status, code], query)
    }
    assert.equal((await site.ask('GET', '/data/exports/messages.csv')).status, 401)
    const cookie = `__Host-mdk_console=${owner.session.cookie}`
    const head = { method: 'HEAD', headers: { cookie, 'sec-fetch-site': 'same-origin' } }
    assert.equal((await fetch(`${site.listensAt}/data/exports/messages.csv`, head)).status, 404)
    const { rows } = await database.pool.query(
      `select operation, person_id, actor_name, resource_type, details from audit_log
       where tenant_id = $1 and operation like 'export%'`,
      [tenant.tenantId],
    )
    assert.deepEqual(rows, [
      {
        operation: 'exportMessages',
        person_id: owner.id,
        actor_name: owner.login,
        resource_type: 'message',
        details: { status: 'queued', environment: `sandbox:${sandbox.id}` },
      },
    ])
  })

  test('ends with the words that were asked for, and only when it is whole', async () => {
    const { tenant, owner } = await makePlace()
    await write(tenant, 'Hello', 'ada@example.test')
    const plain = (await ask(owner, '/data/exports/messages.csv')).text
    assert.equal((await ask(owner, '/data/exports/messages.csv?mark=end-of-this')).text, `${plain}end-of-this`)
    assert.equal((await ask(owner, '/data/exports/messages.csv?mark=no')).status, 400)
    assert.equal((await ask(owner, '/data/exports/messages.csv?mark=%0D%0Ano-such-mark')).status, 400)
  })

  test('shows what there was when it began, whatever is written, changed and removed meanwhile, and holds back no event', async () => {
    const { tenant, owner } = await makePlace()
    const ids: Uuid[] = []
    for (let i = 0; i < 3; i++) ids.unshift(await write(tenant, `Message ${i}`, 'ada@example.test'))
    const exports = exportsOf()
    const bytes = await exports.open(
      { actor: actorOf(tenant, owner), sessionId: newId(), mark: undefined, gone: NEVER },
      oneByOne,
      {},
    )
    const newer = await write(tenant, 'Newer', 'ada@example.test')
    await database.pool.query(
      `update message_states set status = 'sent', sent_at = clock_timestamp(), size_bytes = 7 where message_id = $1`,
      [ids[1]],
    )
    await database.pool.query('delete from message_states where message_id = $1', [ids[2]])
    await database.pool.query('delete from messages where id = $1', [ids[2]])
    // A reader of the feed has all of it while the snapshot is open.
    await database.transaction((tx) =>
      appendEvents(tx, [
        {
          ...{ tenantId: tenant.tenantId, environmentId: tenant.tenantId, type: 'message.updated' },
          ...{ resourceType: 'message', resourceId: newer, data: {} },
        },
      ]),
    )
    await feedCaughtUp(database)
    const feed = await readFeed(database, actorOf(tenant, owner), BEGINNING, 100)
    assert.equal(feed.items.at(-1)?.resourceId, newer)
    assert.deepEqual(
      cellsOf(await text(bytes))
        .slice(1)
        .map(([id, , , status]) => [id, status]),
      ids.map((id) => [id, 'queued']),
    )
  })
})

/** The messages, a page for each: so that what is read last is read behind all that happens meanwhile. */
const oneByOne: ListExport<object> = {
  ...messagesExport,
  async readPage(db, actor, filters, cursor) {
    const page = await messagesExport.readPage(db, actor, filters, undefined)
    const at = Number(cursor ?? 0)
    return { rows: page.rows.slice(at, at + 1), nextCursor: at + 1 < page.rows.length ? String(at + 1) : null }
  },
}

/** A list that never ends, and how much of it was read. */
function endless(): ListExport<object> & { pages: number } {
  const list = {
    ...{
      name: 'endless',
      operation: 'exportMessages' as const,
      resourceType: 'message',
      columns: ['n', 'text'],
      pages: 0,
    },
    async readPage() {
      // As a database does, it leaves the others their turn.
      await setImmediate()
      list.pages += 1
      const rows = Array.from({ length: 1_000 }, (_, n) => [n, 'x'.repeat(100)])
      return { rows, nextCursor: String(list.pages) }
    },
  }
  return list
}

/** Of somebody who stays. */
const NEVER = new AbortController().signal

const TENANT = newId()
const exportsOf = (
  bounds: Partial<ExportBounds> = {},
  lookAt: ExportsDeps['lookAt'] = async () => ({ tenantId: TENANT, role: 'owner' }),
) => createExports({ database, lookAt, bounds })

function actorOf({ tenantId }: Pick<TestTenant, 'tenantId'>, { id }: { id: Uuid }): Person {
  const realm = { tenantId, environmentId: tenantId }
  return { kind: 'person', personId: id, role: 'owner', signedInRecently: true, ...realm, origin: originOf(1) }
}

/** Somebody of a tenant. */
const somebody = (tenantId = TENANT) => ({
  actor: actorOf({ tenantId }, { id: newId() }),
  sessionId: newId(),
  mark: undefined,
  gone: NEVER,
})

const refusal = (code: string, limit?: string) => (problem: Problem) =>
  problem.code === code && problem.details?.limit === limit && problem.retryAfterSeconds !== undefined

/** Why it broke off. */
async function failureOf(bytes: Readable): Promise<string> {
  const [error] = (await once(bytes, 'error')) as [Error]
  return error.message
}

const connections = async () =>
  (
    await database.first(
      sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and application_name = 'mdk-export'`,
    )
  )?.count

describe('exports that run', () => {
  test('are one of a person, two of a tenant and four at once, and each that ends makes room', async () => {
    const exports = exportsOf()
    const open = async (who = somebody(newId())) => {
      const bytes = await exports.open(who, endless(), {})
      return bytes.on('error', (error) => assert.equal(error.message, 'the service stops'))
    }
    const [tenantId, person] = [newId(), somebody()]
    const running = [await open(person)]
    await assert.rejects(open(person), refusal('rate_limited', 'person'))
    running.push(await open(somebody(tenantId)), await open(somebody(tenantId)))
    await assert.rejects(open(somebody(tenantId)), refusal('rate_limited', 'tenant'))
    running.push(await open())
    await assert.rejects(open(), refusal('service_unavailable'))
    running[0]?.destroy()
    await once(running[0] as Readable, 'close')
    running[0] = await open(person)
    exports.stop()
    await assert.rejects(open(), refusal('service_unavailable'))
    await until('their connections have ended', async () => (await connections()) === 0)
  })

  test('that end by themselves, or never begin, leave nothing behind', async () => {
    const { tenant, owner } = await makePlace()
    const exports = exportsOf({ mostAtOnce: 1 })
    const request = { actor: actorOf(tenant, owner), sessionId: newId(), mark: undefined, gone: NEVER }
    const refuse = { ...endless(), readPage: () => Promise.reject(new Error('no')) }
    await assert.rejects(exports.open(request, refuse, {}), /no/)
    for (let i = 0; i < 2; i++) await text(await exports.open(request, messagesExport, {}))
    await until('their connections have ended', async () => (await connections()) === 0)
  })

  test('read no further ahead than their reader, who may stop for a while, and is cut when that is for long', async () => {
    const list = endless()
    const bytes = await exportsOf({ unreadMs: 300 }).open(somebody(), list, {})
    const cut = failureOf(bytes)
    bytes.once('readable', () => {})
    assert.equal(await cut, 'an export was not read on')
    assert(list.pages <= 3, `${list.pages} pages were read for nobody`)
  })

  test('are over when their time is over, however fast they are read', async () => {
    const bytes = await exportsOf({ longestMs: 300 }).open(somebody(), endless(), {})
    const cut = failureOf(bytes)
    bytes.resume()
    assert.equal(await cut, 'an export took too long')
  })

  test('end with the session, and with the database', async () => {
    const { tenant, owner, admin } = await makePlace()
    const { id: sessionId } = admin.session
    const stands = async (id: Uuid) => (await standingsOf(database, 'person', [id])).get(id)
    const actor = { ...actorOf(tenant, admin), role: 'admin' as const }
    const removed = await exportsOf({ lookMs: 0 }, stands).open(
      { actor, sessionId, mark: undefined, gone: NEVER },
      endless(),
      {},
    )
    await once(removed, 'readable')
    const cut = failureOf(removed)
    await removePerson(database, operatorOf(tenant.tenantId), admin.id)
    removed.resume()
    assert.equal(await cut, 'the session of an export has ended')

    await write(tenant, 'One', 'ada@example.test')
    await write(tenant, 'Two', 'ada@example.test')
    const request = { actor: actorOf(tenant, owner), sessionId: newId(), mark: 'end-of-this', gone: NEVER }
    const slow: ListExport<object> = {
      ...oneByOne,
      async readPage(db, actor, filters, cursor) {
        if (cursor !== undefined) {
          await database.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name = 'mdk-export'`,
          )
        }
        return oneByOne.readPage(db, actor, filters, cursor)
      },
    }
    const lost = await exportsOf().open(request, slow, {})
    await assert.rejects(text(lost))
  })

  test('hold no more than a few pages however long the list is', async () => {
    const list = endless()
    const bytes = await exportsOf().open(somebody(), list, {})
    let rows = 0
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      rows += chunk.toString('latin1').split('\n').length - 1
      assert(list.pages * 1_000 - rows <= 4_000, `${list.pages} pages were read for ${rows} rows`)
      if (rows > 100_000) break
    }
  })

  test('end while their first page is still read, as soon as nobody waits for it, or the console stops, and leave no record', async () => {
    const { tenant, owner } = await makePlace()
    const slow: ListExport<object> = {
      ...endless(),
      async readPage(db) {
        await db.rows(sql`select pg_sleep(600)`)
        return { rows: [], nextCursor: null }
      },
    }
    const reads = () =>
      database.first(
        sql`select pid from pg_stat_activity where datname = current_database() and application_name = 'mdk-export'
          and query like '%pg_sleep(600)%' and state = 'active'`,
      )
    for (const end of ['asker', 'console'] as const) {
      const [exports, asker] = [exportsOf(), new AbortController()]
      const request = { actor: actorOf(tenant, owner), sessionId: newId(), mark: undefined, gone: asker.signal }
      const refused = assert.rejects(exports.open(request, slow, {}), refusal('service_unavailable'))
      await until('the first page is read', reads)
      if (end === 'asker') asker.abort()
      else exports.stop()
      await refused
      await until('nothing is read any more', async () => (await reads()) === undefined)
      // Their place is free.
      if (end === 'asker') (await exports.open({ ...request, gone: NEVER }, messagesExport, {})).destroy()
    }
    const gone = AbortSignal.abort()
    const request = { actor: actorOf(tenant, owner), sessionId: newId(), mark: undefined, gone }
    await assert.rejects(exportsOf().open(request, slow, {}), refusal('service_unavailable'))
    const { rows } = await database.pool.query(
      `select details from audit_log where tenant_id = $1 and operation = 'exportMessages'`,
      [tenant.tenantId],
    )
    assert.equal(rows.length, 1)
  })

  test('end with the connection of whoever hangs up before the first line', async () => {
    const { tenant, owner } = await makePlace()
    await write(tenant, 'One', 'ada@example.test')
    const locked = await database.connect('blocks the first page')
    try {
      await locked.query('begin; lock table message_states in access exclusive mode')
      const waits = () =>
        database.first(
          sql`select pid from pg_stat_activity where datname = current_database() and application_name = 'mdk-export'
            and wait_event_type = 'Lock'`,
        )
      const asker = new AbortController()
      const headers = { cookie: `__Host-mdk_console=${owner.session.cookie}`, 'sec-fetch-site': 'same-origin' }
      const { signal } = asker
      const answer = fetch(`${site.listensAt}/data/exports/messages.csv`, { headers, signal })
      const cut = assert.rejects(answer, { name: 'AbortError' })
      await until('its first page waits', waits)
      asker.abort()
      await cut
      await until('the database waits no more for it', async () => (await waits()) === undefined)
    } finally {
      await locked.end()
    }
  })

  test('break off visibly when the console stops, which waits for none', async () => {
    const { tenant, owner } = await makePlace()
    await fill(tenant, 60_000)
    const other = await startTestSite('console', database)
    const begin = async (who: TestUser, at = site) => {
      const headers = { cookie: `__Host-mdk_console=${who.session.cookie}`, 'sec-fetch-site': 'same-origin' }
      const answer = await fetch(`${at.listensAt}/data/exports/messages.csv?mark=end-of-this`, { headers })
      assert.equal(answer.status, 200)
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      return reader
    }
    const drain = async (reader: ReadableStreamDefaultReader<Uint8Array>) => {
      while (!(await reader.read()).done);
    }
    const stopped = await begin(owner, other)
    const began = performance.now()
    const rejected = assert.rejects(drain(stopped))
    await other.stop()
    await rejected
    assert(performance.now() - began < 10_000, 'the stop waited for the export')
  })
})

async function write({ key, mailboxId }: TestTenant, subject: string, to: string): Promise<Uuid> {
  const answer = await send(api.url, key, { fromMailboxId: mailboxId, to: [to], subject, text: 'the secret text' })
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  return answer.body.id
}

/** Messages that were received, with long subjects: more than sockets hold. */
async function fill({ tenantId }: TestTenant, count: number): Promise<void> {
  await database.pool.query(
    `insert into messages (tenant_id, id, environment_id, created_at, direction, from_address, to_addresses, cc_addresses,
       bcc_addresses, subject, preview, received_at)
     select $1, gen_random_uuid(), $1, now() - n * interval '1 millisecond', 'inbound', 'a@example.test', '[]', '[]', '[]',
       repeat('long ', 40), '', now()
     from generate_series(1, $2::integer) n`,
    [tenantId, count],
  )
}
