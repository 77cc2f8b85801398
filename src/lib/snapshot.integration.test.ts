// A snapshot of the database over a connection of its own, and its end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { until } from '../../test/support/until.ts'
import { openSnapshot } from './snapshot.ts'
import { sql } from './sql.ts'

const { database } = await createTestDatabase()

/** What runs over its connection; undefined when the server has no such connection any more. */
const workOf = (name: string) =>
  database.first(sql<{ query: string; state: string }>`
    select query, state from pg_stat_activity where datname = current_database() and application_name = ${name}`)

test('a snapshot shows what had been committed when its first statement began', async () => {
  await database.pool.query('create table kept (n integer)')
  const snapshot = await openSnapshot(database, 'first')
  const count = async () => (await snapshot.first(sql<{ count: number }>`select count(*) as count from kept`))?.count
  assert.equal(await count(), 0)
  await database.pool.query('insert into kept values (1)')
  assert.equal(await count(), 0)
  snapshot.close()
  await until('its connection has ended', async () => !(await workOf('first')))
})

test('what the server does for a snapshot ends with it, and not only at the end of the statement', async () => {
  const working = {
    'slow-asleep': sql`select pg_sleep(25)`,
    'slow-awake': sql`select count(*) from generate_series(1, 20000) a, generate_series(1, 1000000) b where a * b = -1`,
  }
  for (const [name, statement] of Object.entries(working)) {
    const snapshot = await openSnapshot(database, name)
    const answer = assert.rejects(snapshot.rows(statement), /Connection terminated/)
    await until('it is at work', async () => (await workOf(name))?.state === 'active')
    snapshot.close()
    await answer
    // Sooner than the statement, and than the longest that one may take.
    await until('it has ended', async () => !(await workOf(name)), 15_000)
  }
})
