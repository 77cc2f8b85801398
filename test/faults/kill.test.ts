// 202 is a promise: whatever is killed after it, the message reaches the relay.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { openServiceDatabase } from '../../src/database.ts'
import { SCOPES } from '../../src/http/principal.ts'
import { createLog } from '../../src/lib/log.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import { call, send } from '../support/api.ts'
import { startService, type TestService } from '../support/service.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
const SENDERS = 24
const RELAY_CONNECTIONS = 10
/** What one process has on its way to the relay at most. */
const IN_FLIGHT = RELAY_CONNECTIONS * 8

/** A service's own data folder with a tenant in it, made before the service first starts. */
async function prepare(): Promise<{
  dataDir: string
  tenant: TestTenant
  env: Record<string, string>
  sink: Awaited<ReturnType<typeof startSmtpSink>>
}> {
  const dataDir = await temporaryFolder('mdk-kill-')
  const sink = await startSmtpSink()
  after(async () => {
    await sink.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  const tenant = await inside(dataDir, (database) => createTestTenant(database, { scopes: SCOPES }))
  const env = {
    MDK_DATA_DIR: dataDir,
    MDK_RELAY_URL: sink.url,
    MDK_RETURN_PATH_DOMAIN: 'bounce.test',
    MDK_LEASE: '2s',
    MDK_WEBHOOK_TIMEOUT: '1s',
    MDK_IP_PER_MINUTE: '0',
    MDK_OUTBOUND_BACKOFF: '200ms..1s',
    MDK_LOG_LEVEL: 'info',
  }
  return { dataDir, tenant, env, sink }
}

/** Does something with the database of a data folder, over the server that runs there or one for the moment. */
async function inside<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const config = { databaseUrl: undefined, dataDir }
  const { database, close } = await openServiceDatabase({ config, log: createLog('fatal'), hold: 'command' })
  try {
    return await work(database)
  } finally {
    await close()
  }
}

/** Sends until it is answered 202, with one key: what a careful client does. */
async function sendUntilTaken(url: () => string, tenant: TestTenant, n: number): Promise<string> {
  const body = { fromMailboxId: tenant.mailboxId, to: [`r${n}@example.test`], subject: `${n}`, text: 'Hello' }
  return until(
    `send ${n} is taken`,
    async () => {
      const answer = await send(url(), tenant.key, body, `message-${n}`).catch(() => undefined)
      if (answer === undefined) return undefined
      assert([202, 503].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.status === 202 ? (answer.body.id as string) : undefined
    },
    60_000,
  )
}

async function sendMany(url: () => string, tenant: TestTenant, count: number, taken: string[]): Promise<void> {
  let next = 0
  const sender = async () => {
    while (next < count) taken.push(await sendUntilTaken(url, tenant, next++))
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}

/** Every message that was taken is sent, told once, and with the relay. Gives how often the relay got one again. */
async function checkStory(dataDir: string, taken: string[], mails: readonly { bytes: Buffer }[]): Promise<number> {
  assert.equal(new Set(taken).size, taken.length)
  await inside(dataDir, async (database) => {
    const rows = await database.rows(sql<{ status: string; events: string[] }>`
      select m.status, array(select e.type from events e where e.resource_id = m.id order by e.epoch, e.xid, e.seq) as events
      from messages m`)
    assert.equal(rows.length, taken.length, 'no message but those that were taken')
    for (const row of rows) assert.deepEqual(row, { status: 'sent', events: ['message.queued', 'message.sent'] })
    assert.deepEqual(await database.rows(sql`select id from jobs`), [])
    assert.deepEqual(await database.rows(sql`select id from dead_letters`), [])
  })
  const arrived = mails.map((mail) => /^Message-ID: <([0-9a-f-]{36})@/im.exec(mail.bytes.toString('latin1'))?.[1])
  assert.deepEqual(new Set(arrived), new Set(taken), 'every 202 reached the relay, and nothing else')
  return arrived.length - taken.length
}

const allSent = (dataDir: string, count: number) =>
  until(
    'everything is sent',
    () =>
      inside(dataDir, async (database) => {
        const row = await database.first(sql<{ n: number }>`select count(*) as n from messages where status = 'sent'`)
        return row?.n === count
      }),
    60_000,
  )

test('2,000 sends with mdk killed three times: every 202 reaches the relay, doubled at most what was in flight', async () => {
  const { dataDir, tenant, env, sink } = await prepare()
  let service = await startService(env)
  const taken: string[] = []
  const sending = sendMany(() => service.url, tenant, 2_000, taken)
  for (const at of [300, 900, 1_500]) {
    await until(`${at} are taken`, () => taken.length >= at, 60_000)
    await service.kill()
    service = await startService(env)
  }
  await sending
  await allSent(dataDir, 2_000)
  assert.equal(await service.stop(), 0)
  const doubled = await checkStory(dataDir, taken, sink.mails)
  assert(doubled <= 3 * IN_FLIGHT, `${doubled} were doubled`)
})

test('a killed PostgreSQL is reported and started again; no send is lost and no mail goes twice', async () => {
  const { dataDir, tenant, env, sink } = await prepare()
  const service = await startService({ ...env, MDK_LEASE: '30s' })
  const taken: string[] = []
  const sending = sendMany(() => service.url, tenant, 600, taken)
  await until('200 are taken', () => taken.length >= 200, 60_000)
  const pid = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(pid, 'SIGKILL')
  await until('it was told', () => service.logs.some((line) => /went away/.test(line.msg)), 60_000)
  await until('it is back', () => service.logs.some((line) => /is back/.test(line.msg)), 60_000)
  await sending
  await allSent(dataDir, 600)
  assert.equal((await call(service.opsUrl, 'GET', '/readyz')).status, 200)
  assert.equal(await service.stop(), 0)
  assert.equal(await checkStory(dataDir, taken, sink.mails), 0, 'what the relay took is remembered meanwhile')
})

test('SIGTERM under load drains: exit 0, nothing lost, nothing doubled', async () => {
  const { dataDir, tenant, env: hasty, sink } = await prepare()
  // What is given back waits for no lease; one this short could run out on a busy machine.
  const env = { ...hasty, MDK_LEASE: '30s' }
  const first = await startService(env)
  let service: TestService = first
  const taken: string[] = []
  const sending = sendMany(() => service.url, tenant, 600, taken)
  await until('200 are taken', () => taken.length >= 200, 60_000)
  const began = performance.now()
  assert.equal(await first.stop(), 0)
  assert(performance.now() - began < 30_000)
  await run('test', ['!', '-e', join(dataDir, 'postgres/postmaster.pid')])
  service = await startService(env)
  await sending
  await allSent(dataDir, 600)
  assert.equal(await service.stop(), 0)
  assert.equal(await checkStory(dataDir, taken, sink.mails), 0)
})
