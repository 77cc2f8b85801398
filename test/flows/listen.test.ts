// `mdk listen`: a developer's receiver hears what happens from now on, signed with the secret of the run.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts'
import { appendEvents } from '../../src/events/append.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { MDK, mdk } from '../support/mdk.ts'
import { startReceiver } from '../support/receiver.ts'
import { proxyDatabase } from '../support/service-under-fault.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database, url } = await createTestDatabase()
const env = { MDK_DATABASE_URL: url, PATH: process.env.PATH ?? '' }

const emit = (tenant: TestTenant) =>
  database.transaction((tx) =>
    appendEvents(tx, [
      {
        tenantId: tenant.tenantId,
        environmentId: tenant.tenantId,
        type: 'message.updated',
        resourceType: 'message',
        resourceId: newId(),
        data: {},
      },
    ]),
  )

test('events from now on are posted in their order, and a receiver that fails does not end it', async () => {
  const tenant = await createTestTenant(database)
  await emit(tenant)
  const receiver = await startReceiver({
    answer: (_, response) => void response.writeHead(receiver.delivered.length === 1 ? 500 : 200).end(),
  })
  const child = spawn(MDK, ['listen', '--app', tenant.appId, '--forward', receiver.url], { env })
  after(() => child.kill('SIGKILL'))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const lines: { secret?: string; outcome?: string; type?: string }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  const secret = await until('it has begun', () => lines[0]?.secret)
  for (let i = 0; i < 3; i++) await emit(tenant)
  await until('all are printed', () => lines.length >= 4)
  child.kill('SIGINT')
  assert.equal(await exited, 0)
  // The one that was there before is not forwarded.
  const events = lines.slice(1)
  assert.deepEqual(
    events.map(({ type }) => type),
    Array(3).fill('message.updated'),
  )
  assert(lines.some(({ outcome }) => outcome === '500') && lines.some(({ outcome }) => outcome === '200'))
  for (const { headers, body } of receiver.delivered) verifyWebhook({ headers, body, secret })
})

test('it ends when nobody reads any more what it prints', async () => {
  const tenant = await createTestTenant(database)
  const receiver = await startReceiver()
  const child = spawn(MDK, ['listen', '--app', tenant.appId, '--forward', receiver.url], { env })
  after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const errors = buffer(child.stderr)
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await emit(tenant)
  assert.deepEqual([(await exited)[0], (await errors).toString()], [0, ''])
  assert.equal(receiver.delivered.length, 1)
})

test('an application or a URL that is none is refused', async () => {
  const tenant = await createTestTenant(database)
  for (const args of [
    ['--app', newId(), '--forward', 'http://localhost:1'],
    ['--app', tenant.appId, '--forward', 'localhost'],
  ]) {
    const outcome = await mdk(env, 'listen', ...args)
    assert.notEqual(outcome.status, 0)
    assert.notEqual(outcome.stderr, '')
  }
})

test('a database that is away is reported and waited for; one that refuses ends it', async () => {
  const tenant = await createTestTenant(database)
  const receiver = await startReceiver()
  const { proxy, url: proxied } = await proxyDatabase(url)
  const program = new URL('../../bin/mdk', import.meta.url).pathname
  const child = spawn(program, ['listen', '--app', tenant.appId, '--forward', receiver.url], {
    env: { ...env, MDK_DATABASE_URL: proxied },
  })
  after(() => child.kill('SIGKILL'))
  let status: number | null | undefined
  child.once('exit', (code) => {
    status = code
  })
  const [lines, reports]: [string[], { code: string; message: string }[]] = [[], []]
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => reports.push(JSON.parse(line)))
  await until('it has begun', () => lines.length > 0)
  await emit(tenant)
  await until('it listens', () => receiver.delivered.length === 1)

  proxy.hang()
  await until('it reports the database', () => {
    proxy.cut()
    return reports.at(-1)?.code === 'feed_away'
  })
  await emit(tenant)
  proxy.abandon()
  proxy.cut()
  await until('nothing was missed', () => receiver.delivered.length === 2)
  assert.equal(reports.at(-1)?.code, 'feed_back')

  // Asking again would not help.
  await database.pool.query('alter table events rename to events_elsewhere')
  await until('it has ended', () => status !== undefined)
  assert.equal(status, 1)
  assert.match(reports.at(-1)?.message ?? '', /relation "events" does not exist/)
  assert.deepEqual(new Set(reports.map(({ code }) => code)), new Set(['feed_away', 'feed_back', 'failed']))
})
