// Sums by hours and days are those of the events that the list behind them shows, in whichever time zone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { followAll } from '../../test/support/activity.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { operatorOf } from '../../test/support/operator.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import { Problem } from '../access/problem.ts'
import { appendEvents } from '../events/append.ts'
import { sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { countEvents } from './count-events.ts'
import { COUNTED_TYPES } from './counted-types.ts'

describe('counts of events', async () => {
  const { database } = await createTestDatabase()
  const { tenantId } = await createTestTenant(database)
  const actor = operatorOf(tenantId)

  const append = (count: number): Promise<Uuid[]> =>
    database.transaction((tx) =>
      appendEvents(
        tx,
        Array.from({ length: count }, (_, i) => ({
          ...{ tenantId, environmentId: tenantId, resourceType: 'message' as const, resourceId: newId(), data: {} },
          type: COUNTED_TYPES[i % COUNTED_TYPES.length] ?? 'message.sent',
        })),
      ),
    )

  /** By the bounds that the figure's link has. */
  const listed = async (type: (typeof COUNTED_TYPES)[number], since: string, until: string) => {
    const row = await database.first(sql<{ count: number }>`
      select count(*) as count from events e
      where e.tenant_id = ${tenantId} and e.type = ${type} and e.occurred_at >= ${since} and e.occurred_at < ${until}`)
    return row?.count
  }

  test('each bar and each sum is the number of the events between its bounds', async () => {
    // Over the last 40 days, a quarter of an hour less a second apart at first, and then further.
    const ids = await append(300)
    await database.rows(sql`
      update events e set occurred_at = e.occurred_at - n.seconds * interval '1 second'
      from unnest(${ids}::uuid[], ${ids.map((_, i) => i * 899 + i * i * 38)}::bigint[]) as n (id, seconds) where e.id = n.id`)
    await followAll(database)
    for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe']) {
      for (const days of [1, 30] as const) {
        const { bars, sums, isCurrent } = await countEvents(database, actor, { days, timeZone })
        assert.equal(isCurrent, true)
        for (const type of COUNTED_TYPES) {
          assert.equal(await listed(type, bars[0]?.since ?? '', bars.at(-1)?.until ?? ''), sums[type], timeZone)
          assert.equal(
            bars.reduce((sum, { counts }) => sum + counts[type], 0),
            sums[type],
          )
        }
        assert(sums['message.sent'] > 0)
        for (const { since, until, counts } of bars.slice(-6)) {
          for (const type of COUNTED_TYPES)
            assert.equal(await listed(type, since, until), counts[type], `${since} ${timeZone}`)
        }
      }
    }
  })

  test('says so while events wait to be counted, and counts nothing of another environment', async () => {
    const other = await createTestTenant(database)
    await append(1)
    const asked = { days: 1, timeZone: 'UTC' } as const
    assert.equal((await countEvents(database, actor, asked)).isCurrent, false)
    const before = await countEvents(database, operatorOf(other.tenantId), asked)
    assert.equal(before.sums['message.sent'], 0)
    await followAll(database)
    assert.equal((await countEvents(database, actor, asked)).isCurrent, true)
  })

  test('a time zone that is none is refused', async () => {
    for (const timeZone of ['', 'Mars/Base', '+01:00']) {
      await assert.rejects(countEvents(database, actor, { days: 1, timeZone }), (error) => {
        return error instanceof Problem && error.code === 'validation_error'
      })
    }
  })
})
