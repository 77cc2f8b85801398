// A tenant that listens: an endpoint made over the API, the events it is to hear, and what the API shows of them.
import assert from 'node:assert/strict'
import { appendEvents } from '../../src/events/append.ts'
import { type Database, type Db, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import type { WebhookAttempt } from '../../src/webhooks/schemas.ts'
import { type Answer, call } from './api.ts'
import type { Receiver } from './receiver.ts'
import { createTestTenant, type TestTenant } from './tenant.ts'
import { until } from './until.ts'

export interface TestDelivery {
  id: Uuid
  eventId: Uuid
  status: string
  cycle: number
  attemptCount: number
  receptions: number
  lastStatusCode: number | null
  lastError: string | null
  nextAttemptAt: string | null
  lastAttemptAt: string | null
}

export interface Subscriber {
  tenant: TestTenant
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it looks at.
  endpoint: any
  secret: string
  deliveries(query?: string): Promise<TestDelivery[]>
  /** What came of each attempt of a delivery, oldest first. */
  attempts(deliveryId: Uuid): Promise<WebhookAttempt[]>
  replay(deliveryId: Uuid, key?: string): Promise<Answer>
  /** The endpoint as the API shows it now. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it looks at.
  current(): Promise<any>
}

/** Subscribes a receiver, for a tenant of its own unless one is given. `url` is the API's. */
export async function subscribe(
  url: string,
  database: Database,
  receiver: Pick<Receiver, 'url'>,
  { eventTypes = ['*'], tenant: given }: { eventTypes?: string[]; tenant?: TestTenant } = {},
): Promise<Subscriber> {
  const tenant = given ?? (await createTestTenant(database))
  const { key } = tenant
  const ok = (answer: Answer, status: number) => {
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }
  const made = await call(url, 'POST', '/v1/webhook-endpoints', { key, body: { url: receiver.url, eventTypes } })
  const { endpoint, secret } = ok(made, 201)
  return {
    tenant,
    endpoint,
    secret,
    deliveries: async (query = '') => ok(await call(url, 'GET', `/v1/webhook-deliveries${query}`, { key }), 200).items,
    attempts: async (id) => ok(await call(url, 'GET', `/v1/webhook-deliveries/${id}/attempts`, { key }), 200).items,
    replay: (deliveryId, idempotencyKey = newId()) =>
      call(url, 'POST', `/v1/webhook-deliveries/${deliveryId}/replay`, {
        key,
        headers: { 'idempotency-key': idempotencyKey },
      }),
    async current() {
      const { items } = ok(await call(url, 'GET', '/v1/webhook-endpoints', { key }), 200)
      return items.find((item: { id: Uuid }) => item.id === endpoint.id)
    },
  }
}

/** Appends events of a tenant's production in one transaction, and gives their ids. */
export function emit(database: Database, tenant: TestTenant, count = 1): Promise<Uuid[]> {
  return database.transaction((tx) =>
    appendEvents(
      tx,
      Array.from({ length: count }, (_, n) => ({
        tenantId: tenant.tenantId,
        environmentId: tenant.tenantId,
        type: 'message.updated' as const,
        resourceType: 'message' as const,
        resourceId: newId(),
        data: { n, word: 'Grüße 📎' },
      })),
    ),
  )
}

/** Makes a delivery that waits for its next attempt due now, and ends the wait of its endpoint. */
export async function fireRetryTimer(database: Database, id: Uuid): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.rows(sql`update webhook_deliveries set next_attempt_at = clock_timestamp() where id = ${id}`)
    await tx.rows(sql`update jobs set due_at = clock_timestamp() where subject_id = ${id}`)
    const delivery = await tx.first(sql<{ endpointId: Uuid }>`
      select endpoint_id as "endpointId" from webhook_deliveries where id = ${id}`)
    if (delivery) await endWait(tx, delivery.endpointId)
  })
}

/** Brings the moment at which an endpoint that has failed may be tried again to now. */
export async function endWait(db: Db, endpointId: Uuid): Promise<void> {
  await db.rows(sql`
    update held_lanes set held_until = clock_timestamp(), release_at = clock_timestamp() where lane = ${endpointId}`)
}

/** Waits until the subscriber's deliveries, of which there are some, all have this status. */
export function deliveriesAre(subscriber: Subscriber, status: string): Promise<TestDelivery[]> {
  return until(`all are ${status}`, async () => {
    const items = await subscriber.deliveries()
    return items.length > 0 && items.every((item) => item.status === status) && items
  })
}
