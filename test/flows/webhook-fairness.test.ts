// Webhooks beside receivers that hang: what one endpoint or one tenant has under way is bounded, and whoever answers is
// served meanwhile.
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { ENDPOINT_CAP, TENANT_CAP } from '../../src/roles/webhooks.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { deliveriesAre, emit, type Subscriber, subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

/** Answers what it hears until it is told to hang; then it holds every request until it is let go. */
async function startHangingReceiver(): Promise<{ receiver: Receiver; hang(): void; letGo(): void }> {
  let hanging = false
  let letGo = () => {}
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const receiver = await startReceiver({
    answer: async (_, response) => {
      if (hanging) await gone
      response.end()
    },
  })
  return {
    receiver,
    hang() {
      hanging = true
    },
    letGo: () => letGo(),
  }
}

/** Longer than anything here takes: what hangs does not fail. */
const PATIENT = { timeoutMs: 60_000, leaseMs: 120_000 }

/** Delivers one event to each, so that none is new any more: a new endpoint has one request at a time. */
async function prove(subscribers: readonly Subscriber[]): Promise<void> {
  const tenants = new Set(subscribers.map(({ tenant }) => tenant))
  const worker = startTestWebhooks(database)
  for (const tenant of tenants) await emit(database, tenant)
  await Promise.all(subscribers.map((subscriber) => deliveriesAre(subscriber, 'delivered')))
  await worker.stop()
}

test('a hanging endpoint with many due deliveries holds its cap, and another of its tenant hears everything', async () => {
  const { receiver: hung, hang, letGo } = await startHangingReceiver()
  const hungSubscriber = await subscribe(url, database, hung)
  const { tenant } = hungSubscriber
  const healthy = await startReceiver()
  const healthySubscriber = await subscribe(url, database, healthy, { tenant })
  await prove([hungSubscriber, healthySubscriber])
  hang()
  await emit(database, tenant, 300)
  const worker = startTestWebhooks(database, PATIENT)
  await until('the healthy one has heard everything', () => healthy.delivered.length === 301)
  await until('the hung one has its cap', () => hung.open === ENDPOINT_CAP)
  assert.equal(hung.mostOpen, ENDPOINT_CAP)
  letGo()
  await until('the other has heard everything too', () => hung.delivered.length === 301)
  assert.equal(hung.mostOpen, ENDPOINT_CAP)
  await worker.stop()
})

test('the hanging endpoints of one tenant hold its cap, and other tenants hear everything', async () => {
  const hanging = await Promise.all(Array.from({ length: 4 }, startHangingReceiver))
  const [first] = hanging as [(typeof hanging)[0]]
  const one = await subscribe(url, database, first.receiver)
  const { tenant } = one
  const others = await Promise.all(
    hanging.slice(1).map(({ receiver }) => subscribe(url, database, receiver, { tenant })),
  )
  const healthy = await startReceiver()
  const healthySubscriber = await subscribe(url, database, healthy)
  await prove([one, ...others, healthySubscriber])
  for (const { hang } of hanging) hang()
  await emit(database, tenant, 100)
  const open = () => hanging.reduce((sum, { receiver }) => sum + receiver.open, 0)
  // Two processes: the cap is of both together.
  const workers = [startTestWebhooks(database, PATIENT), startTestWebhooks(database, PATIENT)]
  await until('the tenant has its cap under way', () => open() === TENANT_CAP)
  await emit(database, healthySubscriber.tenant, 300)
  for (const worker of workers) worker.wake()
  await until('the other tenant has heard everything', () => healthy.delivered.length === 301)
  assert.equal(open(), TENANT_CAP)
  for (const { letGo } of hanging) letGo()
  await until('and so have those that hung', () => hanging.every(({ receiver }) => receiver.delivered.length === 101))
  await Promise.all(workers.map((worker) => worker.stop()))
})

test('beside twenty receivers that send without end another tenant hears everything, and little of theirs is read', async () => {
  const flooded: Socket[] = []
  const floods = await Promise.all(
    Array.from({ length: 20 }, () =>
      startReceiver({
        answer: (_, { socket }) => {
          assert(socket)
          flooded.push(socket)
          const more = () => {
            if (!socket.destroyed) socket.write('x'.repeat(16_384), more)
          }
          socket.write('HTTP/1.1 200 ', more)
        },
      }),
    ),
  )
  const [first, ...rest] = floods
  assert(first)
  const one = await subscribe(url, database, first)
  const { tenant } = one
  const others = await Promise.all(rest.map((receiver) => subscribe(url, database, receiver, { tenant })))
  const healthy = await startReceiver()
  const healthySubscriber = await subscribe(url, database, healthy)
  const connected: Socket[] = []
  const onConnected = (message: unknown) => connected.push((message as { socket: Socket }).socket)
  diagnostics.subscribe('undici:client:connected', onConnected)
  const worker = startTestWebhooks(database, { ...PATIENT, backoff: [600, 600, 600, 600] })
  await emit(database, tenant, 5)
  for (let n = 1; n <= 50; n++) {
    await emit(database, healthySubscriber.tenant)
    worker.wake()
    await until('the other tenant has heard of it', () => healthy.delivered.length === n)
  }
  for (const subscriber of [one, ...others]) {
    await until('the flood has failed', async () => (await subscriber.current()).consecutiveFailures === 1)
  }
  diagnostics.unsubscribe('undici:client:connected', onConnected)
  await until('each was closed', () => flooded.length === 20 && flooded.every((socket) => socket.destroyed))
  for (const { bytesRead } of connected) assert(bytesRead <= 4 * 65_536, `${bytesRead} octets were read`)
  await worker.stop()
})
