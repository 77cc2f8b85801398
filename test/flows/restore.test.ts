// A dump of one cluster restored into another, and a copy of a cluster put back: the feed goes on where its readers were,
// and nothing is lost.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import pino from 'pino'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { openServiceDatabase } from '../../src/database.ts'
import { appendEvents } from '../../src/events/append.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call, startTestApi } from '../support/api.ts'
import { type DebianPostgres, startDebianPostgres } from '../support/debian-postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

/** The database as a starting service opens it. */
async function open(cluster: DebianPostgres): Promise<Database> {
  const config = { databaseUrl: cluster.url, dataDir: cluster.folder }
  const { database, close } = await openServiceDatabase({ config, log: pino({ level: 'silent' }), hold: 'service' })
  after(close)
  return database
}

async function append(database: Database, tenant: TestTenant, numbers: number[]): Promise<void> {
  for (const n of numbers) {
    await database.transaction((tx) =>
      appendEvents(tx, [
        {
          tenantId: tenant.tenantId,
          environmentId: tenant.tenantId,
          type: 'message.updated',
          resourceType: 'message',
          resourceId: newId(),
          data: { n },
        },
      ]),
    )
  }
}

async function read(url: string, tenant: TestTenant, limit: number, cursor: string | null) {
  const query = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
  const answer = await call(url, 'GET', `/v1/events?limit=${limit}${query}`, { key: tenant.key })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const items = answer.body.items as { data: { n?: number }; occurredAt: string }[]
  return {
    items,
    numbers: items.map((item) => item.data.n).filter((n) => n !== undefined),
    next: answer.body.nextCursor as string | null,
    resume: answer.headers.get('mdk-resume-cursor') as string,
  }
}

test('a dump restored into a fresh cluster keeps its events, its cursors and their order', {
  skip: skipWithout('postgresql'),
}, async () => {
  const first = await startDebianPostgres()
  const before = await open(first)
  const tenant = await createTestTenant(before)
  // The old cluster has counted far more transactions than the new one will have.
  await before.rows(sql`
    do $$ begin for i in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$`)
  await append(before, tenant, [1, 2, 3, 4, 5, 6])
  const { url: oldUrl } = await startTestApi(before)
  const all = await read(oldUrl, tenant, 100, null)
  const halfway = await read(oldUrl, tenant, all.items.length - 3, null)
  assert.deepEqual(halfway.numbers, [1, 2, 3])

  const dump = join(first.folder, 'dump')
  await first.tool('pg_dump', '--format=custom', `--file=${dump}`, '--username=postgres', `--host=${first.folder}`)
  const second = await startDebianPostgres()
  const restored = ['--username=postgres', `--host=${second.folder}`, '--dbname=postgres', '--exit-on-error']
  await first.tool('pg_restore', ...restored, dump)

  const now = await open(second)
  const [xid] = await now.rows(sql<{ older: boolean }>`
    select max(xid) > pg_snapshot_xmin(pg_current_snapshot()) as older from events`)
  assert(xid?.older, 'the restored events bear transaction ids that the new cluster has not reached')
  const { url } = await startTestApi(now)
  assert.deepEqual((await read(url, tenant, 100, null)).items, all.items, 'old events can be read')
  assert.deepEqual((await read(url, tenant, 100, halfway.resume)).numbers, [4, 5, 6], 'an old cursor goes on')
  assert.deepEqual((await read(url, tenant, 100, all.resume)).numbers, [])
  await append(now, tenant, [7, 8])
  assert.deepEqual((await read(url, tenant, 100, all.resume)).numbers, [7, 8], 'a reader at the end hears what is new')
  assert.deepEqual((await read(url, tenant, 100, halfway.resume)).numbers, [4, 5, 6, 7, 8])
  const small = await read(url, tenant, 2, halfway.next)
  assert.deepEqual(small.numbers, [4, 5])
  assert.deepEqual((await read(url, tenant, 4, small.next)).numbers, [6, 7, 8])
  const instant = all.items.at(-2)?.occurredAt as string
  assert.deepEqual((await read(url, tenant, 100, instant)).numbers, [5, 6, 7, 8], 'an instant before the dump as well')

  // Another process that opens it is no new epoch.
  const epoch = await epochOf(now)
  assert(epoch > (await epochOf(before)))
  assert.equal(await epochOf(await open(second)), epoch)
})

test('a copy of the data folder that is put back, and once more, takes no event from a reader that was ahead', async () => {
  const [dataDir, backup] = [await temporaryFolder('mdk-rewind-'), await temporaryFolder('mdk-backup-')]
  after(() => Promise.all([dataDir, backup].map((folder) => rm(folder, { recursive: true, force: true }))))
  // With the owner that the server's files have.
  const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', `${from}/.`, to])
  /** One life of the service, from start to stop. */
  const live = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const config = { databaseUrl: undefined, dataDir }
    const { database, close } = await openServiceDatabase({ config, log: pino({ level: 'silent' }), hold: 'service' })
    try {
      const result = await work(database)
      // The next life begins in another second than this one did.
      const second = sql<{ over: boolean }>`
        select extract(epoch from clock_timestamp() - timestamptz '2020-01-01 00:00Z')::integer > epoch as over
        from feed_epoch`
      await until('a second is over', async () => (await database.first(second))?.over)
      return result
    } finally {
      await close()
    }
  }

  const { tenant, early } = await live(async (database) => {
    const tenant = await createTestTenant(database)
    await append(database, tenant, [1, 2])
    return { tenant, early: (await readApi(database, tenant, null)).resume }
  })
  await copy(dataDir, backup)
  let ahead = await live(async (database) => {
    const many = Array.from({ length: 40 }, (_, n) => 100 + n)
    await append(database, tenant, many)
    const { numbers, resume } = await readApi(database, tenant, early)
    assert.deepEqual(numbers, many)
    return resume
  })
  for (const numbers of [[3, 4, 5], [6]]) {
    await rm(dataDir, { recursive: true })
    await mkdir(dataDir)
    await copy(backup, dataDir)
    ahead = await live(async (database) => {
      await append(database, tenant, numbers)
      const read = await readApi(database, tenant, ahead)
      assert.deepEqual(read.numbers, numbers)
      assert.deepEqual((await readApi(database, tenant, early)).numbers, numbers)
      assert.deepEqual((await readApi(database, tenant, null)).numbers, [1, 2, ...numbers])
      return read.resume
    })
  }
})

/** What a reader gets from an API over this database. */
async function readApi(database: Database, tenant: TestTenant, cursor: string | null) {
  const { url, stop } = await startTestApi(database)
  try {
    return await read(url, tenant, 100, cursor)
  } finally {
    await stop()
  }
}

async function epochOf(database: Database): Promise<number> {
  const row = await database.first(sql<{ epoch: number }>`select epoch from feed_epoch`)
  return row?.epoch as number
}
