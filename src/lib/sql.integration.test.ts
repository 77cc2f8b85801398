// Transactions: statements that are asked for together take one round trip, in their order, all or nothing; what they
// signal is heard after the commit.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
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

/** What is signalled until the test ends. */
function signals(t: TestContext): string[] {
  const heard: string[] = []
  t.after(database.onSignal((topic) => void heard.push(topic)))
  return heard
}

test('a transaction signals each topic once, when what it wrote can be seen', async (t) => {
  const heard = signals(t)
  const seen: Promise<number[]>[] = []
  t.after(database.onSignal(() => void seen.push(notes())))
  await database.transaction(async (tx) => {
    tx.signal('notes')
    await tx.rows(sql`insert into notes (n) values (${10})`)
    tx.signal('others')
    tx.signal('notes')
    assert.deepEqual(heard, [])
  })
  assert.deepEqual(heard, ['notes', 'others'])
  for (const rows of await Promise.all(seen)) assert(rows.includes(10))
})

test('a transaction that is not committed signals nothing', async (t) => {
  await database.rows(sql`create table pairs (n integer unique deferrable initially deferred)`)
  const heard = signals(t)
  const thrown = database.transaction(async (tx) => {
    tx.signal('thrown')
    throw new RangeError('of its own')
  })
  await assert.rejects(thrown, RangeError)
  const refused = database.transaction(async (tx) => {
    tx.signal('refused')
    await tx.rows(sql`insert into pairs (n) values (1), (1)`)
  })
  await assert.rejects(refused, { code: '23505' })
  const lost = database.transaction(async (tx) => {
    tx.signal('lost')
    const [row] = await tx.rows(sql<{ pid: number }>`select pg_backend_pid() as pid`)
    await database.rows(sql`select pg_terminate_backend(${row?.pid})::text`)
  })
  await assert.rejects(lost, isUnavailable)
  assert.deepEqual(heard, [])
})

test('a transaction whose work keeps the failure of a statement to itself is rolled back, and says so', async (t) => {
  const heard = signals(t)
  const swallowed = database.transaction(async (tx) => {
    tx.signal('swallowed')
    await tx.rows(sql`insert into notes (n) values (${20})`)
    await tx.rows(sql`insert into notes (n) values (${1})`).catch(() => {})
  })
  await assert.rejects(swallowed, /was rolled back/)
  assert(!(await notes()).includes(20))
  assert.deepEqual(heard, [])
})

test('what is signalled outside a transaction is heard at once, until its listener has enough', () => {
  const heard: string[] = []
  const end = database.onSignal((topic) => void heard.push(topic))
  database.signal('now')
  assert.deepEqual(heard, ['now'])
  end()
  database.signal('later')
  assert.deepEqual(heard, ['now'])
})
