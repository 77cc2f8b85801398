// Wake-ups between processes, for which two pools on one database stand.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { openDatabase, sql } from '../sql.ts'
import { createWakeUps } from './wake-ups.ts'

const { database: here, url } = await createTestDatabase()
const there = openDatabase({ url })
after(() => there.end())
const fail = (error: unknown) => assert.fail(String(error))

test('another process hears of a signal, and of the last of many that came close together', async (t) => {
  const both = [createWakeUps(here, fail), createWakeUps(there, fail)] as const
  t.after(() => Promise.all(both.map((one) => one.stop())))
  let state = 0
  let calls = 0
  let seen = -1
  both[1].listen('work', () => {
    calls += 1
    seen = state
  })
  // Once when it begins to listen, for whatever was signalled before.
  await until('it listens', () => calls > 0)
  for (let n = 0; n < 1_000; n++) {
    state += 1
    here.signal('work')
  }
  await until('the last is heard of', () => seen === 1_000)
  assert.ok(calls < 100, `${calls} calls for a thousand signals in a row`)
})

test('whoever listens in the process that signals is called at once, and not again by its own word', async (t) => {
  const both = [createWakeUps(here, fail), createWakeUps(there, fail)] as const
  t.after(() => Promise.all(both.map((one) => one.stop())))
  const calls = { here: 0, there: 0 }
  both[0].listen('word', () => {
    calls.here += 1
  })
  both[1].listen('word', () => {
    calls.there += 1
  })
  await until('both listen', () => calls.here > 0 && calls.there > 0)
  const before = calls.there
  here.signal('word')
  assert.equal(calls.here, 2)
  await until('the other heard', () => calls.there > before)
  // What the other signals next comes to both after it, and over the same connection.
  there.signal('word')
  await until('the answer is heard', () => calls.here > 2)
  assert.equal(calls.here, 3)
})

test('other processes hear of a transaction once it has committed, and of one that rolls back never', async (t) => {
  const wakeUps = createWakeUps(there, fail)
  const sender = createWakeUps(here, fail)
  t.after(() => Promise.all([wakeUps.stop(), sender.stop()]))
  await here.rows(sql`create table written (n integer)`)
  const heard: string[] = []
  const seen: Promise<number | undefined>[] = []
  for (const topic of ['listening', 'undone', 'committed', 'last']) wakeUps.listen(topic, () => heard.push(topic))
  await until('it listens', () => heard.length === 4)
  heard.length = 0
  wakeUps.listen('committed', () => {
    seen.push(there.first(sql<{ n: number }>`select count(*) as n from written`).then((row) => row?.n))
  })
  const undone = here.transaction(async (tx) => {
    tx.signal('undone')
    throw new RangeError('of its own')
  })
  await assert.rejects(undone, RangeError)
  await here.transaction(async (tx) => {
    tx.signal('committed')
    await tx.rows(sql`insert into written (n) values (1)`)
  })
  await until('it is heard of', () => seen.length > 0)
  assert.equal(await seen[0], 1)
  // Sent over the same connection, and after them.
  here.signal('last')
  await until('what came last is heard', () => heard.includes('last'))
  assert.deepEqual(heard, ['committed', 'last'])
})
