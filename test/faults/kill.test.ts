// 202 is a promise: whatever is killed after it, the message reaches the relay.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { SCOPES } from '../../src/access/permissions.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { sql } from '../../src/lib/sql.ts'
import { call } from '../support/api.ts'
import { startService, type TestService } from '../support/service.ts'
import { insideDataFolder } from '../support/service-under-fault.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { allSent, checkStory, type SteadySends, sendSteadily } from '../support/steady-sends.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { assertWhole } from '../support/whole.ts'

const run = promisify(execFile)
const RELAY_CONNECTIONS = 10
/** What one process has on its way to the relay at most. */
const IN_FLIGHT = RELAY_CONNECTIONS * 8

/** A service's own data folder with a tenant in it, made before the service first starts. */
async function prepare(): Promise<{
  dataDir: string
  tenant: TestTenant
  env: Record<string, string>
  sink: SmtpSink
}> {
  const dataDir = await temporaryFolder('mdk-kill-')
  const sink = await startSmtpSink()
  after(async () => {
    await sink.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  const tenant = await insideDataFolder(dataDir, (database) => createTestTenant(database, { scopes: SCOPES }))
  const env = {
    MDK_DATA_DIR: dataDir,
    MDK_RELAY_URL: sink.url,
    MDK_RETURN_PATH_DOMAIN: 'bounce.test',
    // What was in flight waits for it; one much shorter could run out on a busy machine beside.
    MDK_LEASE: '10s',
    MDK_IP_PER_MINUTE: '0',
    MDK_OUTBOUND_BACKOFF: '200ms..1s',
    MDK_LOG_LEVEL: 'info',
  }
  return { dataDir, tenant, env, sink }
}

/** Waits until all of it is sent, and looks at everything. Gives how often the relay got a message again. */
async function settle(dataDir: string, tenant: TestTenant, sends: SteadySends, sink: SmtpSink): Promise<number> {
  await sends.done
  return insideDataFolder(dataDir, async (database) => {
    await allSent(database, tenant, sends.taken.length)
    const doubled = await checkStory(database, tenant, sends.taken, sink.mails)
    await assertWhole(database, await openFileStore(join(dataDir, 'objects')))
    return doubled
  })
}

test('900 sends with mdk killed three times: every 202 reaches the relay, doubled at most what was in flight', async () => {
  const { dataDir, tenant, env, sink } = await prepare()
  let service = await startService(env)
  const sends = sendSteadily(() => service.url, tenant, 900)
  for (const at of [150, 400, 650]) {
    await until(`${at} are taken`, () => sends.taken.length >= at, 60_000)
    await service.kill()
    service = await startService(env)
  }
  const doubled = await settle(dataDir, tenant, sends, sink)
  assert.equal(await service.stop(), 0)
  assert(doubled <= 3 * IN_FLIGHT, `${doubled} were doubled`)
})

test('a killed PostgreSQL is reported and started again; no send is lost and no mail goes twice', async () => {
  const { dataDir, tenant, env, sink } = await prepare()
  const service = await startService({ ...env, MDK_LEASE: '30s' })
  const sends = sendSteadily(() => service.url, tenant, 300)
  await until('100 are taken', () => sends.taken.length >= 100, 60_000)
  const pid = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(pid, 'SIGKILL')
  await until('it was reported', () => service.logs.some((line) => /went away/.test(line.msg)), 60_000)
  await until('it is back', () => service.logs.some((line) => /is back/.test(line.msg)), 60_000)
  assert.equal(await settle(dataDir, tenant, sends, sink), 0, 'what the relay took is remembered meanwhile')
  assert.equal((await call(service.opsUrl, 'GET', '/readyz')).status, 200)
  assert.equal(await service.stop(), 0)
})

test('SIGTERM under load drains: exit 0, nothing lost, nothing doubled', async () => {
  const { dataDir, tenant, env: hasty, sink } = await prepare()
  // What is given back waits for no lease; one this short could run out on a busy machine.
  const env = { ...hasty, MDK_LEASE: '30s' }
  const first = await startService(env)
  let service: TestService = first
  const sends = sendSteadily(() => service.url, tenant, 300)
  await until('100 are taken', () => sends.taken.length >= 100, 60_000)
  const silent = connect(Number(new URL(first.url).port), '127.0.0.1')
  await once(silent, 'connect')
  // One that the service has not even accepted when it ends is reset.
  silent.on('error', () => {})
  const began = performance.now()
  assert.equal(await first.stop(), 0, 'one who says nothing keeps nobody waiting')
  assert(performance.now() - began < 30_000)
  await run('test', ['!', '-e', join(dataDir, 'postgres/postmaster.pid')])
  service = await startService(env)
  assert.equal(await settle(dataDir, tenant, sends, sink), 0)
  assert.equal(await service.stop(), 0)
})

test('refused requests that wait when mdk is killed are all that is lost: what was kept stays, once, and the next are kept', async () => {
  const { dataDir, tenant, env } = await prepare()
  const keptIds = () =>
    insideDataFolder(dataDir, async (database) => {
      const rows = await database.rows(sql<{ id: string }>`
        select request_id as id from refused_requests where tenant_id = ${tenant.tenantId}`)
      return rows.map(({ id }) => id)
    })
  const answered: string[] = []
  let service = await startService(env)
  const refuse = async () => {
    const { headers, status } = await call(service.url, 'GET', '/v1/messages?limit=0', { key: tenant.key })
    assert.equal(status, 400)
    answered.push(headers.get('x-request-id') as string)
  }
  let isOver = false
  const asking = Array.from({ length: 8 }, async () => {
    while (!isOver) await refuse().catch(() => {})
  })
  await until('20 are answered', () => answered.length >= 20, 60_000)
  await service.kill()
  isOver = true
  await Promise.all(asking)

  const before = await keptIds()
  assert(before.length > 0, 'none was kept')
  assert.equal(new Set(before).size, before.length)
  service = await startService(env)
  answered.length = 0
  await refuse()
  assert.equal(await service.stop(), 0)
  const after = await keptIds()
  assert.deepEqual(after.toSorted(), [...before, ...answered].toSorted())
  await insideDataFolder(dataDir, async (database) => {
    await assertWhole(database, await openFileStore(join(dataDir, 'objects')))
  })
})
