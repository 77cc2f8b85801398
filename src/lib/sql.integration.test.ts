// Statements that are asked for together in one transaction: one round trip, in their order, all or nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { isUnavailable, sql } from './sql.ts'

const { database } = await createTestDatabase()
await database.pool.query('create table notes (n integer primary key)')
const notes = async () => (await database.rows(sql<{ n: number }>`select n from notes order by n`)).map(({ n }) => n)

test('what is asked for together is carried out in that order', async () => {
  const [, seen] = await database.transaction((tx) =>
    Promise.all([tx.rows(sql`insert into notes (n) values (${1})`), tx.rows(sql<{ n: number }>`select n from notes`)]),
  )
  assert.deepEqual(seen, [{ n: 1 }])
  assert.deepEqual(await notes(), [1])
})

test('the fault of one is reported as its own, undoes all, and leaves the connection fit for use', async () => {
  const together = database.transaction((tx) =>
    Promise.all([2, 1, 3].map((n) => tx.rows(sql`insert into notes (n) values (${n})`))),
  )
  await assert.rejects(together, { code: '23505' })
  assert.deepEqual(await notes(), [1])
})

test('a transaction that asks for nothing, and one that throws by itself, leave nothing behind', async () => {
  assert.equal(await database.transaction(async () => 'nothing'), 'nothing')
  const thrown = database.transaction(async (tx) => {
    void tx.rows(sql`insert into notes (n) values (${4})`)
    throw new RangeError('of its own')
  })
  await assert.rejects(thrown, RangeError)
  assert.deepEqual(await notes(), [1])
})

test('a connection that is lost while it is lent and nobody asks it anything ends nothing else', async () => {
  const client = await database.pool.connect()
  const lost = new Promise((resolve) => client.once('end', resolve))
  const { rows } = await client.query('select pg_backend_pid() as pid')
  await database.rows(sql`select pg_terminate_backend(${rows[0].pid})::text`)
  await lost
  await assert.rejects(client.query('select'), isUnavailable)
  client.release(true)
  assert.deepEqual(await notes(), [1])
})
