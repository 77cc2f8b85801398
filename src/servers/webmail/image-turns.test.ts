import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createImageTurns, type ImageTurns } from './image-turns.ts'

const GIVES_WAY_AFTER_MS = 5_000

/** Somebody who reads until cut off, or until `leave`. */
function slowReader(inTurn: ImageTurns, userId: string) {
  const reader = { isReading: false, wasCutOff: false, leave: () => {}, done: Promise.resolve() }
  reader.done = inTurn(userId, (isRead) => {
    reader.isReading = true
    return new Promise<void>((resolve) => {
      reader.leave = resolve
      isRead(() => {
        reader.wasCutOff = true
        resolve()
      })
    })
  })
  return reader
}

test('slow readers keep their turns while nobody waits, and the longest gives way as soon as somebody does', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const pass = async (ms: number) => {
    now += ms
    t.mock.timers.tick(ms)
    for (let i = 0; i < 20; i++) await setImmediate()
  }
  const inTurn = createImageTurns(8, GIVES_WAY_AFTER_MS)
  const slow = ['ada', 'bob'].flatMap((userId) => Array.from({ length: 4 }, () => slowReader(inTurn, userId)))
  await pass(0)
  assert.equal(slow.filter(({ isReading }) => isReading).length, 8)
  await pass(GIVES_WAY_AFTER_MS - 1)
  const grace = [slowReader(inTurn, 'grace'), slowReader(inTurn, 'grace')]
  await pass(0)
  assert(
    slow.every(({ wasCutOff }) => !wasCutOff),
    'who has only begun is left alone',
  )
  assert(grace.every(({ isReading }) => !isReading))
  await pass(1)
  assert.deepEqual(
    slow.map(({ wasCutOff }) => wasCutOff),
    [true, true, false, false, false, false, false, false],
  )
  assert(grace.every(({ isReading, wasCutOff }) => isReading && !wasCutOff))

  // Nobody waits any more: the others may go on.
  await pass(60_000)
  assert.equal(slow.filter(({ wasCutOff }) => wasCutOff).length, 2)
  for (const reader of [...slow, ...grace]) reader.leave()
  await Promise.all([...slow, ...grace].map(({ done }) => done))

  // A user's own wait for one another, and cut nobody off.
  const own = Array.from({ length: 5 }, () => slowReader(inTurn, 'ada'))
  await pass(60_000)
  assert.deepEqual(
    own.map(({ isReading, wasCutOff }) => [isReading, wasCutOff]),
    [...Array.from({ length: 4 }, () => [true, false]), [false, false]],
  )
  own[0]?.leave()
  await pass(0)
  assert(own[4]?.isReading)
  for (const reader of own) reader.leave()
  await Promise.all(own.map(({ done }) => done))
})
