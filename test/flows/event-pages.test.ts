// The log from its newest end, as the console shows it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { appendEvents, type NewEvent } from '../../src/events/append.ts'
import { pageEvents } from '../../src/events/page-events.ts'
import { EVENT_TYPES, type EventType } from '../../src/events/types.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'

const { database } = await createTestDatabase()

const eventOf = (tenantId: Uuid, type: EventType, resourceId: Uuid): NewEvent => {
  return { tenantId, environmentId: tenantId, type, resourceType: 'message', resourceId, data: { n: 1 } }
}
const append = (events: NewEvent[]) => database.transaction((tx) => appendEvents(tx, events))

async function allPages(tenantId: Uuid, query: object, limit: number, mostWalked?: number): Promise<Uuid[]> {
  const ids: Uuid[] = []
  let cursor: string | undefined
  do {
    const page = await pageEvents(database, operatorOf(tenantId), { ...query, limit, cursor }, mostWalked)
    assert(page.items.length <= limit)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return ids
}

test('page by page each event that a filter lets pass shows once, newest first, however few a page looks through', async () => {
  const readOnce = fc.asyncProperty(
    fc.array(fc.record({ type: fc.constantFrom(...EVENT_TYPES), about: fc.constantFrom(0, 1) }), { maxLength: 16 }),
    fc.record({ type: fc.constantFrom(...EVENT_TYPES), about: fc.constantFrom(0, 1) }, { requiredKeys: [] }),
    fc.record({ limit: fc.integer({ min: 1, max: 4 }), mostWalked: fc.integer({ min: 1, max: 6 }) }),
    async (given, { type, about }, { limit, mostWalked }) => {
      const [tenantId, one, other] = [newId(), newId(), newId()]
      const resources = [one, other]
      const expected: Uuid[] = []
      for (const event of given) {
        const [id] = await append([eventOf(tenantId, event.type, resources[event.about] as Uuid)])
        const passes = (type ?? event.type) === event.type && (about ?? event.about) === event.about
        if (passes) expected.unshift(id as Uuid)
      }
      // Nobody else's show.
      await append([eventOf(newId(), type ?? 'message.sent', one)])
      const query = { type, resourceId: about === undefined ? undefined : resources[about] }
      assert.deepEqual(await allPages(tenantId, query, limit, mostWalked), expected)
    },
  )
  await fc.assert(readOnce, { numRuns: 60 })
})

test('between two instants show those that happened at the first or later, and before the second', async () => {
  const tenantId = newId()
  const [first, second, third] = await append(
    [newId(), newId(), newId()].map((id) => eventOf(tenantId, 'message.sent', id)),
  )
  await database.pool.query(
    `update events set occurred_at = case id when $2 then timestamptz '2026-03-29 00:59:59.999999Z'
       when $3 then '2026-03-29 01:00:00Z' else '2026-03-29 02:00:00Z' end where tenant_id = $1`,
    [tenantId, first, second],
  )
  const between = (since?: string, until?: string) => allPages(tenantId, { since, until }, 10)
  assert.deepEqual(await between(), [third, second, first])
  assert.deepEqual(await between('2026-03-29T01:00:00Z'), [third, second])
  assert.deepEqual(await between('2026-03-29T03:00:00+02:00', '2026-03-29T02:00:00Z'), [second])
  assert.deepEqual(await between(undefined, '2026-03-29T01:00:00Z'), [first])
  const asked = (query: object) => pageEvents(database, operatorOf(tenantId), { limit: 1, ...query })
  await assert.rejects(asked({ since: 'yesterday' }), { code: 'validation_error' })
  await assert.rejects(asked({ until: '2026-02-30' }), { code: 'validation_error' })
  for (const cursor of ['', 'x', '1.2', '1.2.3.4', '-1.2.3', `1.${'9'.repeat(19)}.1`]) {
    await assert.rejects(asked({ cursor }), { code: 'invalid_cursor' })
  }
})
