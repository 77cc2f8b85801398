import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { newsOf, tellQueuedNews } from './queued-news.ts'

const HOUR_MS = 3_600_000

test('the log ends the waiting for a message that it says is there, and only for that one', async (t) => {
  t.after(() => mock.timers.reset())
  mock.timers.enable({ apis: ['setTimeout'] })
  const news = newsOf('a')
  t.after(news.stop)
  let waited = 0
  const waiting = news.wait(HOUR_MS).finally(() => waited++)
  tellQueuedNews({ type: 'message.queued', id: 'b' })
  tellQueuedNews({ type: 'message.updated', id: 'a' })
  await Promise.resolve()
  assert.equal(waited, 0)
  tellQueuedNews({ type: 'message.queued', id: 'a' })
  assert.equal(await waiting, true)
})

test('what the log says while nobody waits ends the next waiting at once, and no other', async (t) => {
  t.after(() => mock.timers.reset())
  mock.timers.enable({ apis: ['setTimeout'] })
  const news = newsOf('a')
  t.after(news.stop)
  tellQueuedNews({ type: 'reload' })
  assert.equal(await news.wait(HOUR_MS), false, 'something was missed, which may have been anything')
  let waited = 0
  const waiting = news.wait(HOUR_MS).then(() => waited++)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(waited, 0)
  mock.timers.tick(HOUR_MS)
  await waiting
})

test('without the log the time ends it', async (t) => {
  t.after(() => mock.timers.reset())
  mock.timers.enable({ apis: ['setTimeout'] })
  const news = newsOf('a')
  t.after(news.stop)
  const waiting = news.wait(1_000)
  mock.timers.tick(1_000)
  assert.equal(await waiting, false)
})
