// Processes that are stopped past their lease and woken later, and those that start at the same moment on an empty
// database.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { DATABASE_SCHEMA } from '../../src/database-schema.ts'
import { readSchema } from '../../src/lib/schema-files.ts'
import { sql } from '../../src/lib/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { mdk } from '../support/mdk.ts'
import { startService } from '../support/service.ts'
import { prepareService } from '../support/service-under-fault.ts'
import { allSent, checkStory, RECOVERS_WITHIN_MS, sendSteadily } from '../support/steady-sends.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

/** Messages that one process has on their way to the relay at most. */
const IN_FLIGHT = 80
/** Of the worker that is stopped. Longer than a busy machine holds up its renewal. */
const LEASE = '10s'

const held = new Set<() => void>()
let holds = false
const under = await prepareService({
  // Some messages are with the relay, and not answered yet, when the worker is stopped.
  onMessage: async () => {
    if (holds) await new Promise<void>((resolve) => held.add(resolve))
    return undefined
  },
})
const empty = await createTestDatabase({ alone: true })
const dataDir = await temporaryFolder('mdk-migrate-')
after(() => rm(dataDir, { recursive: true, force: true }))

test('a worker stopped in the middle of submissions, past its lease, changes nothing when it is woken', async () => {
  const { database, sink, env } = under
  const tenant = await createTestTenant(database)
  const api = await startService(env, ['serve', '--roles', 'api'])
  const stopped = await startService({ ...env, MDK_LEASE: LEASE }, ['serve', '--roles', 'outbound'])
  holds = true
  const sends = sendSteadily(() => api.url, tenant, 200)
  await until('messages are with the relay', () => held.size >= 10, RECOVERS_WITHIN_MS)
  stopped.child.kill('SIGSTOP')
  holds = false
  for (const answer of held) answer()
  const other = await startService(env, ['serve', '--roles', 'outbound'])
  await sends.done
  await allSent(database, tenant, 200)
  stopped.child.kill('SIGCONT')
  for (const service of [stopped, other, api]) assert.equal(await service.stop(), 0)
  const doubled = await checkStory(database, tenant, sends.taken, sink.mails)
  assert(doubled > 0 && doubled <= IN_FLIGHT, `${doubled} went twice`)
  await under.assertWhole()
})

test('a relay and a client that both dawdle do not keep a service from stopping in time', async () => {
  const { database, sink, env } = under
  const tenant = await createTestTenant(database)
  const service = await startService(env)
  holds = true
  held.clear()
  const sends = sendSteadily(() => service.url, tenant, 1)
  await until('the message is with the relay', () => held.size === 1, RECOVERS_WITHIN_MS)
  const client = connect(service.smtpPort, '127.0.0.1')
  let heard = ''
  client.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  const answers = (count: number) => until('it answers', () => (heard.match(/^\d{3} /gm)?.length ?? 0) >= count)
  const words = ['EHLO client.test', 'MAIL FROM:<a@example.test>', `RCPT TO:<${tenant.address}>`, 'DATA']
  for (const [n, line] of words.entries()) {
    await answers(n + 1)
    client.write(`${line}\r\n`)
  }
  await answers(words.length + 1)
  assert.match(heard, /^354 /m)
  client.write('Subject: the rest of it never comes\r\n')
  assert.equal(await service.stop(), 0)
  client.destroy()
  holds = false
  for (const answer of held) answer()
  const next = await startService(env)
  await allSent(database, tenant, 1)
  assert.equal(await next.stop(), 0)
  assert.equal(await checkStory(database, tenant, sends.taken, sink.mails), 1, 'the relay had it before, too')
  await under.assertWhole()
})

test('commands and services that start at once on an empty database migrate it once', async () => {
  const { database, url } = empty
  await database.pool.query('drop schema public cascade; create schema public')
  const env = { ...under.env, MDK_DATABASE_URL: url, MDK_DATA_DIR: dataDir }
  const [service, ...outcomes] = await Promise.all([startService(env), mdk(env, 'migrate'), mdk(env, 'migrate')])
  for (const { status, stderr } of outcomes) assert.equal(status, 0, stderr)
  const { migrations, functions } = await readSchema(DATABASE_SCHEMA)
  const logged = [
    ...outcomes.flatMap(({ json }) => json.applied),
    ...service.logs.flatMap(({ applied }) => (applied as string[] | undefined) ?? []),
  ]
  assert.deepEqual(logged.sort(), [...migrations, ...functions].map(({ name }) => name).sort())
  const rows = await database.rows(sql<{ name: string }>`select name from schema_migrations order by version`)
  assert.deepEqual(
    rows.map(({ name }) => name),
    migrations.map(({ name }) => name),
  )
  assert.equal(await service.stop(), 0)
})
