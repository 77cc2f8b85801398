// Receivers in bad moods beside a good one, and a DNS that is away: each attempt fails for its reason and within its
// time, the good one hears everything meanwhile, and all is delivered when the moods pass.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { Uuid } from '../../src/lib/uuid.ts'
import { startTestApi } from '../support/api.ts'
import { startTestDns } from '../support/dns.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { prepareService } from '../support/service-under-fault.ts'
import { RECOVERS_WITHIN_MS } from '../support/steady-sends.ts'
import { until } from '../support/until.ts'
import { emit, type Subscriber, subscribe } from '../support/webhook-subscriber.ts'

type Mood = (response: ServerResponse) => void

const every = (response: ServerResponse, ms: number, bytes: Buffer) => {
  const timer = setInterval(() => response.write(bytes), ms)
  response.once('close', () => clearInterval(timer))
}

/** What a receiver does, and what the delivery says of it. */
const MOODS: Record<string, [mood: Mood, lastError: string]> = {
  hangs: [() => {}, 'timeout'],
  resets: [(response) => void response.socket?.resetAndDestroy(), 'network'],
  drips: [(response) => every(response.writeHead(200), 100, Buffer.from('.')), 'timeout'],
  floods: [(response) => every(response.writeHead(500), 1, Buffer.alloc(256 * 1024)), 'http_status'],
  redirects: [(response) => void response.writeHead(302, { location: '/hook' }).end(), 'redirect'],
}

const under = await prepareService()
const dns = await startTestDns({ 'hook.example.test': { A: ['127.0.0.1'] } })
const { url } = await startTestApi(under.database, { config: { dnsServers: [dns.server] } })
let moody = true

async function subscribeMoody(mood: Mood): Promise<Subscriber> {
  const receiver = await startReceiver({ answer: (_, response) => (moody ? mood(response) : void response.end()) })
  return subscribe(url, under.database, receiver)
}

async function subscribeByName(receiver: Receiver): Promise<Subscriber> {
  const named = receiver.url.replace('127.0.0.1', 'hook.example.test')
  return subscribe(url, under.database, { url: named })
}

test('bad receivers and a silent DNS are borne, and hear everything in the end', async () => {
  const { database } = under
  const good = await startReceiver()
  const listener = await subscribe(url, database, good)
  const byName = await startReceiver()
  const subscribers = new Map<string, { subscriber: Subscriber; lastErrors: string[] }>()
  for (const [what, [mood, lastError]] of Object.entries(MOODS)) {
    subscribers.set(what, { subscriber: await subscribeMoody(mood), lastErrors: [lastError] })
  }
  subscribers.set('has no DNS', { subscriber: await subscribeByName(byName), lastErrors: ['dns', 'timeout'] })
  dns.zone['hook.example.test'] = 'silence'

  const worker = await startService({ ...under.env, MDK_DNS_SERVERS: dns.server, MDK_WEBHOOK_BACKOFF: '4s,4s,4s,4s' }, [
    'serve',
    '--roles',
    'webhooks',
  ])
  const emitted: Uuid[] = []
  for (const { subscriber } of subscribers.values()) await emit(database, subscriber.tenant, 3)
  for (let n = 0; n < 10; n++) {
    emitted.push(...(await emit(database, listener.tenant, 10)))
    await until('the good one has heard', () => good.delivered.length === emitted.length)
  }
  for (const [what, { subscriber, lastErrors }] of subscribers) {
    const failed = await until(
      `one that ${what} has failed`,
      async () => (await subscriber.deliveries()).find(({ lastError }) => lastError !== null),
      RECOVERS_WITHIN_MS,
    )
    assert(lastErrors.includes(failed.lastError as string), `${what}: ${failed.lastError}`)
  }
  moody = false
  dns.zone['hook.example.test'] = { A: ['127.0.0.1'] }
  for (const [what, { subscriber }] of subscribers) {
    await until(
      `one that ${what} has heard everything`,
      async () => (await subscriber.deliveries()).every(({ status }) => status === 'delivered'),
      RECOVERS_WITHIN_MS,
    )
    const { enabled, consecutiveFailures } = await subscriber.current()
    assert.deepEqual({ enabled, consecutiveFailures }, { enabled: true, consecutiveFailures: 0 })
  }
  assert.equal(await worker.stop(), 0)
  await dns.stop()
  await under.assertWhole()
})
