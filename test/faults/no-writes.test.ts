// A database that answers and takes no writes: its synchronous standby is gone, it is set to be read-only, or it is a
// standby itself. Who asks whether the service can work hears why not, and asking makes nothing worse.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { type Database, openDatabase, sql } from '../../src/lib/sql.ts'
import { startDebianPostgres } from '../support/debian-postgres.ts'
import { mdk } from '../support/mdk.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const skip = skipWithout('postgresql')
const dataDir = await temporaryFolder('no-writes-')
after(() => rm(dataDir, { recursive: true, force: true }))
const envOf = (url: string) => ({ MDK_DATABASE_URL: url, MDK_DATA_DIR: dataDir, MDK_PORT: '0', MDK_OPS_PORT: '0' })
const ROLES = ['serve', '--roles', 'api']

async function ready({ opsUrl }: TestService): Promise<{ status: number; writes: string }> {
  const answer = await fetch(`${opsUrl}/readyz`)
  const { checks } = (await answer.json()) as { checks: { writes: string } }
  return { status: answer.status, writes: checks.writes }
}

/** As who does not write: the settings of a whole server, at once. */
async function setServer(admin: Database, name: string, value: string): Promise<void> {
  await admin.pool.query(`alter system set ${name} = ${value}`)
  await admin.pool.query('select pg_reload_conf()')
}

async function writesCheck(url: string): Promise<{ result: string; found: string }> {
  const { json } = await mdk(envOf(url), 'doctor')
  return json.checks.find(({ name }: { name: string }) => name === 'database writes')
}

test('a synchronous standby that is gone is reported by readyz, the doctor and the start, and asking piles up nothing', {
  skip,
}, async () => {
  const server = await startDebianPostgres()
  const service = await startService(envOf(server.url), ROLES)
  const admin = openDatabase({ url: server.url, connections: 1 })
  after(admin.end)
  assert.deepEqual(await ready(service), { status: 200, writes: 'ok' })
  const sessions = async () => {
    const row = await admin.first(sql<{ waiting: number; all: number }>`
      select count(*) filter (where wait_event = 'SyncRep') as waiting, count(*) as all from pg_stat_activity
      where backend_type = 'client backend'`)
    return row as { waiting: number; all: number }
  }
  const before = await sessions()

  await setServer(admin, 'synchronous_standby_names', "'gone'")
  await until('readyz has noticed', async () => (await ready(service)).status === 503)
  const most = { waiting: 0, all: 0 }
  for (let round = 0; round < 4; round++) {
    const answers = Promise.all(Array.from({ length: 50 }, () => ready(service)))
    let over = false
    void answers.finally(() => {
      over = true
    })
    while (!over) {
      const now = await sessions()
      most.waiting = Math.max(most.waiting, now.waiting)
      most.all = Math.max(most.all, now.all)
    }
    for (const { status, writes } of await answers) {
      assert.equal(status, 503)
      assert.match(writes, /a write does not commit within 1.5 s: no synchronous standby confirms it/)
    }
  }
  assert(most.waiting <= 1, `${most.waiting} commits wait at once`)
  assert(most.all <= before.all + 2, `${most.all} sessions where there were ${before.all}`)

  assert.match((await writesCheck(server.url)).found, /does not commit within 5 s: no synchronous standby confirms it/)
  const started = await mdk(envOf(server.url), ...ROLES)
  assert.equal(started.status, 1)
  assert.match(started.stderr, /does not commit within 5 s: no synchronous standby confirms it/)

  await setServer(admin, 'synchronous_standby_names', "''")
  await until('it is ready again', async () => (await ready(service)).status === 200)
  assert.equal((await writesCheck(server.url)).result, 'ok')
  assert.equal(await service.stop(), 0)
})

test('with a synchronous standby that follows all is well', { skip }, async () => {
  const primary = await startDebianPostgres()
  const standby = await startDebianPostgres({}, primary)
  const admin = openDatabase({ url: primary.url, connections: 1 })
  after(admin.end)
  await setServer(admin, 'synchronous_standby_names', "'standby'")
  const service = await startService(envOf(primary.url), ROLES)
  assert.deepEqual(await ready(service), { status: 200, writes: 'ok' })

  // The standby itself, behind the name by mistake.
  const started = await mdk(envOf(standby.url), ...ROLES)
  assert.equal(started.status, 1)
  assert.match(started.stderr, /the database is read-only: a standby, or set to be so/)
  assert.match((await writesCheck(standby.url)).found, /read-only/)
  assert.equal(await service.stop(), 0)
})

test('a server that becomes read-only is reported by readyz, which is well again when that is over', {
  skip,
}, async () => {
  const server = await startDebianPostgres()
  const service = await startService(envOf(server.url), ROLES)
  const admin = openDatabase({ url: server.url, connections: 1 })
  after(admin.end)
  await setServer(admin, 'default_transaction_read_only', 'on')
  await until('readyz has noticed', async () => /read-only/.test((await ready(service)).writes))
  await setServer(admin, 'default_transaction_read_only', 'off')
  await until('it is ready again', async () => (await ready(service)).status === 200)
  assert.equal(await service.stop(), 0)
})
