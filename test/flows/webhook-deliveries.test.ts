// GET /v1/webhook-deliveries page by page: what its filters let pass, and that following the cursor gives each delivery that
// passes throughout exactly once, over all endpoints, while others are made and settled, however few a page looks through.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { operatorIn } from '../../src/access/actor.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../src/webhooks/delivery-state.ts'
import { endpointFigures } from '../../src/webhooks/endpoint-figures.ts'
import { listDeliveries, MOST_DELIVERIES_WALKED } from '../../src/webhooks/list-deliveries.ts'
import type { WebhookDelivery, WebhookDeliveryPage } from '../../src/webhooks/schemas.ts'
import { call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { emit, subscribe } from '../support/webhook-subscriber.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

/** Endpoints that nobody answers for, and so many. */
async function endpointsOf({ tenantId, appId }: TestTenant, count: number): Promise<Uuid[]> {
  const ids = Array.from({ length: count }, newId)
  await database.rows(sql`
    insert into webhook_endpoints (tenant_id, id, app_id, environment_id, url, event_types, api_version, secret)
    select ${tenantId}, id, ${appId}, ${tenantId}, 'https://example.test/', '{*}', '2026-01-01', ''
    from unnest(${ids}::uuid[]) as n (id)`)
  return ids
}

async function settle(tenantId: Uuid, ids: readonly Uuid[], status: DeliveryStatus): Promise<void> {
  await database.rows(sql`
    update webhook_deliveries
    set status = ${status}, next_attempt_at = case when ${status} = 'pending' then created_at end,
      delivered_at = case when ${status} = 'delivered' then created_at end,
      dead_at = case when ${status} = 'dead' then created_at end
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`)
}

const stored = (tenantId: Uuid) =>
  database.rows(sql<{ id: Uuid; eventId: Uuid; endpointId: Uuid; createdAt: string }>`
    select id, event_id as "eventId", endpoint_id as "endpointId", created_at as "createdAt" from webhook_deliveries
    where tenant_id = ${tenantId} order by id desc`)

const actorOf = ({ tenantId }: TestTenant) =>
  operatorIn({ kind: 'operator', account: 'tests' }, { tenantId, environmentId: tenantId })

const TYPES = ['message.updated', 'message.sent'] as const

interface Filter {
  status?: DeliveryStatus
  endpointId?: Uuid
  eventId?: Uuid
  since?: string
  until?: string
  type?: (typeof TYPES)[number]
}

const passes = (delivery: WebhookDelivery, { status, endpointId, eventId, since, until, type }: Filter) =>
  delivery.status === (status ?? delivery.status) &&
  delivery.endpointId === (endpointId ?? delivery.endpointId) &&
  delivery.eventId === (eventId ?? delivery.eventId) &&
  delivery.createdAt >= (since ?? '') &&
  delivery.createdAt < (until ?? '9') &&
  delivery.eventType === (type ?? delivery.eventType)

test('every delivery that passes throughout comes once, the newest first', async () => {
  const readOnce = fc.asyncProperty(
    fc.array(fc.constantFrom(...DELIVERY_STATUSES), { minLength: 1, maxLength: 12 }),
    fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
    fc.record({ limit: fc.integer({ min: 1, max: 6 }), mostWalked: fc.integer({ min: 1, max: 20 }) }),
    fc.record(
      {
        status: fc.constantFrom(...DELIVERY_STATUSES),
        endpoint: fc.constantFrom(0, 1, 2),
        event: fc.integer({ min: 0, max: 11 }),
        since: fc.integer({ min: 0, max: 35 }),
        until: fc.integer({ min: 0, max: 35 }),
        type: fc.constantFrom(...TYPES),
      },
      { requiredKeys: [] },
    ),
    async (statuses, meanwhile, { limit, mostWalked }, wanted) => {
      const tenant = await createTestTenant(database)
      const { tenantId } = tenant
      const endpoints = await endpointsOf(tenant, 3)
      for (const status of statuses) {
        const before = new Set((await stored(tenantId)).map(({ id }) => id))
        await emit(database, tenant)
        const made = (await stored(tenantId)).map(({ id }) => id).filter((id) => !before.has(id))
        await settle(tenantId, made, status)
      }
      await database.rows(sql`
        update webhook_deliveries set event_type = ${TYPES[1]}
        where tenant_id = ${tenantId} and status = any(${statuses.slice(1)}::text[])`)
      const there = await stored(tenantId)
      const filter: Filter = {
        ...(wanted.status ? { status: wanted.status } : {}),
        ...(wanted.endpoint === undefined ? {} : { endpointId: endpoints[wanted.endpoint] as Uuid }),
        ...(wanted.event === undefined ? {} : { eventId: there[(3 * wanted.event) % there.length]?.eventId as Uuid }),
        ...(wanted.type === undefined ? {} : { type: wanted.type }),
        ...(wanted.until === undefined ? {} : { until: there[wanted.until % there.length]?.createdAt as string }),
        ...(wanted.since === undefined ? {} : { since: there[wanted.since % there.length]?.createdAt as string }),
      }
      const disturbed = there.filter((_, i) => i % 7 === 3).map(({ id }) => id)
      const all = await listDeliveries(database, actorOf(tenant), { limit: 100 })
      const expected = all.items.filter((item) => passes(item, filter) && !disturbed.includes(item.id))
      const seen: WebhookDelivery[] = []
      for (let cursor: string | null | undefined, turn = 0; cursor !== null; turn++) {
        assert(turn < 200, 'the list ends')
        const query = { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) }
        const [page]: [WebhookDeliveryPage, ...unknown[]] = await Promise.all([
          listDeliveries(database, actorOf(tenant), query, mostWalked),
          meanwhile[turn] ? emit(database, tenant, meanwhile[turn]) : undefined,
          turn === 1 ? settle(tenantId, disturbed, 'dead') : undefined,
        ])
        assert(page.items.length <= limit)
        for (const item of page.items) assert(passes(item, filter), JSON.stringify([item, filter]))
        seen.push(...page.items)
        cursor = page.nextCursor
      }
      const ids = seen.map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length, 'one came twice')
      assert.deepEqual(
        expected.map(({ id }) => id).filter((id) => !ids.includes(id)),
        [],
        'one was skipped',
      )
      const times = seen.map(({ createdAt }) => createdAt)
      assert.deepEqual(times, times.toSorted().reverse(), 'the newest comes first')
    },
  )
  await fc.assert(readOnce, { numRuns: 40 })
})

describe('what a filter means', async () => {
  const receiver = await startReceiver()
  const one = await subscribe(url, database, receiver)
  const two = await subscribe(url, database, receiver, { tenant: one.tenant })
  const { key, tenantId } = one.tenant
  const [first, second] = await emit(database, one.tenant, 2)
  await emit(database, one.tenant, 1)
  const rows = (await stored(tenantId)).filter(({ eventId }) => eventId === first)
  await settle(
    tenantId,
    rows.map(({ id }) => id),
    'dead',
  )
  const list = async (query: string) => (await call(url, 'GET', `/v1/webhook-deliveries?${query}`, { key })).body
  const count = async (query: string) => (await list(query)).items.length

  test('of one event, of a status, from an instant on, and all of it together', async () => {
    assert.equal(await count(''), 6)
    assert.equal(await count(`eventId=${second}`), 2)
    assert.equal(await count('status=dead'), 2)
    assert.equal(await count('status=pending'), 4)
    assert.equal(await count('status=delivered'), 0)
    assert.equal(await count(`status=dead&eventId=${first}&endpointId=${two.endpoint.id}`), 1)
    assert.equal(await count(`status=dead&eventId=${second}`), 0)
    const [{ createdAt }] = (await list(`eventId=${second}`)).items
    assert.equal(await count(`since=${createdAt}`), 4)
    assert.equal(await count(`until=${createdAt}`), 2)
    assert.equal(await count('type=message.updated'), 6)
    assert.equal(await count('type=message.sent'), 0)
    const [day, micros] = [createdAt.slice(0, 20), Number(createdAt.slice(20, 26))]
    assert.equal(await count(`since=${day}${String(micros + 1).padStart(6, '0')}Z`), 2)
    assert.equal(await count(`until=${day}${String(micros + 1).padStart(6, '0')}Z`), 4)
    assert.equal(await count('since=2999-01-01'), 0)
    assert.equal(await count('until=2999-01-01&type=message.updated&status=dead'), 2)
  })

  test('one that is replayed is pending, and dead no more', async () => {
    const [{ id }] = (await list(`status=dead&endpointId=${one.endpoint.id}`)).items
    assert.equal((await one.replay(id)).status, 202)
    assert.equal(await count('status=dead'), 1)
    assert.equal(await count('status=pending'), 5)
  })

  test('an event that there is not has no deliveries, and nor has that of another', async () => {
    const other = await subscribe(url, database, receiver)
    const [foreign] = await emit(database, other.tenant)
    for (const eventId of [newId(), foreign]) {
      assert.deepEqual(await list(`eventId=${eventId}`), { items: [], nextCursor: null })
    }
  })

  test('what it does not understand is refused by its name', async () => {
    for (const [query, fault] of [
      ['status=lost', 'status not_allowed'],
      ['since=soon', 'since invalid'],
      ['until=soon', 'until invalid'],
      ['type=*', 'type not_allowed'],
      ['eventId=1', 'eventId invalid_uuid'],
      ['limit=101', 'limit too_large'],
    ] as const) {
      const { code, details } = await list(query)
      assert.equal(code, 'validation_error', query)
      assert.equal(`${details.fields[0].path} ${details.fields[0].code}`, fault)
    }
    assert.equal((await list('cursor=soon')).code, 'invalid_cursor')
  })
})

test('a failure behind any number of others is found at once, and a page looks through so many and no more', async () => {
  const tenant = await createTestTenant(database)
  await endpointsOf(tenant, 2)
  await emit(database, tenant)
  const oldest = await stored(tenant.tenantId)
  await settle(
    tenant.tenantId,
    oldest.map(({ id }) => id),
    'delivered',
  )
  const page = async (query: string) => (await call(url, 'GET', `/v1/webhook-deliveries?${query}`, tenant)).body
  const delivered = async (cursor = '') => {
    const { items, nextCursor } = await page(`status=delivered${cursor}`)
    return [items.map(({ id }: WebhookDelivery) => id), nextCursor] as const
  }
  const [one, other] = oldest.map(({ id }) => id)
  // Each endpoint has half of what a page looks through.
  await emit(database, tenant, MOST_DELIVERIES_WALKED / 2 - 2)
  assert.deepEqual(await delivered(), [[one, other], null])
  // The walks along both end there, and what lies behind the end of one is for the next page.
  await emit(database, tenant, 1)
  assert.deepEqual(await delivered(), [[one], one])
  assert.deepEqual(await delivered(`&cursor=${one}`), [[other], null])
  await emit(database, tenant, 1)
  const [none, cursor] = await delivered()
  assert.deepEqual([none, cursor === null], [[], false])
  assert.deepEqual(await delivered(`&cursor=${cursor}`), [[one, other], null])
  await settle(tenant.tenantId, [one, other] as Uuid[], 'dead')
  const dead = await page('status=dead')
  assert.deepEqual([dead.items.map(({ id }: WebhookDelivery) => id), dead.nextCursor], [[one, other], null])
})

test('the figures of an endpoint say hour by hour what became of its deliveries, and since when they are whole', async () => {
  const tenant = await createTestTenant(database)
  const [endpoint, other] = (await endpointsOf(tenant, 2)) as [Uuid, Uuid]
  const made: [at: string, status: DeliveryStatus, durationMs: number | null][] = [
    ['2026-03-29T00:59:59.999999Z', 'dead', 5_000],
    ...Array.from({ length: 20 }, (_, n): [string, DeliveryStatus, number] => [
      `2026-03-29T01:00:00.${String(n).padStart(6, '0')}Z`,
      'delivered',
      n + 1,
    ]),
    ['2026-03-29T01:59:59.999999Z', 'pending', 700],
    ['2026-03-29T03:00:00.000000Z', 'pending', null],
  ]
  for (const endpointId of [endpoint, other]) {
    for (const [at, status, durationMs] of made) {
      await database.rows(sql`
        insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, environment_id, epoch, xid, seq,
          status, next_attempt_at, delivered_at, dead_at, last_duration_ms, created_at)
        select ${tenant.tenantId}, new_uuid(at), ${endpointId}, new_uuid(at), 'message.sent', ${tenant.tenantId}, 1, '1', 1,
          ${status}, case when ${status} = 'pending' then at end, case when ${status} = 'delivered' then at end,
          case when ${status} = 'dead' then at end, ${durationMs}, at
        from (select ${at}::timestamptz as at) n`)
    }
  }
  const figures = (since: string, most?: number) => endpointFigures(database, actorOf(tenant), endpoint, since, most)
  const none = { delivered: 0, dead: 0, pending: 0, p50Ms: null, p95Ms: null }
  const hours = [
    { ...none, hour: '2026-03-29T00:00:00.000000Z', dead: 1 },
    { hour: '2026-03-29T01:00:00.000000Z', delivered: 20, dead: 0, pending: 1, p50Ms: 10, p95Ms: 19 },
    { ...none, hour: '2026-03-29T03:00:00.000000Z', pending: 1 },
  ]
  assert.deepEqual(await figures('2026-03-29'), { hours, cutAt: null })
  assert.deepEqual(await figures('2026-03-29T00:59:59.999999Z'), { hours, cutAt: null })
  assert.deepEqual(await figures('2026-03-29T01:00:00Z'), { hours: hours.slice(1), cutAt: null })
  assert.deepEqual(await figures('2026-03-29T03:00:00.000001Z'), { hours: [], cutAt: null })
  assert.deepEqual(await figures('2026-03-29', made.length), { hours, cutAt: null })
  assert.deepEqual(await figures('2026-03-29', made.length - 1), { hours: hours.slice(1), cutAt: made[1]?.[0] })
  await assert.rejects(figures('soon'), { code: 'validation_error' })
})
