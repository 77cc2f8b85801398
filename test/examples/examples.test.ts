// The programs of examples/ against the real service, stopped where it hurts most.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { type Event, MailDeveloperApi } from '../../sdk/src/index.ts'
import { createTestDatabase } from '../support/database.ts'
import { runExample } from '../support/example.ts'
import { freePort } from '../support/free-port.ts'
import { startProxy } from '../support/proxy.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

/** The machine may be busy. */
const PATIENCE_MS = 60_000

const folder = await temporaryFolder('examples-')
after(() => rm(folder, { recursive: true, force: true }))
const { database, url: databaseUrl } = await createTestDatabase()
const service = await startService({
  MDK_DATABASE_URL: databaseUrl,
  MDK_DATA_DIR: folder,
  MDK_RELAY_URL: 'smtp://127.0.0.1:9',
  MDK_RETURN_PATH_DOMAIN: 'bounce.test',
  MDK_WEBHOOK_ALLOW: '127.0.0.0/8',
  MDK_POLL: '50ms',
})

/** A sandbox of its own for a test, whose mail never leaves. */
async function startSandbox() {
  const { key, mailboxId } = await createTestTenant(database, { environment: 'sandbox' })
  const api = new MailDeveloperApi({ baseUrl: service.url, apiKey: key })
  let messages = 0
  return {
    key,
    mailboxId,
    api,
    async send(count: number, address?: string): Promise<void> {
      messages += count
      const mails = Array.from({ length: count }, (_, i) => address ?? `you${i}@example.test`)
      await Promise.all(mails.map((to) => api.sendMessage({ fromMailboxId: mailboxId, to: [to], text: 'x' })))
    },
    /** The feed, once every message that was sent is in it with its end: queued, sent, delivered or bounced. */
    settledFeed(): Promise<Event[]> {
      const look = async () => {
        const events = await readFeed(api)
        return events.length === messages * 3 && events
      }
      return until('every message has its end', look, PATIENCE_MS)
    },
  }
}

async function readFeed(api: MailDeveloperApi): Promise<Event[]> {
  const events = []
  for await (const event of api.listEvents({ limit: 100 })) events.push(event)
  return events
}

/** What the receiver and the job have stored. */
function readStore(path: string) {
  const store = new DatabaseSync(path)
  const ids = store.prepare('select id from events order by id').all() as { id: string }[]
  const bounces = store
    .prepare('select address, count from bounces')
    .all()
    .map((row) => ({ ...row }))
  store.close()
  return { ids: ids.map(({ id }) => id), bounces }
}

const idsOf = (events: Event[]) => events.map(({ id }) => id).sort()

test('the reconciliation job, killed before and after each answer, stores every event and its effect once', async () => {
  const sandbox = await startSandbox()
  await Promise.all([sandbox.send(30, 'bounced@example.test'), sandbox.send(90)])
  const events = await sandbox.settledFeed()

  // Each run is killed at a request: before it is answered, or with the answer on its way and not stored yet.
  let requests = 0
  let killAt = { request: 0, answered: false }
  let kill = () => {}
  const proxy = await startProxy(service.url, async (request) => {
    const last = ++requests === killAt.request
    if (last && !killAt.answered) return void kill()
    const answer = await request.forward()
    if (last) setImmediate(kill)
    return answer
  })
  const path = join(folder, 'reconciled.db')
  const run = () => {
    requests = 0
    return runExample('reconcile.ts', [path], { BASE: proxy, KEY: sandbox.key })
  }
  for (const at of [1, 2]) {
    for (const answered of [false, true]) {
      killAt = { request: at, answered }
      const job = run()
      kill = () => job.child.kill('SIGKILL')
      assert.equal(await job.ended, null, `it ended by itself: ${job.lines.join('\n')}`)
    }
  }
  killAt = { request: 0, answered: false }
  const last = run()
  assert.equal(await last.ended, 0, last.lines.join('\n'))
  const bounces = [{ address: 'bounced@example.test', count: 30 }]
  assert.deepEqual(readStore(path), { ids: idsOf(events), bounces })

  const again = run()
  assert.equal(await again.ended, 0)
  assert.deepEqual(again.lines, ['0 events, 0 of them new'], 'and it goes on where it was')
})

test('the webhook receiver stores an event once, however often and by whichever way it comes', async () => {
  const sandbox = await startSandbox()
  const path = join(folder, 'received.db')
  const port = await freePort()
  const env = { BASE: service.url, KEY: sandbox.key, PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}/hook` }
  const receive = async () => {
    const receiver = runExample('webhook-receiver.ts', [path], env)
    await until(
      'it receives',
      () => receiver.lines.includes('receiving') || receiver.child.exitCode !== null,
      PATIENCE_MS,
    )
    assert.equal(receiver.child.exitCode, null, receiver.lines.join('\n'))
    return receiver
  }

  const receiver = await receive()
  await sandbox.send(2, 'bounced@example.test')
  const events = idsOf(await sandbox.settledFeed())
  await until('it has everything', () => readStore(path).ids.length === events.length, PATIENCE_MS)

  const forged = { id: 'x', type: 'message.bounced', occurredAt: '', data: { recipient: 'bounced@example.test' } }
  assert.equal((await fetch(env.PUBLIC_URL, { method: 'POST', body: JSON.stringify(forged) })).status, 400)
  const [delivery] = (await sandbox.api.listWebhookDeliveries({ limit: 1 })).items
  await sandbox.api.replayWebhookDelivery(delivery?.id ?? '')
  await until('it receives one again', () => receiver.lines.some((line) => line.endsWith('again')), PATIENCE_MS)

  receiver.child.kill('SIGKILL')
  await receiver.ended
  await sandbox.send(1, 'bounced@example.test')
  const all = { ids: idsOf(await sandbox.settledFeed()), bounces: [{ address: 'bounced@example.test', count: 3 }] }
  const job = runExample('reconcile.ts', [path], { BASE: service.url, KEY: sandbox.key })
  assert.equal(await job.ended, 0, job.lines.join('\n'))
  assert.deepEqual(readStore(path), all, 'the feed has what it missed')

  const second = await receive()
  const [missed] = (await sandbox.api.listWebhookDeliveries({ limit: 1 })).items
  await sandbox.api.replayWebhookDelivery(missed?.id ?? '')
  await until('it receives what it missed', () => second.lines.some((line) => line.endsWith('again')), PATIENCE_MS)
  second.child.kill('SIGKILL')
  await second.ended
  const store = new DatabaseSync(path)
  store.exec("delete from settings where name = 'webhook_secret'")
  store.close()
  await receive()
  assert.equal((await sandbox.api.listWebhookEndpoints()).length, 1, 'it subscribes once, even if it loses its secret')
  assert.deepEqual(readStore(path), all)
})

test('the bulk sender waits as it is asked to, and killed after an unanswered send it sends to nobody twice', async () => {
  const sandbox = await startSandbox()
  const addresses = Array.from({ length: 40 }, (_, i) => `reader${i}@example.test`)
  const list = join(folder, 'addresses.txt')
  await writeFile(list, `${addresses.join('\n')}\nnobody\n${addresses[0]}\n`)

  const args = ['november', list, join(folder, 'sent.db')]
  const run = (through: string, mailbox: string = sandbox.mailboxId) =>
    runExample('bulk-sender.ts', args, { BASE: through, KEY: sandbox.key, MAILBOX: mailbox })
  assert.equal(await run(service.url, 'nonsense').ended, 1, 'a fault of its own is no fault of the addresses')

  let accepted = 0
  let kill = () => {}
  const killing = await startProxy(service.url, async (request) => {
    const answer = await request.forward()
    if (++accepted < 20) return answer
    return void kill()
  })
  const first = run(killing)
  kill = () => first.child.kill('SIGKILL')
  assert.equal(await first.ended, null, first.lines.join('\n'))
  assert.equal(first.lines[0], '41 addresses, 41 to do')

  const limitedAt = new Map<unknown, number>()
  const waits: number[] = []
  const limiting = await startProxy(service.url, async (request) => {
    const key = request.headers['idempotency-key']
    const since = limitedAt.get(key)
    if (since !== undefined) waits.push(performance.now() - since)
    else if (limitedAt.size < 3) {
      limitedAt.set(key, performance.now())
      const body = '{"code":"rate_limited","message":"x"}'
      return { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '1' }, body }
    }
    return request.forward()
  })
  const second = run(limiting)
  assert.equal(await second.ended, 0, second.lines.join('\n'))
  assert(waits.length >= 3)
  assert(Math.min(...waits) >= 1000, `Retry-After was 1 second: ${waits.map(Math.round)} ms`)

  const sent: string[] = []
  for await (const message of sandbox.api.listMessages({ limit: 100 })) sent.push(message.to[0]?.address ?? '')
  assert.deepEqual(sent.sort(), [...addresses].sort())
  const third = run(service.url)
  assert.equal(await third.ended, 0)
  assert.deepEqual(third.lines, ['41 addresses, 0 to do'])
})
