// The service on a PostgreSQL that is not its own: as Debian installs it, with defaults that suit others, and behind a
// pooler.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { startContractService } from '../support/contract-service.ts'
import { createTestDatabase } from '../support/database.ts'
import { launchDebianPostgres, startDebianPostgres } from '../support/debian-postgres.ts'
import { mdk } from '../support/mdk.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { useEverything } from '../support/whole-flow.ts'

const skip = skipWithout('postgresql', 'pgbouncer')
// Tells of each statement whether it was compiled, and changes nothing.
const server = skip ? undefined : await launchDebianPostgres({ shared_preload_libraries: 'pg_stat_statements' })
const pooled = server && (await startPgBouncer(server, 'session'))
if (server) process.env.MDK_TEST_SERVER_URL = server.url

test('nothing that the service asks of a PostgreSQL with its own defaults is compiled', { skip }, async () => {
  const { database, url } = await createTestDatabase()
  await database.pool.query('create extension pg_stat_statements')
  const service = await startContractService('sandbox', { database, url })
  await useEverything(service.url, service)
  const compiled = await database.rows(sql<{ query: string }>`
    select query from pg_stat_statements where jit_functions > 0`)
  assert.deepEqual(compiled, [])
})

test('through a pooler that lends a connection for a session everything works', { skip }, async () => {
  assert(pooled)
  const { database, url } = await createTestDatabase()
  const service = await startContractService('sandbox', { database, url: withName(pooled, url) })
  await useEverything(service.url, service)
})

test('a connection has the settings it needs, whatever role and database say, and through a pooler too', {
  skip,
}, async () => {
  assert(pooled)
  const { database, url } = await createTestDatabase()
  for (const setting of ['jit = on', 'default_transaction_isolation = serializable', 'TimeZone = "Asia/Kathmandu"']) {
    await database.pool.query(`alter database ${nameIn(url)} set ${setting}`)
  }
  for (const outer of [url, withName(pooled, url)]) {
    const opened = openDatabase({ url: outer, statementTimeoutMs: 7_000 })
    const single = await opened.connect('mdk test')
    try {
      const settings = `select current_setting('jit') as jit, current_setting('transaction_isolation') as isolation,
        current_setting('TimeZone') as zone, current_setting('statement_timeout') as timeout`
      const expected = [{ jit: 'off', isolation: 'read committed', zone: 'UTC', timeout: '7s' }]
      assert.deepEqual((await opened.pool.query(settings)).rows, expected)
      assert.deepEqual((await single.query(settings)).rows, expected)
    } finally {
      await single.end()
      await opened.end()
    }
  }
})

test('a pooler that lends a connection for a transaction is refused, by the start and by the doctor', {
  skip,
}, async () => {
  assert(server)
  const shared = await startPgBouncer(server, 'transaction')
  const dataDir = await temporaryFolder('outer-')
  after(() => rm(dataDir, { recursive: true, force: true }))
  const env = { MDK_DATABASE_URL: shared, MDK_DATA_DIR: dataDir }
  const words = /leads to a pooler that lends a connection for one transaction/
  const started = await mdk(env, 'serve', '--roles', 'api')
  assert.equal(started.status, 2)
  assert.match(started.stderr, words)
  assert.match(await finding(env, 'database'), words)
})

test('the doctor reports settings that harm, and finds none as Debian installs it', { skip }, async () => {
  assert(server && pooled)
  const dataDir = await temporaryFolder('outer-')
  after(() => rm(dataDir, { recursive: true, force: true }))
  for (const url of [server.url, pooled]) {
    const found = await finding({ MDK_DATABASE_URL: url, MDK_DATA_DIR: dataDir }, 'database settings')
    assert.equal(found, 'ok: none that harms')
  }
  const odd = await startDebianPostgres({ autovacuum: 'off', max_connections: '22' })
  const admin = openDatabase({ url: odd.url, connections: 1 })
  await admin.pool.query("create database latin encoding 'LATIN1' locale 'C' template template0")
  await admin.end()
  const url = withName(odd.url, 'postgres://x/latin')
  const found = await finding({ MDK_DATABASE_URL: url, MDK_DATA_DIR: dataDir }, 'database settings')
  assert.equal(found, 'warn: encoding LATIN1; off: autovacuum; 19 connections at most')
})

/** What the doctor says of one thing. */
async function finding(env: Record<string, string>, of: string): Promise<string> {
  const { json } = await mdk(env, 'doctor')
  const { checks } = json as { checks: { name: string; result: string; found: string }[] }
  return checks.flatMap(({ name, result, found }) => (name === of ? `${result}: ${found}` : [])).join()
}

const nameIn = (url: string) => new URL(url).pathname.slice(1)

/** The same server, another database. */
function withName(server: string, of: string): string {
  const url = new URL(server)
  url.pathname = `/${nameIn(of)}`
  return url.href
}

// The last to go.
if (server) after(server.stop)
