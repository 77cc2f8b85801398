// What follows the feed is killed in the middle of it, doubled, stopped and rebuilt, and agrees with the log in the end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLogsBehind, readActivityLag } from '../../src/activity/find-logs-behind.ts'
import { sql } from '../../src/lib/sql.ts'
import { activityFaults, countsOf, followAll, writeMessages } from '../support/activity.ts'
import { createTestDatabase } from '../support/database.ts'
import { mdkHere } from '../support/mdk.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

test('each event counts once and each message is found, whatever becomes of those who follow, and a rebuild is the same', async () => {
  const { database, url } = await createTestDatabase({ alone: true })
  const env = { MDK_DATABASE_URL: url, MDK_DATA_DIR: await temporaryFolder('activity-fault-'), MDK_LOG_LEVEL: 'info' }
  const follower = () => startService(env, ['serve', '--roles', 'activity'])
  const tenants = await Promise.all([createTestTenant(database), createTestTenant(database)])
  const realms = tenants.map(({ tenantId }) => ({ tenantId, environmentId: tenantId }))
  const write = async (parts: number) => {
    for (let part = 0; part < parts; part++) {
      for (const realm of realms) {
        await writeMessages(
          database,
          realm,
          Array.from({ length: 200 }, (_, i) => ({ subject: `Number ${part} ${i}` })),
        )
      }
    }
  }
  const followed = async () => {
    const [row] = await database.rows(sql<{ count: number }>`
      select coalesce(sum(followed), 0)::integer as count from activity_cursors`)
    return row?.count ?? 0
  }

  await write(20)
  const first = await follower()
  // In the middle of what there is.
  await until('it follows', async () => (await followed()) > 0)
  await first.kill()
  assert((await findLogsBehind(database)).length > 0, 'it was killed in the middle')
  const two = await Promise.all([follower(), follower()])
  await Promise.all([write(10), until('both have begun', async () => (await followed()) > 9_000)])
  await two[0]?.kill()
  await until('all is followed', async () => (await readActivityLag(database)) === 0 && (await followed()) > 12_000)
  assert.deepEqual(await activityFaults(database), [])
  const before = await Promise.all(realms.map((realm) => countsOf(database, realm)))
  for (const counts of before) assert.equal(counts.find(({ type }) => type === 'message.received')?.count, 6_000)

  // Beside a worker, and twice at once; what is written meanwhile counts as well.
  await database.rows(sql`update message_search set words = '' where tenant_id = ${realms[0]?.tenantId}`)
  const rebuild = () => mdkHere(env, 'activity', 'rebuild')
  await Promise.all([rebuild(), rebuild(), follower(), write(1)])
  await mdkHere(env, 'activity', 'rebuild', '--tenant', realms[1]?.tenantId ?? '')
  assert.equal(await two[1]?.stop(), 0)
  await followAll(database)
  assert.deepEqual(await activityFaults(database), [])
  const builds = await database.rows(sql<{ build: number }>`
    select build from activity_cursors where tenant_id = any (${realms.map(({ tenantId }) => tenantId)}) order by build`)
  // Each took the place of the one before, and the second command may have found the first one's at its end.
  assert.equal(builds.length, 2)
  assert(builds.every(({ build }) => build === 2 || build === 3 || build === 4))
  assert(builds.at(-1)?.build !== 2)
  const [words] = await database.rows(
    sql<{ count: number }>`select count(*) as count from message_search where words = ''`,
  )
  assert.equal(words?.count, 0)
})
