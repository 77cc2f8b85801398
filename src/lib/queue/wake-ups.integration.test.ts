// Wake-ups between processes, as two listeners on one database stand for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { createWakeUps } from './wake-ups.ts'

const { database } = await createTestDatabase()

test('another process hears of a wake-up, and of the last of many that came close together', async (t) => {
  const fail = (error: unknown) => assert.fail(String(error))
  const [here, there] = [createWakeUps(database, fail), createWakeUps(database, fail)]
  t.after(() => Promise.all([here.stop(), there.stop()]))
  let state = 0
  let calls = 0
  let seen = -1
  there.listen('work', () => {
    calls += 1
    seen = state
  })
  // Once when it begins to listen, for whatever was said before.
  await until('it listens', () => calls > 0)
  for (let n = 0; n < 1_000; n++) {
    state += 1
    here.wake('work')
  }
  await until('the last is heard of', () => seen === 1_000)
  assert.ok(calls < 100, `${calls} wake-ups for a thousand in a row`)
})

test('who says that there is work is called at once, and not again by its own word', async (t) => {
  const fail = (error: unknown) => assert.fail(String(error))
  const [here, there] = [createWakeUps(database, fail), createWakeUps(database, fail)]
  t.after(() => Promise.all([here.stop(), there.stop()]))
  const calls = { here: 0, there: 0 }
  here.listen('word', () => {
    calls.here += 1
  })
  there.listen('word', () => {
    calls.there += 1
  })
  await until('both listen', () => calls.here > 0 && calls.there > 0)
  const before = calls.there
  here.wake('word')
  assert.equal(calls.here, 2)
  await until('the other heard', () => calls.there > before)
  // What the other says next comes to both after it, and over the same connection.
  there.wake('word')
  await until('the answer is heard', () => calls.here > 2)
  assert.equal(calls.here, 3)
})
