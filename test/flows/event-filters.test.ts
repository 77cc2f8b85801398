// GET /v1/events by type and by resource: a reader that goes on where the last page told it to misses none, whatever races
// it and however few events a page looks through, and looks at none twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { appendEvents, type NewEvent } from '../../src/events/append.ts'
import { BEGINNING, type Position } from '../../src/events/cursor.ts'
import { MOST_EVENTS_WALKED, readFilteredFeed } from '../../src/events/filtered-feed.ts'
import { EVENT_TYPES, type EventType } from '../../src/events/types.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase({ alone: true })
const { url } = await startTestApi(database)

const eventOf = ({ tenantId }: { tenantId: Uuid }, type: EventType, resourceId: Uuid = newId()): NewEvent => ({
  tenantId,
  environmentId: tenantId,
  type,
  resourceType: 'message',
  resourceId,
  data: { n: 0 },
})
const append = (events: NewEvent[]) => database.transaction((tx) => appendEvents(tx, events))

async function page(tenant: TestTenant, query: string) {
  const answer = await call(url, 'GET', `/v1/events?${query}`, { key: tenant.key })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { items, nextCursor } = answer.body as { items: { id: Uuid; type: string }[]; nextCursor: string | null }
  const resume = answer.headers.get('mdk-resume-cursor') as string
  return { ids: items.map(({ id }) => id), types: items.map(({ type }) => type), nextCursor, resume }
}

test('a reader of a type or a resource gets each of its events once, in the order of the log, while many write', async () => {
  const readOnce = fc.asyncProperty(
    fc.array(fc.record({ type: fc.constantFrom(...EVENT_TYPES), about: fc.constantFrom(0, 1) }), { maxLength: 24 }),
    fc.record({ type: fc.constantFrom(...EVENT_TYPES), about: fc.constantFrom(0, 1) }, { requiredKeys: [] }),
    fc.record({ limit: fc.integer({ min: 1, max: 4 }), mostWalked: fc.integer({ min: 1, max: 6 }) }),
    async (given, { type, about }, { limit, mostWalked }) => {
      const tenantId = newId()
      const realm = { tenantId, environmentId: tenantId }
      const resources = [newId(), newId()]
      const events = given.map((one) => eventOf(realm, one.type, resources[one.about] as Uuid))
      const filter = { type, ...(about === undefined ? {} : { resourceId: resources[about] as Uuid }) }
      const wrote = Promise.all(events.map((event, i) => append(i % 3 === 0 ? [event, event] : [event])))
      const seen: Uuid[] = []
      let place: Position = BEGINNING
      const readOn = async () => {
        for (let more = true; more; ) {
          const read = await readFilteredFeed(database, realm, place, limit, filter, mostWalked)
          seen.push(...read.items.map(({ id }) => id))
          place = read.position
          more = read.more
        }
      }
      await readOn()
      await wrote
      await feedCaughtUp(database)
      await readOn()
      const wanted = await database.rows(sql<{ id: Uuid }>`
        select id from events
        where tenant_id = ${tenantId} and (${type ?? null}::text is null or type = ${type ?? null})
          and (${filter.resourceId ?? null}::uuid is null or resource_id = ${filter.resourceId ?? null})
        order by epoch, xid, seq`)
      assert.deepEqual(
        seen,
        wanted.map(({ id }) => id),
      )
    },
  )
  await fc.assert(readOnce, { numRuns: 80 })
})

test('both filters together let pass what both let pass, and a cursor is a place whatever the filter', async () => {
  const tenant = await createTestTenant(database)
  const [one, other] = [newId(), newId()]
  const [sentOne, , bouncedOne, sentOther] = await append([
    eventOf(tenant, 'message.sent', one),
    eventOf(tenant, 'message.updated', one),
    eventOf(tenant, 'message.bounced', one),
    eventOf(tenant, 'message.sent', other),
    eventOf(tenant, 'message.bounced', other),
  ])
  await feedCaughtUp(database)
  assert.deepEqual((await page(tenant, `type=message.sent&resourceId=${one}`)).ids, [sentOne])
  assert.deepEqual((await page(tenant, `type=message.failed&resourceId=${one}`)).ids, [])
  assert.deepEqual((await page(tenant, 'type=message.sent')).ids, [sentOne, sentOther])
  const { nextCursor, resume, types } = await page(tenant, `resourceId=${one.toUpperCase()}&limit=2`)
  assert.deepEqual([types, nextCursor], [['message.sent', 'message.updated'], resume])
  const rest = `cursor=${nextCursor}`
  assert.deepEqual((await page(tenant, `resourceId=${one}&${rest}`)).ids, [bouncedOne])
  assert.deepEqual((await page(tenant, rest)).types, ['message.bounced', 'message.sent', 'message.bounced'])
})

test('a reader whose filter finds nothing goes on behind what it has looked through', async () => {
  const tenant = await createTestTenant(database)
  await append(Array.from({ length: MOST_EVENTS_WALKED + 1 }, () => eventOf(tenant, 'message.updated')))
  const [wanted] = await append([eventOf(tenant, 'message.received')])
  await feedCaughtUp(database)
  const first = await page(tenant, 'type=message.received')
  assert.deepEqual([first.ids, first.nextCursor], [[], first.resume])
  const second = await page(tenant, `type=message.received&cursor=${first.nextCursor}`)
  assert.deepEqual([second.ids, second.nextCursor], [[wanted], null])
  const idle = await page(tenant, `type=message.queued&cursor=${first.nextCursor}`)
  assert.deepEqual([idle.ids, idle.nextCursor], [[], null])
  const { rows } = await database.pool.query('select count(*)::int as n from events where tenant_id = $1', [
    tenant.tenantId,
  ])
  const behind = await page(tenant, `cursor=${idle.resume}`)
  assert.deepEqual([behind.ids, rows[0].n > MOST_EVENTS_WALKED], [[], true], 'it does not look again')
})

test('an instant as cursor and a filter go together', async () => {
  const tenant = await createTestTenant(database)
  await append([eventOf(tenant, 'message.failed')])
  const { rows } = await database.pool.query('select clock_timestamp() as now')
  const [late] = await append([eventOf(tenant, 'message.failed')])
  await feedCaughtUp(database)
  for (const query of ['type=message.failed', 'type=message.failed&limit=1']) {
    assert.deepEqual((await page(tenant, `${query}&cursor=${rows[0].now}`)).ids, [late], query)
  }
})

test('what it does not understand is refused by its name', async () => {
  const { key } = await createTestTenant(database)
  for (const [query, fault] of [
    ['type=message.*', 'type not_allowed'],
    ['type=*', 'type not_allowed'],
    ['resourceId=1', 'resourceId invalid_uuid'],
  ] as const) {
    const { status, body } = await call(url, 'GET', `/v1/events?${query}`, { key })
    assert.equal(status, 400)
    assert.equal(`${body.details.fields[0].path} ${body.details.fields[0].code}`, fault)
  }
})

test('what a send brought about is read by its message, and each of it by its own id', async () => {
  const { key, mailboxId } = await createTestTenant(database)
  const { body } = await send(url, key, { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' })
  await feedCaughtUp(database)
  const listed = (await call(url, 'GET', `/v1/events?resourceId=${body.id}`, { key })).body.items
  assert.deepEqual(
    listed.map(({ type }: { type: string }) => type),
    ['message.queued'],
  )
  const single = await call(url, 'GET', `/v1/events/${listed[0].id}`, { key })
  assert.deepEqual([single.status, single.body], [200, { event: listed[0] }])
})
