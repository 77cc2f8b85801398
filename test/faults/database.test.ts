// The database in every way of not being there: cut off, silent, read-only. What was answered 202 is sent, the others
// hear 503, and the service is well again by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/lib/sql.ts'
import { call } from '../support/api.ts'
import { startService, type TestService } from '../support/service.ts'
import { prepareService, proxyDatabase } from '../support/service-under-fault.ts'
import {
  allSent,
  checkStory,
  RECOVERS_WITHIN_MS,
  type SteadySends,
  sendSteadily,
  taken,
} from '../support/steady-sends.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const under = await prepareService()
const { database, databaseUrl, sink, env } = under

/** Messages that one process has on their way to the relay at most, which a lease that ran out sends again. */
const IN_FLIGHT = 80
/** Until a hung statement is given up, and one that waited behind it. */
const ANSWERS_WITHIN_MS = 30_000

/** Statuses of the operator's two questions. */
async function health({ opsUrl }: TestService): Promise<{ alive?: number | undefined; ready?: number | undefined }> {
  const [alive, ready] = await Promise.all(['/healthz', '/readyz'].map((path) => fetch(opsUrl + path)))
  return { alive: alive?.status, ready: ready?.status }
}

const isReady = (service: TestService) =>
  until('it is ready', async () => (await health(service)).ready === 200, RECOVERS_WITHIN_MS)

/** Waits until all of it is sent, stops the service and looks at everything. Gives how many mails went twice. */
async function settle(service: TestService, tenant: TestTenant, sends: SteadySends): Promise<number> {
  await sends.done
  await allSent(database, tenant, sends.taken.length)
  assert.equal(await service.stop(), 0)
  const doubled = await checkStory(database, tenant, sends.taken, sink.mails)
  await under.assertWhole()
  return doubled
}

/** Ends every connection to the database but the one that asks. */
const cutConnections = () =>
  database.rows(sql`
    select pg_terminate_backend(pid)::text from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)

test('with all connections cut again and again nothing is lost and nothing goes twice', async () => {
  const tenant = await createTestTenant(database)
  const service = await startService(env)
  const sends = sendSteadily(() => service.url, tenant, 600)
  for (let round = 1; round <= 8; round++) {
    await taken(sends, round * 60)
    await cutConnections()
  }
  assert.equal(await settle(service, tenant, sends), 0)
})

test('connections that fall silent for good are given up in time, and new ones take their place', async () => {
  const tenant = await createTestTenant(database)
  const { proxy, url } = await proxyDatabase(databaseUrl)
  const service = await startService({ ...env, MDK_DATABASE_URL: url })
  const sends = sendSteadily(() => service.url, tenant, 300)
  await taken(sends, 100)
  proxy.hang()
  assert.deepEqual(await health(service), { alive: 200, ready: 503 })
  const read = await call(service.url, 'GET', '/v1/messages', { key: tenant.key })
  assert.equal(read.body.code, 'service_unavailable')
  await until('a send has its answer', () => sends.others.get(503), ANSWERS_WITHIN_MS)
  const before = sends.taken.length
  proxy.abandon()
  await taken(sends, before + 100)
  await isReady(service)
  const doubled = await settle(service, tenant, sends)
  assert(doubled <= IN_FLIGHT, `${doubled} went twice`)
})

test('a service that is told to stop while its database is silent ends in time, and the next one goes on', async () => {
  const tenant = await createTestTenant(database)
  const { proxy, url } = await proxyDatabase(databaseUrl)
  const first = await startService({ ...env, MDK_DATABASE_URL: url })
  let service = first
  const sends = sendSteadily(() => service.url, tenant, 300)
  await taken(sends, 100)
  proxy.hang()
  const began = performance.now()
  assert.equal(await first.stop(), 0)
  assert(performance.now() - began < 25_000, 'sooner than when it is ended by force')
  service = await startService(env)
  const doubled = await settle(service, tenant, sends)
  assert(doubled <= IN_FLIGHT, `${doubled} went twice`)
})

test('a database that has become read-only is read, and connections to it are not kept', async () => {
  const tenant = await createTestTenant(database)
  const service = await startService(env)
  const sends = sendSteadily(() => service.url, tenant, 300)
  await taken(sends, 100)
  const name = new URL(databaseUrl).pathname.slice(1)
  await database.pool.query(`alter database ${name} set default_transaction_read_only = on`)
  await cutConnections()
  await until('all senders are refused', () => (sends.others.get(503) ?? 0) > 100)
  assert.equal((await call(service.url, 'GET', '/v1/messages', { key: tenant.key })).status, 200)
  // Connections that were made meanwhile stay read-only, as those to a standby do.
  await database.pool.query(`begin read write; alter database ${name} reset default_transaction_read_only; commit`)
  const doubled = await settle(service, tenant, sends)
  assert(doubled <= IN_FLIGHT, `${doubled} went twice`)
})
